"""Clusters and maps of tables that are read in runs of rows."""

import csv
import io
import json
import re
import signal

import numpy as np
import pytest
from program import FAULTS, IS_SANITIZED, csv_text, killing

LITTLE = "900M" if IS_SANITIZED else "110M"  # sanitizers take memory of their own
FAMILY = ("kmeans", "seeded_kmeans", "constrained_kmeans")
WEIGHTED = ("wckm", "l2gfs")  # they learn weights of columns


@pytest.fixture
def blobs(tmp_path):
    """900 rows around three points, of which every tenth has a label."""
    random = np.random.default_rng(5)
    classes = np.arange(900) % 3
    x = random.normal(size=(900, 7))
    x[:, :3] += 3 * np.eye(3)[classes]
    x[:, 4] = 1e6 + x[:, 4]
    x[:, 5] = 0.1
    np.save(tmp_path / "x.npy", x)
    labels = [str(c) if i % 10 == 0 else "" for i, c in enumerate(classes)]
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(labels) + "\n")
    np.savetxt(tmp_path / "start.csv", x[[4, 50, 300, 800]], delimiter=",")
    return x


def words_for(method, *more):
    return ("cluster", "x.npy", "-m", method, "--labels", "y.csv", "-q", "--json", *more)


def bits(outcome):
    return re.sub(r',"(seconds|peak_memory_bytes)":[^,}]*', "", outcome.out)


@pytest.mark.parametrize("method", [*FAMILY, *WEIGHTED])
def test_k_means_from_a_given_start_is_that_of_in_memory(tamis, blobs, method):
    words = words_for(method, "--init", "start.csv")
    whole = tamis(*words).json
    found = tamis(*words, "--memory", "1G").json
    assert found["clusters"] == whole["clusters"]
    assert found["sizes"] == whole["sizes"]
    assert found["violations"] == whole["violations"]
    assert len(found["iterations"]) == len(whole["iterations"]) > 2
    ranges = np.ptp(blobs, axis=0)
    off = np.abs(np.array(found["centroids"]) - np.array(whole["centroids"]))
    assert (off <= 1e-9 * ranges + 1e-14 * np.abs(blobs).max(axis=0)).all()
    assert found["objective"] == pytest.approx(whole["objective"], rel=1e-9)
    if method in WEIGHTED:
        assert np.allclose(found["weights"], whole["weights"], atol=1e-8)
    assert "memberships" not in found or found["memberships"] is None


@pytest.mark.parametrize("method", [*FAMILY, *WEIGHTED])
def test_the_start_is_that_of_in_memory_if_the_sample_has_all_rows(tamis, blobs, method):
    words = words_for(method, "-k", "5", "--restarts", "3", "--seed", "4")
    whole = tamis(*words).json
    found = tamis(*words, "--memory", "1G").json
    for fact in ("clusters", "run", "converged", "violations", "warnings", "data"):
        assert found[fact] == whole[fact]


