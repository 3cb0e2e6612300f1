"""Measures tamis against its peers and the hardware in one run and prints goals and ratios.

All times are CPU-seconds, the best of several repetitions; see bench/run.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import history
import numpy as np
from peers import data, peers

ROOT = Path(__file__).resolve().parents[1]
REPETITIONS = 3


def cpu_seconds(work, *args, repetitions=REPETITIONS):
    best = np.inf
    for _ in range(repetitions):
        start = time.process_time()
        work(*args)
        best = min(best, time.process_time() - start)
    return best


def run_ours(build, folder, which="."):
    """CPU-seconds and counters of the benchmarks of ours, by name; the best of the repetitions."""
    out = folder / "ours.json"
    subprocess.run(
        [
            build / "tamis_bench",
            f"--benchmark_filter={which}",
            f"--benchmark_out={out}",
            f"--benchmark_repetitions={REPETITIONS}",
            "--benchmark_min_time=0.2",
        ],
        env={**os.environ, "TAMIS_BENCH_DATA": str(folder)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    best = {}
    for run in json.loads(out.read_text())["benchmarks"]:
        if run.get("run_type") != "iteration" or run.get("error_occurred"):
            continue
        name = run["run_name"].removesuffix("/process_time")
        run["seconds"] = run["cpu_time"] / 1e3
        if name not in best or run["seconds"] < best[name]["seconds"]:
            best[name] = run
    return best


def peak_memory(build, file, *words):
    """Peak memory of the whole program, as a multiple of the table."""
    command = [build / "tamis", words[0], file, *words[1:], "-v", "-o", os.devnull]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    megabytes = float(re.search(r"([0-9.]+) MB at most", told)[1])
    return megabytes * 1e6 / np.load(file, mmap_mode="r").nbytes


def target_in_use(build):
    """What the kernels are compiled for that this machine, or TAMIS_TARGET, chooses."""
    command = [build / "tamis_bench", "--benchmark_filter=^sgemm/2048", "--benchmark_format=json"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(told)["context"]["target"]


QUICK = "|".join(
    (
        "^(sgemm|(nearest_neighbors_dense|laplacian_score_end_to_end)/2000/1000/1|all_pairs)",
        "^(nearest_neighbors_sparse/text|ens_cls_members)",
        "^(ridge_omp_sparse/|rank_transform/100000/100/)",
        "^(wckm|l2gfs)_iterations/100000/100/10/[0-9]+/1/",
    )
)


def measure_quickly(build, folder):
    """The rows of measure() whose tables are small."""
    text = data.write_small(folder)
    ours = run_ours(build, folder, QUICK)
    yield from neighbor_rows(ours, folder, ((2000, ">= 2.5"),))
    yield from laplacian_rows(ours, folder, ((2000, ">= 3"),))
    yield from all_pairs_rows(ours, folder)
    yield from sparse_rows(ours, {"text": text})
    yield from ensemble_rows(ours, folder)
    yield from iteration_rows(ours, folder)
    yield from ridge_omp_peer_rows(ours, folder)


SELECTORS = "_labeled/|^(sbcs_semi|spec_end_to_end)/"


def measure_selectors(build, folder):
    """The rows of measure() that are of selectors of labeled rows, SPEC and projections."""
    data.write_for_selectors(folder)
    ours = run_ours(build, folder, SELECTORS)
    yield from selector_rows(ours, folder)
    yield from projection_rows(ours)


LEVELS = "^(column_scan|code_products|float_products|ridge_omp_levels|ridge_omp_streamed)/"


def measure_levels(build, folder):
    """The rows of measure() that are of ridge_omp on levels."""
    data.write_for_levels(folder)
    yield from level_rows(run_ours(build, folder, LEVELS), build, folder)


def load_blobs(folder, rows, cols):
    return np.load(folder / f"blobs-{rows}x{cols}.npy")


def neighbor_rows(ours, folder, sizes):
    for rows, goal in sizes:
        yield (
            f"neighbours, {rows:,} x 1,000",
            "x scikit-learn brute force",
            goal,
            cpu_seconds(peers.nearest_neighbors, load_blobs(folder, rows, 1000))
            / ours[f"nearest_neighbors_dense/{rows}/1000/1"]["seconds"],
        )


def laplacian_rows(ours, folder, sizes):
    for rows, goal in sizes:
        yield (
            f"Laplacian score, {rows:,} x 1,000, from table to scores",
            "x NumPy + scikit-learn",
            goal,
            cpu_seconds(peers.laplacian_score, load_blobs(folder, rows, 1000))
            / ours[f"laplacian_score_end_to_end/{rows}/1000/1"]["seconds"],
        )


def all_pairs_rows(ours, folder):
    for cols, goal in ((6, ">= 4"), (40, ">= 3")):
        yield (
            f"all pairs of 2,000 rows with heat weights, {cols} columns",
            "x NumPy/SciPy",
            goal,
            cpu_seconds(peers.all_pairs, load_blobs(folder, 2000, 1000)[:, :cols].astype(float))
            / ours[f"all_pairs/2000/{cols}"]["seconds"],
        )


def sparse_rows(ours, sparse):
    for name, x in sparse.items():
        yield (
            f"sparse neighbours, {x.shape[0]:,} x {x.shape[1]:,} ({name})",
            "x SciPy product + argpartition",
            ">= 8",
            cpu_seconds(peers.sparse_nearest_neighbors, x)
            / ours[f"nearest_neighbors_sparse/{name}"]["seconds"],
        )


def measure(build, folder):
    """Yields (what, unit, goal, measured); the goal says whether more or less is better."""
    sparse = data.write_all(folder)
    ours = run_ours(build, folder)

    def seconds(name):
        return ours[name]["seconds"]

    def blobs(rows, cols):
        return load_blobs(folder, rows, cols)

    rate = ours["sgemm/2048"]["flops"] / seconds("sgemm/2048")
    for threads in (1, 2):
        bound = 20000**2 * 2000 / rate
        name = f"nearest_neighbors_dense/20000/2000/{threads}"
        yield (
            f"neighbours, 20,000 x 2,000, {threads} thread{'s'[: threads - 1]}",
            "of the SGEMM bound",
            ">= 0.75",
            bound / seconds(name),
        )
    yield from neighbor_rows(ours, folder, ((10000, ">= 3.5"), (2000, ">= 2.5")))
    yield from laplacian_rows(ours, folder, ((2000, ">= 3"), (10000, ">= 4")))
    x = blobs(20000, 2000)
    yield (
        "scoring alone, 20,000 x 2,000",
        "x NumPy/SciPy",
        ">= 15",
        cpu_seconds(peers.scoring, x, peers.heat_graph(x)) / seconds("scoring/20000/2000/1"),
    )
    yield from all_pairs_rows(ours, folder)
    yield from sparse_rows(ours, sparse)
    for what, name in (
        ("neighbours, 20,000 x 2,000", "nearest_neighbors_dense/20000/2000"),
        ("scoring, 20,000 x 2,000", "scoring/20000/2000"),
    ):
        yield (
            f"{what}, two threads",
            "x the CPU-seconds of one",
            "<= 1.05",
            seconds(f"{name}/2") / seconds(f"{name}/1"),
        )
    yield from memory_rows(build, folder)
    yield (
        "reading CSV, 20,000 x 200",
        "x pandas (C engine)",
        ">= 3",
        cpu_seconds(peers.read_csv, folder / "table.csv") / seconds("read_csv/1"),
    )
    yield from ensemble_rows(ours, folder)
    yield from clustering_rows(ours, rate, folder)
    yield from weighted_kmeans_rows(ours, folder)
    yield from ridge_omp_rows(ours, folder)
    yield from level_rows(ours, build, folder)
    yield from selector_rows(ours, folder)
    yield from projection_rows(ours)
    x = blobs(2000, 1000)
    yield (
        "1-NN by the first 1, 2, ..., 200 features, 1,000 + 1,000 rows",
        "x scikit-learn refitted",
        ">= 20",
        cpu_seconds(peers.nearest_neighbor_prefixes, x, 200, repetitions=1)
        / seconds("nearest_by_prefix/2000/1000/200/1"),
    )


def ensemble_rows(ours, folder):
    """Members of ens_cls, without a map."""
    for rows, cols, members, goal in (
        (171, 5748, 1000, ">= 15"),
        (2600, 500, 40, ">= 5"),
        (1993, 4862, 40, ">= 5"),
    ):
        what = f"member of ens_cls, {rows:,} x {cols:,}"
        one, two = (
            ours[f"ens_cls_members/{rows}/{cols}/{threads}/{members}"] for threads in (1, 2)
        )
        x = np.load(folder / f"members-{rows}x{cols}.npy")
        few = members // 4
        yield (
            what,
            "x NumPy",
            goal,
            cpu_seconds(peers.committee, x, few) / few / (one["seconds"] / members),
        )
        yield (
            f"{what}, two threads",
            "of one's wall time",
            "<= 0.6",
            (two["real_time"] / one["real_time"]),
        )
        yield (
            f"{what}, two threads",
            "x the CPU-seconds of one",
            "<= 1.05",
            (two["seconds"] / one["seconds"]),
        )


def clustering_rows(ours, rate, folder):
    """Maps, Ward's clustering and the tree of correlations."""
    search = ours["best_units/100000/200/1582"]
    yield (
        "best units of a map, 100,000 x 200, 1,582 units",
        "of the SGEMM rate",
        ">= 0.6",
        search["flops"] / search["seconds"] / rate,
    )
    x = np.load(folder / "blobs-100000x200.npy")
    som = ours["som/100000/200/1"]
    yield (
        "map, 100,000 x 200, per epoch",
        "x somoclu",
        ">= 1",
        cpu_seconds(peers.som, x, 61, 26, 1, repetitions=1) / (som["seconds"] / som["epochs"]),
    )
    yield (
        "Ward, 10,000 x 100",
        "x fastcluster",
        ">= 1",
        cpu_seconds(peers.ward, np.load(folder / "blobs-10000x100.npy"), repetitions=1)
        / ours["ward/10000/100/1"]["seconds"],
    )
    yield (
        "tree of 5,000 features, 2,000 rows",
        "x the product X'X",
        "<= 2",
        ours["spanning_tree/5000/2000/1/50"]["seconds"]
        / ours["correlation_product/5000/2000"]["seconds"],
    )


