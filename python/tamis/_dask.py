"""Dask distributed as conversations with a cluster need it: its workers, and its arrays as rows."""

import importlib.metadata
import warnings

from scipy import sparse

from tamis import _core
from tamis._cluster import Worker
from tamis._rows import PartRows
from tamis._sources import row_source

try:
    import dask
    import distributed
    from dask.core import flatten
    from dask.optimization import cull
except ImportError as error:
    raise ImportError("tamis.dask needs dask and distributed: pip install 'tamis[dask]'") from error

# Of the values of sparse chunks, whose number nobody knows before they are there, so many are
# expected not to be 0.
_EXPECTED_DENSITY = 0.1


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
        self._are_here = False

    def workers(self):
        known = {}
        while not known:  # all may be gone for a moment
            self._wait_for_one()
            # Not scheduler_info, whose answer the client overwrites every few seconds with one that
            # names no worker.
            known = self._client.sync(self._client.scheduler.identity)["workers"]
        self._are_here = all(_is_of_this_machine(address) for address in known)
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
        self._wait_for_one()
        found = self._client.run(importlib.metadata.version, "tamis", on_error="return")
        return {
            address: None if isinstance(version, Exception) else version
            for address, version in found.items()
        }

    def _wait_for_one(self):
        """As long as Dask is told to wait for workers; if it is not told, forever."""
        patience = dask.config.get("distributed.scheduler.no-workers-timeout", None)
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            raise RuntimeError(
                f"there was no worker for {patience}, as long as Dask is told to wait for one "
                "(distributed.scheduler.no-workers-timeout): start workers, or look into the logs "
                "of those that are gone"
            ) from None

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
        # By way of the scheduler, as Dask does it unless the client is told otherwise, answers
        # would travel twice.
        try:
            return self._client.gather(task, direct=True if self._are_here else None)
        except distributed.KilledWorker as error:
            raise RuntimeError(
                f"{task.key}: workers died {error.allowed_failures + 1} times at this run of rows, "
                f"the last one at {error.last_worker.address}; their logs may say why, lack of "
                "memory being the usual reason: give them more, or X in smaller chunks of rows"
            ) from error


def _same(value):
    return value


def _is_of_this_machine(address):
    return address.startswith(("inproc://", "tcp://127.0.0.1:", "tcp://[::1]:"))


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
