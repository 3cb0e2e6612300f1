"""What all projections share."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from tamis import _core
from tamis._base import TableEstimator, takes_what_is_known
from tamis._input import (
    core_table,
    knowledge,
    naming_bad_values,
    option_texts,
    resolve_threads,
)
from tamis._warnings import warn
from tamis.constraints import Constraints


class RowProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, TableEstimator):
    """Base of every projection: fit() finds directions, transform() sees rows along them."""

    components_: NDArray[np.float64]
    eigenvalues_: NDArray[np.float64]
    mean_: NDArray[np.float64]
    n_components_: int
    rank_: int

    @takes_what_is_known
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Constraints | None = None,
        sample_ids: Any = None,
    ) -> Self:
        """Find the directions."""
        table, names, ids, labels, pairs = self._given(X, y, constraints, sample_ids)
        texts = option_texts(self._options())
        known = knowledge(names, ids, labels, pairs, table.shape[0])
        threads = resolve_threads(self.n_jobs)
        with naming_bad_values(table, names):
            found = _core.project(self._method, texts, core_table(table), known, threads)
        self.components_, self.mean_ = found["components"], found["mean"]
        self.eigenvalues_, self.rank_ = found["eigenvalues"], found["rank"]
        self.n_components_ = len(self.components_)
        for text in found["warnings"]:
            warn(text)
        return self

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Constraints | None = None,
        sample_ids: Any = None,
    ) -> Any:
        """Fit, and see the same rows along the components.

        Parameters
        ----------
        X, y, constraints, sample_ids
            As in `fit`.

        Returns
        -------
        array or data frame of shape (n_samples, n_components_)
        """
        return self.fit(X, y, constraints=constraints, sample_ids=sample_ids).transform(X)

    def transform(self, X: Any) -> Any:
        """The rows along the components: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        array or data frame of shape (n_samples, n_components_)
        """
        check_is_fitted(self)
        table = core_table(self._validated(X, reset=False))
        threads = resolve_threads(self.n_jobs)
        return _core.project_rows(table, self.mean_, self.components_, threads)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """c1, c2, …, as ``tamis project`` calls the new features.

        Parameters
        ----------
        input_features : sequence of str or None
            Only compared with the names that fit saw.

        Returns
        -------
        ndarray of str
        """
        super().get_feature_names_out(input_features)
        return np.array([f"c{number + 1}" for number in range(self.n_components_)], dtype=object)

    @property
    def _n_features_out(self):
        return self.n_components_