def iteration(ours, name, rows=100000, cols=100, clusters=10):
    """Of a clustering, as the difference of a long and a short run."""
    short, long = (ours[f"{name}/{rows}/{cols}/{clusters}/{most}/1"] for most in (2, 12))
    return (long["seconds"] - short["seconds"]) / (long["iterations"] - short["iterations"])


def iteration_rows(ours, folder):
    x = np.load(folder / "noise-100000x100.npy")
    few, many = (cpu_seconds(peers.kmeans, x, 10, iterations) for iterations in (5, 25))
    lloyd = (many - few) / 20
    for method, goal in (("wckm", "<= 3"), ("l2gfs", "<= 3")):
        yield (
            f"iteration of {method}, 100,000 x 100, 10 clusters",
            "x one of scikit-learn's k-means",
            goal,
            iteration(ours, f"{method}_iterations") / lloyd,
        )


def weighted_kmeans_rows(ours, folder):
    """Iterations, and how their cost grows."""
    yield from iteration_rows(ours, folder)
    for method in ("wckm", "l2gfs"):
        name = f"{method}_iterations"
        for what, shape in (
            ("rows", {"rows": 200000}),
            ("columns", {"cols": 200}),
            ("clusters", {"clusters": 20}),
        ):
            yield (
                f"iteration of {method}, twice the {what}",
                "x the cost",
                "<= 2.3",
                iteration(ours, name, **shape) / iteration(ours, name),
            )


