"""What all selectors share."""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from tamis._labels import encode_labels
from tamis._ranking import rank_table
from tamis._tables import as_array, column_names, is_arrow, is_polars, row_ids

_OWN_PARAMETERS = ("n_features_to_select", "unlabeled", "random_state", "n_jobs")


class RankingSelector(SelectorMixin, BaseEstimator):
    """Base of every selector: fit() ranks the columns, transform() keeps the best ones."""

    _method: str
    _needs: str

    def fit(self, X, y=None, *, constraints=None, sample_ids=None):
        """Rank the features.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            float32 and float64 in C order are used in place; other numbers are converted.
        y : sequence of length n_samples or None
            Classes. -1, NaN, None and empty texts mean that the class is not known.
        constraints : Constraints or None
            Pairs that must or cannot be of one class. Those with a sample outside X are left out
            if the ids of its rows are known.
        sample_ids : sequence of length n_samples or None
            What `constraints` call the rows. None: the index of a pandas frame, else 0, 1, …

        Returns
        -------
        self
        """
        if y is None and get_tags(self).target_tags.required:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, "
                "but the target y is None."
            )
        ids = row_ids(X) if sample_ids is None else list(sample_ids)
        table = self._validated(X, ensure_min_samples=2, ensure_all_finite=False)
        rows = table.shape[0]
        labels = encode_labels(y, rows, self.unlabeled)
        options = self._options()
        names = getattr(self, "feature_names_in_", None)
        self.result_ = rank_table(
            table,
            None if names is None else names.tolist(),
            ids,
            labels,
            _pairs_inside(constraints, ids, rows),
            self._method,
            options,
            self.random_state,
            self.n_jobs,
        )
        self.scores_, self.order_ = self.result_.scores, self.result_.order
        self.ranking_ = self.result_.ranks
        if "max_iter" in options:
            self.n_iter_ = self.result_.diagnostics["iterations"]
        self.selected_ = self.result_.columns(self._wanted(table.shape[1]))
        return self

    def _options(self):
        """Those of the method."""
        parameters = self.get_params(deep=False)
        return {name: parameters[name] for name in parameters if name not in _OWN_PARAMETERS}

    def _validated(self, X, **checks):
        """X as one array; remembers its names and number of columns."""
        is_unknown = is_arrow(X) and not is_polars(X)  # to scikit-learn
        table = validate_data(
            self,
            as_array(X) if is_unknown else X,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            order="C",
            **checks,
        )
        if is_unknown:
            self.feature_names_in_ = np.asarray(column_names(X), dtype=object)
        return table

    def _wanted(self, n_features):
        """How many features to keep; None: what the method chose."""
        wanted = self.n_features_to_select
        if isinstance(wanted, str) and wanted == "auto":
            return self._own_choice(n_features)
        if isinstance(wanted, Integral) and not isinstance(wanted, bool) and wanted >= 1:
            self._warn_if_fewer(wanted)
            return int(wanted)
        if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted <= 1:
            return max(1, int(wanted * n_features))
        raise ValueError(
            f"n_features_to_select = {wanted!r} is neither 'auto', nor an integer from 1, "
            "nor a fraction above 0 and up to 1"
        )

    def _own_choice(self, n_features):
        if self.result_.subset is not None:
            return None
        if self.result_.curve is not None:
            return max(1, self.result_.curve["n_features"])
        return max(1, n_features // 2)

    def _warn_if_fewer(self, wanted):
        there = len(self.result_.columns())
        if wanted > there:
            warnings.warn(
                f"n_features_to_select = {wanted} asks for more than the {there} features "
                "to choose from: all of them are taken",
                UserWarning,
                stacklevel=4,
            )

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.selected_] = True
        return mask

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self._needs.startswith("labels of")
        return tags


def _pairs_inside(constraints, ids, rows):
    """Rows of the pairs that X holds."""
    if constraints is None:
        return None
    pairs = constraints.rows(ids, rows, inside_only=ids is not None)
    if constraints and not any(len(each) for each in pairs):
        warnings.warn("no pair of the constraints is inside X", UserWarning, stacklevel=3)
    return pairs
