"""The same results whatever computes them: threads do not change a bit, processors the last digits.

OpenBLAS has different kernels for different processors, whose sums round in different orders; here
a few of them stand for as many machines.
"""

import json
import math
import platform
import subprocess
from pathlib import Path

import pytest
from program import IS_SANITIZED, PROGRAM, run_program

PROCESSOR = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
NEEDS = {"Haswell": "avx2", "Sandybridge": "avx", "Nehalem": "sse4_2", "Prescott": "sse3"}
KERNELS = [name for name, needed in NEEDS.items() if needed in PROCESSOR or needed == "sse3"]
TARGETS = [
    name for name, needed in (("avx2", "avx2"), ("avx512", "avx512f")) if needed in PROCESSOR
]
THREADS = (1, 2, 3, 7)
TOLERANCE = 1e-11  # the largest relative difference that was seen is 6e-13

RANK = ("rank", "wave.csv", "--labels-per-class", "5", "--json", "-q", "-m")
CLUSTER = ("cluster", "wave.csv", "--labels-per-class", "5", "--json", "-q", "-m")
EVALUATE = ("evaluate", "blobs.csv", "--runs", "3", "--top", "1:8", "-q", "-o", "-")
JOBS = {
    "regression": (*RANK, "ridge_omp"),
    "graph": (*RANK, "cls"),
    "eigenvalues": (*RANK, "spec"),
    "eigenvectors": (*RANK, "sselect"),
    "redundant features": ("rank", "blobs.csv", "--json", "-q", "-m", "csfsr"),
    "map": (*RANK, "cls", "--condense", "som"),
    "subspaces": (*RANK, "ens_cls", "--n-members", "50"),
    "ensemble": (*RANK, "laplacian_score", "--bagging", "20"),
    "diverse order": (*RANK, "fisher_score", "--diversify"),
    "clusters": (*CLUSTER, "mpc_kmeans"),
    "clusters of a map": (*CLUSTER, "som"),
    "weights of clusters": (*CLUSTER, "l2gfs"),
    "experiment": (*EVALUATE, "-m", "cls,spec,auto"),
    "experiment by a machine": (*EVALUATE, "-m", "fisher_score", "--classifier", "svm"),
}
VOLATILE = {"seconds", "peak_memory_bytes", "wall_seconds", "cpu_seconds", "command", "threads"}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for kind in ("wave", "blobs"):
        words = ("generate", kind, "--rows", "150", "--seed", "3", "-q", "-o", f"{kind}.csv")
        assert run_program(*words, cwd=folder).code == 0
    return folder


def stable(value):
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: stable(inner) for key, inner in value.items() if key not in VOLATILE}
    return [stable(inner) for inner in value] if isinstance(value, list) else value


def result(folder, *words, **environment):
    outcome = run_program(*words, cwd=folder, env=environment)
    assert outcome.code == 0, outcome.err
    return [stable(json.loads(line)) for line in outcome.out.splitlines()]


def same_but_for_last_digits(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same_but_for_last_digits(one[key], other[key]) for key in one
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_but_for_last_digits, one, other))
    return one == other


@pytest.mark.parametrize("words", JOBS.values(), ids=JOBS)
def test_threads_change_nothing(tables, words):
    results = [result(tables, *words, "--threads", threads) for threads in THREADS]
    assert all(other == results[0] for other in results)


@pytest.mark.parametrize("words", JOBS.values(), ids=JOBS)
def test_targets_of_our_own_kernels_change_nothing(tables, words):
    oldest = result(tables, *words, TAMIS_TARGET="baseline")
    assert result(tables, *words) == oldest
    for target in TARGETS:
        assert result(tables, *words, TAMIS_TARGET=target) == oldest


def test_a_target_must_be_one_of_the_machine(tables):
    outcome = run_program(*RANK, "cls", cwd=tables, env={"TAMIS_TARGET": "mmx"})
    assert outcome.code == 2
    assert outcome.err == (
        "tamis: the variable TAMIS_TARGET of the environment is 'mmx', but this machine has "
        f"{', '.join(['baseline', *TARGETS])}: name one of them, or unset it\n"
    )


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the kernels are those of x86-64")
@pytest.mark.skipif(IS_SANITIZED, reason="says nothing new")
class TestProcessors:
    def test_are_told_apart_by_openblas(self, tables):
        words = [PROGRAM, "rank", tables / "wave.csv", "-q", "-m", "laplacian_score"]
        for kernel in KERNELS:
            environment = {"OPENBLAS_CORETYPE": kernel, "OPENBLAS_VERBOSE": "2"}
            done = subprocess.run(words, env=environment, capture_output=True, text=True)
            assert f"Core: {kernel}" in done.stderr + done.stdout

    @pytest.mark.parametrize("words", JOBS.values(), ids=JOBS)
    def test_change_no_order_and_no_digit_but_the_last(self, tables, words):
        """Places, features, clusters and whatever else is no fraction are the same."""
        results = [result(tables, *words, OPENBLAS_CORETYPE=kernel) for kernel in KERNELS]
        assert all(same_but_for_last_digits(other, results[0]) for other in results)
