"""Fixtures of the program's tests."""

import os
import signal

import numpy as np
import pytest
from program import SMALL, is_for_people, run_program

# Whoever runs the tests may have a narrow terminal.
os.environ.pop("COLUMNS", None)

# Shells start background jobs deaf to Ctrl-C, and children inherit that; tests send it to theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def tamis(tmp_path):
    """Calls the program in a folder of its own."""

    def call(*words, **options):
        return run_program(*words, **{"cwd": tmp_path, **options})

    return call


@pytest.fixture
def refused(tamis, tmp_path):
    """Calls the program, which must refuse in one line and leave nothing behind."""

    def call(*words, code, **options):
        before = sorted(tmp_path.rglob("*"))
        outcome = tamis(*words, **options)
        assert outcome.code == code, outcome
        assert outcome.out == ""
        lines = [line for line in outcome.err.splitlines() if not is_for_people(line)]
        assert len(lines) == 1 and lines[0].startswith("tamis: "), outcome.err
        assert sorted(tmp_path.rglob("*")) == before, "something was left behind"
        return lines[0]

    return call


@pytest.fixture
def write(tmp_path):
    def put(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


@pytest.fixture
def small(write):
    """Eight rows with ids, three features, two classes, half of the rows unlabeled."""
    return write("small.csv", SMALL)


@pytest.fixture
def matrix():
    """Thirty rows, six features, three classes that the first two features tell apart."""
    random = np.random.default_rng(7)
    labels = np.arange(30) % 3
    x = random.normal(size=(30, 6))
    x[:, 0] += 4 * labels
    x[:, 1] -= 3 * labels
    return x, labels


@pytest.fixture(scope="session")
def long_work(tmp_path_factory):
    """A folder with one table, big.npy, whose ranking takes many seconds."""
    folder = tmp_path_factory.mktemp("long")
    words = ("generate", "blobs", "--rows", "40000", "--noise", "190", "-q", "-o", "big.npy")
    assert run_program(*words, cwd=folder).code == 0
    return folder
