"""Tables that are read in runs of rows: the same results, within a promised memory."""

import json
import os
import re
import signal
import subprocess
import time

import numpy as np
import pytest
from program import FAULTS, IS_SANITIZED, PROGRAM, csv_text, killing

KNOWN_ROWS = (
    "arom_svm",
    "bcs",
    "constraint_score",
    "fcbf",
    "fisher_score",
    "information_gain",
    "mrmr",
    "relieff",
    "spfs",
)
VOLATILE = ("seconds", "peak_memory_bytes")
LITTLE = "900M" if IS_SANITIZED else "110M"  # sanitizers take memory of their own


def ranking(outcome):
    result = outcome.json
    for name in VOLATILE:
        del result[name]
    return result


def small_table(rows=300, cols=9, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, cols))
    classes = np.arange(rows) % 3
    x[:, :4] += classes[:, None]
    x[:, 5] = 0.5
    labels = [str(c) if i % 5 == 0 else "" for i, c in enumerate(classes)]
    return x, labels


@pytest.fixture
def table(tmp_path):
    x, labels = small_table()
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels) + "\n")
    return x


RANK = ("rank", "x.npy", "--labels", "y.csv", "--json", "-q", "-m")


@pytest.mark.parametrize("method", KNOWN_ROWS)
def test_methods_of_known_rows_give_the_bits_of_in_memory(tamis, table, method):
    assert ranking(tamis(*RANK, method, "--memory", "1G")) == ranking(tamis(*RANK, method))


def json_text(outcome):
    """To the byte, but for what the clock and the machine decide."""
    return re.sub(r',"(seconds|peak_memory_bytes)":[^,}]*', "", outcome.out)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_ridge_omp_on_levels_gives_the_bytes_of_in_memory(tamis, tmp_path, kind):
    x, labels = small_table(rows=5000, cols=60)
    np.save(tmp_path / "x.npy", x.astype(kind))
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels[:400] + [""] * 4600) + "\n")
    words = (*RANK, "ridge_omp", "--ranks", "levels", "--seed", "3")
    expected = json_text(tamis(*words, "--trace", "whole.jsonl"))
    assert '"relevance":' in expected
    for threads in (1, 2, 3):
        for memory in (LITTLE, "2G"):
            streamed = tamis(*words, "--memory", memory, "-j", threads, "--trace", "read.jsonl")
            assert json_text(streamed) == expected
            assert (tmp_path / "read.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


@pytest.mark.parametrize("top", [(), ("--top", "auto")])
def test_a_diverse_order_has_the_bytes_of_in_memory_on_levels(tamis, tmp_path, top):
    x, labels = small_table(rows=5000, cols=60)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels[:400] + [""] * 4600) + "\n")
    words = (*RANK, "ridge_omp", "--ranks", "levels", "--diversify", "20", *top, "--seed", "3")
    expected = json_text(tamis(*words, "--trace", "whole.jsonl"))
    assert '"ranks":"levels"' in expected
    for threads, memory in ((1, LITTLE), (3, "2G")):
        streamed = tamis(*words, "--memory", memory, "-j", threads, "--trace", "read.jsonl")
        assert json_text(streamed) == expected
        assert (tmp_path / "read.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


def test_a_diverse_order_of_a_stream_is_that_of_in_memory(tamis, table):
    words = ("rank", "x.npy", "--labels", "y.csv", "--json", "--diversify", "6", "-m")
    warning = "diversify: ranks = levels, because the table is read in runs of rows"
    for method in ("fisher_score", "variance"):
        streamed = tamis(*words, method, "--memory", "1G")
        assert streamed.err.count(warning) == 1
        result = streamed.json
        assert result["diversify"] == {"n_candidates": 6, "ranks": "levels", "fdr": 1}
        expected = tamis(*words, method).json
        assert result["order"] == expected["order"]
        assert result["diversity"]["nearest"] == expected["diversity"]["nearest"]
        gains = [result["diversity"]["gain"], expected["diversity"]["gain"]]
        np.testing.assert_allclose(*np.array(gains, dtype=float), rtol=2e-3)


@pytest.mark.parametrize("base", ["fisher_score", "variance", "wckm:restarts=2", "bcs"])
def test_what_is_redundant_is_removed_as_in_memory(tamis, tmp_path, base):
    x, labels = small_table(rows=3000, cols=90)
    x[:, 10:40] = x[:, :30] + 0.1 * x[:, 40:70]
    x[:, 15] += x[:, 80]  # column 5 is constant: it would be column 45 again
    x[:, 70] = -x[:, 0]
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels) + "\n")
    words = (*RANK, "csfsr", "--base", base, "--h", "80")
    whole = tamis(*words).json
    found = {json_text(tamis(*words, "--memory", m, "-j", j)) for m, j in ((LITTLE, 1), ("2G", 3))}
    assert len(found) == 1
    streamed = json.loads(found.pop())
    assert streamed["redundancy"]["removed"]
    for fact in ("order", "selected"):
        assert streamed[fact] == whole[fact]
    tree, expected = (np.array(each["redundancy"]["tree"]) for each in (streamed, whole))
    np.testing.assert_array_equal(tree[:, :2], expected[:, :2])
    np.testing.assert_allclose(tree[:, 2], expected[:, 2], atol=1e-8, rtol=0)
    pairs = (
        [(one["feature"], one["because_of"]) for one in each["redundancy"]["removed"]]
        for each in (streamed, whole)
    )
    assert next(pairs) == next(pairs)


