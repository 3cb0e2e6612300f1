"""Files from strangers: refused or read, at a cost that fits their size, and nothing else."""

import signal
import subprocess
import time

from program import PROGRAM

FAILED, USAGE, DATA = 1, 2, 3
MEGABYTES = 1_000_000


def test_a_killed_run_leaves_nothing_for_long(tmp_path, tamis, small, long_work):
    process = subprocess.Popen(
        [PROGRAM, "rank", long_work / "big.npy", "-m", "laplacian_score", "-q", "-o", "out.txt"],
        cwd=tmp_path,
    )
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob(".tamis-*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert tamis("rank", "small.csv", "-o", "other.txt").code == 0
    assert len(list(tmp_path.glob(".tamis-*.tmp"))) == 1, "that run is alive"
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert tamis("rank", "small.csv", "-o", "other.txt").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.txt", "small.csv"]
