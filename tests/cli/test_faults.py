"""A disk, or a memory, that fails at any one moment: one clear line, and nothing half done.

A library that is loaded before the program makes its k-th call of a kind fail (faults.cpp); every k
is tried until the job no longer gets that far.
"""

import errno
import gzip
import itertools
import os
import random
import re
import signal
import subprocess
import time

import pytest
from program import FAULTS, IS_SANITIZED, PROGRAM, ROOT, csv_text, run_program

DONE, FAILED, IO = 0, 1, 4

makes_faults = [
    pytest.mark.skipif(IS_SANITIZED, reason="sanitizers must be loaded first"),
    pytest.mark.skipif(not FAULTS.exists(), reason="this program comes without its tests"),
]

RANK = ("rank", "t.csv", "-q", "-m", "fisher_score", "--threads", "1")
SELECT = ("select", "t.csv", "-q", "-m", "variance", "--top", "3", "-o")
CLUSTER = ("cluster", "t.csv", "-q", "-m", "kmeans", "-k", "3", "--threads", "1")
EVALUATE = ("evaluate", "t.csv", "-q", "-m", "fisher_score", "--top", "1:3", "--runs")
RESULTS = (*EVALUATE, "2", "--threads", "1", "-o", "results.jsonl")
JOBS = {
    "rank": (*RANK, "-o", "out.txt"),
    "rank --json": (*RANK, "--json", "-o", "out.json"),
    "rank --report": (*RANK, "--report", "page.html"),
    "rank --trace": ("rank", "t.csv", "-q", "-m", "bcs", "--n-bags", "5", "--trace", "trace.jsonl"),
    "rank of a compressed file": ("rank", "t.csv.gz", "-q", "-m", "variance", "-o", "out.txt"),
    "select csv": (*SELECT, "out.csv"),
    "select csv.gz": (*SELECT, "out.csv.gz"),
    "select libsvm": (*SELECT, "out.svm"),
    "select npy": (*SELECT, "out.npy"),
    "select matlab": (*SELECT, "out.mat"),
    "select to a pipe": (*SELECT, "-"),
    "cluster": (*CLUSTER, "-o", "out.csv"),
    "centroids": (*CLUSTER, "--centroids", "out.csv"),
    "report": ("report", "r.jsonl", "-q", "-o", "page.html"),
}
OF_HDF5 = ("-q", "-m", "variance", "--trusted", "-o", "out.txt")  # read by one process alone
HDF5_JOBS = {
    "rank of a MATLAB 7.3 file": ("rank", "t.mat", *OF_HDF5),
    "rank of an h5ad file": ("rank", "t.h5ad", *OF_HDF5),
}
FILE_JOBS = JOBS | HDF5_JOBS


@pytest.fixture
def inputs(tmp_path, write, matrix):
    """A folder with tables and results of an experiment."""
    table = csv_text(*matrix)
    write("t.csv", table)
    write("t.csv.gz", gzip.compress(table.encode()))
    write("t.mat", (ROOT / "tests/fuzz/corpus/matlab_73/text_of_variable_length").read_bytes())
    write("t.h5ad", (ROOT / "tests/data/formats/csr.h5ad").read_bytes())
    assert run_program(*EVALUATE, "2", "-o", "r.jsonl", cwd=tmp_path).code == DONE
    return tmp_path


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


TIMES = re.compile(
    rb'"(?:wall_|cpu_)?seconds": ?[^,}]*|"peak_memory_bytes": ?[^,}]*|\S+ s, at most \S+ MB'
)


def without_times(content):
    return TIMES.sub(b"", content)


def new_files(folder, before):
    """Contents of what a run made, but for the times that it took."""
    after = files_in(folder)
    return {name: without_times(after[name]) for name in after.keys() - before.keys()}


def remove_new_files(folder, before):
    for name in files_in(folder).keys() - before.keys():
        (folder / name).unlink()


def made_by(words, folder):
    """What a run makes if nothing happens, which is removed again."""
    before = files_in(folder)
    assert run_program(*words, cwd=folder).code == DONE
    made = new_files(folder, before)
    remove_new_files(folder, before)
    return made