def test_the_default_method_streams_on_levels_and_says_so(tamis, refused, table):
    words = ("rank", "x.npy", "--labels", "y.csv", "--json")
    warning = "ridge_omp: ranks = levels, because the table is read in runs of rows"
    streamed = tamis(*words, "--memory", "1G")
    assert streamed.err.count(warning) == 1
    result = ranking(streamed)
    assert result["diagnostics"]["warnings"].pop() == warning
    assert result == ranking(tamis(*words, "--ranks", "levels"))
    line = refused(*words, "--ranks", "exact", "--memory", "1G", code=2)
    assert line == (
        "tamis: ridge_omp looks at all rows at once, but not if ranks=levels; "
        "--sample-rows N takes all known rows and N others"
    )


@pytest.mark.parametrize("method", ["variance", "fisher_score"])
def test_neither_threads_nor_memory_change_a_bit(tamis, tmp_path, method):
    x, labels = small_table(rows=20000, cols=50)
    np.save(tmp_path / "x.npy", x.astype(np.float32))
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels) + "\n")
    expected = ranking(tamis(*RANK, method, "--memory", "1G"))
    for threads in (1, 2, 3):
        for memory in (LITTLE, "2G"):
            words = (*RANK, method, "--memory", memory, "-j", threads)
            assert ranking(tamis(*words)) == expected


@pytest.mark.parametrize("method", ["fisher_score", "ridge_omp", "variance"])
def test_one_table_in_several_formats_gives_one_ranking(tamis, tmp_path, table, method):
    (tmp_path / "x.csv").write_text(csv_text(table))
    for name, source in (
        ("x.tsv", "x.csv"),
        ("x.mat", "x.csv"),
        ("x.libsvm", "x.csv"),
        ("dense.h5ad", "x.csv"),
        ("csr.h5ad", "x.libsvm"),
    ):
        assert tamis("convert", source, "--label-column", "none", "-q", "-o", name).code == 0
    found = set()
    for name in ("x.npy", "x.csv", "x.tsv", "x.mat", "x.libsvm", "dense.h5ad", "csr.h5ad"):
        words = ("rank", name, "--labels", "y.csv", "--label-column", "none", "--json", "-q")
        result = ranking(tamis(*words, "-m", method, "--memory", "1G"))
        for fact in ("file", "format", "sparse"):
            del result["data"][fact]
        found.add(json.dumps(result))
    assert len(found) == 1


def test_a_map_in_place_of_rows(tamis, table):
    words = (*RANK, "cls", "--condense", "som", "--units", "20")
    streamed = tamis(*words, "--memory", "1G").json
    assert streamed["order"] == tamis(*words).json["order"]
    assert ranking(tamis(*words, "--memory", LITTLE, "-j", "1")) == ranking(
        tamis(*words, "--memory", "1G", "-j", "3")
    )


def test_says_how_often_it_reads(tamis, table):
    outcome = tamis("rank", "x.npy", "-m", "variance", "--memory", "500M")
    assert (
        "tamis: the table is read 2 times, 300 rows at a time, within 500 MB of memory"
        in (outcome.err)
        or "the table is read 2 times, 300 rows at a time, within 500 MB of memory" in outcome.err
    )
    words = ("rank", "x.npy", "--labels", "y.csv", "-m", "fisher_score", "--memory", "500M")
    assert "the table is read once, 300 rows at a time" in tamis(*words).err
    assert "the table is read 4 times, 300 rows" in tamis(*words, "--diversify").err
    words = ("rank", "x.npy", "-m", "csfsr", "--base", "variance", "--memory", "500M")
    assert "the table is read 3 times, 300 rows" in tamis(*words).err


