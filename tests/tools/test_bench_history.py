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


def test_of_each_row_the_newest_on_the_same_cpu_and_target_counts():
    runs = [entry(speed=1.0, memory=2.0), entry(speed=2.0), entry(cpu="b", speed=9.0)]
    runs.append(entry(target="baseline", speed=8.0))
    newest = history.newest(runs, ("a", "avx2"))
    assert {what: ratio["measured"] for what, ratio in newest.items()} == {"speed": 2, "memory": 2}
    assert history.newest(runs, ("c", "avx2")) == {}


def test_names_what_fell_by_more_than_runs_differ():
    before = entry(speed=4.0, other=4.0, memory=1.0, gone=1.0)["ratios"]
    now = entry(speed=3.3, other=3.5, memory=1.2, new=1.0)["ratios"]
    assert history.worse(before, now) == [("speed", 4.0, 3.3), ("memory", 1.0, 1.2)]


def test_the_table_has_a_column_for_each_machine_and_says_what_is_missed():
    runs = [entry(cpu="b", speed=9.0, memory=4.0), entry(speed=2.0, extra=3.0)]
    assert history.table(runs) == (
        "| what | goal | a, avx2 | b, avx2 |\n"
        "|---|---|---|---|\n"
        "| speed | >= 3 | **2.00** (>= 3) | 9.00 |\n"
        "| extra | >= 3 | 3.00 |  |\n"
        "| memory | <= 3 |  | **4.00** (<= 3) |\n"
    )
