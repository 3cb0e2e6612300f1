"""Measures tamis against its peers and the hardware in one run and prints goals and ratios.

All times are CPU-seconds, the best of several repetitions; see bench/run.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import history
import rows
from instruments import Ours, target_in_use

ROOT = Path(__file__).resolve().parents[1]


def processor():
    """Its name; those that hide it in virtual machines differ by family and model."""
    facts = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    name = facts.get("model name", platform.processor())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts['model']})"
    return f"{name}, {os.cpu_count()} cores"


def commit():
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def print_what_fell(path, entry):
    before = history.newest(history.read(path), history.machine_of(entry))
    if not before:
        print("\nThe first run on this CPU and target.")
        return
    print("\nWorse by more than 15 % than when it was last measured on this CPU and target:")
    for what, earlier, now in history.worse(before, entry["ratios"]) or [("nothing", None, None)]:
        print(f"- {what}" + (f": {earlier:.2f} before, {now:.2f} now" if earlier else ""))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "bench")
    parts = parser.add_mutually_exclusive_group()
    for name, part, words in (
        ("--quick", rows.quick_rows, "small tables only"),
        ("--selectors", rows.selectors_rows, "selectors of labeled rows, SPEC and projections"),
        ("--levels", rows.levels_rows, "ridge_omp on levels"),
    ):
        parts.add_argument(name, dest="rows", action="store_const", const=part, help=words)
    parser.set_defaults(rows=rows.all_rows)
    parser.add_argument("--target", help="compute as on a CPU of this kind: baseline, avx2, avx512")
    parser.add_argument("--history", type=Path, default=ROOT / "bench" / "history.jsonl")
    return parser.parse_args()


def main():
    options = parse_options()
    if options.target:
        os.environ["TAMIS_TARGET"] = options.target
    entry = {
        "date": str(date.today()),
        "cpu": processor(),
        "target": target_in_use(options.build),
        "commit": commit(),
        "ratios": {},
    }
    print(f"{entry['date']}, {entry['cpu']}, target {entry['target']}, {entry['commit']}\n")
    print("| what | unit | goal | measured | |\n|---|---|---|---|---|")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for row in options.rows(Ours(options.build, Path(folder), entry["target"])):
            missed += not row.is_met()
            met = "met" if row.is_met() else "missed"
            print(f"| {row.what} | {row.unit} | {row.goal} | {row.measured:.2f} | {met} |")
            sys.stdout.flush()
            ratio = {"goal": row.goal, "measured": round(row.measured, 4)}
            entry["ratios"][f"{row.what}, {row.unit}"] = ratio
    print_what_fell(options.history, entry)
    history.append(options.history, entry)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
