"""Benchmark tables made by formula, whose relevant features are known.

They are those of ``tamis generate``: the same seed gives the same numbers.
"""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import _core
from tamis._input import resolve_seed
from tamis.constraints import Constraints

__all__ = ["make_blobs", "make_cells", "make_madelon", "make_wave"]


def make_cells(
    n_samples: int = 300,
    *,
    n_noise: int = 215,
    random_state: Any = None,
    n_labeled_per_class: int | None = 3,
    as_frame: bool = False,
    return_constraints: bool = False,
) -> Any:
    """Gene expression of four types of cells: groups of marker genes, the cell cycle, and noise.

    Six groups of five genes tell the types, the first of each most clearly: CD3D, CD79A, NKG7,
    LYZ, HLA-DRA and IL7R. The cell cycle (MKI67, TOP2A, PCNA, CDK1, CCNB1) and ZNF1, ZNF2, … have
    nothing to do with them. Columns are shuffled.

    Parameters
    ----------
    n_samples : int, default=300
    n_noise : int, default=215
        Genes besides the 30 markers and the 5 of the cell cycle.
    random_state : int, RandomState, Generator or None
        An int is the program's ``--seed``.
    n_labeled_per_class : int or None
        The first so many cells of each type are labeled; the others have -1. None: all are.
    as_frame : bool, default=False
        X as a pandas frame with the names of genes and cells.
    return_constraints : bool, default=False
        Also a few must-links and cannot-links between cells without a label, by their names if
        `as_frame`, else by their rows.

    Returns
    -------
    X : ndarray or DataFrame of shape (n_samples, 35 + n_noise)
    y : ndarray of shape (n_samples,)
        B cell 0, NK cell 1, T cell 2, monocyte 3, or -1.
    constraints : Constraints
        If `return_constraints`.

    Examples
    --------
    >>> X, y, pairs = make_cells(random_state=0, as_frame=True, return_constraints=True)
    >>> X.shape, int((y >= 0).sum()), len(pairs.must_link)
    ((300, 250), 12, 10)
    """
    labels = n_samples if n_labeled_per_class is None else n_labeled_per_class
    _check(n_samples=(n_samples, 1), n_noise=(n_noise, 0), n_labeled_per_class=(labels, 0))
    table = _core.cells(n_samples, resolve_seed(random_state), labels, n_noise)
    X, y = _finished(table, None, None, as_frame)
    if not return_constraints:
        return X, y
    if not as_frame:
        return X, y, Constraints.by_row(*table[-2:], n_rows=n_samples)
    named = ([(X.index[a], X.index[b]) for a, b, _ in pairs] for pairs in table[-2:])
    return X, y, Constraints(*named)


def make_wave(
    n_samples: int = 300,
    *,
    random_state: Any = None,
    n_labeled_per_class: int | None = None,
    as_frame: bool = False,
) -> tuple[Any, NDArray[np.int64]]:
    """Breiman's waves: three classes, 40 features of which 19 are relevant (F2 to F20).

    Parameters
    ----------
    n_samples : int, default=300
    random_state : int, RandomState, Generator or None
        An int is the program's ``--seed``.
    n_labeled_per_class : int or None
        Labels to keep in each class; the others become -1. None: all.
    as_frame : bool, default=False
        X as a pandas frame with the names of the features.

    Returns
    -------
    X : ndarray or DataFrame of shape (n_samples, 40)
    y : ndarray of shape (n_samples,)
        Classes 0, 1, 2, or -1.

    References
    ----------
    Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 2.6.2.
    """
    _check(n_samples=(n_samples, 1))
    seed = resolve_seed(random_state)
    return _finished(_core.wave(n_samples, seed), seed, n_labeled_per_class, as_frame)


