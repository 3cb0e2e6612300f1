"""Tables of which a run of rows is in memory at a time give what they give in memory."""

import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import h5py
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
import tamis
import zarr
from hypothesis import given, settings
from hypothesis import strategies as st
from merging import bytes_of_random_runs
from scipy import sparse
from tamis import _core, _sources, _streaming
from tamis._input import core_table
from tamis._labels import encode_labels
from tamis._plan import ranking_plan

ROWS, COLS = 120, 40
KNOWN_ROWS = ("fisher_score", "constraint_score", "bcs")
SOM = {"method": "laplacian_score", "condense": "som"}


@pytest.fixture
def batches(wave):
    """The table as Arrow has it, in batches of 50 rows, and of 20 at the end."""
    table = pa.table(pd.DataFrame(wave[0], columns=[f"f{c}" for c in range(COLS)]))
    return table.to_batches(max_chunksize=50)


@pytest.fixture
def sources(tmp_path, wave, batches):
    """One table, in whatever has rows that can be read by number."""
    x = wave[0]
    np.save(tmp_path / "x.npy", x)
    pd.DataFrame(x).add_prefix("f").to_csv(tmp_path / "x.csv", index=False)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("x", data=x, chunks=(32, COLS))
        write_csr(file.create_group("sparse"), x)
    zarr.create_array(tmp_path / "x.zarr", data=x, chunks=(32, COLS))
    write_csr(zarr.open_group(tmp_path / "group.zarr", mode="w"), x)
    table = pa.Table.from_batches(batches)
    pa.parquet.write_table(table, tmp_path / "x.parquet", row_group_size=50)
    pa.dataset.write_dataset(
        [table.slice(0, 70), table.slice(70)], tmp_path / "files", format="parquet",
        max_rows_per_file=70, max_rows_per_group=30, use_threads=False,
    )  # fmt: skip
    opened = h5py.File(tmp_path / "x.h5")
    return {
        "array": x,
        "csr": sparse.csr_matrix(x),
        "path of NPY": tmp_path / "x.npy",
        "path of CSV": tmp_path / "x.csv",
        "memory map": np.load(tmp_path / "x.npy", mmap_mode="r"),
        "dataset of h5py": opened["x"],
        "group of h5py": opened["sparse"],
        "backed AnnData": annotated(opened["x"]),
        "array of Zarr": zarr.open_array(tmp_path / "x.zarr"),
        "path of Zarr": tmp_path / "x.zarr",
        "group of Zarr": zarr.open_group(tmp_path / "group.zarr", mode="r"),
        "path of Parquet": tmp_path / "x.parquet",
        "folder of Parquet": str(tmp_path / "files"),
        "dataset of Arrow": pa.dataset.dataset(tmp_path / "x.parquet"),
        "file of Parquet": pa.parquet.ParquetFile(tmp_path / "x.parquet"),
        "stream of Arrow": lambda: pa.RecordBatchReader.from_batches(batches[0].schema, batches),
    }


def write_csr(group, x):
    """As AnnData does."""
    stored = sparse.csr_matrix(x)
    group.attrs["encoding-type"] = "csr_matrix"
    group.attrs["shape"] = list(x.shape)
    for name in ("data", "indices", "indptr"):
        part = getattr(stored, name)
        if hasattr(group, "create_array"):  # with data only from Zarr 3.1 on
            group.create_array(name, shape=part.shape, dtype=part.dtype)[:] = part
        else:
            group.create_dataset(name, data=part)


def annotated(x):
    """What of a backed AnnData is looked at."""
    return SimpleNamespace(
        isbacked=True,
        X=x,
        var_names=pd.Index([f"gene{c}" for c in range(COLS)]),
        obs_names=pd.Index([f"cell{i}" for i in range(ROWS)]),
    )


def in_blocks(x, y, rows_at_once, method, **options):
    """The ranking by blocks of so many rows."""
    source = _sources.row_source(x) or _sources.ArrayRows(x)
    conversation = _streaming.begin_conversation(
        source, None, None, encode_labels(y, ROWS), None, ranking_plan(method, options), 0
    )
    held = conversation.converse(source.core(), rows_at_once, None, None, 2)
    return tamis.Ranking(held)


def test_any_source_gives_the_bits_of_memory(sources, wave):
    for method in KNOWN_ROWS:
        expected = tamis.rank(*wave, method, random_state=0)
        for name, source in sources.items():
            ranking = tamis.rank(source, wave[1], method, memory="4G", random_state=0)
            np.testing.assert_array_equal(ranking.scores, expected.scores, err_msg=name)
            assert ranking.order.tolist() == expected.order.tolist()
            assert ranking.data["rows"] == ROWS


