"""Labels as users write them, as the numbers that the core takes."""

import difflib
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from tamis import _core
from tamis._warnings import warn

# What str() makes of missing values, besides the texts by which the core knows them.
_MISSING_OBJECTS = {"none", "nat"}
_MOST_CLASS_NUMBERS = 20  # more different numbers than that are looked at twice


@dataclass(frozen=True)
class Labels:
    """Classes as numbers from 0, in ascending order of their names; -1 is not known.

    Or, in place of classes, `values` to predict; NaN is not known.
    """

    codes: np.ndarray | None = None
    classes: np.ndarray = field(default_factory=lambda: np.empty(0))
    values: np.ndarray | None = None

    @property
    def n_labeled(self):
        return 0 if self.codes is None else int((self.codes >= 0).sum())

    @property
    def names(self):
        """The classes as texts."""
        return [_class_name(value) for value in self.classes.tolist()]


def encode_target(y, rows, unlabeled="auto"):
    """Reads y as `encode_labels` does, or as numbers to predict if they are measurements.

    Of these, None, NaN and the number `unlabeled` are not known; "auto" is -1 among whole numbers.
    """
    if y is None or _is_categorical(y):
        return encode_labels(y, rows, unlabeled)
    y = _one_dimensional(y, rows)
    if _are_class_numbers(y):
        return encode_labels(y, rows, unlabeled)
    values = _numbers(y, unlabeled)
    if values is not None and _are_measurements(values[~np.isnan(values)]):
        return Labels(values=values)
    return encode_labels(y, rows, unlabeled)


def _are_class_numbers(y):
    """Whether few different whole numbers are there: no measurements, and soon seen."""
    if y.dtype.kind not in "iuf":
        return False
    different = np.unique(y)
    return len(different) <= _MOST_CLASS_NUMBERS and _are_few_whole_numbers(
        [value for value in different.tolist() if not _is_nan(value)]
    )


def _numbers(y, unlabeled):
    """The numbers that y holds, NaN for unknown ones; None if it holds anything else."""
    if y.dtype.kind not in "iufO":
        return None
    if y.dtype.kind == "O":
        is_unknown = np.array([value is None or _is_nan(value) for value in y], dtype=bool)
        if not all(isinstance(value, Real) and value is not True for value in y[~is_unknown]):
            return None
        y = np.where(is_unknown, np.nan, y)
    values = y.astype(np.float64)
    if _is_auto(unlabeled) and not np.any(_are_fractions(values)):
        unlabeled = -1
    return np.where(values == unlabeled, np.nan, values) if isinstance(unlabeled, Real) else values


def _are_fractions(values):
    with np.errstate(invalid="ignore"):
        return np.isfinite(values) & (values != np.floor(values))


def _are_measurements(known):
    """Whether numbers are no classes: fractions, or many whole numbers that hardly come twice.

    Classes that are numbered are numbered without gaps, or come often.
    """
    if len(known) == 0:
        return False
    if not np.isfinite(known).all() or _are_fractions(known).any():
        return True
    different, counts = np.unique(known, return_counts=True)
    if len(different) <= _MOST_CLASS_NUMBERS:
        return False
    has_gaps = different[-1] - different[0] >= len(different)
    return 2 * np.sum(counts == 1) > len(known) or (has_gaps and len(known) < 3 * len(different))


def encode_labels(y, rows, unlabeled="auto"):
    """Reads y, in which None, NaN, texts that mean missing, and -1 mean "not known".

    Another value of `unlabeled` replaces -1; None leaves None and NaN alone.
    """
    if y is None:
        return Labels()
    are_classes = _is_categorical(y)
    y = _one_dimensional(y, rows)
    values, places = _distinct(y)
    if _is_auto(unlabeled):
        _refuse_class_minus_one(values)
    elif unlabeled is not None:
        refuse_absent("unlabeled", unlabeled, values, "y")
    known = [value for value in values if not _is_unknown(value, unlabeled)]
    counts = np.bincount(places, minlength=len(values)).tolist()
    if unlabeled is not None:
        _warn_of_texts(values, counts, unlabeled)
        _warn_of_doubtful_classes(known)
    if not are_classes:
        _refuse_measurements(values, counts, known)
    classes, numbers = _sortable(known), range(len(known))
    if y.dtype.kind == "O":
        classes, numbers = np.unique(classes, return_inverse=True)
    number_of = dict(zip(known, numbers, strict=True))
    codes = np.array([number_of.get(value, -1) for value in values], dtype=np.int64)
    return Labels(codes[places], classes)


