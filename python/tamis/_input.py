"""What users pass, as the arrays and texts that the core takes."""

import contextlib
import functools
import os
from numbers import Integral, Real
from typing import NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array, check_random_state

from tamis import _core
from tamis._tables import as_array, is_pandas, refuse_other_columns_than_numbers

_LARGEST_SEED = 2**64 - 1
_FLOATS = (np.float64, np.float32)


class RowPairs(NamedTuple):
    """Pairs of rows and their weights, as the core takes them."""

    must_link: NDArray[np.int64]
    cannot_link: NDArray[np.int64]
    must_link_weights: NDArray[np.float64]
    cannot_link_weights: NDArray[np.float64]

    @property
    def n_pairs(self) -> int:
        return len(self.must_link) + len(self.cannot_link)


NO_PAIRS = RowPairs(*[np.empty((0, 2), dtype=np.int64)] * 2, *[np.empty(0)] * 2)


def checked_table(X):
    """X as an array that the core takes; not copied if it is one already."""
    if _is_ready(X):
        return X
    refuse_other_columns_than_numbers(X)
    if is_pandas(X) and not X.columns.is_unique:  # of which scikit-learn wants to hear nothing
        X = X.set_axis(range(X.shape[1]), axis=1)
    return check_array(
        as_array(X),
        accept_sparse="csr",
        dtype=_FLOATS,
        order="C",
        ensure_all_finite=False,
        ensure_min_samples=2,
        input_name="X",
    )


def _is_ready(X):
    """Whether X passes scikit-learn's checks, which take longer than some rankings."""
    is_table = type(X) is np.ndarray and X.ndim == 2 and X.shape[0] > 1 and X.shape[1] > 0
    return is_table and X.dtype in _FLOATS and X.flags.c_contiguous and X.flags.aligned


def core_table(x):
    """The core's view of a validated array (dense or CSR).

    Floats and columns of 32 bits are used where they are; offsets, which are few, are copied.
    """
    if not sparse.issparse(x):
        return _core.Table(x)
    if not _core.is_canonical(_offsets(x), _columns(x), len(x.data), x.shape[1]):
        x = x.copy()
        x.sum_duplicates()
    columns = _columns(x).astype(np.int32, copy=False)  # now that they are known to fit
    return _core.Table(_offsets(x), columns, x.data, x.shape[1])


def _offsets(x):
    return np.ascontiguousarray(x.indptr, dtype=np.int64)


def _columns(x):
    is_narrow = x.indices.dtype == np.int32
    return np.ascontiguousarray(x.indices, dtype=np.int32 if is_narrow else np.int64)


def knowledge(names, ids, labels, pairs, rows):
    """What the core should know of a table; `names`, `ids` and `pairs` may be None."""
    if ids is not None and len(ids) != rows:
        raise ValueError(f"there are {len(ids)} sample ids for {rows} rows")
    pairs = NO_PAIRS if pairs is None else pairs
    return _core.Knowledge(names or [], _shown_ids(ids), labels.codes, labels.values, *pairs)


def _shown_ids(ids):
    """For messages; rows that are called 0, 1, … need no names."""
    if ids is None or all(each == row for row, each in enumerate(ids)):
        return []
    return [str(each) for each in ids]


REMOVE_THEM = "remove or impute such values first"


@contextlib.contextmanager
def naming_bad_values(table, names, remedy=REMOVE_THEM, takes_missing=False):
    """If the core refuses the table for a value, says so in scikit-learn's words."""
    try:
        yield
    except ValueError:
        refuse_not_finite(table, names or [], remedy, takes_missing)
        raise


def refuse_not_finite(x, feature_names, remedy=REMOVE_THEM, takes_missing=False):
    """Raises scikit-learn's words about NaN or infinity, and the first place, if there is one.

    `remedy` is for NaN, and may have fields for how many cells, rows and columns there are; if they
    are taken, only infinity is refused.
    """
    values = x.data if sparse.issparse(x) else x
    is_bad = np.isinf(values) if takes_missing else ~np.isfinite(values)
    if not is_bad.any():
        return
    kind = "infinity" if takes_missing or not np.isnan(values).any() else "NaN"
    (row, *_), (column, *_) = _places(x, is_bad)
    name = f" ({feature_names[column]})" if len(feature_names) else ""
    advice = _with_counts(remedy, x, values) if kind == "NaN" else REMOVE_THEM
    raise ValueError(
        f"Input X contains {kind}: the first value that is not finite is in row {row}, "
        f"column {column}{name}; {advice}"
    )


def _places(x, is_chosen):
    """Rows and columns of the chosen values, row by row."""
    if not sparse.issparse(x):
        return np.nonzero(is_chosen)
    stored = np.flatnonzero(is_chosen)
    return np.searchsorted(x.indptr, stored, side="right") - 1, x.indices[stored]


def _with_counts(remedy, x, values):
    rows, columns = _places(x, np.isnan(values))
    return remedy.format(
        cells=_counted(len(rows), "missing value"),
        rows=_counted(len(np.unique(rows)), "row"),
        columns=_counted(len(np.unique(columns)), "column"),
    )


def _counted(count, noun):
    return f"{count} {noun}{'s' * (count != 1)}"


def option_texts(options):
    """Option values as the program's command line would have them."""
    return {name: option_text(name, value) for name, value in options.items()}


def option_text(name, value):
    """One of them."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, str):
        return value
    raise TypeError(f"option {name} must be a bool, a number or a str, not {type(value).__name__}")


def legacy_random_state(random_state):
    """What scikit-learn takes: a Generator's numbers come through a RandomState."""
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    return random_state


def resolve_seed(random_state, draws=True):
    """An integer is the program's --seed; anything else is drawn from, as scikit-learn does.

    Nothing is drawn for what leaves nothing to chance: whatever is drawn next stays the same.
    """
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state = {random_state} is negative; use 0 or more")
        if random_state > _LARGEST_SEED:
            raise ValueError(f"random_state = {random_state} is larger than {_LARGEST_SEED}")
        return int(random_state)
    generator = check_random_state(legacy_random_state(random_state))
    return int(generator.randint(np.iinfo(np.int32).max)) if draws else 0


@functools.cache
def _cores():
    return joblib.cpu_count()


def resolve_threads(n_jobs):
    """How many threads the core may use; None: all cores, or what a joblib worker was given."""
    if n_jobs is None:
        given = os.environ.get("OMP_NUM_THREADS", "")
        return int(given) if given.isdigit() and int(given) > 0 else _cores()
    if isinstance(n_jobs, Integral) and n_jobs > 0:
        return int(n_jobs)
    if isinstance(n_jobs, Integral) and n_jobs < 0:
        return max(1, _cores() + 1 + int(n_jobs))
    raise ValueError(f"n_jobs = {n_jobs!r} is no number of threads; use 1 or more, -1 or None")