def test_any_source_in_any_blocks_gives_the_same_bits(sources, wave):
    expected = in_blocks(wave[0], wave[1], ROWS, "variance").scores
    for name, source in sources.items():
        for rows_at_once in (17, 50):
            scores = in_blocks(source, wave[1], rows_at_once, "variance").scores
            np.testing.assert_array_equal(scores, expected, err_msg=f"{name}, {rows_at_once}")


@pytest.fixture
def texts(tmp_path, wave):
    """The table as delimited text, and compressed."""
    frame = pd.DataFrame(wave[0]).add_prefix("f")
    frame.to_csv(tmp_path / "x.csv", index=False)
    frame.to_csv(tmp_path / "x.csv.gz", index=False)
    (tmp_path / "here").mkdir()
    return [tmp_path / "x.csv", tmp_path / "x.csv.gz"]


def test_numbers_of_a_text_are_put_into_a_temporary_file(tmp_path, texts, wave):
    seen = set()

    def look(*_):
        seen.add(len(list((tmp_path / "here").iterdir())))

    how = {"memory": "4G", "spill": tmp_path / "here", "progress": look}
    for path in texts:
        for method in ("fisher_score", "ridge_omp"):
            options = {"ranks": "levels"} if method == "ridge_omp" else {}
            whole = tamis.rank(path, wave[1], method, random_state=0, **options)
            spilled = tamis.rank(path, wave[1], method, random_state=0, **options, **how)
            np.testing.assert_array_equal(spilled.scores, whole.scores)
            assert spilled.data["format"] == "csv"
        clusters = tamis.cluster.KMeans(3, random_state=0)
        expected = clusters.fit(path, memory="4G").labels_
        np.testing.assert_array_equal(clusters.fit(path, **how).labels_, expected)
    assert seen == {1}, "one file, as long as it is read"
    assert not list((tmp_path / "here").iterdir())


def test_a_text_that_fits_is_not_spilled(tmp_path, texts, wave):
    whole = tamis.rank(texts[0], wave[1], "fisher_score", spill=tmp_path / "gone")
    np.testing.assert_array_equal(whole.scores, tamis.rank(*wave, "fisher_score").scores)
    with pytest.raises(OSError) as refused:
        tamis.rank(texts[0], wave[1], "fisher_score", memory="4G", spill=tmp_path / "gone")
    gone = f"{tmp_path}/gone: is no folder to put a temporary file into"
    assert str(refused.value) == gone


def test_a_text_that_does_not_fit_names_the_folder(tmp_path, texts, wave):
    with pytest.raises(ValueError) as refused:
        tamis.rank(texts[0], wave[1], "fisher_score", memory="20k")
    size = _core.bytes_text(texts[0].stat().st_size)
    assert str(refused.value) == (
        f"{texts[0]}: its {size} do not fit into 20 kB of memory, and only NPY files in C order, "
        "full matrices of MATLAB 7.3, h5ad files by rows (dense or CSR) and 10x files are read in "
        "runs of rows; spill=FOLDER makes such a file of it first, in a folder with as much room "
        "as its numbers take"
    )


def test_a_map_of_any_blocks_gives_the_same_bits(sources, wave):
    expected = in_blocks(wave[0], wave[1], ROWS, **SOM).scores
    for name in ("csr", "path of NPY", "path of Parquet", "stream of Arrow"):
        scores = in_blocks(sources[name], wave[1], 50, **SOM).scores
        np.testing.assert_array_equal(scores, expected, err_msg=name)


def test_the_default_method_is_that_of_memory_on_levels(sources, wave):
    expected = tamis.rank(*wave, ranks="levels", random_state=0)
    with pytest.warns(UserWarning, match="because the table is read in runs of rows") as seen:
        ranking = tamis.rank(sources["path of NPY"], wave[1], memory="4G", random_state=0)
    assert len(seen) == 1
    assert ranking.options == expected.options
    assert ranking.order.tolist() == expected.order.tolist()
    np.testing.assert_array_equal(ranking.scores, expected.scores)