@pytest.mark.skipif(IS_SANITIZED, reason="sanitizers take memory of their own")
def test_keeps_the_memory_that_it_promised(tamis, tmp_path):
    rows, cols = 40000, 500
    big = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (rows, cols))
    big[:] = np.random.default_rng(0).normal(size=(rows, cols))
    big.flush()
    del big  # 80 MB
    for method, memory in (("variance", 60e6), ("fisher_score", 60e6)):
        (tmp_path / "y.csv").write_text("id,label\n0,a\n1,b\n2,a\n3,b\n")
        result = tamis(*RANK, method, "--memory", str(int(memory))).json
        assert result["peak_memory_bytes"] <= memory


@pytest.mark.skipif(IS_SANITIZED, reason="sanitizers take memory of their own")
@pytest.mark.parametrize(
    ("method", "kind", "rows"),
    [
        (("ridge_omp", "--ranks", "levels"), np.float32, 30000),
        (("ridge_omp", "--ranks", "levels"), np.float64, 30000),
        (("ridge_omp", "--ranks", "levels"), np.float64, 2000),  # each value has its own level
        (("ridge_omp", "--ranks", "levels", "--diversify"), np.float32, 30000),
        (("csfsr", "--base", "ridge_omp:ranks=levels"), np.float32, 30000),
    ],
)
def test_the_least_memory_is_enough(tamis, refused, tmp_path, method, kind, rows):
    x, labels = small_table(rows, cols=300)
    np.save(tmp_path / "x.npy", x.astype(kind))
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels) + "\n")
    words = (*RANK, *method, "--memory")
    told = re.search(r"at least ([0-9.]+) MB are needed", refused(*words, "1M", code=2))
    least = float(told[1]) + 1  # what a process holds at first is not the same each time
    assert tamis(*words, f"{least}M").json["peak_memory_bytes"] <= least * 1e6


def test_says_the_least_memory(refused, table):
    line = refused("rank", "x.npy", "-m", "variance", "--memory", "1M", code=2)
    assert "1 MB of memory are too few for this table and method: at least " in line
    line = refused("rank", "x.npy", "-m", "variance", "--memory", "lots", code=2)
    assert line == (
        "tamis: rank: --memory = 'lots' is no amount of memory; write a number of bytes, or such "
        "as 500M or 4G"
    )


def test_refuses_what_looks_at_all_rows_before_work(refused, table):
    words = ("rank", "x.npy", "--labels", "y.csv", "--memory", "1G", "-m")
    assert refused(*words, "laplacian_score", code=2) == (
        "tamis: laplacian_score looks at all rows at once, but not if condense=som; "
        "--sample-rows N takes all known rows and N others"
    )
    assert refused(*words, "spfs", "--similarity", "rbf", code=2) == (
        "tamis: spfs looks at all rows at once, but not if similarity=classes; "
        "--sample-rows N takes all known rows and N others"
    )
    assert refused(*words, "csfsr", code=2) == (
        "tamis: csfsr: base: csfs looks at all rows at once, but not if condense=som; "
        "--sample-rows N takes all known rows and N others"
    )
    assert "--scale needs a look at all rows" in refused(
        *words, "fisher_score", "--scale", "minmax", code=2
    )


@pytest.mark.parametrize(
    ("value", "what", "remedy"),
    [
        (
            np.nan,
            "the table has 1 missing value in 1 row and 1 column; the first is in row 299, ",
            "; a table that is read in runs of rows is not filled in: do it first, or have tamis "
            "rank take a sample of its rows (--sample-rows N --missing median)",
        ),
        (
            np.inf,
            "the table has 1 value that is not finite; the first is inf in row 299, ",
            ": remove or impute it first",
        ),
    ],
)
def test_a_bad_value_in_the_last_row_is_refused_as_in_memory(
    refused, tmp_path, table, value, what, remedy
):
    table[-1, 7] = value
    np.save(tmp_path / "x.npy", table)
    for method in (
        ("variance",),
        ("fisher_score",),
        ("ridge_omp",),
        ("fisher_score", "--diversify"),
        ("csfsr", "--base", "fisher_score"),
    ):
        words = ("rank", "x.npy", "--labels", "y.csv", "-m", *method)
        line = refused(*words, "--memory", "1G", code=3)
        assert line == f"tamis: x.npy: {what}column 7 (f7){remedy}"
        assert refused(*words, code=3).startswith(f"tamis: x.npy: {what}column 7 (f7)")


def test_a_sample_has_all_known_rows(tamis, table):
    outcome = tamis(
        "rank", "x.npy", "--labels", "y.csv", "--sample-rows", "40", "-m", "cls", "--json"
    )
    assert "a sample of 100 rows: 60 known and 40 of 240 others" in outcome.err
    assert outcome.json["data"]["rows"] == 100
    assert outcome.json["data"]["labeled"] == 60


