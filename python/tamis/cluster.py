"""Clusterings of rows, guided by labels and pairs: those of ``tamis cluster``.

`WCKM` and `L2GFS` here give clusters; the selectors of the same names in `tamis` rank features by
the weights that such clusterings learn.
"""

from typing import Any

from tamis import _core
from tamis._clusterings import *  # noqa: F403
from tamis._clusterings import __all__ as _estimators

__all__ = [*_estimators, "clusterings"]


def clusterings() -> list[dict[str, Any]]:
    """Every clustering: its name, title, reference, options, and which weights it learns.

    Returns
    -------
    list of dict
        As ``tamis methods --json`` has them.
    """
    return _core.clusterings()
