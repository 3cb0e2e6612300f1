"""Classifiers that know nothing of unlabeled rows, at the end of a pipeline that does."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from tamis._labels import encode_labels
from tamis._tables import as_array, read_once


def _has(name):
    def check(self):
        getattr(getattr(self, "estimator_", self.estimator), name)
        return True

    return available_if(check)


class LabeledOnly(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier that learns from labeled rows alone, and is judged on them alone.

    Selectors and clusterings make use of rows without a label, classifiers of scikit-learn do not:
    to them -1 is one more class.

    Parameters
    ----------
    estimator : classifier
        It is cloned, and the clone is fitted.
    unlabeled : default='auto'
        As in `tamis.rank`.

    Attributes
    ----------
    estimator_
        The classifier, fitted to the labeled rows.
    classes_
        Its classes: without the mark of unlabeled rows.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from tamis import LabeledOnly, datasets
    >>> X, y = datasets.make_wave(100, random_state=0, n_labeled_per_class=5)
    >>> LabeledOnly(LogisticRegression()).fit(X, y).classes_
    array([0, 1, 2])
    """

    estimator_: Any

    def __init__(self, estimator: Any, *, unlabeled: Any = "auto") -> None:
        self.estimator = estimator
        self.unlabeled = unlabeled

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the classifier to the rows that have a label.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : sequence of length n_samples
            Classes; some of them are not known.
        **fit_params
            Of the classifier; those of the length of y are cut like it.

        Returns
        -------
        self
        """
        rows, classes = self._labeled(y)
        if len(rows) == 0:
            raise ValueError("LabeledOnly needs labels, and no row has one; pass classes as y")
        cut = {
            name: _safe_indexing(value, rows) if np.shape(value)[:1] == (len(y),) else value
            for name, value in fit_params.items()
        }
        X = as_array(read_once(X))
        self.estimator_ = clone(self.estimator).fit(_safe_indexing(X, rows), classes, **cut)
        return self

    @property
    def classes_(self) -> NDArray[Any]:
        return self.estimator_.classes_

    @property
    def n_features_in_(self) -> int:
        return self.estimator_.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        return self.estimator_.feature_names_in_

    @_has("predict")
    def predict(self, X: Any) -> NDArray[Any]:
        """The classes of all rows, as the classifier predicts them.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted().predict(as_array(read_once(X)))

    @_has("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probabilities of the classes, as the classifier has them.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A column for each of `classes_`.
        """
        return self._fitted().predict_proba(as_array(read_once(X)))

    @_has("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The decisions of the classifier.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray
            Of the shape that the classifier gives it.
        """
        return self._fitted().decision_function(as_array(read_once(X)))

    @_has("score")
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The classifier's own score on the rows that have a label.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : sequence of length n_samples
            Classes; rows of which it is not known do not count.
        sample_weight : sequence of length n_samples or None
            How much each row counts.

        Returns
        -------
        float
        """
        fitted = self._fitted()
        rows, classes = self._labeled(y)
        weights = {}
        if sample_weight is not None:
            weights = {"sample_weight": _safe_indexing(sample_weight, rows)}
        return fitted.score(_safe_indexing(as_array(read_once(X)), rows), classes, **weights)

    def _fitted(self):
        check_is_fitted(self, "estimator_")
        return self.estimator_

    def _labeled(self, y):
        """The rows that have a label, and their classes."""
        codes = encode_labels(y, len(y), self.unlabeled).codes
        rows = np.flatnonzero(codes >= 0)
        return rows, np.array(np.asarray(y)[rows].tolist())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = get_tags(self.estimator).input_tags.sparse
        return tags