def test_missing_values_of_a_sample_are_treated(tamis, refused, tmp_path, table):
    table[15, 7] = np.nan  # known, so it is in every sample
    np.save(tmp_path / "x.npy", table)
    words = ("rank", "x.npy", "--labels", "y.csv", "--sample-rows", "40", "-m", "fisher_score")
    assert refused(*words, code=3) == (
        "tamis: x.npy: the table has 1 missing value in 1 row and 1 column; the first is in row "
        "15, column 7 (f7); --missing median, mean or nearest fills them in, --missing rows or "
        "columns leaves these rows or columns out"
    )
    outcome = tamis(*words, "--missing", "median")
    assert outcome.code == 0
    assert "1 missing value in 1 row and 1 column is filled in" in outcome.err


def test_missing_values_outside_of_a_sample_are_no_matter(tamis, tmp_path, table):
    table[17, 7] = np.nan
    np.save(tmp_path / "x.npy", table)
    words = ("rank", "x.npy", "--labels", "y.csv", "--sample-rows", "40", "-m", "fisher_score")
    assert {tamis(*words, "--seed", str(seed)).code for seed in range(12)} == {0, 3}


def test_a_sample_is_that_of_its_seed(tamis, table):
    def scores(*words):
        return tamis("rank", "x.npy", "-m", "variance", "--json", "-q", *words).json["scores"]

    assert scores("--sample-rows", "40") == scores("--sample-rows", "40", "--memory", "1G")
    assert scores("--sample-rows", "40") != scores("--sample-rows", "40", "--seed", "1")
    assert scores("--sample-rows", "1000") == scores()


def test_a_sample_is_the_same_from_every_format(tamis, tmp_path, table):
    (tmp_path / "x.csv").write_text(csv_text(table))
    words = ("--labels", "y.csv", "--sample-rows", "50", "--json", "-q")
    assert (
        tamis("rank", "x.npy", *words).json["scores"]
        == tamis("rank", "x.csv", *words).json["scores"]
    )


@pytest.mark.parametrize("how", [("--memory", "1G"), ("--sample-rows", "20")])
@pytest.mark.parametrize("name", ["out.npy", "out.csv"])
def test_select_writes_all_rows(tamis, tmp_path, table, how, name):
    words = ("select", "x.npy", "--labels", "y.csv", "-m", "fisher_score", "--top", "2", "-q")
    assert tamis(*words, *how, "-o", name).code == 0
    if name.endswith("npy"):
        written = np.load(tmp_path / name)
    else:
        written = np.loadtxt(tmp_path / name, delimiter=",", skiprows=1)
    assert written.shape == (300, 2)
    columns = [c for c in range(9) if any(np.array_equal(table[:, c], w) for w in written.T)]
    assert len(columns) == 2


def cut(path):
    os.truncate(path, 1000)


def write_into(path):
    with open(path, "r+b") as file:
        file.seek(-4, os.SEEK_END)
        file.write(np.float32(1.0).tobytes())


