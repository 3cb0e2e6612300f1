"""Texts and compressed tables that do not fit: their numbers go through a temporary file."""

import gzip
import os
import re
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from program import IS_SANITIZED, PROGRAM, ROOT, csv_text

LITTLE = "900M" if IS_SANITIZED else "110M"  # sanitizers take memory of their own


@pytest.fixture
def texts(tmp_path):
    random = np.random.default_rng(1)
    x = random.normal(size=(600, 8)).round(4)
    x[:, 0] += np.arange(600) % 2
    labels = [("a", "b")[i % 2] if i % 3 == 0 else "" for i in range(600)]
    (tmp_path / "x.csv").write_text(csv_text(x, labels))
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress((tmp_path / "x.csv").read_bytes()))
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "x.npy.gz").write_bytes(gzip.compress((tmp_path / "x.npy").read_bytes()))
    (tmp_path / "here").mkdir()
    return x


def scores(outcome):
    assert outcome.code == 0, outcome
    return outcome.json["scores"]


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
def test_a_text_is_ranked_through_a_temporary_file(tamis, tmp_path, texts, name):
    words = ("rank", name, "-m", "fisher_score", "--json")
    outcome = tamis(*words, "--memory", LITTLE, "--spill", "here")
    assert f"{name} has no runs of rows: its numbers are put into a temporary file in here" in (
        " ".join(outcome.err.split())
    )
    assert scores(outcome) == scores(tamis(*words))
    assert outcome.json["data"]["format"] == "csv"
    assert not list((tmp_path / "here").iterdir())


def test_a_compressed_npy_too(tamis, tmp_path, texts):
    words = ("-m", "variance", "--json", "-q", "--memory", LITTLE)
    spilled = tamis("rank", "x.npy.gz", *words, "--spill", "here")
    assert scores(spilled) == scores(tamis("rank", "x.npy", *words))
    assert not list((tmp_path / "here").iterdir())


def test_a_sample_of_a_text(tamis, texts):
    words = ("-m", "variance", "--sample-rows", "50", "--json", "-q")
    assert scores(tamis("rank", "x.csv", *words, "--spill", "here")) == scores(
        tamis("rank", "x.csv", *words)
    )


def test_clusters_of_a_text(tamis, texts):
    words = ("cluster", "x.csv", "-m", "kmeans", "-k", "2", "--json", "-q")
    streamed = tamis(*words, "--memory", LITTLE, "--spill", "here").json
    assert streamed["clusters"] == tamis(*words).json["clusters"]


def test_a_text_that_does_not_fit_names_the_flag(refused, tmp_path, texts):
    line = refused("rank", "x.csv", "-m", "variance", "--memory", "20k", code=2)
    assert line.endswith(
        "are read in runs of rows; --spill DIR makes such a file of it first, in a folder with as "
        "much room as its numbers take"
    )


def test_a_folder_that_is_none(refused, texts):
    line = refused("rank", "x.csv", "-m", "variance", "--memory", LITTLE, "--spill", "gone", code=4)
    assert line == "tamis: gone: is no folder to put a temporary file into"


@pytest.mark.parametrize("name", ["x.csv", "x.npy.gz"])
def test_a_full_disk(tmp_path, texts, name):
    done = subprocess.run(
        [PROGRAM, "rank", name, "-m", "variance", "--memory", LITTLE, "--spill", "here", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)),
    )
    assert done.returncode == 4
    assert done.stderr == "tamis: here/tamis-spilled.npy: cannot be written: File too large\n"
    assert not list((tmp_path / "here").iterdir())


def test_a_bad_line_is_named_and_nothing_stays(refused, tmp_path, texts):
    text = (tmp_path / "x.csv").read_text()
    (tmp_path / "bad.csv").write_text(text + "1,2\n")
    words = ("rank", "bad.csv", "-m", "variance", "--memory", LITTLE, "--spill", "here")
    assert "bad.csv:602: 2 fields found, 9 expected" in refused(*words, code=3)


def test_an_interrupt_removes_the_temporary_file(tmp_path):
    random = np.random.default_rng(0)
    rows = "\n".join(",".join(map(str, row)) for row in random.integers(0, 9, (2000, 50)))
    with open(tmp_path / "big.csv", "w") as file:
        file.write(",".join(f"f{c}" for c in range(50)) + "\n")
        for _ in range(100):
            file.write(rows + "\n")
    (tmp_path / "here").mkdir()
    words = ("rank", "big.csv", "-m", "ridge_omp", "--memory", "900M", "--spill", "here")
    with subprocess.Popen([PROGRAM, *words], cwd=tmp_path, stderr=subprocess.PIPE) as process:
        for _ in range(1200):
            if list((tmp_path / "here").iterdir()):
                break
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=120) == 130
    assert not list((tmp_path / "here").iterdir())


