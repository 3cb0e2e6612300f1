"""A Dask cluster gives the bits of one process, whatever happens to it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import dask
import dask.array as da
import dask.dataframe as dd
import distributed
import h5py
import numpy as np
import pandas as pd
import pytest
import tamis
import tamis.dask
from local_cluster import kill_workers_of, local_client, nannies
from scipy import sparse
from tamis import _cluster, _core, _dask, _sources

ROWS = 240
SOM = {"method": "laplacian_score", "condense": "som"}


@pytest.fixture(scope="module")
def table():
    return tamis.datasets.make_wave(ROWS, random_state=3, n_labeled_per_class=4)


@pytest.fixture(scope="module")
def expected(table):
    """What one process says, by method."""
    return {
        method: tamis.rank(*table, method, memory="4G", random_state=0, **options).scores
        for method, options in (("variance", {}), ("fisher_score", {}), ("bcs", {}))
    }


@pytest.fixture(scope="module")
def client():
    with local_client(2) as client:
        yield client


def test_knows_all_workers_whatever_the_client_remembers(client, monkeypatch):
    monkeypatch.setattr(client, "scheduler_info", lambda **_: {"workers": {}})
    assert len(_dask.DaskEngine(client).workers()) == 2


def test_any_number_of_workers_gives_the_bits_of_one_process(table, expected):
    x = da.from_array(table[0], chunks=(25, -1))
    for n_workers in (1, 2, 4):
        with local_client(n_workers) as client:
            for method, scores in expected.items():
                ranking = tamis.dask.rank(x, table[1], method, client=client, random_state=0)
                np.testing.assert_array_equal(ranking.scores, scores, err_msg=method)


def test_any_chunks_give_the_same_bits(table, client):
    scores = tamis.rank(*table, **SOM, memory="4G", random_state=0).scores
    for rows, stored in ((20, np.asarray), ((1, 200, 39), np.asarray), (100, sparse.csr_matrix)):
        x = stored(table[0])
        chunked = da.from_array(x, chunks=(rows, -1), asarray=False)
        ranking = tamis.dask.rank(chunked, table[1], client=client, random_state=0, **SOM)
        np.testing.assert_array_equal(ranking.scores, scores, err_msg=f"{rows}")
        assert ranking.data["sparse"] == sparse.issparse(x)


def test_the_default_method_has_the_bits_of_memory_on_levels(table, client):
    expected = tamis.rank(*table, ranks="levels", random_state=0)
    x = da.from_array(table[0], chunks=(60, -1))
    ranking = tamis.dask.rank(x, table[1], ranks="levels", client=client, random_state=0)
    np.testing.assert_array_equal(ranking.scores, expected.scores)


@pytest.mark.filterwarnings("ignore:diversify")
@pytest.mark.parametrize(
    "how",
    [
        {"method": "fisher_score", "diversify": 9},
        {"method": "ridge_omp", "ranks": "levels", "diversify": 9, "top": "auto"},
        {"method": "csfsr", "base": "variance"},
    ],
)
def test_diverse_and_pruned_orders_are_those_of_one_process(table, client, how):
    one = tamis.rank(*table, memory="4G", random_state=0, **how)
    for rows in (17, 240):
        x = da.from_array(table[0], chunks=(rows, -1))
        many = tamis.dask.rank(x, table[1], client=client, random_state=0, **how)
        np.testing.assert_array_equal(many.order, one.order)
        np.testing.assert_array_equal(many.scores, one.scores)
        for fact in ("diversity", "redundancy", "subset"):
            np.testing.assert_equal(getattr(many, fact), getattr(one, fact))


def test_tells_what_is_computed_between_passes_and_at_the_end(table, client):
    x = da.from_array(table[0], chunks=(60, -1))

    def told(method, **options):
        stages = {}  # in order
        tamis.dask.rank(
            x, table[1], method, client=client, random_state=0, **options,
            progress=lambda stage, *_: stages.setdefault(stage),
        )  # fmt: skip
        return list(stages)

    assert told("ridge_omp", ranks="levels", n_greedy=3)[-1] == "choosing features"
    *_, judging, choosing, correlations = told("csfsr", base="ridge_omp:ranks=levels,n_greedy=3")
    assert judging.endswith("(judging)")
    assert choosing == "choosing features"
    assert correlations.endswith("(correlations)")


def test_what_is_persisted_is_used_where_it_is(table, client, expected):
    x = da.from_array(table[0], chunks=(40, -1)).persist()
    for array in (x, x + 1 - 1):
        ranking = tamis.dask.rank(array, table[1], "fisher_score", random_state=0)
        np.testing.assert_allclose(ranking.scores, expected["fisher_score"], rtol=1e-9)


def test_what_draws_nothing_leaves_the_generator_alone(table, client):
    x = da.from_array(table[0], chunks=(50, -1))
    state = np.random.get_state()[2]
    assert tamis.dask.rank(x, table[1], "variance", client=client).seed == 0
    tamis.dask.fit(tamis.Variance(5), x, table[1], client=client)
    assert np.random.get_state()[2] == state


def test_data_frames_paths_and_annotated_tables_are_read(table, client, expected, tmp_path):
    frame = pd.DataFrame(table[0]).add_prefix("gene")
    frame.to_parquet(tmp_path / "x.parquet")
    np.save(tmp_path / "x.npy", table[0])
    with h5py.File(tmp_path / "x.h5ad", "w") as file:
        file.create_dataset("X", data=table[0], chunks=(32, table[0].shape[1]))
    names = SimpleNamespace(
        var_names=frame.columns, obs_names=pd.RangeIndex(ROWS).astype(str), isbacked=False
    )
    backed = SimpleNamespace(**{**vars(names), "isbacked": True})
    backed.X = h5py.File(tmp_path / "x.h5ad")["X"]
    lazy = SimpleNamespace(**vars(names), X=da.from_array(table[0], chunks=(50, -1)))
    sources = {
        "data frame": dd.from_pandas(frame, npartitions=5),
        "NPY": tmp_path / "x.npy",
        "Parquet": tmp_path / "x.parquet",
        "backed AnnData": backed,
        "lazy AnnData": lazy,
    }
    for name, source in sources.items():
        ranking = tamis.dask.rank(source, table[1], "bcs", client=client, random_state=0)
        np.testing.assert_array_equal(ranking.scores, expected["bcs"], err_msg=name)
        assert name == "NPY" or ranking.names[7] == "gene7"


def test_two_rankings_at_once_do_not_disturb_each_other(table, client, expected):
    x = da.from_array(table[0], chunks=(25, -1))

    def ranked(method):
        return tamis.dask.rank(x, table[1], method, client=client, random_state=0).scores

    methods = ["variance", "fisher_score", "variance", "bcs"]
    with ThreadPoolExecutor(4) as pool:
        for method, scores in zip(methods, pool.map(ranked, methods), strict=True):
            np.testing.assert_array_equal(scores, expected[method])


class Killer:
    """Kills one worker when the first rows of pass 1 are done, and all of them in pass 2."""

    def __init__(self, client):
        self.client = client
        self.killed = {}

    def __call__(self, stage, done, total):
        number = stage.split()[1]
        if number not in self.killed:
            found = nannies(self.client)
            self.killed[number] = kill_workers_of(found[:1] if number == "1" else found)


def test_killed_workers_change_nothing(table, expected, caplog):
    caplog.set_level("CRITICAL")
    x = da.from_array(table[0], chunks=(10, -1))
    with local_client(2, processes=True) as client:
        killer = Killer(client)
        ranking = tamis.dask.rank(
            x, table[1], "variance", client=client, random_state=0, progress=killer
        )
    np.testing.assert_array_equal(ranking.scores, expected["variance"])
    assert list(killer.killed) == ["1", "2"]
    assert [len(pids) for pids in killer.killed.values()] == [1, 2]


class Enough(Exception):
    pass


def test_a_new_client_goes_on_from_a_checkpoint(table, expected, tmp_path):
    how = {"method": "variance", "random_state": 0, "checkpoint": tmp_path / "kept"}
    x = da.from_array(table[0], chunks=(25, -1))

    def stop(stage, done, total):
        if stage.startswith("pass 2"):
            raise Enough

    with local_client(2) as client, pytest.raises(Enough):
        tamis.dask.rank(x, table[1], client=client, progress=stop, **how)
    seen = []
    with local_client(1) as client:
        ranking = tamis.dask.rank(
            x, table[1], client=client, progress=lambda *told: seen.append(told), **how
        )
    assert {stage for stage, *_ in seen} == {"pass 2 of 2 (deviations)"}
    np.testing.assert_array_equal(ranking.scores, expected["variance"])
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("method", "options", "groups"),
    [
        ("variance", {}, {"tamis-range", "tamis-deviations"}),
        ("csfsr", {"base": "fisher_score"}, {"tamis-rows-range", "tamis-correlations"}),
    ],
)
def test_keys_are_grouped_by_pass(table, client, method, options, groups):
    keys = set()

    class Spy(_dask.DaskEngine):
        def submit(self, key, *args):
            keys.add(key)
            return super().submit(key, *args)

    source = _dask.cluster_source(da.from_array(table[0], chunks=(25, -1)))
    conversation = begin(source, table[1], method, **options)
    _cluster.converse(conversation, source, Spy(client), "0f" * 16, 1)
    assert {distributed.utils.key_split(key) for key in keys} == groups


def begin(source, y, method, **options):
    from tamis._labels import encode_labels
    from tamis._plan import ranking_plan
    from tamis._streaming import begin_conversation

    labels = encode_labels(y, source.shape[0])
    return begin_conversation(source, None, None, labels, None, ranking_plan(method, options), 0)


def test_runs_are_few_and_cut_where_chunks_begin(table):
    source = _dask.cluster_source(da.from_array(table[0], chunks=(25, -1)))
    plan = _cluster.ClusterPlan(rows_at_once=25, bytes_per_row=source.bytes_per_row)
    assert plan.run_rows(ROWS, 0, n_workers=2) == 30
    assert _cluster.cut_runs(source, 0, 30)[:2] == [(0, 50), (50, 100)]
    assert _cluster.cut_runs(source, 60, 30)[0] == (60, 100)
    half = ROWS * source.bytes_per_row // 8  # four times that is half of the table
    assert plan.run_rows(ROWS, half, n_workers=2) == 120
    assert plan.run_rows(ROWS, 100 * half, n_workers=2) == 120, "each worker has a run"


def test_only_the_graph_of_its_chunks_travels(table):
    source = _dask.cluster_source(da.zeros((10_000, 4), chunks=(10, 4)))
    part, held = source.part(20, 30)
    assert len(part._graph) <= 6
    assert held == []
    np.testing.assert_array_equal(part.take(25, 45), np.zeros((20, 4)))


def test_a_pass_that_does_not_fit_into_a_worker_is_refused(table):
    source = _sources.ArrayRows(table[0])
    source.rows_at_once = 100
    conversation = begin(source, table[1], "variance")
    kind, most = max(conversation.passes(), key=lambda planned: planned[1])
    workers = {"a": _cluster.Worker(1, 0, 0), "b": _cluster.Worker(1, 90_000, 10_000)}
    with pytest.raises(ValueError) as refused:
        _cluster.ClusterPlan.of(conversation, source, workers)
    text = _core.bytes_text
    assert str(refused.value) == (
        f"pass {kind!r} needs {text(10_000 + 2 * most + 96_000)} on a worker: it holds 10 kB, the "
        f"answer takes {text(2 * most)}, 100 rows at once 96 kB; but its memory limit is 90 kB, of "
        "which 80% may be used: give workers more memory (fewer of them on a machine), or X in "
        "smaller chunks of rows"
    )


def test_what_workers_cannot_read_is_refused(table, client):
    def refusal(x):
        with pytest.raises(ValueError) as refused:
            tamis.dask.rank(x, table[1], "variance", client=client)
        return str(refused.value)

    assert refusal(da.from_array(table[0], chunks=(50, 10))) == (
        "X is cut into 4 chunks of columns, but rows must be whole: pass X.rechunk({1: -1})"
    )
    x = da.from_array(table[0], chunks=(50, -1))
    assert refusal(x[x[:, 0] > 0]) == (
        "the chunks of X have unknown lengths: call X.compute_chunk_sizes() first"
    )
    assert refusal(x[:, 0]) == "X must have rows and columns, but has 1 dimensions"
    assert refusal(table[0]) == (
        "X is in this process, where workers cannot read it: pass a path of NPY, HDF5, Zarr or "
        "Parquet that all of them see, or a dask.array"
    )


def test_workers_need_the_same_version(table, client, monkeypatch):
    def refusal(versions):
        with pytest.raises(RuntimeError) as refused:
            _dask.refuse_other_versions(versions)
        return str(refused.value)

    version = _core.__version__
    assert set(_dask.DaskEngine(client).versions().values()) == {version}
    assert refusal({"tcp://a": version, "tcp://b": None}) == (
        f"worker tcp://b has no tamis: install tamis {version} on all workers"
    )
    assert refusal({"tcp://a": "0.0.1"}) == (
        f"worker tcp://a has tamis 0.0.1, but this process {version}: install the same on all "
        "workers"
    )
    monkeypatch.setattr(_core, "__version__", "0.0.2")
    with pytest.raises(RuntimeError, match=r"has tamis .*, but this process 0.0.2"):
        tamis.dask.rank(da.zeros((10, 2)), method="variance", client=client)


def test_without_a_client_it_says_what_to_do():
    assert threading.current_thread() is threading.main_thread()
    try:
        distributed.default_client()
    except ValueError:
        with pytest.raises(ValueError) as refused:
            tamis.dask.rank(da.zeros((10, 2)), method="variance")
        assert str(refused.value) == (
            "there is no Dask client: create one, for instance distributed.Client(), or pass client"
        )


def test_workers_are_waited_for_as_long_as_dask_is_told_to():
    with (
        local_client(0) as client,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "0.1s"}),
        pytest.raises(RuntimeError) as refused,
    ):
        tamis.dask.rank(da.zeros((10, 2)), method="variance", client=client)
    assert str(refused.value) == (
        "there was no worker for 0.1s, as long as Dask is told to wait for one "
        "(distributed.scheduler.no-workers-timeout): start workers, or look into the logs of "
        "those that are gone"
    )


def test_what_goes_wrong_on_a_worker_is_said_here(table, client):
    x = table[0].copy()
    x[-1, 5] = np.nan
    with pytest.raises(ValueError, match=r"row 239.*column 5|column 5.*row 239"):
        tamis.dask.rank(da.from_array(x, chunks=(50, -1)), table[1], "variance", client=client)
