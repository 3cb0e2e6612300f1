"""What bench/run says of earlier runs."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import history  # noqa: E402


def entry(cpu="a", target="avx2", **measured):
    ratios = {
        name: {"goal": "<= 3" if name == "memory" else ">= 3", "measured": ratio}
        for name, ratio in measured.items()
    }
    return {"cpu": cpu, "target": target, "ratios": ratios}


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "history.jsonl"
    assert history.read(path) == []
    history.append(path, entry(speed=1.0))
    history.append(path, entry(speed=2.0))
    assert history.read(path) == [entry(speed=1.0), entry(speed=2.0)]


def test_compares_with_the_last_run_of_the_same_cpu_and_target():
    runs = [entry(speed=1.0), entry(speed=2.0), entry(cpu="b"), entry(target="baseline")]
    assert history.last_of_the_same_machine(runs, entry()) == runs[1]
    assert history.last_of_the_same_machine(runs, entry(cpu="c")) is None


def test_names_what_fell_by_more_than_runs_differ():
    before = entry(speed=4.0, other=4.0, memory=1.0, gone=1.0)
    now = entry(speed=3.3, other=3.5, memory=1.2, new=1.0)
    assert history.worse(before, now) == [("speed", 4.0, 3.3), ("memory", 1.0, 1.2)]
