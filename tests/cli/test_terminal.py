"""What people see: colours and bars on a terminal, none elsewhere; signals and pipes."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest
from program import PROGRAM, csv_text

RANK = ("rank", "small.csv", "--id-column", "id")


def on_a_terminal(words, cwd, env=None, columns=80):
    """Runs the program with stdout and stderr on one pseudo-terminal; returns what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", **(env or {})}
    process = subprocess.Popen(
        [PROGRAM, *map(str, words)], stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd,
        env=environment,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:
            break
        if not block:
            break
        shown += block
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown.decode()


def test_a_terminal_shows_colours_and_bars(small, tmp_path):
    shown = on_a_terminal(RANK, tmp_path)
    assert "\033[38;5;45m█" in shown and "height" in shown


@pytest.mark.parametrize(
    ("words", "env"), [((), {"NO_COLOR": "1"}), (("--no-color",), {}), ((), {"TERM": "dumb"})]
)
def test_colours_can_be_declined(small, tmp_path, words, env):
    shown = on_a_terminal((*RANK, *words), tmp_path, env)
    assert "\033" not in shown and "█" in shown


def test_a_terminal_shows_twenty_features_and_counts_the_rest(tmp_path, tamis):
    tamis("generate", "wave", "--rows", "60", "-o", "w.csv")
    words = ("rank", "w.csv", "--method", "variance", "--no-color", "-q")
    lines = on_a_terminal(words, tmp_path).splitlines()
    assert len(lines) == 23 and "20 more" in lines[-1]
    assert len(on_a_terminal((*words, "--top", "all"), tmp_path).splitlines()) == 42


def test_help_is_coloured_on_a_terminal(tmp_path):
    assert "\033[1m" in on_a_terminal(("rank", "--help"), tmp_path)


def test_a_closed_pipe_ends_silently(tamis, tmp_path):
    tamis("generate", "blobs", "--rows", "20", "--noise", "50000", "-o", "wide.csv")
    for words in ("rank wide.csv --method variance", "generate wave", "man"):
        command = f"'{PROGRAM}' {words} -q 2>errors | head -n 1; echo ${{PIPESTATUS[0]}}"
        shown = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True
        )
        assert shown.stdout.splitlines()[-1] == "0"
        assert (tmp_path / "errors").read_text() == ""


LONG = ("rank", "big.npy", "--method", "laplacian_score", "--threads", "1", "-o", "out.txt")
LONG_ENSEMBLE = (
    "rank", "big.npy", "--method", "variance", "--bagging", "20000", "--subspace", "1",
    "-o", "out.txt",
)  # fmt: skip


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_at_once_and_leaves_nothing(long_work, number, code):
    process = subprocess.Popen([PROGRAM, *LONG], cwd=long_work, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while len(list(long_work.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    assert process.poll() is None, process.stderr.read()
    process.send_signal(number)
    sent = time.monotonic()
    assert process.wait(timeout=30) == code
    assert time.monotonic() - sent < 5  # far less than the work would take
    assert process.stderr.read().endswith("tamis: interrupted\n")
    assert [path.name for path in long_work.iterdir()] == ["big.npy"]


LONG_EXPERIMENT = ("evaluate", "small.csv", "--methods", "fisher_score", "--runs", "100000")


@pytest.mark.parametrize(
    ("words", "stage"),
    [(LONG, "neighbours"), (LONG_ENSEMBLE, "members"), (LONG_EXPERIMENT, "evaluating")],
)
def test_long_work_shows_progress_and_ctrl_c_clears_it(long_work, write, matrix, words, stage):
    small = write("small.csv", csv_text(*matrix))
    words = [small if word == "small.csv" else word for word in words]
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=long_work,
        start_new_session=True, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 120
    while b" left" not in shown and time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            shown += os.read(ours, 65536)
    last = shown.decode(errors="replace").split("\r")[-1]
    assert re.search(rf"^\033\[K{stage} .* \d+ %  about \d+ (s|min|h) left$", last), shown
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    while select.select([ours], [], [], 0.1)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    assert shown.endswith(b"\r\x1b[Ktamis: interrupted\r\n")


def test_an_interrupted_experiment_says_how_to_go_on(write, matrix, tmp_path):
    write("small.csv", csv_text(*matrix))
    words = (*LONG_EXPERIMENT, "-o", "results.jsonl")
    process = subprocess.Popen(
        [PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    results = tmp_path / "results.jsonl"
    deadline = time.monotonic() + 60
    while not (results.exists() and results.stat().st_size > 2000) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    said = process.stderr.read()
    assert said.endswith("tamis: interrupted; the same command continues where it stopped\n"), said


def test_long_work_is_announced_once_in_a_pipe(write, matrix, tmp_path):
    write("small.csv", csv_text(*matrix))
    process = subprocess.Popen(
        [PROGRAM, *LONG_EXPERIMENT, "--label-column", "class"], cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    said = b""
    deadline = time.monotonic() + 60
    while b" left" not in said and time.monotonic() < deadline:
        if select.select([process.stderr], [], [], 0.1)[0]:
            said += os.read(process.stderr.fileno(), 65536)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    said += process.stderr.read()
    lines = [line for line in said.decode().splitlines() if " left" in line]
    assert len(lines) == 1, said
    assert re.match(r"tamis: note: evaluating runs: .* done, about \d+ (s|min|h) left", lines[0])


def test_an_ignored_interrupt_stays_ignored(tmp_path):
    work = f"'{PROGRAM}' generate wave --rows 60000 -o w.csv"
    command = f"trap '' INT; {work} & sleep 0.05; kill -INT $!; wait $!"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0 and (tmp_path / "w.csv").exists()


def test_no_progress_in_a_pipe(tamis, write, matrix):
    write("t.csv", csv_text(*matrix))
    assert "%" not in tamis("rank", "t.csv").err