@pytest.mark.parametrize("method", [*FAMILY, *WEIGHTED, "som"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_neither_threads_nor_memory_change_a_bit(tamis, tmp_path, method, kind):
    random = np.random.default_rng(2)
    np.save(tmp_path / "x.npy", random.normal(size=(15000, 40)).astype(kind))
    (tmp_path / "y.csv").write_text("id,label\n0,a\n1,b\n2,a\n3,b\n")
    more = ("--units", "30") if method == "som" else ("-k", "4", "--restarts", "2")
    words = words_for(method, *more, *(() if method == "som" else ("--max-iter", "5")))
    found = {
        bits(tamis(*words, "--memory", memory, "-j", threads))
        for memory, threads in ((LITTLE, 1), (LITTLE, 3), ("2G", 2))
    }
    assert len(found) == 1


def test_one_table_in_several_formats_gives_one_clustering(tamis, tmp_path, blobs):
    (tmp_path / "x.csv").write_text(csv_text(np.where(np.abs(blobs) < 0.5, 0, blobs)))
    for name, source in (("x.npy", "x.csv"), ("x.libsvm", "x.csv"), ("csr.h5ad", "x.libsvm")):
        assert tamis("convert", source, "--label-column", "none", "-q", "-o", name).code == 0
    found = []
    for name in ("x.npy", "x.csv", "csr.h5ad"):
        words = ("cluster", name, "-m", "kmeans", "-k", "3", "--restarts", "2", "-q", "--json")
        result = tamis(*words, "--label-column", "none", "--memory", "1G").json
        found.append({fact: result[fact] for fact in ("clusters", "centroids", "objective")})
    assert found[0] == found[1] == found[2]


def test_a_map_from_a_stream_is_that_of_in_memory_if_the_sample_has_all_rows(tamis, blobs):
    for rows in ("all", "unlabeled"):
        words = words_for("som", "--units", "25", "--rows", rows)
        whole = tamis(*words).json
        found = tamis(*words, "--memory", "1G").json
        assert found["best_units"] == whole["best_units"]
        assert found["hits"] == whole["hits"]
        assert found["rows"] == whole["rows"]
        assert np.allclose(found["codebook"], whole["codebook"], rtol=1e-7, atol=1e-7)


def test_the_trace_tells_the_same_events(tamis, tmp_path, blobs):
    words = words_for("kmeans", "-k", "4", "--restarts", "2")
    assert tamis(*words, "--trace", "whole.jsonl").code == 0
    assert tamis(*words, "--trace", "read.jsonl", "--memory", "1G").code == 0

    def events(name):
        lines = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        return [(e.get("event"), e.get("run"), e.get("iteration"), e.get("changed")) for e in lines]

    assert events("read.jsonl") == events("whole.jsonl")


def test_says_how_often_it_reads(tamis, blobs):
    outcome = tamis("cluster", "x.npy", "-m", "kmeans", "-k", "3", "--memory", "1G", "--csv")
    assert (
        "the table is read 2 times or more, until rows settle, 900 rows at a time, within 1 GB"
        in outcome.err
    )


def test_what_cannot_stream_is_refused_with_who_can(refused, blobs):
    assert refused(*words_for("cop_kmeans", "--memory", "1G"), code=2) == (
        "tamis: cop_kmeans makes no use of --memory; it is for som, kmeans, seeded_kmeans, "
        "constrained_kmeans, wckm, l2gfs"
    )
    assert "--scale needs a look at all rows" in refused(
        *words_for("kmeans", "--memory", "1G", "--scale", "standard"), code=2
    )


def test_a_bad_value_in_the_last_row_is_refused_as_in_memory(refused, tmp_path, blobs):
    blobs[-1, 2] = np.nan
    np.save(tmp_path / "x.npy", blobs)
    words = ("cluster", "x.npy", "-m", "kmeans", "-k", "3")
    line = refused(*words, "--memory", "1G", code=3)
    what, is_same, remedy = line.partition("column 2 (f2); ")
    assert is_same
    assert remedy.startswith("a table that is read in runs of rows is not filled in: do it first")
    assert refused(*words, code=3).startswith(what + is_same + "--missing median, mean or nearest")


def test_a_finished_clustering_leaves_no_checkpoint(tamis, tmp_path, blobs):
    words = words_for("kmeans", "-k", "3")
    kept = tamis(*words, "--checkpoint", "kept")
    assert bits(kept) == bits(tamis(*words, "--memory", "1G"))
    assert not (tmp_path / "kept").exists()


@pytest.mark.skipif(IS_SANITIZED or not FAULTS.exists(), reason="cannot be killed where we want")
@pytest.mark.parametrize("method", ["kmeans", "constrained_kmeans", "som", *WEIGHTED])
@pytest.mark.parametrize("passes", [0, 1, 2])  # after which it is killed
def test_a_killed_clustering_goes_on(tamis, tmp_path, blobs, method, passes):
    kept = tmp_path / "kept"
    more = ("--units", "20") if method == "som" else ("-k", "4", "--restarts", "2")
    words = (*words_for(method, *more), "--trace", "trace.jsonl")
    killed = tamis(*words, "--checkpoint", "kept", env=killing(kept, 2 + 2 * passes))
    assert killed.code == -signal.SIGKILL
    assert [name.name for name in kept.glob("pass-?")] == [f"pass-{n + 1}" for n in range(passes)]
    resumed = tamis(*words, "--checkpoint", "kept")
    trace = (tmp_path / "trace.jsonl").read_text()
    assert bits(resumed) == bits(tamis(*words, "--memory", "1G"))
    assert trace == (tmp_path / "trace.jsonl").read_text()
    assert not kept.exists()


def test_a_clustering_does_not_go_on_from_another_start(tamis, tmp_path, blobs):
    kept = tmp_path / "kept"
    np.savetxt(tmp_path / "weights.csv", np.full((1, 7), 1 / 7), delimiter=",")
    words = words_for("wckm", "--init", "start.csv", "--checkpoint", "kept")
    assert tamis(*words, env=killing(kept, 4)).code == -signal.SIGKILL
    outcome = tamis(*words, "--init-weights", "weights.csv")
    assert outcome.code == 3
    assert "the checkpoint is of another start (--init-weights)" in outcome.err


def test_rankings_by_learned_weights_are_those_of_in_memory(tamis, blobs):
    for method in WEIGHTED:
        words = ("rank", "x.npy", "-m", method, "--labels", "y.csv", "--restarts", "3", "--json")
        whole = tamis(*words, "-q").json
        found = tamis(*words, "-q", "--memory", "1G").json
        assert found["order"] == whole["order"]
        for a, b in zip(found["scores"], whole["scores"], strict=True):
            assert a == b or a == pytest.approx(b, abs=1e-8)
        assert found["diagnostics"]["warnings"] == whole["diagnostics"]["warnings"]
        assert "until rows settle" in tamis(*words, "--memory", "1G").err


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_a_condensed_table_ranks_as_condensing_does(tamis, tmp_path, blobs):
    words = ("condense", "x.npy", "--labels", "y.csv", "--units", "30")
    made = tamis(*words, "-o", "small.csv", "--counts", "counts.csv")
    assert made.code == 0
    assert "90 rows known and a map of " in made.err
    counts = rows_of((tmp_path / "counts.csv").read_text())
    assert counts[0] == ["id", "rows"]
    assert counts[2] == ["row 10", "1"] and counts[91][0] == "unit 0"
    assert sum(int(rows) for _, rows in counts[1:]) == 900
    small = rows_of((tmp_path / "small.csv").read_text())
    assert [line[0] for line in small[1:]] == [line[0] for line in counts[1:]]
    for method in ("laplacian_score", "cls", "sselect"):
        words = ("--json", "-q", "-m", method)
        by_hand = tamis("rank", "small.csv", *words).json
        at_once = tamis(
            "rank", "x.npy", "--labels", "y.csv", "--condense", "som", "--units", "30", *words
        ).json
        assert by_hand["scores"] == at_once["scores"]


def test_condensing_a_stream(tamis, tmp_path, blobs):
    words = ("condense", "x.npy", "--labels", "y.csv", "--units", "30", "-q")
    assert tamis(*words, "--memory", "1G", "-o", "read.csv").code == 0
    assert tamis(*words, "-o", "whole.csv").code == 0
    read = rows_of((tmp_path / "read.csv").read_text())
    whole = rows_of((tmp_path / "whole.csv").read_text())
    assert [line[0] for line in read] == [line[0] for line in whole]
    assert read[:91] == whole[:91]
    off = np.array([line[1:8] for line in read[91:]], float) - np.array(
        [line[1:8] for line in whole[91:]], float
    )
    assert np.abs(off).max() < 1e-6
    again = tamis(*words, "--memory", LITTLE, "-j", "3", "-o", "again.csv")
    assert again.code == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "read.csv").read_bytes()


def test_condensing_needs_rows_of_which_nothing_is_known(refused, tmp_path, blobs):
    np.save(tmp_path / "few.npy", blobs[:3])
    line = refused("condense", "few.npy", "-o", "small.csv", code=3)
    assert line == "tamis: few.npy: som: a map needs at least 4 rows, and there are 3"


def test_methods_say_which_clusterings_stream(tamis):
    listed = {c["name"]: c["streams"] for c in tamis("methods", "--json").json["clusterings"]}
    assert [name for name, streams in listed.items() if streams] == ["som", *FAMILY, *WEIGHTED]
