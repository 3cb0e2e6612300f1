"""Rankings and clusterings of tables that a Dask cluster reads: `rank`, and `fit` of estimators.

Workers read runs of rows by themselves; what travels are questions and answers, a few for each
worker and pass. The result has the bits of `tamis.rank(X, ..., memory=...)`, whatever the cluster,
the chunks and the order of work are, and whichever workers die on the way.
"""

import importlib.metadata
import uuid
import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from scipy import sparse

from tamis import _core
from tamis._base import RankingSelector
from tamis._cluster import Worker, converse, fit_workers
from tamis._clusterer import RowClusterer
from tamis._input import resolve_threads
from tamis._labels import encode_target
from tamis._ranking import named_method, noted, ranking_plan, texts_of, warn_of_none
from tamis._result import Ranking
from tamis._sources import PartRows, row_source
from tamis._streaming import begin_conversation, open_checkpoint, resumable_seed
from tamis.constraints import Constraints, checked_constraints

try:
    import dask
    import distributed
    from dask.core import flatten
    from dask.optimization import cull
except ImportError as error:
    raise ImportError("tamis.dask needs dask and distributed: pip install 'tamis[dask]'") from error

__all__ = ["fit", "rank"]

Estimator = TypeVar("Estimator", bound=RankingSelector | RowClusterer)

# Of the values of sparse chunks, whose number nobody knows before they are there, so many are
# expected not to be 0.
_EXPECTED_DENSITY = 0.1


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


def engine_of(client):
    """The cluster of a client, whose workers all have this version of tamis."""
    engine = DaskEngine(_client_of(client))
    refuse_other_versions(engine.versions())
    return engine


def _client_of(client):
    try:
        return distributed.default_client() if client is None else client
    except ValueError:
        raise ValueError(
            "there is no Dask client: create one, for instance distributed.Client(), or pass client"
        ) from None


class DaskEngine:
    """Dask distributed, as `tamis._cluster.Engine` wants it."""

    def __init__(self, client):
        self._client = client

    def workers(self):
        known = {}
        while not known:  # all may be gone for a moment
            self._client.wait_for_workers(1)
            # Not scheduler_info, whose answer the client overwrites every few seconds with one that
            # names no worker.
            known = self._client.sync(self._client.scheduler.identity)["workers"]
        return {
            address: Worker(
                threads=worker["nthreads"],
                memory_limit=worker["memory_limit"] or 0,
                held=worker["metrics"].get("memory", 0) if worker.get("metrics") else 0,
            )
            for address, worker in known.items()
        }

    def versions(self):
        """Of tamis, by worker; None where it is missing."""
        self._client.wait_for_workers(1)
        found = self._client.run(importlib.metadata.version, "tamis", on_error="return")
        return {
            address: None if isinstance(version, Exception) else version
            for address, version in found.items()
        }

    def publish(self, key, value):
        # Scattered data is lost with the workers that hold it; a task is run again.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(_same, value, key=key, pure=False)

    def submit(self, key, worker, function, *args):
        chosen = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        return self._client.submit(function, *args, key=key, pure=False, **chosen)

    def wait(self, tasks):
        return set(distributed.wait(tasks, return_when="FIRST_COMPLETED").done)

    def result(self, task):
        try:
            return task.result()
        except distributed.KilledWorker as error:
            raise RuntimeError(
                f"{task.key}: workers died {error.allowed_failures + 1} times at this run of rows, "
                f"the last one at {error.last_worker.address}; their logs may say why, lack of "
                "memory being the usual reason: give them more, or X in smaller chunks of rows"
            ) from error


def _same(value):
    return value


def refuse_other_versions(versions):
    """Raises RuntimeError if a worker has no tamis, or another one than this process."""
    for address, version in versions.items():
        if version is None:
            raise RuntimeError(
                f"worker {address} has no tamis: install tamis {_core.__version__} on all workers"
            )
        if version != _core.__version__:
            raise RuntimeError(
                f"worker {address} has tamis {version}, but this process {_core.__version__}: "
                "install the same on all workers"
            )


def cluster_source(x, is_trusted=False):
    """X as a source that workers read."""
    if hasattr(x, "to_dask_array"):
        return DaskRows(x.to_dask_array(lengths=True), [str(name) for name in x.columns])
    if hasattr(x, "isbacked") and hasattr(x.X, "__dask_graph__"):
        source = DaskRows(x.X, [str(name) for name in x.var_names])
        source.sample_ids = [str(name) for name in x.obs_names]
        return source
    if hasattr(x, "__dask_graph__"):
        return DaskRows(x)
    source = row_source(x, is_trusted=is_trusted)
    if source is None or not source.travels:
        raise ValueError(
            "X is in this process, where workers cannot read it: pass a path of NPY, HDF5, Zarr or "
            "Parquet that all of them see, or a dask.array"
        )
    return source


class DaskRows(PartRows):
    """A dask.array whose chunks hold whole rows; a run computes its chunks one by one."""

    def __init__(self, array, feature_names=None):
        _refuse_chunks(array)
        super().__init__(array.chunks[0], array.shape[1], array.dtype)
        self.is_sparse = sparse.issparse(array._meta)
        if self.is_sparse:
            self.bytes_per_row = int(2 * self.bytes_per_row * _EXPECTED_DENSITY) + 1
        self.reading_bytes_per_row = self.bytes_per_row
        self.feature_names = feature_names
        self._name = array.name
        if not distributed.futures_of(array):  # optimised, they would be hidden inside of tasks
            (array,) = dask.optimize(array)
        self._keys = list(flatten(array.__dask_keys__()))
        self._graph = dict(array.__dask_graph__())

    def load(self, number):
        return dask.get(self._graph, self._keys[number])

    def fingerprint(self):
        return f"dask.array {self._name}"

    def part(self, first, count):
        """With the graph of its chunks alone, and what the cluster holds of them already."""
        chunks = slice(
            max(0, int(self.offsets.searchsorted(first, side="right")) - 1),
            int(self.offsets.searchsorted(first + count)),
        )
        graph, _ = cull(self._graph, self._keys[chunks])
        futures = {key: node for key, node in graph.items() if isinstance(node, distributed.Future)}
        part = object.__new__(DaskRows)
        vars(part).update(vars(self), _kept=None, _held=list(futures))
        part._graph = {key: node for key, node in graph.items() if key not in futures}
        return part, list(futures.values())

    def holding(self, values):
        self._graph.update(zip(self._held, values, strict=True))
        return self


def _refuse_chunks(array):
    if array.ndim != 2:
        raise ValueError(f"X must have rows and columns, but has {array.ndim} dimensions")
    if any(extent != extent for extent in array.shape):
        raise ValueError("the chunks of X have unknown lengths: call X.compute_chunk_sizes() first")
    if array.numblocks[1] > 1:
        raise ValueError(
            f"X is cut into {array.numblocks[1]} chunks of columns, but rows must be whole: pass "
            "X.rechunk({1: -1})"
        )
