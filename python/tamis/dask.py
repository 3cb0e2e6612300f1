"""Rankings and clusterings of tables that a Dask cluster reads: `rank`, and `fit` of estimators.

Workers read runs of rows by themselves; what travels are questions and answers, a few for each
worker and pass. The result has the bits of `tamis.rank(X, ..., memory=...)`, whatever the cluster,
the chunks and the order of work are, and whichever workers die on the way.
"""

import uuid
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from tamis._base import RankingSelector
from tamis._cluster import converse, fit_workers
from tamis._clusterer import RowClusterer
from tamis._dask import cluster_source, engine_of
from tamis._input import resolve_threads
from tamis._labels import encode_target
from tamis._plan import named_method, ranking_plan
from tamis._ranking import noted, texts_of, warn_of_none
from tamis._result import Ranking
from tamis._streaming import begin_conversation, open_checkpoint, resumable_seed
from tamis.constraints import Constraints, checked_constraints

__all__ = ["fit", "rank"]

Estimator = TypeVar("Estimator", bound=RankingSelector | RowClusterer)


def rank(
    X: Any,
    y: Any = None,
    method: Any = "auto",
    *,
    client: Any = None,
    checkpoint: Any = None,
    top: int | str | None = None,
    bagging: int | dict[str, Any] | None = None,
    diversify: bool | int = False,
    settings: Literal["default", "paper"] = "default",
    constraints: Constraints | None = None,
    feature_names: Any = None,
    sample_ids: Any = None,
    unlabeled: Any = "auto",
    random_state: Any = None,
    n_jobs: int | None = None,
    trusted: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> Ranking:
    """Rank the features of a table that the workers of a cluster read.

    Parameters
    ----------
    X : path, dask.array, dask.dataframe, AnnData (backed), or an array of h5py or Zarr
        Chunks hold whole rows. Workers open files by themselves, so a path must mean the same file
        on all of them. What is persisted is used where it is; anything else is computed anew for
        each pass.
    client : distributed.Client or None
        None: the one that was created last.
    checkpoint : path or None
        A folder of this process in which answers are kept meanwhile: the same call, also with
        another cluster, goes on from there. Then `random_state` must be an integer.
    progress : function or None
        Called with a stage, the rows that are done, and how many there are.
    n_jobs : int or None
        Threads of this process, for what is computed from all answers; workers use theirs.
    y, method, top, bagging, diversify, settings, constraints, feature_names, sample_ids, \
unlabeled, random_state, trusted, **options
        As in `tamis.rank`.

    Returns
    -------
    Ranking
    """
    engine = engine_of(client)
    source = cluster_source(X, trusted)
    names = source.feature_names if feature_names is None else list(feature_names)
    ids = source.sample_ids if sample_ids is None else list(sample_ids)
    rows = source.shape[0]
    pairs = None
    if checked_constraints(constraints) is not None:
        pairs = constraints.rows(source, sample_ids, rows)
    labels = encode_target(source.labels if y is None else y, rows, unlabeled)
    method, options = named_method(method, options)
    plan = ranking_plan(method, options, top, bagging, diversify, settings)
    seed = resumable_seed(random_state, checkpoint, plan.draws_in_runs)
    conversation = begin_conversation(source, texts_of(names), ids, labels, pairs, plan, seed)
    held = _lead(conversation, source, engine, checkpoint, progress, n_jobs)
    ranking = noted(held, names)
    warn_of_none(ranking, top)
    return ranking


def fit(
    estimator: Estimator,
    X: Any,
    y: Any = None,
    *,
    client: Any = None,
    checkpoint: Any = None,
    constraints: Constraints | None = None,
    sample_ids: Any = None,
    trusted: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Estimator:
    """Fit a selector or a clustering to a table that the workers of a cluster read.

    Parameters
    ----------
    estimator : selector of `tamis`, or clustering of `tamis.cluster`
        It is fitted as its own `fit` does, and can then do all that it can after that.
    X, client, checkpoint, progress, trusted
        As in `rank`. The estimator's `n_jobs` is that of this process.
    y, constraints, sample_ids
        As in the estimator's `fit`.

    Returns
    -------
    estimator
    """
    engine = engine_of(client)
    source = cluster_source(X, trusted)
    if not isinstance(estimator, (RankingSelector, RowClusterer)):
        raise TypeError(
            f"{type(estimator).__name__} is neither a selector of tamis nor a clustering of "
            "tamis.cluster"
        )

    def lead(conversation):
        return _lead(conversation, source, engine, checkpoint, progress, estimator.n_jobs)

    return estimator._fit_runs(source, y, constraints, sample_ids, checkpoint, lead)


def _lead(conversation, source, engine, checkpoint, progress, n_jobs):
    fit_workers(conversation, source, engine.workers())
    kept = open_checkpoint(conversation, source, checkpoint)
    name = uuid.uuid4().hex
    return converse(conversation, source, engine, name, resolve_threads(n_jobs), kept, progress)
