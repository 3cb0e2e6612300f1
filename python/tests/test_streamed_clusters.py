"""Clusterings of what is read in runs of rows, in one process."""

import warnings

import h5py
import numpy as np
import pandas as pd
import pytest
import tamis
from hypothesis import given, settings
from hypothesis import strategies as st
from merging import bytes_of_random_runs
from scipy import sparse
from sklearn.base import clone
from tamis import _core, _sources, cluster
from tamis._input import core_table, knowledge, option_texts
from tamis._labels import encode_labels

ROWS = 180
STREAMING = {
    "kmeans": cluster.KMeans(n_clusters=3, random_state=0),
    "seeded_kmeans": cluster.SeededKMeans(random_state=0),
    "constrained_kmeans": cluster.ConstrainedKMeans(random_state=0),
    "wckm": cluster.WCKM(restarts=2, random_state=0),
    "l2gfs": cluster.L2GFS(restarts=2, random_state=0),
    "som": cluster.SOM(units=12),
}
every_clustering = pytest.mark.parametrize("name", STREAMING)


@pytest.fixture
def blobs():
    """Three classes, a few labels of each."""
    return tamis.datasets.make_blobs(ROWS, n_noise=2, random_state=2, n_labeled_per_class=5)


@pytest.fixture
def sources(tmp_path, blobs):
    """The same table, as whatever gives rows by number."""
    x, _ = blobs
    np.save(tmp_path / "x.npy", x)
    frame = pd.DataFrame(x).add_prefix("gene")
    frame.to_parquet(tmp_path / "x.parquet")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["x"] = x
    return {
        "path of NPY": tmp_path / "x.npy",
        "path of Parquet": str(tmp_path / "x.parquet"),
        "dataset of h5py": h5py.File(tmp_path / "x.h5")["x"],
        "memory map": np.load(tmp_path / "x.npy", mmap_mode="r"),
        "array": x,
        "csr": sparse.csr_matrix(x),
    }


def fitted(name, *given, **how):
    return clone(STREAMING[name]).fit(*given, **how)


def bits(estimator):
    """All numbers that a fit leaves."""
    return {
        name: np.asarray(value).tobytes()
        for name, value in vars(estimator).items()
        if name.endswith("_") and name not in ("feature_names_in_", "sheet_shape_")
    }


def test_those_that_stream_are_tried_here():
    listed = {each["name"] for each in tamis.cluster.clusterings() if each["streams"]}
    assert listed == set(STREAMING)


@every_clustering
def test_any_source_gives_the_same_bits(name, blobs, sources):
    _, y = blobs
    expected = fitted(name, sources["array"], y, memory="4G")
    for kind, source in sources.items():
        found = fitted(name, source, y, memory="4G")
        assert bits(found) == bits(expected), kind
        assert found.n_features_in_ == expected.n_features_in_
    assert fitted(name, sources["path of Parquet"], y).feature_names_in_[3] == "gene3"


@every_clustering
def test_clusters_are_those_of_memory(name, blobs, sources):
    x, y = blobs
    whole = fitted(name, x, y)
    found = fitted(name, sources["path of NPY"], y, memory="4G")
    np.testing.assert_array_equal(found.labels_, whole.labels_)
    np.testing.assert_allclose(found.cluster_centers_, whole.cluster_centers_, atol=1e-6)
    np.testing.assert_array_equal(found.predict(x), whole.predict(x))
    assert not hasattr(found, "memberships_")


@every_clustering
def test_what_fits_is_clustered_in_memory(name, blobs, sources):
    x, y = blobs
    whole = fitted(name, x, y)
    for kind in ("path of NPY", "path of Parquet", "dataset of h5py", "memory map"):
        assert bits(fitted(name, sources[kind], y)) == bits(whole), kind


def test_a_fit_to_runs_forgets_the_memberships_of_another(blobs):
    estimator = cluster.WCKM(n_clusters=3, restarts=1, random_state=0).fit(*blobs)
    assert estimator.memberships_.shape == (ROWS, 3)
    assert not hasattr(estimator.fit(*blobs, memory="4G"), "memberships_")


