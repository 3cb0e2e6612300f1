"""Selectors and clusterings that a Dask cluster fits, whatever happens to it."""

from concurrent.futures import ThreadPoolExecutor

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import tamis
import tamis.dask
from local_cluster import kill_workers_of, local_client, nannies
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from tamis import cluster

ROWS = 240
CLUSTERINGS = {
    "kmeans": cluster.KMeans(n_clusters=3, restarts=2, random_state=0),
    "constrained_kmeans": cluster.ConstrainedKMeans(random_state=0),
    "wckm": cluster.WCKM(restarts=2, random_state=0),
    "l2gfs": cluster.L2GFS(restarts=2, random_state=0),
    "som": cluster.SOM(units=15),
}


@pytest.fixture(scope="module")
def table():
    return tamis.datasets.make_blobs(ROWS, n_noise=3, random_state=3, n_labeled_per_class=4)


@pytest.fixture(scope="module")
def expected(table):
    """What one process finds."""
    return {name: found(clone(each).fit(*table, memory="4G")) for name, each in CLUSTERINGS.items()}


@pytest.fixture(scope="module")
def client():
    with local_client(2) as client:
        yield client


def found(estimator):
    return estimator.labels_.tobytes(), estimator.cluster_centers_.tobytes()


def fitted(name, x, y, **how):
    return found(tamis.dask.fit(clone(CLUSTERINGS[name]), x, y, **how))


def test_any_number_of_workers_gives_the_clusters_of_one_process(table, expected):
    x = da.from_array(table[0], chunks=(25, -1))
    for n_workers in (1, 2, 4):
        with local_client(n_workers) as client:
            for name in CLUSTERINGS:
                assert fitted(name, x, table[1], client=client) == expected[name], name


def test_any_chunks_and_files_give_the_same_clusters(table, client, expected, tmp_path):
    np.save(tmp_path / "x.npy", table[0])
    pd.DataFrame(table[0]).add_prefix("gene").to_parquet(tmp_path / "x.parquet")
    sources = [da.from_array(table[0], chunks=(rows, -1)) for rows in (20, (1, 200, 39))]
    for source in [*sources, tmp_path / "x.npy", tmp_path / "x.parquet"]:
        assert fitted("l2gfs", source, table[1], client=client) == expected["l2gfs"]


def test_selectors_are_those_of_one_process(table, client):
    frame = pd.DataFrame(table[0]).add_prefix("gene")
    x = da.from_array(table[0], chunks=(25, -1))
    for selector in (
        tamis.FisherScore(n_features_to_select=2),
        tamis.RidgeOMP(n_features_to_select=2, ranks="levels", random_state=0),
        tamis.Variance(n_features_to_select=0.5, random_state=0),
    ):
        whole = tamis.rank(
            *table, selector._method, memory="4G", random_state=0, **selector._changed_options()
        )
        fit = tamis.dask.fit(clone(selector), x, table[1], client=client)
        np.testing.assert_array_equal(fit.scores_, whole.scores)
        assert fit.transform(table[0]).shape == (ROWS, len(fit.selected_))
    named = tamis.dask.fit(
        tamis.FisherScore(n_features_to_select=2),
        dd.from_pandas(frame, npartitions=3),
        table[1],
        client=client,
    )
    assert set(named.get_feature_names_out()) <= set(frame.columns)


def test_a_selector_that_needs_classes_says_so(table, client):
    x = da.from_array(table[0], chunks=(25, -1))
    with pytest.raises(ValueError, match="requires y to be passed"):
        tamis.dask.fit(tamis.FisherScore(), x, client=client)


def test_two_fits_at_once_do_not_disturb_each_other(table, client, expected):
    x = da.from_array(table[0], chunks=(25, -1))
    names = ["kmeans", "wckm", "kmeans", "l2gfs"]
    with ThreadPoolExecutor(4) as pool:
        fits = pool.map(lambda name: fitted(name, x, table[1], client=client), names)
        for name, each in zip(names, fits, strict=True):
            assert each == expected[name]


class Killer:
    """Kills one worker in each pass, when its first rows are done; in pass 2 all of them."""

    def __init__(self, client):
        self.client = client
        self.killed = {}

    def __call__(self, stage, done, total):
        number = int(stage.split()[1])
        if number not in self.killed and number <= 4:
            found = nannies(self.client)
            self.killed[number] = kill_workers_of(found if number == 2 else found[:1])


def fitted_among_deaths(name, table, killing, caplog):
    """What is found on two workers that die, and who killed them."""
    caplog.set_level("CRITICAL")
    x = da.from_array(table[0], chunks=(10, -1))
    # A worker that dies takes the runs that it had with it; some may meet several deaths.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 50}),
        local_client(2, processes=True) as client,
    ):
        killer = killing(client)
        return fitted(name, x, table[1], client=client, progress=killer), killer


@pytest.mark.parametrize("name", ["kmeans", "wckm"])
def test_killed_workers_change_nothing(table, expected, caplog, name):
    clusters, killer = fitted_among_deaths(name, table, Killer, caplog)
    assert clusters == expected[name]
    assert len(killer.killed) >= 3
    assert killer.killed[2]


class HolderKiller:
    """Kills in each pass, when its first rows are done, all workers that hold its question."""

    def __init__(self, client):
        self.client = client
        self.killed = {}

    def __call__(self, stage, done, total):
        number = int(stage.split()[1])
        if number in self.killed:
            return
        found = nannies(self.client)
        held = [at for key, at in self.client.who_has().items() if "-question-" in key]
        holders = {address for addresses in held for address in addresses}
        self.killed[number] = kill_workers_of([n for n in found if n.worker_address in holders])


@pytest.mark.parametrize("name", ["kmeans", "som"])
def test_questions_survive_all_who_hold_them(table, expected, caplog, name):
    clusters, killer = fitted_among_deaths(name, table, HolderKiller, caplog)
    assert clusters == expected[name]
    assert len(killer.killed) >= 3
    assert all(killer.killed.values()), "somebody held each question"


class Enough(Exception):
    pass


@pytest.mark.parametrize("name", ["kmeans", "l2gfs"])
def test_a_new_client_goes_on_from_a_checkpoint(table, expected, tmp_path, name):
    x = da.from_array(table[0], chunks=(25, -1))
    how = {"checkpoint": tmp_path / "kept"}

    def stop(stage, done, total):
        if stage.startswith("pass 3"):
            raise Enough

    with local_client(2) as client, pytest.raises(Enough):
        fitted(name, x, table[1], client=client, progress=stop, **how)
    seen = []
    with local_client(1) as client:
        again = fitted(
            name, x, table[1], client=client, progress=lambda stage, *_: seen.append(stage), **how
        )
    assert again == expected[name]
    assert not any(stage.startswith(("pass 1 ", "pass 2 ")) for stage in seen)
    assert not (tmp_path / "kept").exists()


def test_other_estimators_are_refused(table, client):
    x = da.from_array(table[0], chunks=(25, -1))
    with pytest.raises(TypeError, match=r"^StandardScaler is neither a selector of tamis nor a"):
        tamis.dask.fit(StandardScaler(), x, client=client)
    with pytest.raises(ValueError, match=r"^mpc_kmeans looks at all rows at once"):
        tamis.dask.fit(cluster.MPCKMeans(n_clusters=3), x, client=client)