def test_a_diverse_order_is_that_of_memory_on_levels(sources, wave):
    how = {"random_state": 0, "diversify": 12, "top": "auto"}
    expected = tamis.rank(*wave, "ridge_omp", ranks="levels", **how)
    assert expected.diversify["ranks"] == "levels"
    for name in ("memory map", "csr", "path of Parquet"):
        streamed = tamis.rank(
            sources[name], wave[1], "ridge_omp", ranks="levels", memory="4G", **how
        )
        np.testing.assert_array_equal(streamed.order, expected.order)
        np.testing.assert_array_equal(streamed.diversity["gain"], expected.diversity["gain"])
        assert streamed.relevance["n_backed"] == expected.relevance["n_backed"]
    with pytest.warns(UserWarning, match="diversify: ranks = levels, because the table is read in"):
        by_fisher = tamis.rank(sources["memory map"], wave[1], "fisher_score", memory="4G", **how)
    np.testing.assert_array_equal(by_fisher.order, tamis.rank(*wave, "fisher_score", **how).order)


@pytest.mark.parametrize("base", ["fisher_score", "variance", "cls:condense=som"])
def test_what_is_redundant_is_removed_as_in_memory(sources, wave, base):
    how = {"method": "csfsr", "base": base, "random_state": 0}
    expected = tamis.rank(*wave, **how)
    for name in ("memory map", "csr", "path of Parquet"):
        streamed = tamis.rank(sources[name], wave[1], memory="4G", **how)
        np.testing.assert_array_equal(streamed.order, expected.order)
        np.testing.assert_array_equal(streamed.subset, expected.subset)
        assert streamed.redundancy["rate"] == pytest.approx(expected.redundancy["rate"], abs=1e-8)


def test_variance_is_that_of_memory_to_nine_digits(wave):
    streamed = tamis.rank(*wave, "variance", memory="4G").scores
    np.testing.assert_allclose(streamed, tamis.rank(*wave, "variance").scores, rtol=1e-8)


def test_single_precision_stays_single(wave):
    x = wave[0].astype(np.float32)
    expected = tamis.rank(x, wave[1], "fisher_score")
    ranking = tamis.rank(x, wave[1], "fisher_score", memory="4G")
    assert ranking.data["precision"] == expected.data["precision"] == "single"
    np.testing.assert_array_equal(ranking.scores, expected.scores)


def test_what_fits_is_ranked_in_memory(sources, wave):
    x, y = wave
    expected = {
        stored: tamis.rank(table, y, "cls", random_state=0).scores
        for stored, table in ((False, x), (True, sparse.csr_matrix(x)))
    }
    for name, source in sources.items():
        ranking = tamis.rank(source, y, "cls", random_state=0)
        scores = expected[ranking.data["sparse"]]
        np.testing.assert_array_equal(ranking.scores, scores, err_msg=name)


def test_what_does_not_fit_is_streamed_and_says_so(sources, wave, monkeypatch):
    monkeypatch.setattr("tamis._streaming._fits", lambda source: source is None)
    with pytest.warns(UserWarning) as seen:
        tamis.rank(sources["path of NPY"], wave[1], "variance")
    assert str(seen[0].message) == (
        "X does not fit into memory: it is read 2 times, 120 rows at a time"
    )
    assert seen[0].filename == __file__


def test_names_ids_and_labels_of_the_table_are_used(sources, tmp_path, wave):
    genes = tamis.rank(sources["backed AnnData"], wave[1], "fisher_score", memory="4G")
    assert genes.names[3] == "gene3"
    pairs = tamis.Constraints(must_link=[("cell3", "cell5")], cannot_link=[("cell3", "cell7")])
    linked = tamis.rank(
        sources["backed AnnData"], method="constraint_score", constraints=pairs, memory="4G"
    )
    assert (linked.data["must_link"], linked.data["cannot_link"]) == (1, 1)
    frame = pd.DataFrame(wave[0]).assign(y=np.where(wave[1] < 0, "?", wave[1].astype(str)))
    frame.to_csv(tmp_path / "labeled.csv", index=False)
    labeled = tamis.rank(tmp_path / "labeled.csv", method="fisher_score")
    np.testing.assert_array_equal(labeled.scores, tamis.rank(*wave, "fisher_score").scores)


def test_genes_of_a_backed_table_are_marked(sources, wave):
    adata = annotated(sources["dataset of h5py"])
    adata.obs = pd.DataFrame({"type": np.where(wave[1] < 0, None, wave[1])})
    adata.var, adata.uns = pd.DataFrame(index=adata.var_names), {}
    adata.n_obs = len(adata.obs)
    adata.layers = {"counts": sources["group of h5py"]}
    expected = tamis.rank(*wave, "fisher_score").columns(4)
    for layer in (None, "counts"):
        marked = tamis.pp.select_features(
            adata, method="fisher_score", labels_key="type", layer=layer, n_top_genes=4,
            inplace=False, memory="4G",
        )  # fmt: skip
        assert marked.index[marked["tamis_selected"]].tolist() == [
            f"gene{c}" for c in sorted(expected)
        ]