def ridge_omp_peer_rows(ours, folder):
    """Our own default and its ranks, against NumPy and SciPy."""
    counts = data.make_counts().toarray()
    labels = np.where(np.arange(len(counts)) < 6, np.arange(len(counts)) % 2, -1)
    yield (
        "ridge_omp, 1,943 x 3,289 counts, 6 labels, 50 features",
        "x NumPy",
        ">= 20",
        cpu_seconds(peers.ridge_omp, counts, labels, repetitions=1)
        / ours["ridge_omp_sparse"]["seconds"],
    )
    x = np.load(folder / "noise-100000x100.npy")
    yield (
        "ranks of columns, 100,000 x 100",
        "x scipy.stats.rankdata",
        ">= 5",
        cpu_seconds(peers.rank_columns, x) / ours["rank_transform/100000/100"]["seconds"],
    )


def ridge_omp_rows(ours, folder):
    """Our own default, also against reading the table as often as it has steps."""
    yield from ridge_omp_peer_rows(ours, folder)
    one, two = (ours[f"ridge_omp_dense/100000/2000/{threads}"]["seconds"] for threads in (1, 2))
    yield (
        "ridge_omp less its ranks, 100,000 x 2,000, 6 labels, 50 features",
        "x reading the table once",
        "<= 65",
        (one - ours["rank_transform/100000/2000"]["seconds"])
        / ours["reading_pass/100000/2000"]["seconds"],
    )
    yield (
        "ridge_omp with features judged, 100,000 x 2,000, 6 labels, 50 features",
        "x without",
        "<= 6",
        ours["ridge_omp_dense_judged/100000/2000/1"]["seconds"] / one,
    )
    yield (
        "ridge_omp with features judged, 1,943 x 3,289 counts, 6 labels",
        "x without",
        "<= 6",
        ours["ridge_omp_sparse_judged"]["seconds"] / ours["ridge_omp_sparse"]["seconds"],
    )
    yield (
        "ridge_omp, 100,000 x 2,000, two threads",
        "x the CPU-seconds of one",
        "<= 1.05",
        two / one,
    )


