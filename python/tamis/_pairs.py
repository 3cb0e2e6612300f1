"""Pairs of samples as users write them, checked."""

from collections.abc import Iterable
from numbers import Integral

import numpy as np


def weighted_pairs(pairs: Iterable) -> tuple:
    """Each unordered pair once, in order of appearance, with its weight."""
    if hasattr(pairs, "itertuples"):
        pairs = pairs.itertuples(index=False, name=None)
    unique = {}
    for pair in pairs:
        refuse_other_than_pair(pair, (2, 3), "[('a', 'b'), ('a', 'c')]")
        a, b = plain_id(pair[0]), plain_id(pair[1])
        if a == b:
            raise ValueError(f"sample {a!r} is paired with itself: remove that pair")
        weight = _checked_weight(a, b, *pair[2:])
        _, _, known = unique.setdefault(frozenset((a, b)), (a, b, weight))
        if known != weight:
            raise ValueError(
                f"pair ({a!r}, {b!r}) has two weights, {known} and {weight}: keep one of them"
            )
    return tuple(unique.values())


def refuse_other_than_pair(pair, lengths, example):
    """Texts have letters, which are no ids; and one pair is no list of pairs."""
    if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) not in lengths:
        raise ValueError(f"{pair!r} is no pair: pass a list of them, as in {example}")


def _checked_weight(a, b, weight=1.0):
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ValueError(f"pair ({a!r}, {b!r}): weight {weight!r} is not a positive number")
    return number


def joined(pairs, weights):
    if len(weights) != len(pairs):
        raise ValueError(f"there are {len(weights)} weights for {len(pairs)} pairs")
    return [(*pair[:3], weight) for pair, weight in zip(pairs, weights, strict=True)]


def plain_id(value):
    return value.item() if isinstance(value, np.generic) else value


def row_number(value, n_rows):
    """An id as the number of one of so many rows; a text is read as one."""
    is_number = isinstance(value, Integral) and not isinstance(value, bool)
    is_number = is_number or (isinstance(value, str) and value.isdecimal())
    if not is_number or not 0 <= int(value) < n_rows:
        raise ValueError(
            f"{value!r} is no row of a table with {n_rows} rows: constraints by row need numbers "
            f"from 0 to {n_rows - 1}"
        )
    return int(value)


def refuse_repeated(ids, n_rows):
    ids = list(ids)
    if len(ids) != n_rows:
        raise ValueError(f"there are {len(ids)} sample ids for {n_rows} rows")
    seen = set()
    twice = next(each for each in ids if each in seen or seen.add(each))
    raise ValueError(f"two rows are called {twice!r}: constraints need ids that differ")