def test_what_does_not_fit_says_so(blobs, sources, monkeypatch):
    monkeypatch.setattr("tamis._streaming._fits", lambda source: source is None)
    with pytest.warns(UserWarning) as seen:
        fitted("kmeans", sources["path of NPY"], blobs[1])
    assert str(seen[0].message) == (
        "X does not fit into memory: it is read 2 times or more, 180 rows at a time"
    )


def test_pairs_and_starts_are_heeded(blobs, sources):
    x, _ = blobs
    pairs = tamis.Constraints.by_row(must_link=[(0, 1), (2, 5)], cannot_link=[(3, 4)], n_rows=ROWS)
    for name in ("wckm", "l2gfs", "kmeans"):
        estimator = type(STREAMING[name])(init=x[:4])
        whole = estimator.fit(x, constraints=pairs).labels_
        found = estimator.fit(sources["path of NPY"], constraints=pairs, memory="4G").labels_
        np.testing.assert_array_equal(found, whole)


class Enough(Exception):
    pass


@pytest.mark.parametrize("name", ["kmeans", "wckm", "l2gfs", "som"])
def test_a_checkpoint_is_gone_on_from(name, blobs, sources, tmp_path):
    how = {"checkpoint": tmp_path / "kept"}

    def stop(stage, done, total):
        if stage.startswith("pass 3"):
            raise Enough

    with pytest.raises(Enough):
        fitted(name, sources["path of NPY"], blobs[1], **how, progress=stop)
    other = cluster.KMeans(n_clusters=5, random_state=0)
    with pytest.raises(ValueError, match="the checkpoint is of another"):
        other.fit(sources["path of NPY"], blobs[1], **how)
    found = fitted(name, sources["path of NPY"], blobs[1], **how)
    assert bits(found) == bits(fitted(name, sources["path of NPY"], blobs[1], memory="4G"))
    assert not (tmp_path / "kept").exists()


def test_a_checkpoint_needs_a_seed(blobs, tmp_path):
    with pytest.raises(ValueError, match=r"^checkpoint goes on with the same seed only"):
        cluster.KMeans(n_clusters=3).fit(*blobs, checkpoint=tmp_path / "kept")


def test_what_cannot_read_runs_is_refused(blobs):
    with pytest.raises(ValueError) as refused:
        cluster.COPKMeans(n_clusters=3).fit(*blobs, memory="4G")
    assert str(refused.value) == (
        "cop_kmeans looks at all rows at once, and X is read in runs of rows: cluster a sample of "
        "them, or condense the table first (tamis condense)"
    )
    with pytest.raises(ValueError, match=r"^kmeans: memory = 'much' is no amount of memory"):
        cluster.KMeans(n_clusters=3).fit(*blobs, memory="much")


def test_nothing_is_said_where_all_is_well(blobs):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cluster.KMeans(n_clusters=3, random_state=0).fit(*blobs, memory="4G")


@settings(max_examples=25, deadline=None)
@given(data=st.data(), name=st.sampled_from([*STREAMING]))
def test_random_splits_and_merges_give_equal_bytes(data, name):
    x, y = tamis.datasets.make_blobs(ROWS, n_noise=2, random_state=2, n_labeled_per_class=5)
    x = data.draw(st.sampled_from([np.asarray, sparse.csr_matrix, np.float32]))(x)
    source = _sources.ArrayRows(x)
    options = {"units": 12} if name == "som" else {"restarts": 2, "max_iter": 3}
    known = knowledge(None, None, encode_labels(y, ROWS), None, ROWS)
    conversation = _core.ClusteringConversation(
        name, option_texts(options), source.core(), known, None, 0
    )
    while (asked := conversation.next_pass()) is not None:
        whole = _core.state_of(asked)
        whole.update(core_table(x), 0)
        assert bytes_of_random_runs(data, asked, source) == whole.bytes().tobytes()
        conversation.accept(whole)
    assert len(conversation.result(1)["clusters"]) == ROWS
