"""What is to be done about values that are missing before features are ranked."""

from typing import Any, Literal, NamedTuple

from tamis import _core
from tamis._input import option_text

MissingWord = Literal["refuse", "median", "mean", "nearest", "rows", "columns"]
# An estimator has as many rows after as before.
KeepingRows = Literal["refuse", "median", "mean", "nearest", "columns"]

_FILL = "missing='median', 'mean' or 'nearest' fills in {cells}, "


class Preparation(NamedTuple):
    """What the core does to a table first, and what to advise if it does nothing."""

    core: Any
    takes_missing: bool
    remedy: str


def preparation_of(missing: MissingWord) -> Preparation:
    """For tables whose rows may be left out."""
    advice = _FILL + "'rows' leaves out {rows}, 'columns' {columns}"
    return Preparation(
        _core.preparation(option_text("missing", missing)), missing != "refuse", advice
    )


def preparation_that_keeps_rows(missing: KeepingRows) -> Preparation:
    """For estimators."""
    if missing == "rows":
        raise ValueError(
            "missing = 'rows' leaves rows out, and an estimator keeps them all: use 'median', "
            "'mean', 'nearest' or 'columns', or tamis.rank"
        )
    return preparation_of(missing)._replace(remedy=_FILL + "'columns' leaves out {columns}")
