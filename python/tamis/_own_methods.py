"""Methods of the user's own in `tamis.evaluate`: selectors of other libraries, and functions."""

import inspect

import numpy as np
from scipy import sparse
from sklearn.base import clone

from tamis import _core

_HIGHER_IS_BETTER = ("scores_", "feature_importances_")
_PLACES = "ranking_"  # 1 is the best
CONTROLS = ("variance", "random", "all")


def is_own(method):
    """Whether it is an object with `fit`, or a function; classes are neither."""
    return not inspect.isclass(method) and (hasattr(method, "fit") or callable(method))


def own_name(method):
    return getattr(method, "__name__", None) or type(method).__name__


def checked_name(name):
    """The name of an own method; those of tamis are taken."""
    known = [each["name"] for each in (*_core.methods(), *_core.projections())]
    if name.partition(":")[0] in (*CONTROLS, *known):
        raise ValueError(
            f"{name} is a method of tamis: give your own another name, as in [('mine', ...)]"
        )
    return name


def scores_by(method):
    """A function of a table, its labels and a seed that returns a score for each column."""
    score = _fitted_scores if hasattr(method, "fit") else _called_scores

    def scores(table, labels, seed):
        X = _sparse(table, len(labels)) if isinstance(table, tuple) else table
        found = np.asarray(score(method, X, labels, seed), dtype=np.float64)
        if found.shape != (X.shape[1],):
            raise ValueError(
                f"scores of shape {found.shape} are not one for each of {X.shape[1]} features"
            )
        return np.ascontiguousarray(found)

    return scores


def _sparse(arrays, rows):
    values, columns, offsets, width = arrays
    return sparse.csr_array((values, columns, offsets), shape=(rows, width))


def _called_scores(function, X, y, _seed):
    return function(X, y)


def _fitted_scores(estimator, X, y, seed):
    """Of a copy that saw the labeled rows alone, and drew from the seed of the run."""
    fitted = clone(estimator)
    if "random_state" in fitted.get_params() and fitted.get_params()["random_state"] is None:
        fitted.set_params(random_state=seed % 2**32)
    known = y >= 0
    fitted.fit(X[known], y[known])
    for name in _HIGHER_IS_BETTER:
        if hasattr(fitted, name):
            return getattr(fitted, name)
    if hasattr(fitted, _PLACES):
        return -np.asarray(getattr(fitted, _PLACES), dtype=np.float64)
    names = ", ".join((*_HIGHER_IS_BETTER, _PLACES))
    raise TypeError(f"{own_name(estimator)} has none of {names} after fit")
