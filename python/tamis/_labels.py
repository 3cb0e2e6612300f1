"""Labels as users write them, as the numbers that the core takes."""

from dataclasses import dataclass, field
from numbers import Real

import numpy as np

# In any case, as in the program.
_MISSING_TEXTS = {"", "?", "na", "nan", "n/a", "#n/a", "<na>", "null"}


@dataclass(frozen=True)
class Labels:
    """Classes as numbers from 0, in ascending order of their names; -1 is not known."""

    codes: np.ndarray | None = None
    classes: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def n_labeled(self):
        return 0 if self.codes is None else int((self.codes >= 0).sum())

    @property
    def names(self):
        """The classes as texts."""
        return [_class_name(value) for value in self.classes.tolist()]


def encode_labels(y, rows, unlabeled="auto"):
    """Reads y, in which None, NaN, texts that mean missing, and -1 mean "not known".

    Another value of `unlabeled` replaces the texts and -1; None leaves None and NaN alone.
    """
    if y is None:
        return Labels()
    y = _one_dimensional(y, rows)
    values, places = _distinct(y)
    is_auto = isinstance(unlabeled, str) and unlabeled == "auto"
    if is_auto:
        _refuse_class_minus_one(values)
    known = [value for value in values if not _is_unknown(value, unlabeled, is_auto)]
    _refuse_measurements(values, places, known)
    classes, numbers = _sortable(known), range(len(known))
    if y.dtype.kind == "O":
        classes, numbers = np.unique(classes, return_inverse=True)
    number_of = dict(zip(known, numbers, strict=True))
    codes = np.array([number_of.get(value, -1) for value in values], dtype=np.int64)
    return Labels(codes[places], classes)


def _distinct(y):
    """The different values of y, in order unless they are objects, and each row's place in them."""
    if y.dtype.kind != "O":
        values, places = np.unique(y, return_inverse=True)
        return values.tolist(), places
    place_of = {}
    try:
        places = [place_of.setdefault(value, len(place_of)) for value in y]
    except TypeError:
        raise ValueError("y holds a value that is neither a number nor a text") from None
    return list(place_of), np.array(places, dtype=np.int64)


def _one_dimensional(y, rows):
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    if len(y) != rows:
        raise ValueError(f"y has {len(y)} labels, but X has {rows} rows")
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must hold classes")
    return y


def _is_unknown(value, unlabeled, is_auto):
    if value is None or _is_nan(value):
        return True
    if is_auto:
        return value.lower() in _MISSING_TEXTS if isinstance(value, str) else value == -1
    return isinstance(value, str) == isinstance(unlabeled, str) and value == unlabeled


def _is_nan(value):
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True


def _refuse_class_minus_one(values):
    """-1 may be a class; where that is likely, the user has to say so."""
    seen = {value for value in values if not _is_nan(value)}
    if seen == {-1, 1}:
        raise ValueError(
            "y holds -1 and 1 only: pass unlabeled=-1 if -1 marks rows without a label, "
            "or unlabeled=None if it is a class"
        )
    if "-1" in seen:
        raise ValueError(
            "y holds the text '-1': pass unlabeled='-1' if it marks rows without a label, "
            "or unlabeled=None if it is a class"
        )


def _refuse_measurements(values, places, known):
    """More than 20 numbers that hardly ever come twice are measurements, not classes."""
    if len(known) <= 20 or not all(isinstance(value, Real) for value in known):
        return
    counts = dict(zip(values, np.bincount(places, minlength=len(values)).tolist(), strict=True))
    rows = sum(counts[value] for value in known)
    if 2 * sum(counts[value] == 1 for value in known) > rows:
        raise ValueError(
            f"y holds {len(known)} different numbers in {rows} rows: measurements, not classes; "
            "put them into a few classes first"
        )


def _class_name(value):
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _sortable(known):
    """By value if all classes are numbers, else by text."""
    if all(isinstance(value, Real) for value in known):
        return np.array(known)
    return np.array([str(value) for value in known])