def refuse_absent(name, wanted, values, where):
    """Raises ValueError, with the nearest value, if `wanted` is not among the values.

    -1 may be absent: everybody marks rows so, and there may be none to mark.
    """
    if wanted == -1 or any(_is_same(value, wanted) for value in values if not _is_nan(value)):
        return
    texts = [str(value) for value in values if value is not None and not _is_nan(value)]
    by_lower = {text.lower(): text for text in texts}
    near = difflib.get_close_matches(str(wanted).lower(), by_lower, n=1)
    if near:
        hint = f"did you mean {by_lower[near[0]]!r}?"
    else:
        hint = f"it holds {', '.join(map(repr, texts[:5]))}{', …' if len(texts) > 5 else ''}"
    raise ValueError(f"{name} = {wanted!r} is not in {where}; {hint}")


def _is_auto(unlabeled):
    return isinstance(unlabeled, str) and unlabeled == "auto"


def _is_categorical(y):
    """Whether it says of itself that it holds classes, as a categorical of pandas or polars."""
    if type(y) is np.ndarray:  # whose types take long to say their names, which are others
        return False
    name = str(getattr(y, "dtype", "")).lower()
    return name.startswith(("category", "categorical", "enum"))


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
    if np.ma.isMaskedArray(y):  # what is masked is not known
        y = y.astype(object).filled(None)
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


def _is_unknown(value, unlabeled):
    if value is None or _is_nan(value):
        return True
    if unlabeled is None:
        return False
    return _is_missing_text(value) or _is_same(value, -1 if _is_auto(unlabeled) else unlabeled)


def _is_missing_text(value):
    if not isinstance(value, str):
        return False
    text = value.strip().lower()
    return text in _MISSING_OBJECTS or _core.means_unlabeled(text)


def _is_same(value, wanted):
    """Equal, and both texts or neither."""
    return isinstance(value, str) == isinstance(wanted, str) and bool(value == wanted)


def _warn_of_texts(values, counts, unlabeled):
    """Such a text may be a class after all."""
    found = {
        value: count
        for value, count in zip(values, counts, strict=True)
        if _is_missing_text(value) and not _is_same(value, unlabeled)
    }
    if found:
        shown = ", ".join(f"{value!r} {count} times" for value, count in found.items())
        warn(
            f"y holds {shown}: these rows count as unlabeled; if that is a class, pass "
            "unlabeled=None, or another text"
        )


def _warn_of_doubtful_classes(known):
    """People write such texts where they do not know the class."""
    for value in known:
        if isinstance(value, str) and _core.reads_like_unknown(value.strip()):
            warn(
                f"{value!r} in y is taken as a class; unlabeled={value!r} takes such rows as "
                "unlabeled, unlabeled=None is silent"
            )


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


def _refuse_measurements(values, counts, known):
    if not all(isinstance(value, Real) for value in known) or _are_few_whole_numbers(known):
        return
    count_of = dict(zip(values, counts, strict=True))
    rows = np.repeat(np.array(known, dtype=np.float64), [count_of[value] for value in known])
    if not _are_measurements(rows):
        return
    example = next((value for value in known if not float(value).is_integer()), None)
    such = "" if example is None else f", {example} among them"
    raise ValueError(
        f"y holds {len(known)} different numbers in {len(rows)} rows{such}: measurements, not "
        "classes; put them into a few classes first, or pass texts if they are names of classes"
    )


def _are_few_whole_numbers(known):
    """Numbers that are no measurements, however often each comes: most classes, and none at all."""
    return len(known) <= _MOST_CLASS_NUMBERS and all(float(value).is_integer() for value in known)


def _class_name(value):
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _sortable(known):
    """By value if all classes are numbers, else by text."""
    if all(isinstance(value, Real) for value in known):
        return np.array(known)
    return np.array([str(value) for value in known])
