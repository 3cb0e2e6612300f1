"""What bench/compare.py measures with: CPU-seconds of ours and of peers, and peak memory."""

import json
import os
import re
import resource
import subprocess
import time
from typing import NamedTuple

import history
import numpy as np

REPETITIONS = 3


class Row(NamedTuple):
    """One line of the table; the goal says whether more or less is better."""

    what: str
    unit: str
    goal: str
    measured: float

    def is_met(self):
        return bool(history.is_met(self.goal, self.measured))


def cpu_seconds(work, *args, repetitions=REPETITIONS):
    best = np.inf
    for _ in range(repetitions):
        start = time.process_time()
        work(*args)
        best = min(best, time.process_time() - start)
    return best


class Ours:
    """The benchmarks and the program of one build, on the tables of a folder."""

    def __init__(self, build, folder, target):
        self.build, self.folder, self.target = build, folder, target
        self.runs = {}

    def run(self, which="."):
        """Runs the benchmarks that the expression names; the best of the repetitions counts."""
        out = self.folder / "ours.json"
        command = [
            self.build / "tamis_bench",
            f"--benchmark_filter={which}",
            f"--benchmark_out={out}",
            f"--benchmark_repetitions={REPETITIONS}",
            "--benchmark_min_time=0.2",
        ]
        environment = {**os.environ, "TAMIS_BENCH_DATA": str(self.folder)}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        for run in json.loads(out.read_text())["benchmarks"]:
            if run.get("run_type") != "iteration" or run.get("error_occurred"):
                continue
            name = run["run_name"].removesuffix("/process_time")
            run["seconds"] = run["cpu_time"] / 1e3
            if name not in self.runs or run["seconds"] < self.runs[name]["seconds"]:
                self.runs[name] = run

    def __getitem__(self, name):
        return self.runs[name]

    def seconds(self, name):
        return self.runs[name]["seconds"]

    def load(self, table):
        return np.load(self.folder / f"{table}.npy")

    def goal(self, goal, without_avx512=None):
        """The second is that of CPUs without AVX-512, if theirs is another."""
        return goal if without_avx512 is None or self.target == "avx512" else without_avx512

    def against(self, what, unit, goal, name, peer, *args, repetitions=REPETITIONS):
        """How many times as fast as the peer a benchmark of ours is."""
        peers = cpu_seconds(peer, *args, repetitions=repetitions)
        return Row(what, unit, goal, peers / self.seconds(name))

    def cost_of_threads(self, what, name):
        """`name` has a place for the number of threads, as str.format knows it."""
        one, two = (self.seconds(name.format(threads)) for threads in (1, 2))
        return Row(f"{what}, two threads", "x the CPU-seconds of one", "<= 1.05", two / one)

    def program(self, *words):
        """CPU-seconds of the whole program, and what it told."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [self.build / "tamis", *words, "-v", "-o", os.devnull]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, told

    def peak_memory(self, table, *words):
        """Of the whole program, as a multiple of the table."""
        file = self.folder / f"{table}.npy"
        _, told = self.program(words[0], file, *words[1:])
        megabytes = float(re.search(r"([0-9.]+) MB at most", told)[1])
        return megabytes * 1e6 / np.load(file, mmap_mode="r").nbytes


def target_in_use(build):
    """What the kernels are compiled for that this machine, or TAMIS_TARGET, chooses."""
    command = [build / "tamis_bench", "--benchmark_filter=^sgemm/2048", "--benchmark_format=json"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(told)["context"]["target"]
