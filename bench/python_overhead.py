"""What Python costs beside the core: `import tamis`, and a ranking of a small table.

    python3 -m venv /tmp/overhead
    /tmp/overhead/bin/pip install build/wheels/tamis-*.whl
    /tmp/overhead/bin/python bench/python_overhead.py

Prints the table of docs/speed.md. Everything is the least of many CPU-seconds of one thread.
"""

import os
import subprocess
import sys
import time

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy starts

import numpy as np
import tamis
from tamis import _core
from tamis._input import core_table, knowledge
from tamis._labels import encode_target
from tamis._missing import preparation_of
from tamis._plan import ranking_plan

ROWS, COLS, LABELED = 100, 20, 15
# Imports modules of scikit-learn, then tamis, then uses the core; prints CPU-seconds of the latter.
FRESH = """
import sys, time
for name in sys.argv[1:]:
    __import__(name)
times = [time.process_time()]
import tamis
times.append(time.process_time())
tamis.methods()
times.append(time.process_time())
print(times[1] - times[0], times[2] - times[1])
"""


def loaded_of_scikit_learn():
    code = "import sys, tamis; print(*(m for m in sys.modules if m.startswith('sklearn')))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.split()


def import_seconds(repetitions):
    """Of the package, and of the core when it is first used."""
    command = [sys.executable, "-c", FRESH, *loaded_of_scikit_learn()]
    runs = []
    for _ in range(repetitions):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        runs.append([float(text) for text in done.stdout.split()])
    return np.min(runs, axis=0)


def least_seconds(work, repetitions=500):
    times = np.empty(repetitions)
    for repetition in range(repetitions):
        started = time.process_time_ns()
        work()
        times[repetition] = time.process_time_ns() - started
    return times.min() * 1e-9


def rank_seconds(method, y):
    """Of `tamis.rank`, and of the core alone."""
    X = np.random.default_rng(0).normal(size=(ROWS, COLS))
    labels = encode_target(y, ROWS)
    plan, preparation = ranking_plan(method, {}), preparation_of("refuse")
    known = knowledge(None, None, labels, None, ROWS)

    def core():
        _core.rank(plan, core_table(X), known, labels.names, preparation.core, 0, 1)

    whole = least_seconds(lambda: tamis.rank(X, y, method, random_state=0, n_jobs=1))
    return whole, least_seconds(core)


def main():
    numbers = np.full(ROWS, -1)
    numbers[:LABELED] = np.arange(LABELED) % 3
    texts = np.array(["?", "a", "b", "c"], dtype=object)[numbers + 1]
    package, core = import_seconds(7)
    rows = [
        ("`import tamis` beyond scikit-learn's modules", 50e-3, package),
        ("loading the core, when it is first used", None, core),
    ]
    for words, method, y in (
        ("no labels, `variance`", "variance", None),
        ("numbers as labels, `fisher_score`", "fisher_score", numbers),
        ("texts as labels, `fisher_score`", "fisher_score", np.where(texts == "?", None, texts)),
    ):
        whole, alone = rank_seconds(method, y)
        rows.append((f"`tamis.rank` beyond the core, {words}", 100e-6, whole - alone))
    print("| what | goal | measured |\n|---|---|---|")
    for what, goal, seconds in rows:
        print(f"| {what} | {'' if goal is None else '<= ' + shown(goal)} | {shown(seconds)} |")


def shown(seconds):
    return f"{seconds * 1e3:.0f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


if __name__ == "__main__":
    main()
