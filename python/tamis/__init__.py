"""Semi-supervised feature selection: a table, a few labels, a few pairs in; a ranking out.

`rank` is for people who want a table of features; the estimators (`CLS`, `LaplacianScore`, …) are
for scikit-learn's pipelines; `methods` lists what there is; `evaluate` compares them, and `report`
makes pages of results. `cluster` has clusterings of rows, `projections` what is not a selection.
"""

from typing import TYPE_CHECKING, Any

from tamis._first_use import _core  # before all that use it

# isort: split

from tamis import cluster, datasets, pp, projections
from tamis._estimators import *  # noqa: F403
from tamis._estimators import __all__ as _estimators
from tamis._evaluation import Evaluation, evaluate
from tamis._labeled_only import LabeledOnly
from tamis._ranking import methods, rank
from tamis._report import report
from tamis._result import Ranking
from tamis.constraints import Coherence, Constraints
from tamis.splits import SemiSupervisedSplit

if TYPE_CHECKING:
    __version__: str

__all__ = [
    *_estimators,
    "Coherence",
    "Constraints",
    "Evaluation",
    "LabeledOnly",
    "Ranking",
    "SemiSupervisedSplit",
    "__version__",
    "cluster",
    "datasets",
    "evaluate",
    "methods",
    "pp",
    "projections",
    "rank",
    "report",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _core.__version__
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")