@pytest.mark.parametrize(
    "method",
    [("variance",), ("ridge_omp",), ("variance", "--diversify"), ("csfsr", "--base", "variance")],
)
@pytest.mark.parametrize("change", [cut, write_into])
def test_a_file_that_changes_between_passes(tmp_path, method, change):
    # A gigabyte of holes takes no room, and long enough to read.
    np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (250000, 1000))
    done = subprocess.Popen(
        [PROGRAM, "rank", "x.npy", "-m", *method, "--memory", "1500M", "-j", "1"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = done.stderr.readline()
    while line and "the table is read" not in line:
        line = done.stderr.readline()
    while done.poll() is None:  # also in passes that begin later
        change(tmp_path / "x.npy")
        time.sleep(0.05)
    rest = done.stderr.read()
    assert done.wait() == 4, rest
    said = ["was changed while it was read"]
    if change is cut:
        said.append("became shorter while it was read")
    assert any(words in rest for words in said)


CHECKPOINT = ("-m", "variance", "--checkpoint", "kept", "--json", "-q")


def test_a_finished_run_leaves_no_checkpoint(tamis, tmp_path, table):
    assert (
        tamis("rank", "x.npy", *CHECKPOINT).json["scores"]
        == (
            tamis("rank", "x.npy", "-m", "variance", "--memory", "1G", "--json", "-q").json[
                "scores"
            ]
        )
    )
    assert not (tmp_path / "kept").exists()


@pytest.mark.skipif(IS_SANITIZED or not FAULTS.exists(), reason="cannot be killed where we want")
@pytest.mark.parametrize(("write", "passes"), [(2, 0), (4, 1)])  # facts, and two of each pass
def test_a_killed_run_goes_on(tamis, tmp_path, table, write, passes):
    kept = tmp_path / "kept"
    killed = tamis("rank", "x.npy", *CHECKPOINT, env=killing(kept, write))
    assert killed.code == -signal.SIGKILL
    assert (kept / "pass-1").exists() == (passes == 1)
    outcome = tamis("rank", "x.npy", "-m", "variance", "--checkpoint", "kept", "--json")
    assert ("; 300 rows were read before" in outcome.err) == (passes == 1)
    in_one_go = tamis("rank", "x.npy", "-m", "variance", "--memory", "1G", "--json", "-q")
    assert outcome.json["scores"] == in_one_go.json["scores"]
    assert not kept.exists()


@pytest.mark.skipif(IS_SANITIZED or not FAULTS.exists(), reason="cannot be killed where we want")
@pytest.mark.parametrize(
    ("method", "write", "passes"),
    [
        (("csfsr", "--base", "variance"), 6, 2),  # in the pass of correlations
        (("variance", "--diversify", "5"), 6, 2),  # in that of products
        (("fisher_score", "--labels", "y.csv", "--bagging", "3", "--diversify"), 4, 1),
    ],
)
def test_a_killed_run_goes_on_in_further_passes(tamis, tmp_path, table, method, write, passes):
    kept = tmp_path / "kept"
    words = ("rank", "x.npy", "-m", *method, "--json")
    killed = tamis(*words, "--checkpoint", "kept", "-q", env=killing(kept, write))
    assert killed.code == -signal.SIGKILL
    assert (kept / f"pass-{passes}").exists()
    assert not (kept / f"pass-{passes + 1}").exists()
    outcome = tamis(*words, "--checkpoint", "kept")
    assert f"; {300 * passes} rows were read before" in outcome.err
    assert ranking(outcome) == ranking(tamis(*words, "--memory", "1G", "-q"))
    assert not kept.exists()


@pytest.mark.skipif(IS_SANITIZED or not FAULTS.exists(), reason="cannot be killed where we want")
def test_a_checkpoint_is_of_one_order(tamis, tmp_path, table):
    words = ("rank", "x.npy", "-m", "variance", "--checkpoint", "kept", "-q")
    killed = tamis(*words, "--diversify", "5", env=killing(tmp_path / "kept", 4))
    assert killed.code == -signal.SIGKILL
    outcome = tamis(*words, "--diversify", "6")
    assert outcome.code == 3
    assert "is of another n_candidates of diversify: '5', not '6'" in outcome.err


@pytest.mark.skipif(IS_SANITIZED or not FAULTS.exists(), reason="cannot be killed where we want")
def test_a_checkpoint_is_of_one_file(tamis, refused, tmp_path, table):
    killed = tamis("rank", "x.npy", *CHECKPOINT, env=killing(tmp_path / "kept", 4))
    assert killed.code == -signal.SIGKILL
    np.save(tmp_path / "other.npy", table)
    line = refused("rank", "other.npy", *CHECKPOINT, code=3)
    told = re.fullmatch(
        r"tamis: kept: the checkpoint is of another file: '(.*)', not '(.*)'; .*", line
    )
    assert told[1].startswith(f"{tmp_path}/x.npy, ")
    assert told[2].startswith(f"{tmp_path}/other.npy, ")


def test_a_checkpoint_of_something_else_is_refused(tamis, tmp_path, table):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "facts.txt").write_text("version of tamis: 0.0.1\n")
    outcome = tamis("rank", "x.npy", *CHECKPOINT)
    assert outcome.code == 3
    assert "kept: the checkpoint is of another version of tamis: '0.0.1', not '" in outcome.err


def test_methods_say_how_they_scale(tamis):
    text = tamis("methods", "fisher_score").out
    assert "larger than memory, read once" in text
    listed = {m["name"]: m for m in tamis("methods", "--json").json["methods"]}
    assert listed["variance"]["streams"] == "passes"
    assert listed["spfs"]["streams"] == "known_rows"
    assert listed["spfs"]["streams_if"] == "similarity=classes"
    assert listed["cls"]["streams"] == "condensed"
    assert listed["ssfi"]["streams"] == "no"
    assert (listed["csfsr"]["streams"], listed["csfsr"]["base_option"]) == ("passes", "base")
    words = " ".join(tamis("methods", "csfsr").out.split())
    assert "read once more than by its base, if that does" in words