def test_memory_is_kept(tmp_path):
    """A file of 200 MB within 110 MB more than the process holds at its start."""
    big = np.lib.format.open_memmap(tmp_path / "big.npy", "w+", np.float32, (50_000, 1000))
    big[::1000, 0] = 1.0
    big.flush()
    script = """
import re, sys, tamis
from tamis import _core
before = _core.held_memory()
limit = before + 110_000_000
tamis.rank(sys.argv[1], method="variance", memory=limit, n_jobs=2)
# Of this program; what getrusage tells begins with that of the process that started it.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()).group(1)
print(int(peak) * 1024 - limit)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "big.npy"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) <= 0


def test_too_little_memory_is_refused(wave):
    with pytest.raises(ValueError, match=r"^1 MB of memory are too few for this table and method:"):
        tamis.rank(*wave, "variance", memory="1M")
    with pytest.raises(ValueError) as refused:
        tamis.rank(*wave, "variance", memory="much")
    assert str(refused.value) == (
        "rank: memory = 'much' is no amount of memory; write a number of bytes, or such as 500M "
        "or 4G"
    )


def test_a_method_that_needs_all_rows_is_refused(wave):
    with pytest.raises(ValueError) as refused:
        tamis.rank(*wave, "cls", memory="4G")
    assert str(refused.value) == (
        "cls looks at all rows at once, but not if condense=som; rank a sample of the rows: all "
        "known ones and some others"
    )


@pytest.mark.parametrize("kind", ["array", "csr"])
def test_a_value_that_is_not_finite_is_named(wave, kind):
    x = wave[0].copy()
    x[-1, 5] = np.nan
    with pytest.raises(ValueError) as refused:
        in_blocks(sparse.csr_matrix(x) if kind == "csr" else x, wave[1], 50, "variance")
    assert "row 119" in str(refused.value)
    assert "column 5" in str(refused.value)


def test_what_is_no_table_of_numbers_is_refused(tmp_path, batches):
    def refusal(source):
        with pytest.raises((ValueError, OSError)) as refused:
            tamis.rank(source, method="variance", memory="4G")
        return str(refused.value)

    with h5py.File(tmp_path / "bad.h5", "w") as file:
        texts = file.create_dataset("texts", data=np.array([[b"a", b"b"]] * 3))
        assert refusal(texts) == "X holds |S1, not numbers: drop or encode such columns"
        cube = file.create_dataset("cube", data=np.zeros((3, 3, 3)))
        assert refusal(cube) == "/cube must have rows and columns: it is (3, 3, 3)"
        columns = file.create_group("columns")
        columns.attrs["encoding-type"] = "csc_matrix"
        assert refusal(columns) == (
            "/columns is stored as csc_matrix, not by rows: read in runs of rows are arrays and "
            "CSR matrices; convert it with adata.X = adata.X.tocsr()"
        )
    assert refusal(tmp_path / "none.npy") == f"{tmp_path}/none.npy: No such file or directory"
    words = pa.table({"a": [1.0, 2.0], "word": ["x", "y"]})
    assert refusal(lambda: words) == (
        "columns of X that do not hold numbers: word (string); drop or encode them"
    )

    left = [batches, batches[:2]]
    shorter = refusal(lambda: pa.RecordBatchReader.from_batches(batches[0].schema, left.pop(0)))
    assert shorter == (
        "X ended after 100 rows, but had 120 when they were counted: it must give the same rows "
        "each time"
    )


@pytest.mark.parametrize("value", [np.nan, 1e30])
def test_values_that_change_before_the_last_pass_are_refused(wave, value):
    class Changing(_sources.ArrayRows):
        passes = 0

        def take(self, first, end):
            self.passes += first == 0
            rows = super().take(first, end).copy()
            if self.passes == 3:
                rows[-1] = value
            return rows

    source = Changing(wave[0])
    plan = ranking_plan("csfsr", {"base": "variance"})
    conversation = _streaming.begin_conversation(
        source, None, None, encode_labels(wave[1], ROWS), None, plan, 0
    )
    with pytest.raises(OSError, match=r"^the table was changed while it was read: row 119, column"):
        conversation.converse(source.core(), ROWS, None, None, 1)


def test_a_file_that_changes_is_refused(sources, wave):
    path = sources["path of NPY"]

    def touch(stage, done, total):
        os.utime(path, (1, 1))

    with pytest.raises(OSError, match=r"^the table was changed while it was read: it was "):
        tamis.rank(path, wave[1], "variance", memory="4G", progress=touch)


def test_progress_is_told_by_rows(sources, wave):
    seen = []
    tamis.rank(
        sources["path of NPY"], wave[1], "variance", memory="4G",
        progress=lambda *told: seen.append(told),
    )  # fmt: skip
    assert seen == [
        ("pass 1 of 2 (range)", 120, 120),
        ("pass 2 of 2 (deviations)", 120, 120),
    ]


class Enough(Exception):
    pass


def test_a_checkpoint_is_gone_on_from(sources, wave, tmp_path):
    expected = tamis.rank(*wave, "variance", memory="4G", random_state=0).scores
    how = {"method": "variance", "checkpoint": tmp_path / "kept", "random_state": 0}

    def stop(stage, done, total):
        if stage.startswith("pass 2"):
            raise Enough

    with pytest.raises(Enough):
        tamis.rank(sources["path of NPY"], wave[1], **how, progress=stop)
    with pytest.raises(ValueError, match="the checkpoint is of another seed: '0', not '1'"):
        tamis.rank(sources["path of NPY"], wave[1], **{**how, "random_state": 1})
    seen = []
    ranking = tamis.rank(
        sources["path of NPY"], wave[1], **how, progress=lambda *told: seen.append(told)
    )
    assert [stage for stage, *_ in seen][-1] == "pass 2 of 2 (deviations)"
    np.testing.assert_array_equal(ranking.scores, expected)
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("how", "last"),
    [
        ({"method": "csfsr", "base": "variance"}, "(correlations)"),
        ({"method": "fisher_score", "diversify": 9}, "(shares)"),
    ],
)
@pytest.mark.filterwarnings("ignore:diversify")
def test_a_checkpoint_is_gone_on_from_in_a_further_pass(sources, wave, tmp_path, how, last):
    expected = tamis.rank(*wave, memory="4G", random_state=0, **how)
    how = {**how, "checkpoint": tmp_path / "kept", "random_state": 0}

    def stop(stage, done, total):
        if stage.endswith(last):
            raise Enough

    with pytest.raises(Enough):
        tamis.rank(sources["path of NPY"], wave[1], **how, progress=stop)
    seen = set()
    ranking = tamis.rank(
        sources["path of NPY"], wave[1], **how, progress=lambda stage, *_: seen.add(stage)
    )
    assert any(stage.endswith(last) for stage in seen)
    np.testing.assert_array_equal(ranking.order, expected.order)
    assert not (tmp_path / "kept").exists()


def test_a_checkpoint_needs_a_seed(wave, tmp_path):
    with pytest.raises(ValueError) as refused:
        tamis.rank(*wave, "bcs", checkpoint=tmp_path / "kept")
    assert str(refused.value) == (
        "checkpoint goes on with the same seed only: pass random_state=0, or another integer"
    )


def test_what_draws_nothing_needs_no_seed_for_a_checkpoint(wave, tmp_path):
    state = np.random.get_state()[2]
    assert tamis.rank(*wave, "variance", checkpoint=tmp_path / "kept").seed == 0
    assert np.random.get_state()[2] == state


def test_an_interrupt_ends_it(wave):
    class Slow(_sources.ArrayRows):
        def take(self, first, end):
            threading.Event().wait(0.02)
            return super().take(first, end)

    source = Slow(wave[0])
    conversation = _streaming.begin_conversation(
        source, None, None, encode_labels(wave[1], ROWS), None, ranking_plan("variance", {}), 0
    )
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        conversation.converse(source.core(), 1, None, None, 1)


@settings(max_examples=25)
@given(
    data=st.data(),
    plan=st.sampled_from(
        [
            ("variance", {}),
            ("fisher_score", {}),
            ("laplacian_score", {"condense": "som"}),
            ("csfsr", {"base": "variance", "h": 9}),
            ("variance", {}, None, None, 5),
        ]
    ),
)
def test_random_splits_and_merges_give_equal_bytes(data, plan):
    x, y = tamis.datasets.make_wave(120, random_state=3, n_labeled_per_class=4)
    kind = data.draw(st.sampled_from([np.asarray, sparse.csr_matrix, np.float32]))
    x = kind(x)
    source = _sources.ArrayRows(x)
    conversation = _streaming.begin_conversation(
        source, None, None, encode_labels(y, ROWS), None, ranking_plan(*plan), 0
    )
    while (asked := conversation.next_pass()) is not None:
        whole = _core.state_of(asked)
        whole.update(core_table(x), 0)
        assert bytes_of_random_runs(data, asked, source) == whole.bytes().tobytes()
        conversation.accept(whole)
