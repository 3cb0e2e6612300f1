"""A disk that is full: exit code 4, a message that names the file, and nothing in its place."""

import os
import resource
import subprocess

import numpy as np
import pytest
from program import PROGRAM, csv_text

IO = 4
SPACE = 1000  # bytes that a file may have: a start of each output, and not all of it


@pytest.fixture
def table(write, matrix):
    x, labels = matrix
    random = np.random.default_rng(3)
    x = np.hstack([x, random.normal(size=(len(x), 60))])
    write("t.csv", csv_text(x, labels))
    return ("t.csv", "-q")


def run_with_little_space(tmp_path, *words, space=SPACE, stdout=subprocess.PIPE):
    """Python ignores SIGXFSZ, and a shell does not: the program must do so by itself."""
    return subprocess.run(
        [PROGRAM, *words],
        cwd=tmp_path,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        restore_signals=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (space, space)),
    )


WRITERS = {
    "csv": ("select", "-m", "variance", "--top", "50", "-o", "out.csv"),
    "csv.gz": ("select", "-m", "variance", "--top", "50", "-o", "out.csv.gz"),
    "libsvm": ("select", "-m", "variance", "--top", "50", "-o", "out.svm"),
    "npy": ("select", "-m", "variance", "--top", "50", "-o", "out.npy"),
    "matlab": ("select", "-m", "variance", "--top", "50", "-o", "out.mat"),
    "json": ("rank", "-m", "variance", "--json", "-o", "out.json"),
    "report": ("rank", "-m", "variance", "--report", "out.html"),
    "trace": ("rank", "-m", "bcs", "--trace", "out.jsonl"),
    "clusters": ("cluster", "-m", "kmeans", "-k", "3", "--json", "-o", "out.json"),
    "centroids": ("cluster", "-m", "kmeans", "-k", "3", "--centroids", "out.csv"),
}


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_a_file_that_has_no_room_is_not_left_half(tmp_path, table, words):
    before = sorted(tmp_path.iterdir())
    done = run_with_little_space(tmp_path, words[0], *table, *words[1:])
    path = words[-1]
    assert done.returncode == IO
    assert done.stderr.endswith(f"{path}: cannot be written: File too large\n")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_device_is_an_error(tmp_path, tamis, table, words):
    (tmp_path / words[-1]).symlink_to("/dev/full")
    outcome = tamis(words[0], *table, *words[1:])
    assert outcome.code == IO
    assert outcome.err.endswith(f"{words[-1]}: cannot be written: No space left on device\n")


EXPERIMENT = ("evaluate", "t.csv", "-q", "-m", "fisher_score", "--runs", "20", "--top", "1:5")


def test_a_results_file_without_room_keeps_its_whole_lines(tmp_path, tamis, table):
    done = run_with_little_space(tmp_path, *EXPERIMENT, "-o", "r.jsonl", space=6000)
    assert done.returncode == IO
    assert done.stderr.endswith("r.jsonl: File too large\n")
    text = (tmp_path / "r.jsonl").read_text()
    assert 1 < text.count("\n") < 80 and text.endswith("}\n")
    assert tamis(*EXPERIMENT, "-o", "r.jsonl").code == 0  # with room, it goes on


def test_a_results_file_without_room_for_its_first_line_is_none(tmp_path, table):
    done = run_with_little_space(tmp_path, *EXPERIMENT, "-o", "r.jsonl", space=100)
    assert done.returncode == IO
    assert not (tmp_path / "r.jsonl").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ("rank", "-m", "variance"),
        ("rank", "-m", "variance", "--json"),
        ("select", "-m", "variance", "--top", "3"),
        ("cluster", "-m", "kmeans", "-k", "3"),
        ("info",),
    ],
    ids=lambda words: " ".join(words),
)
def test_full_standard_output_is_an_error(tmp_path, table, words):
    with open("/dev/full", "w") as full:
        done = run_with_little_space(
            tmp_path, words[0], *table, *words[1:], space=1 << 20, stdout=full
        )
    assert done.returncode == IO
    assert done.stderr.endswith("standard output: cannot be written: No space left on device\n")