def level_rows(ours, build, folder):
    """ridge_omp on levels: its kernels, and all of it beside the product X'X in float32."""
    floats = ours["float_products/5000"]["seconds"]
    for kernel, what, goal in ((0, "16-bit integers", ">= 0.75"), (1, "doubles", ">= 0.3")):
        yield (
            f"products of 5,000 columns of codes by {what}",
            "of the SSYRK rate",
            goal,
            floats / ours[f"code_products/5000/{kernel}"]["seconds"],
        )
    values = 100000 * 2000
    yield (
        "scan of a table in memory, 100,000 x 2,000",
        "ns per value",
        "<= 6",
        ours["column_scan/100000/2000"]["seconds"] / values * 1e9,
    )
    for run, where, cols, goals in (
        ("levels", "in memory", 2000, ("<= 3", "<= 6")),
        ("streamed", "from a file", 2000, ("<= 3", "<= 6")),
        ("streamed", "from a file", 5000, ("<= 1.8", "<= 3.6")),
    ):
        # SSYRK of the table: as many products per row as columns squared.
        whole = floats * (100000 / 512) * (cols / 5000) ** 2
        for judged, what in ((0, ""), (1, " with features judged")):
            yield (
                f"ridge_omp on levels {where}{what}, 100,000 x {cols:,}, 6 labels",
                "x SSYRK of the table",
                goals[judged],
                ours[f"ridge_omp_{run}/100000/{cols}/{judged}"]["seconds"] / whole,
            )
    words = ("rank", "--method", "ridge_omp", "--ranks", "levels", "--memory", "2G")
    few, many = (
        peak_memory(build, folder / f"noise-{rows}x2000.npy", *words) * rows
        for rows in (12500, 100000)
    )
    yield (
        "peak memory of ridge_omp from a file, 100,000 x 2,000",
        "x that of an eighth of the rows",
        "<= 1.05",
        many / few,
    )