class Fault:
    """Runs the program in a folder; `happened` says whether the call in question was made."""

    def __init__(self, folder, kind, error=errno.ENOMEM, size=0):
        self.folder, self.mark = folder, folder.parent / f"{folder.name}-fault"
        self.settings = {
            "LD_PRELOAD": FAULTS,
            "TAMIS_FAULT_KIND": kind,
            "TAMIS_FAULT_ERROR": error,
            "TAMIS_FAULT_SIZE": size,
            "TAMIS_FAULT_FOLDER": folder,
            "TAMIS_FAULT_MARK": self.mark,
            "TMPDIR": folder,
        }

    def run(self, words, call):
        settings = {**self.settings, "TAMIS_FAULT_CALL": call}
        environment = {name: str(value) for name, value in settings.items()}
        outcome = run_program(*words, env=environment, cwd=self.folder)
        self.happened = self.mark.exists()
        self.mark.unlink(missing_ok=True)
        return outcome

    def each(self, words):
        """The outcome of each run in which it happened, all from the same files."""
        before = files_in(self.folder)
        for call in itertools.count(1):
            outcome = self.run(words, call)
            if not self.happened:
                assert outcome.code == DONE, outcome
                remove_new_files(self.folder, before)
                return
            yield outcome
            remove_new_files(self.folder, before)


def check_line(outcome, code, pattern):
    """One line that says what went wrong."""
    assert outcome.code == code, outcome
    lines = outcome.err.splitlines()
    assert len(lines) == 1 and re.fullmatch(f"tamis: {pattern}", lines[0]), outcome.err


def check_io(outcome, error):
    names = r"\S*(t\.(csv(\.gz)?|mat|h5ad)|(r|results|trace)\.jsonl|out\.\w+|page\.html|tamis-\S+)"
    check_line(outcome, IO, f"{names}: (cannot be .*: )?{os.strerror(error)}")


FILE_FAULTS = {
    "open": errno.EMFILE,
    "read": errno.EIO,
    "write": errno.ENOSPC,
    "close": errno.EIO,
    "rename": errno.EROFS,
    "fstat": errno.EIO,
    "flock": errno.ENOLCK,
}


@pytest.mark.parametrize("words", FILE_JOBS.values(), ids=FILE_JOBS)
class TestAFileThatFails:
    pytestmark = makes_faults

    def test_is_named_and_not_left_half(self, inputs, words):
        before = files_in(inputs)
        expected = made_by(words, inputs)
        for kind, error in FILE_FAULTS.items():
            n_faults = 0
            for outcome in Fault(inputs, kind, error).each(words):
                n_faults += 1
                if outcome.code != DONE:
                    check_io(outcome, error)
                # Else what failed was of no account: an input that was closed, for instance.
                assert new_files(inputs, before) == (expected if outcome.code == DONE else {})
                assert not list(inputs.glob("tamis-*")), "a folder was left behind"
            assert n_faults > 0 or kind in {"rename", "fstat", "flock"}

    def test_is_not_left_half_by_a_kill(self, inputs, words):
        before = files_in(inputs)
        expected = made_by(words, inputs)
        for kind in ("write", "rename"):
            for outcome in Fault(inputs, kind, "kill").each(words):
                assert outcome.code == -signal.SIGKILL
                made = new_files(inputs, before)
                left = {name: made[name] for name in made if not name.startswith(".tamis-")}
                assert left.items() <= expected.items()
                assert run_program(*words, cwd=inputs).code == DONE
                assert new_files(inputs, before) == expected, "the next run cleans up"

    def test_is_no_fault_if_it_only_takes_its_time(self, inputs, words):
        before = files_in(inputs)
        expected = made_by(words, inputs)
        for patience in ("short", errno.EINTR):
            for outcome in Fault(inputs, "write", patience).each(words):
                assert outcome.code == DONE
                assert new_files(inputs, before) == expected


@pytest.fixture
def whole(inputs):
    """What the experiment finds if nothing happens, but for times."""
    return made_by(RESULTS, inputs)["results.jsonl"]


def lines_kept(folder):
    """The lines of a results file that are whole, as they are."""
    path = folder / "results.jsonl"
    return path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""


def check_goes_on(folder, whole, words=RESULTS):
    kept = lines_kept(folder)
    assert run_program(*words, cwd=folder).code == DONE
    content = (folder / "results.jsonl").read_bytes()
    assert content.startswith(kept), "what was finished is lost"
    assert without_times(content) == whole


