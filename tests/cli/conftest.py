"""The program as its users see it: arguments in; stdout, stderr and an exit code out."""

import dataclasses
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TAMIS_PROGRAM", str(ROOT / "build" / "release" / "tamis"))


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)


def run_program(*words, stdin=None, env=None, cwd=None):
    done = subprocess.run(
        [PROGRAM, *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env={**os.environ, **(env or {})},
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


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


def is_for_people(line):
    """Summaries, notes and warnings may come before an error."""
    return not line.startswith("tamis: ") or line.startswith(("tamis: note:", "tamis: warning:"))


@pytest.fixture
def write(tmp_path):
    def put(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


SMALL = """id,height,width,noise,class
a,1.0,5.1,0.3,x
b,1.2,5.0,0.9,x
c,0.9,4.8,0.1,
d,3.1,1.2,0.4,y
e,3.0,1.1,0.8,y
f,3.3,0.9,0.2,
g,1.1,5.2,0.7,
h,2.9,1.0,0.5,
"""


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


def csv_text(x, labels=None, names=None):
    names = list(names or [f"f{r}" for r in range(x.shape[1])])
    header = names + (["class"] if labels is not None else [])
    lines = [",".join(header)]
    for i, row in enumerate(x):
        cells = [repr(float(value)) for value in row]
        lines.append(",".join(cells + ([str(labels[i])] if labels is not None else [])))
    return "\n".join(lines) + "\n"