def selector_rows(ours, folder):
    """Selectors of labeled rows beside packages and NumPy; SPEC from table to scores."""
    x = data.make_labeled()
    labels = data.labels_of(len(x))
    for method, what, unit, goal, peer in (
        ("relieff", "", "x skrebate", ">= 20", peers.relieff),
        ("mrmr", ", 50 features", "x mrmr_selection", ">= 10", peers.mrmr_selection),
        ("mrmr", ", 50 features", "x NumPy", ">= 10", peers.mrmr),
        ("fcbf", "", "x NumPy", ">= 10", peers.fcbf),
        ("fw_semifs", ", 40 labels, one sample", "x NumPy", ">= 3", peers.fw_semifs),
        ("ssfi", ", 40 labels, 200 trees", "x scikit-learn's trees", ">= 3", peers.ssfi),
    ):
        yield (
            f"{method}, {len(x)} x {x.shape[1]:,}{what}",
            unit,
            goal,
            cpu_seconds(peer, x, labels, repetitions=1)
            / ours[f"{method}_labeled/{len(x)}/{x.shape[1]}/1"]["seconds"],
        )
    x = np.load(folder / "blobs-2000x1000.npy")[:, :200].astype(float)
    labels = np.where(np.arange(2000) % 100 == 0, np.arange(2000) // 100 % 2, -1)
    one, two = (ours[f"sbcs_semi/2000/200/{threads}"]["seconds"] for threads in (1, 2))
    yield (
        "sbcs, mode semi, 2,000 x 200, 3 features",
        "x NumPy",
        ">= 10",
        cpu_seconds(peers.sbcs, x, labels, repetitions=1) / one,
    )
    yield ("sbcs, 2,000 x 200, two threads", "x the CPU-seconds of one", "<= 1.05", two / one)
    for method in ("relieff", "ssfi"):
        one, two = (ours[f"{method}_labeled/500/5000/{n}"]["seconds"] for n in (1, 2))
        what = f"{method}, 500 x 5,000, two threads"
        yield (what, "x the CPU-seconds of one", "<= 1.05", two / one)
    for rows in (2000, 10000):
        yield (
            f"SPEC, {rows:,} x 1,000, from table to scores",
            "x NumPy/SciPy + scikit-learn",
            ">= 3",
            cpu_seconds(peers.spec, np.load(folder / f"blobs-{rows}x1000.npy"))
            / ours[f"spec_end_to_end/{rows}/1000/1"]["seconds"],
        )


def projection_rows(ours):
    """Ten components of a wide table."""
    x = data.make_labeled()
    labels = data.labels_of(len(x))
    for name, peer in (
        ("pca", peers.pca),
        ("ssdr", peers.ssdr),
        ("cfld", peers.cfld),
        ("rca", peers.rca),
    ):
        yield (
            f"{name}, {len(x)} x {x.shape[1]:,}, all rows labeled",
            "x NumPy/SciPy",
            ">= 3",
            cpu_seconds(peer, x, labels)
            / ours[f"{name}_labeled/{len(x)}/{x.shape[1]}/1"]["seconds"],
        )
    one, two = (ours[f"pca_labeled/500/5000/{threads}"]["seconds"] for threads in (1, 2))
    yield ("pca, 500 x 5,000, two threads", "x the CPU-seconds of one", "<= 1.05", two / one)


def memory_rows(build, folder):
    for what, goal, file, words in (
        ("laplacian_score", "<= 1.3", "20000x2000", ("rank", "--method", "laplacian_score")),
        ("map", "<= 1.3", "100000x200", ("cluster", "--method", "som")),
        ("csfs", "<= 1.5", "20000x500", ("rank", "--method", "csfs")),
        ("wckm", "<= 1.3", "100000x200", ("rank", "--method", "wckm", "--n-clusters", "10")),
        ("l2gfs", "<= 1.3", "100000x200", ("rank", "--method", "l2gfs", "--n-clusters", "10")),
    ):
        yield (
            f"peak memory of {what}, {file.replace('x', ' x ')} float32",
            "x the table",
            goal,
            peak_memory(build, folder / f"blobs-{file}.npy", *words),
        )
    yield (
        "peak memory of ridge_omp, 100000 x 2000 float32",
        "x the table",
        "<= 2.2",
        peak_memory(build, folder / "noise-100000x2000.npy", "rank", "--method", "ridge_omp"),
    )


def is_met(goal, measured):
    sign, number = goal.split()
    return measured >= float(number) if sign == ">=" else measured <= float(number)


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    return platform.processor()


def commit():
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def print_what_fell(path, entry):
    before = history.last_of_the_same_machine(history.read(path), entry)
    if before is None:
        print("\nThe first run on this CPU and target.")
        return
    print(f"\nWorse by more than 15 % than on {before['date']} ({before['commit']}):")
    for what, earlier, now in history.worse(before, entry) or [("nothing", None, None)]:
        print(f"- {what}" + (f": {earlier:.2f} before, {now:.2f} now" if earlier else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "bench")
    parts = parser.add_mutually_exclusive_group()
    for name, rows, words in (
        ("--quick", measure_quickly, "small tables only"),
        ("--selectors", measure_selectors, "selectors of labeled rows, SPEC and projections only"),
        ("--levels", measure_levels, "ridge_omp on levels only"),
    ):
        parts.add_argument(name, dest="rows", action="store_const", const=rows, help=words)
    parser.set_defaults(rows=measure)
    parser.add_argument("--target", help="compute as on a CPU of this kind: baseline, avx2, avx512")
    parser.add_argument("--history", type=Path, default=ROOT / "bench" / "history.jsonl")
    options = parser.parse_args()
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
        for what, unit, goal, measured in options.rows(options.build, Path(folder)):
            met = is_met(goal, measured)
            missed += not met
            print(f"| {what} | {unit} | {goal} | {measured:.2f} | {'met' if met else 'missed'} |")
            sys.stdout.flush()
            entry["ratios"][f"{what}, {unit}"] = {"goal": goal, "measured": round(measured, 4)}
    print_what_fell(options.history, entry)
    history.append(options.history, entry)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