class TestAnExperiment:
    pytestmark = makes_faults

    @pytest.mark.parametrize("kind", ["open", "read", "write", "close", "fstat"])
    def test_goes_on_after_any_fault(self, inputs, whole, kind):
        error = FILE_FAULTS[kind]
        for outcome in Fault(inputs, kind, error).each(RESULTS):
            if outcome.code != DONE:
                check_io(outcome, error)
            left = new_files(inputs, files_in(inputs) | {"results.jsonl": b""})
            assert left == {}
            check_goes_on(inputs, whole)

    def test_goes_on_after_a_kill_within_any_line(self, inputs, whole):
        for call, outcome in enumerate(Fault(inputs, "write", "kill").each(RESULTS)):
            assert outcome.code == -signal.SIGKILL
            if call > 0:  # a file without a whole line is refused, with what to do
                check_goes_on(inputs, whole)

    @pytest.mark.parametrize("kind", ["open", "read", "write", "close", "fstat", "ftruncate"])
    def test_that_goes_on_is_not_damaged_by_a_fault(self, inputs, whole, kind):
        error = FILE_FAULTS.get(kind, errno.EIO)
        assert run_program(*RESULTS, cwd=inputs).code == DONE
        results = inputs / "results.jsonl"
        lines = results.read_bytes().splitlines(keepends=True)
        cut = b"".join(lines[:9]) + lines[9][:40]
        results.write_bytes(cut)
        for outcome in Fault(inputs, kind, error).each(RESULTS):
            if outcome.code != DONE:
                line = outcome.err.splitlines()[-1]
                assert outcome.code == IO and line.endswith(os.strerror(error)), outcome
            assert lines_kept(inputs).startswith(b"".join(lines[:9]).rstrip(b"\n"))
            check_goes_on(inputs, whole)
            results.write_bytes(cut)


def test_an_experiment_loses_nothing_to_kills_at_any_moment(inputs):
    """30 moments, of runs that each continue where the kill before left off, or begin anew."""
    words = (*EVALUATE, "40", "-o", "results.jsonl")
    begin = time.monotonic()
    whole = made_by(words, inputs)["results.jsonl"]
    duration = time.monotonic() - begin
    results = inputs / "results.jsonl"
    moments = random.Random(11)
    for kill in range(30):
        process = subprocess.Popen([PROGRAM, *words], cwd=inputs, stdout=subprocess.DEVNULL)
        kept = lines_kept(inputs)
        time.sleep(moments.uniform(0, duration if kill % 3 == 0 else duration / 3))
        process.kill()
        process.wait()
        assert lines_kept(inputs).startswith(kept)
        if kill % 3 == 2:
            check_goes_on(inputs, whole, words)
            results.unlink()


NO_MEMORY = "not enough memory; --precision single needs half as much"
FAILED_RUN = r"1 of 16 runs failed; the first: .*: not enough memory"
MEMORY_JOBS = {
    **JOBS,
    "rank by a graph": ("rank", "t.csv", "-q", "-m", "cls", "--threads", "1", "-o", "out.txt"),
    "rank by regression": ("rank", "t.csv", "-q", "-m", "auto", "--threads", "1", "-o", "out.txt"),
    "evaluate": RESULTS,
}


def some_calls(fault, words, count):
    """Calls from the first to about the last that the job makes, more of them at its end."""
    before = files_in(fault.folder)
    last = 1
    while fault.run(words, 2 * last).code != DONE:
        last *= 2
        remove_new_files(fault.folder, before)
    remove_new_files(fault.folder, before)
    return sorted({1 + int(2 * last * (step + 0.5) / count) for step in range(count)})


@pytest.mark.parametrize("size", [0, 2000], ids=["little", "more"])
@pytest.mark.parametrize("words", MEMORY_JOBS.values(), ids=MEMORY_JOBS)
class TestMemoryThatGivesOut:
    """Of the thousands of times that a job takes memory only some are tried."""

    pytestmark = makes_faults

    def test_is_said_in_one_line_and_leaves_nothing_half(self, inputs, words, size):
        fault = Fault(inputs, "allocate", size=size)
        before = files_in(inputs)
        for call in some_calls(fault, words, count=12):
            outcome = fault.run(words, call)
            left = new_files(inputs, before)
            if outcome.code != DONE:
                check_line(outcome, FAILED, f"({NO_MEMORY}|{FAILED_RUN})")
                assert left.keys() <= {"results.jsonl"}
            else:  # a library can do without
                assert not any(name.startswith(".tamis-") for name in left)
            remove_new_files(inputs, before)