def test_a_checkpoint_goes_on_with_another_temporary_file(tamis, tmp_path, texts):
    words = ("rank", "x.csv", "-m", "variance", "--json", "-q", "--spill", "here")
    first = scores(tamis(*words, "--checkpoint", "kept"))
    assert first == scores(tamis(*words, "--memory", LITTLE))
    assert not (tmp_path / "kept").exists()


def test_a_compressed_hdf5_file_is_not_tried(refused, write, tmp_path):
    """Nor read, as one that is damaged could crash the program."""
    damaged = (ROOT / "tests" / "data" / "hostile" / "crashes_hdf5.mat").read_bytes()
    write("x.mat.gz", gzip.compress(damaged))
    (tmp_path / "here").mkdir()
    words = ("rank", "x.mat.gz", "-m", "variance", "--memory", LITTLE, "--spill", "here")
    message = refused(*words, code=3)
    assert "an HDF5 file is compressed there; decompress it first" in message


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz", "x.npy", "x.npy.gz"])
def test_a_table_is_converted_a_run_after_the_other(tamis, tmp_path, texts, name):
    outcome = tamis("convert", name, "--memory", LITTLE, "--spill", "here", "-o", "again.npy")
    assert outcome.code == 0, outcome.err
    assert "600 rows x 8 features written to again.npy as npy" in outcome.err
    np.testing.assert_array_equal(np.load(tmp_path / "again.npy"), texts)
    assert not list((tmp_path / "here").iterdir())


@pytest.mark.skipif(IS_SANITIZED, reason="sanitizers take memory of their own")
def test_converting_runs_takes_little_memory(tmp_path):
    rows, cols = 40000, 1000  # 320 MB
    big = np.lib.format.open_memmap(tmp_path / "big.npy", "w+", np.float64, (rows, cols))
    big[:, 0] = np.arange(rows)
    big.flush()
    words = [PROGRAM, "convert", "big.npy", "--memory", "200M", "-o", "again.npy", "-q"]
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -d 200000; exec "$@"', "-", *words], cwd=tmp_path
    )
    assert limited.returncode == 0
    again = np.load(tmp_path / "again.npy", mmap_mode="r")
    assert again.shape == big.shape
    np.testing.assert_array_equal(again[:, 0], np.arange(rows))


def test_only_npy_is_written_a_run_after_the_other(refused, texts):
    assert refused("convert", "x.npy", "--memory", LITTLE, "-o", "again.csv", code=2) == (
        "tamis: --memory is for tables that are written as NPY, a run of rows after the other: "
        "-o FILE.npy"
    )


def json_text(outcome):
    """To the byte, but for what the clock and the machine decide."""
    assert outcome.code == 0, outcome
    return re.sub(r',"(seconds|peak_memory_bytes)":[^,}]*', "", outcome.out)


@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
def test_ridge_omp_of_a_text_has_the_bytes_of_in_memory(tamis, tmp_path, texts, name):
    words = ("rank", name, "-m", "ridge_omp", "--ranks", "levels", "--json", "-q")
    spilled = tamis(*words, "--memory", LITTLE, "--spill", "here")
    assert json_text(spilled) == json_text(tamis(*words))
    assert not list((tmp_path / "here").iterdir())


@pytest.mark.skipif(IS_SANITIZED, reason="sanitizers take memory of their own")
def test_ridge_omp_keeps_correlations_in_a_file(tamis, refused, tmp_path):
    """From 3,200 columns on less of them is in memory than there are."""
    random = np.random.default_rng(2)
    x = random.normal(size=(100, 4000)).astype(np.float32)
    x[:, :9] += (np.arange(100) % 2)[:, None]
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "y.csv").write_text("id,label\n0,a\n1,b\n2,a\n3,b\n")
    words = ("rank", "x.npy", "--labels", "y.csv", "-m", "ridge_omp", "--ranks", "levels")
    words = (*words, "--fdr", "1", "--json", "-q")

    def least(*more):
        line = refused(*words, "--memory", "1M", *more, code=2)
        return float(re.search(r"at least ([0-9.]+) MB are needed", line)[1])

    (tmp_path / "here").mkdir()
    enough = least("--spill", "here") + 2
    assert enough < least() - 10
    spilled = tamis(*words, "--memory", f"{enough}M", "--spill", "here")
    assert json_text(spilled) == json_text(tamis(*words))
    assert spilled.json["peak_memory_bytes"] <= enough * 1e6
    assert not list((tmp_path / "here").iterdir())