def make_blobs(
    n_samples: int = 300,
    *,
    n_classes: int = 3,
    n_relevant: int = 5,
    n_redundant: int = 5,
    n_noise: int = 40,
    spread: float = 1.0,
    random_state: Any = None,
    n_labeled_per_class: int | None = None,
    as_frame: bool = False,
) -> tuple[Any, NDArray[np.int64]]:
    """Classes around evenly spaced centres; some features relevant, some redundant, some noise.

    Parameters
    ----------
    n_samples : int, default=300
        Rows.
    n_classes : int, default=3
        As many as there are centres.
    n_relevant : int, default=5
        Features that tell the classes.
    n_redundant : int, default=5
        Features that are mixtures of those.
    n_noise : int, default=40
        Features that have nothing to do with them.
    spread : float, default=1.0
        Of the rows around the centres.
    random_state : int, RandomState, Generator or None
        An int is the program's ``--seed``.
    n_labeled_per_class : int or None
        Labels to keep in each class; the others become -1. None: all.
    as_frame : bool, default=False
        X as a pandas frame with the names of the features.

    Returns
    -------
    X : ndarray or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Classes from 0, or -1.
    """
    _check(
        spread,
        n_samples=(n_samples, 1),
        n_classes=(n_classes, 2),
        n_relevant=(n_relevant, 1),
        n_redundant=(n_redundant, 0),
        n_noise=(n_noise, 0),
    )
    seed = resolve_seed(random_state)
    sizes = (n_classes, n_relevant, n_redundant, n_noise)
    table = _core.blobs(n_samples, seed, *sizes, spread)
    return _finished(table, seed, n_labeled_per_class, as_frame)


def make_madelon(
    n_samples: int = 2600,
    *,
    n_relevant: int = 5,
    n_redundant: int = 15,
    n_noise: int = 480,
    spread: float = 1.0,
    random_state: Any = None,
    n_labeled_per_class: int | None = None,
    as_frame: bool = False,
) -> tuple[Any, NDArray[np.int64]]:
    """Two classes on the vertices of a cube: no feature tells alone; columns are shuffled.

    In the manner of the MADELON challenge (Guyon 2003).

    Parameters
    ----------
    n_samples : int, default=2600
        Rows.
    n_relevant : int, default=5
        Features that tell the classes together.
    n_redundant : int, default=15
        Features that are mixtures of those.
    n_noise : int, default=480
        Features that have nothing to do with them.
    spread : float, default=1.0
        Of the rows around the vertices.
    random_state : int, RandomState, Generator or None
        An int is the program's ``--seed``.
    n_labeled_per_class : int or None
        Labels to keep in each class; the others become -1. None: all.
    as_frame : bool, default=False
        X as a pandas frame with the names of the features.

    Returns
    -------
    X : ndarray or DataFrame of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Classes from 0, or -1.
    """
    _check(
        spread,
        n_samples=(n_samples, 1),
        n_relevant=(n_relevant, 1),
        n_redundant=(n_redundant, 0),
        n_noise=(n_noise, 0),
    )
    if n_relevant > _core.MOST_MADELON_RELEVANT:
        raise ValueError(
            f"n_relevant = {n_relevant} is more than the {_core.MOST_MADELON_RELEVANT} that "
            "make_madelon allows"
        )
    seed = resolve_seed(random_state)
    table = _core.madelon(n_samples, seed, n_relevant, n_redundant, n_noise, spread)
    return _finished(table, seed, n_labeled_per_class, as_frame)


def _check(spread=1.0, **least):
    """Each of `least` is a value and the smallest that it may be."""
    for name, (value, low) in least.items():
        if not isinstance(value, Integral) or value < low:
            raise ValueError(f"{name} = {value!r} is not an integer from {low}")
    if not 0 < spread < float("inf"):
        raise ValueError(f"spread = {spread!r} is not a positive number")


def _finished(table, seed, n_labeled_per_class, as_frame):
    values, y, names, ids, *_ = table
    X = values.reshape(len(y), len(names))
    if n_labeled_per_class is not None:
        y = _with_few_labels(y, n_labeled_per_class, seed)
    if as_frame:
        import pandas as pd

        X = pd.DataFrame(X, columns=names, index=ids or None)
    return X, y


def _with_few_labels(y, count, seed):
    random = np.random.default_rng(seed)
    few = np.full_like(y, -1)
    for label in np.unique(y):
        rows = np.flatnonzero(y == label)
        kept = random.choice(rows, size=min(count, len(rows)), replace=False)
        few[kept] = label
    return few
