"""What a Dask cluster costs beside one process: CPU-seconds, wall time, and a worker that dies.

    python3 -m venv /tmp/cluster
    /tmp/cluster/bin/pip install "$(echo build/wheels/tamis-*.whl)[dask]"
    /tmp/cluster/bin/python bench/on_a_cluster.py --gigabytes 1 --folder /tmp

Prints the table of docs/scale.md. A file of so many gigabytes is written to the folder first, and
removed at the end. Workers have one thread each, and a core that they stay on: one of two workers
has no more of this machine than it would have of one of its own. Wall times mean something on an
idle machine alone; beside them is what one process waits for in CPU-seconds, which a busy one
changes less.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy starts

import distributed
import numpy as np
import psutil
import tamis
import tamis.dask
from instruments import Row
from tamis import _cluster, _dask

COLS = 1000
LABELED = 300
BLOCK = 10_000  # rows that are written at once
RUNS = 4  # of each worker in a pass, where there are several


def write_table(path, gigabytes):
    """Ten columns differ between two classes. Returns the classes, of which few are known."""
    rows = int(gigabytes * 1e9) // (4 * COLS)
    table = np.lib.format.open_memmap(path, "w+", np.float32, (rows, COLS))
    classes = np.arange(rows) % 2
    random = np.random.default_rng(0)
    for first in range(0, rows, BLOCK):
        block = random.standard_normal((min(BLOCK, rows - first), COLS), dtype=np.float32)
        block[:, :10] += classes[first : first + len(block), None]
        table[first : first + len(block)] = block
    table.flush()
    return np.where(np.arange(rows) < LABELED, classes, -1)


class Task(NamedTuple):
    """What a worker did, as it tells itself."""

    pid: int
    key: str
    began: float  # CPU-seconds of its process
    ended: float | None  # None: not yet, or never


class Engine(_dask.DaskEngine):
    """One whose tasks write down what they spend, each in a file of its own."""

    def __init__(self, client, folder):
        super().__init__(client)
        self.folder = folder

    def submit(self, key, worker, function, *args):
        return super().submit(key, worker, _timed, str(self.folder), key, function, *args)

    def tasks(self):
        """Of all that was submitted, also what was lost."""
        return [Task(*_read(path)) for path in sorted(self.folder.iterdir())]


def _timed(folder, key, function, *args):
    """Runs on a worker."""
    began = time.process_time()
    path = Path(folder) / f"{os.getpid()}-{time.time_ns()}"
    path.write_text(f"{os.getpid()}\n{key}\n{began}\n")
    result = function(*args)
    with path.open("a") as file:
        file.write(f"{time.process_time()}\n")
    return result


def _read(path):
    pid, key, began, *ended = path.read_text().splitlines()
    return int(pid), key, float(began), float(ended[0]) if ended else None


class Cost(NamedTuple):
    cpu: float  # of this process and its workers
    wall: float
    waited: float  # CPU-seconds of this process and of the worker that did most

    @staticmethod
    def least(costs):
        return Cost(*np.min([tuple(cost) for cost in costs], axis=0))


def in_process(path, y, how):
    cpu, wall = time.process_time(), time.perf_counter()
    tamis.rank(path, y, memory="2G", random_state=0, n_jobs=1, **how)
    cpu = time.process_time() - cpu
    return Cost(cpu, time.perf_counter() - wall, cpu)


class Cluster:
    """Worker processes on this machine."""

    def __init__(self, n_workers):
        self.n_workers = n_workers

    def __enter__(self):
        self.client = distributed.Client(
            n_workers=self.n_workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        workers = self.client.run(_load_core)
        for core, worker in zip(sorted(os.sched_getaffinity(0)), workers, strict=False):
            self.client.run(_stay_on, core, workers=[worker])
        return self

    def __exit__(self, *_):
        cluster = self.client.cluster
        self.client.close()
        cluster.close()

    def rank(self, path, y, how, runs, progress=None):
        """Returns the cost, and the tasks that there were."""
        _cluster._RUNS_PER_WORKER = runs
        workers = [psutil.Process(pid) for pid in self.client.run(os.getpid).values()]
        with tempfile.TemporaryDirectory() as folder:
            engine = Engine(self.client, Path(folder))
            tamis.dask.engine_of = lambda client: engine
            before, own = [_cpu(each) for each in workers], time.process_time()
            wall = time.perf_counter()
            tamis.dask.rank(
                path, y, client=self.client, random_state=0, n_jobs=1, progress=progress, **how
            )
            wall = time.perf_counter() - wall
            own = time.process_time() - own
            spent = [
                _cpu(each) - start
                for each, start in zip(workers, before, strict=True)
                if each.is_running()
            ]
            return Cost(own + sum(spent), wall, own + max(spent)), engine.tasks()


def _load_core():
    """What a worker does once."""
    import tamis

    tamis.methods()


def _stay_on(core):
    """Runs on a worker, for all threads that it has and will have."""
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), {core})


def _cpu(process):
    return sum(process.cpu_times()[:2])


class Killer:
    """Kills a worker that reads in the last pass, once some of its rows are done."""

    def __init__(self, client):
        self.client = client
        self.killed = None  # its process, and what it had spent

    def __call__(self, stage, done, total):
        if self.killed is None and stage.startswith("pass 2 of 2"):
            for pid in self.client.run(os.getpid).values():
                self.killed = pid, _cpu(psutil.Process(pid))
                os.kill(pid, signal.SIGKILL)
                return


def spent_in_last_pass(tasks, killed=None):
    """CPU-seconds of its tasks, those that were lost included."""
    total = 0.0
    for task in tasks:
        if "deviations" not in task.key:
            continue
        lost = killed is not None and task.pid == killed[0]
        total += (
            killed[1] if task.ended is None and lost else task.ended or task.began
        ) - task.began
    return total


def rows_of_loss(path, y, repetitions):
    """With two workers: what a pass costs of which one worker dies."""
    how = {"method": "variance"}
    with Cluster(2) as cluster:
        whole = [
            spent_in_last_pass(cluster.rank(path, y, how, RUNS)[1]) for _ in range(repetitions)
        ]
    costs = []
    for _ in range(repetitions):
        with Cluster(2) as cluster:
            killer = Killer(cluster.client)
            _, tasks = cluster.rank(path, y, how, RUNS, killer)
            costs.append(spent_in_last_pass(tasks, killer.killed))
    r = 2 * RUNS
    yield Row(
        f"a worker of two is killed in a pass of {r} runs", "x the CPU-seconds of its tasks",
        f"<= {1 + 2 / r:.2f}", min(costs) / min(whole),
    )  # fmt: skip


def rows_of_method(path, y, how, repetitions):
    name = how["method"]
    alone = Cost.least([in_process(path, y, how) for _ in range(repetitions)])
    size = f"{path.stat().st_size / 1e9:.2g} GB"
    with Cluster(1) as cluster:
        whole = Cost.least([cluster.rank(path, y, how, 1)[0] for _ in range(repetitions)])
        one = Cost.least([cluster.rank(path, y, how, RUNS)[0] for _ in range(repetitions)])
    yield Row(
        f"{name}, one task of {size} in each pass", "x the CPU-seconds of one process",
        "<= 1.25", whole.cpu / alone.cpu,
    )  # fmt: skip
    with Cluster(2) as cluster:
        two = Cost.least([cluster.rank(path, y, how, RUNS)[0] for _ in range(repetitions)])
    yield Row(f"{name}, two workers", "x the wall time of one", "<= 0.6", two.wall / one.wall)
    yield Row(
        f"{name}, two workers", "x the CPU-seconds of one that are waited for", "<= 0.6",
        two.waited / one.waited,
    )  # fmt: skip


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--methods", nargs="*", default=["variance", "ridge_omp"])
    return parser.parse_args()


def main():
    options = parse_options()
    missed = 0
    print("| what | unit | goal | measured | |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "table.npy"
        y = write_table(path, options.gigabytes)
        measured = [rows_of_loss(path, y, options.repetitions)]
        for name in options.methods:
            how = {"method": name, **({"ranks": "levels", "fdr": 1} if name == "ridge_omp" else {})}
            measured.insert(-1, rows_of_method(path, y, how, options.repetitions))
        for rows in measured:
            for row in rows:
                missed += not row.is_met()
                met = "met" if row.is_met() else "missed"
                print(f"| {row.what} | {row.unit} | {row.goal} | {row.measured:.2f} | {met} |")
                sys.stdout.flush()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
