"""Projections of rows on a few directions, guided by labels and pairs: ``tamis project``.

They stand beside the selectors for comparison: each new feature is a combination of all columns,
where a selector keeps columns as they are.
"""

from typing import Any

from tamis import _core
from tamis._projections import *  # noqa: F403
from tamis._projections import __all__ as _estimators

__all__ = [*_estimators, "projections"]


def projections() -> list[dict[str, Any]]:
    """Every projection: its name, title, kind, reference, options, and what it needs.

    Returns
    -------
    list of dict
        As ``tamis methods --json`` has them.
    """
    return _core.projections()
