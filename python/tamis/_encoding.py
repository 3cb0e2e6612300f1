"""Texts among the features of a data frame."""

from typing import Literal

import numpy as np

from tamis import _core
from tamis._input import option_text
from tamis._tables import column_texts, other_columns, some_columns

EncodeWord = Literal["refuse", "onehot", "ordinal", "drop"]


def check_encode(encode, is_in_memory):
    """Raises ValueError if there is no such word, or X is no data frame in memory."""
    _core.encode([], [], option_text("encode", encode))
    if encode != "refuse" and not is_in_memory:
        raise ValueError(
            "encode is for data frames in memory, and X is read from a file or in runs of rows: "
            "read it into a frame first, and leave out memory and checkpoint"
        )


def with_encoded_texts(X, names, encode, as_table):
    """The numbers of a data frame, and behind them those that stand for its texts.

    Returns
    -------
    table : array
        As `as_table` makes it of the columns that hold numbers, and wider.
    names : list or None
        Of its columns.
    groups : list of int
        For which feature each column stands; empty: each for itself.
    """
    places = [] if encode == "refuse" else list(other_columns(X))
    if not places:
        return as_table(X), names, []
    if len(names) != X.shape[1]:
        raise ValueError(f"there are {len(names)} feature names for {X.shape[1]} columns")
    numbers = [place for place in range(X.shape[1]) if place not in places]
    kept = [names[place] for place in numbers]
    table = as_table(some_columns(X, numbers)) if numbers else np.empty((X.shape[0], 0))
    if encode == "drop":
        return (table if numbers else as_table(X)), kept, []
    values, added, groups = _core.encode(
        [str(names[place]) for place in places],
        [column_texts(X, place) for place in places],
        option_text("encode", encode),
    )
    wider = np.column_stack([table, *(np.asarray(column, table.dtype) for column in values)])
    return wider, kept + added, [*range(len(kept)), *(len(kept) + group for group in groups)]
