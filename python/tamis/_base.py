"""What all estimators share, and what all selectors do."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from tamis import _core
from tamis._input import RowPairs
from tamis._labels import Labels, encode_labels, encode_target
from tamis._missing import preparation_that_keeps_rows
from tamis._plan import ranking_plan
from tamis._ranking import (
    Ranking,
    noted,
    rank_table,
    refuse_missing_of_runs,
    why_none,
)
from tamis._rows import RowSource
from tamis._streaming import begin_conversation, resumable_seed
from tamis._tables import (
    as_array,
    column_names,
    is_bare_arrow,
    read_once,
    refuse_other_columns,
    refuse_other_columns_than_numbers,
    refuse_other_rows,
    row_ids,
)
from tamis._warnings import warn
from tamis.constraints import Constraints, checked_constraints

_OWN_PARAMETERS = ("n_features_to_select", "init", "unlabeled", "missing", "random_state", "n_jobs")


Fit = TypeVar("Fit", bound=Callable[..., Any])

_FIT_PARAMETERS = """

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
            float32 and float64 in C order are used in place; other numbers are converted.
        y : sequence of length n_samples or None
            Classes. -1, NaN, None and empty texts mean that the class is not known. Selectors whose
            method takes a numeric target (``tamis.methods`` tells) also take measurements, of which
            NaN and None are not known.
        constraints : Constraints or None
            Pairs that must or cannot belong together. Those with a sample outside X are left out.
        sample_ids : sequence of length n_samples or None
            What `constraints` call the rows. None: the index of a pandas frame; pairs that are
            `Constraints.by_row` need none.

        Returns
        -------
        self
        """


def takes_what_is_known(fit: Fit) -> Fit:
    """Adds to the documentation of a `fit` what all of them take."""
    if fit.__doc__:  # python -OO has none
        fit.__doc__ += _FIT_PARAMETERS
    return fit


class Given(NamedTuple):
    """What a fit was given, checked."""

    table: Any
    names: list | None
    ids: list | None
    labels: Labels
    pairs: RowPairs | None


class TableEstimator(BaseEstimator):
    """Base of every estimator: takes tables of any kind, a few labels and a few pairs."""

    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _method: str
    _encode = staticmethod(encode_labels)

    def _given(self, X, y, constraints, sample_ids):
        """Of a table, or of a source of which only what it says of itself is looked at."""
        checked_constraints(constraints)
        if isinstance(X, RowSource):
            self._note_source(X)
            table, names, y = X, X.feature_names, X.labels if y is None else y
        else:
            refuse_other_rows(X, y)
            table = self._validated(X, ensure_min_samples=2, ensure_all_finite=False)
            names = getattr(self, "feature_names_in_", None)
            names = None if names is None else names.tolist()
        return Given(
            table,
            names,
            row_ids(X) if sample_ids is None else list(sample_ids),
            self._encode(y, table.shape[0], self.unlabeled),
            _pairs_inside(constraints, X, sample_ids, table.shape[0]),
        )

    def _note_source(self, source):
        """Remembers names and number of the columns of a table that is read in runs of rows."""
        self.n_features_in_ = source.shape[1]
        vars(self).pop("feature_names_in_", None)
        if source.feature_names:
            self.feature_names_in_ = np.asarray(source.feature_names, dtype=object)

    def _options(self):
        """The parameters that are options of the method."""
        parameters = self.get_params(deep=False)
        return {name: value for name, value in parameters.items() if name not in _OWN_PARAMETERS}

    def _changed_options(self):
        """Those that are not what they are by default."""
        defaults = type(self)()._options()
        return {k: v for k, v in self._options().items() if v != defaults[k]}

    def _validated(self, X, *, reset=True, **checks):
        """X as one array; remembers its names and number of columns, or compares with them."""
        checks |= {"accept_sparse": "csr", "dtype": (np.float64, np.float32), "order": "C"}
        X = read_once(X)
        refuse_other_columns_than_numbers(X)
        if not is_bare_arrow(X):
            return validate_data(self, X, reset=reset, **checks)
        names = column_names(X)
        if reset:
            table = validate_data(self, as_array(X), **checks)
            self.feature_names_in_ = np.asarray(names, dtype=object)
            return table
        refuse_other_columns(self, names)
        return check_array(as_array(X), input_name="X", **checks)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class RankingSelector(SelectorMixin, TableEstimator):
    """Base of every selector: fit() ranks the columns, transform() keeps the best ones."""

    _encode = staticmethod(encode_target)
    scores_: NDArray[np.float64]
    ranking_: NDArray[np.int64]
    order_: NDArray[np.int64]
    selected_: NDArray[np.int64]
    result_: Ranking
    n_iter_: int
    _needs_classes = False  # whether the method cannot do without labels of at least two classes
    _counts_features = False  # whether the method says how many features are worth it

    @classmethod
    def paper(cls, **parameters: Any) -> Self:
        """The estimator with the options of the method's paper.

        Parameters
        ----------
        **parameters
            Of the estimator; what is given here wins over the paper.

        Returns
        -------
        estimator
            Its parameters hold every value, so that copies and searches know them.
        """
        return cls(**(_core.paper(cls._method) | parameters))

    @takes_what_is_known
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Constraints | None = None,
        sample_ids: Any = None,
    ) -> Self:
        """Rank the features."""
        self._refuse_no_target(y)
        given = self._given(X, y, constraints, sample_ids)
        wanted = self._wanted(self.n_features_in_)
        plan = ranking_plan(self._method, self._changed_options(), top=wanted)
        preparation = preparation_that_keeps_rows(self.missing)
        return self._keep(rank_table(*given, plan, preparation, self.random_state, self.n_jobs))

    def _keep(self, ranking):
        self.result_ = ranking
        self.scores_, self.order_ = self.result_.scores, self.result_.order
        self.ranking_ = self.result_.ranks
        if "max_iter" in self.result_.options:
            # An iteration at least, as scikit-learn says: what starts a method is its first.
            self.n_iter_ = max(self.result_.diagnostics["iterations"], 1)
        self.selected_ = self.result_.columns()
        if len(self.selected_) == 0:
            warn(
                f"n_features_to_select = {self.n_features_to_select!r}: "
                f"{why_none(self.result_)}, the first one is kept all the same"
            )
            self.selected_ = self.order_[:1]
        self._warn_if_fewer()
        return self

    def _fit_runs(self, source, y, constraints, sample_ids, checkpoint, lead):
        """Fits to what a source says; `lead` takes a conversation to its end."""
        self._refuse_no_target(source.labels if y is None else y)
        refuse_missing_of_runs(preparation_that_keeps_rows(self.missing))
        given = self._given(source, y, constraints, sample_ids)
        plan = ranking_plan(
            self._method, self._changed_options(), top=self._wanted(self.n_features_in_)
        )
        seed = resumable_seed(self.random_state, checkpoint, plan.draws_in_runs)
        return self._keep(noted(lead(begin_conversation(*given, plan, seed)), given.names))

    def _refuse_no_target(self, y):
        if y is None and get_tags(self).target_tags.required:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, "
                "but the target y is None."
            )

    def transform(self, X: Any) -> Any:
        """The chosen columns of X.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        array or data frame of shape (n_samples, n_selected)
            As `set_output` says; an array of a table that is known by its Arrow stream alone. What
            is missing stays so: `missing` concerns the ranking.
        """
        X = read_once(X)
        if not is_bare_arrow(X):
            return super().transform(X)
        check_is_fitted(self)
        return self._transform(self._validated(X, reset=False, ensure_all_finite=False))

    def _wanted(self, n_features):
        """How many features to keep; 'auto': as the method chooses."""
        wanted = self.n_features_to_select
        if isinstance(wanted, str) and wanted == "auto":
            return "auto" if self._counts_features else max(1, n_features // 2)
        if isinstance(wanted, Integral) and not isinstance(wanted, bool) and wanted >= 1:
            return int(wanted)
        if isinstance(wanted, Real) and not isinstance(wanted, Integral) and 0 < wanted <= 1:
            return max(1, int(wanted * n_features))
        raise ValueError(
            f"n_features_to_select = {wanted!r} is neither 'auto', nor an integer from 1, "
            "nor a fraction above 0 and up to 1"
        )

    def _warn_if_fewer(self):
        wanted, there = self.n_features_to_select, len(self.selected_)
        if isinstance(wanted, Integral) and wanted > there:
            warn(
                f"n_features_to_select = {wanted} asks for more than the {there} features "
                "to choose from: all of them are taken"
            )

    def _get_support_mask(self):
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.selected_] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._needs_classes
        tags.input_tags.allow_nan = self.missing != "refuse"
        return tags


def _pairs_inside(constraints, X, sample_ids, rows):
    """Rows of the pairs that X holds."""
    if constraints is None:
        return None
    pairs = constraints.rows(X, sample_ids, rows, inside_only=True)
    if constraints and not pairs.n_pairs:
        warn("no pair of the constraints is inside X")
    return pairs
