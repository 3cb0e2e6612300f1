#!/usr/bin/env python3
"""Records what the program computes, so that a change meant to change nothing can be checked.

tools/record.py FOLDER       runs every method, every clustering and a small experiment in many ways
tools/record.py --compare A B   lists the runs whose results differ between two such folders

A record holds what --json prints without its times and sizes, or the message of a refusal.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
VOLATILE = {
    "seconds",
    "peak_memory_bytes",
    "command",
    "version",
    "date",
    "started",
    "cpu_seconds",
    "wall_seconds",
}


class Recorder:
    """Runs the program in a folder of tables and writes one record per run."""

    def __init__(self, program, folder, tables):
        self.program, self.folder, self.tables = program.resolve(), folder, tables

    def run(self, *arguments):
        command = [self.program, *map(str, arguments)]
        return subprocess.run(command, cwd=self.tables, capture_output=True, text=True, check=False)

    def record(self, name, *arguments):
        done = self.run(*arguments)
        lines = [stable(json.loads(line)) for line in done.stdout.splitlines()]
        result = {"exit": done.returncode, "stdout": lines}
        if done.returncode != 0:
            result["message"] = done.stderr
        (self.folder / f"{name}.json").write_text(json.dumps(result, indent=0))


def stable(value):
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: stable(inner) for key, inner in value.items() if key not in VOLATILE}
    return [stable(inner) for inner in value] if isinstance(value, list) else value


def with_few_labels(path, few, per_class):
    """The CSV table with the labels of its first rows of each class only."""
    header, *lines = path.read_text().splitlines()
    seen = {}
    rows = [header]
    for line in lines:
        values, _, label = line.rpartition(",")
        seen[label] = seen.get(label, 0) + 1
        rows.append(f"{values},{label if seen[label] <= per_class else ''}")
    few.write_text("\n".join(rows) + "\n")


def write_pairs(path, classes):
    """Some must-links and cannot-links between rows whose class is known."""
    rng = random.Random(1)
    rows = [row for row, label in enumerate(classes) if label]
    lines = {tuple(sorted(rng.sample(rows, 2))) for _ in range(12)}
    text = "".join(
        f"{a},{b},{'must' if classes[a] == classes[b] else 'cannot'}\n" for a, b in sorted(lines)
    )
    path.write_text("a,b,kind\n" + text)


def write_sparse(path):
    """A LIBSVM file of small counts, most of them zero."""
    rng = random.Random(2)
    lines = []
    for row in range(80):
        label = 1 + row % 3 if row < 24 else -1
        cells = [
            f"{column + 1}:{rng.randint(1, 4) + (2 if row % 3 == column % 5 else 0)}"
            for column in range(60)
            if rng.random() < (0.5 if row % 3 == column % 5 else 0.15)
        ]
        lines.append(" ".join([str(label), *cells]))
    path.write_text("\n".join(lines) + "\n")


def make_tables(recorder):
    tables = recorder.tables
    for kind, size in (("wave", 150), ("blobs", 120), ("madelon", 100)):
        recorder.run("generate", kind, "--rows", size, "--seed", 3, "-o", f"{kind}-full.csv")
        with_few_labels(tables / f"{kind}-full.csv", tables / f"{kind}.csv", 4)
    for golden in (ROOT / "tests/data/golden").glob("*.csv"):
        (tables / golden.name).write_text(golden.read_text())
    for path in sorted(tables.glob("*.csv")):
        classes = [line.rpartition(",")[2] for line in path.read_text().splitlines()[1:]]
        write_pairs(tables / f"{path.stem}.pairs", classes)
    write_sparse(tables / "counts.svm")


def record_methods(recorder):
    methods = json.loads(recorder.run("methods", "--json").stdout)["methods"]
    dense = ("plain", "integers", "nasty", "wave", "blobs", "madelon")
    for method in methods:
        name = method["name"]
        options = {option["name"] for option in method["options"]}

        def rank(label, table, *arguments, name=name):
            arguments = (table, "--method", name, *arguments, "--json")
            recorder.record(f"rank-{name}-{label}", "rank", *arguments)

        for table in dense:
            rank(table, f"{table}.csv")
            pairs = ("--label-column", "class", "--constraints", f"{table}.pairs")
            rank(f"{table}-pairs", f"{table}.csv", *pairs)
            rank(f"{table}-single", f"{table}.csv", "--precision", "single", "--seed", 5)
        unlabeled = ("--labels", "none.txt", "--constraints", "wave.pairs")
        (recorder.tables / "none.txt").write_text("\n" * 150)
        rank("wave-only-pairs", "wave.csv", *unlabeled)
        rank("counts", "counts.svm")
        rank("counts-single", "counts.svm", "--precision", "single")
        rank("wave-scaled", "wave.csv", "--scale", "standard")
        rank("wave-few", "wave-full.csv", "--labels-per-class", 3, "--seed", 2)
        rank("wave-bagging", "wave.csv", "--bagging", 7, "--subspace", 11)
        rank("counts-bagging", "counts.svm", "--bagging", 5)
        rank("wave-diversify", "wave.csv", "--diversify", 12, "--top", 5)
        rank("blobs-diversify", "blobs.csv", "--diversify", "--top", "auto")
        if "condense" in options:
            for table in ("wave.csv", "blobs.csv", "counts.svm"):
                rank(f"{table}-condense", table, "--condense", "som")
                rank(f"{table}-no-condense", table, "--condense", "none")


def record_clusterings(recorder):
    (recorder.tables / "none.txt").write_text("\n" * 150)
    methods = [
        "kmeans",
        "seeded_kmeans",
        "constrained_kmeans",
        "cop_kmeans",
        "mpc_kmeans",
        "wckm",
        "l2gfs",
        "som",
    ]
    for name in methods:

        def cluster(label, table, *arguments, name=name):
            arguments = (table, "--method", name, *arguments, "--json")
            recorder.record(f"cluster-{name}-{label}", "cluster", *arguments)

        for table in ("wave", "integers", "nasty"):
            cluster(table, f"{table}.csv")
            cluster(f"{table}-pairs", f"{table}.csv", "--constraints", f"{table}.pairs", "-v")
        cluster("wave-three", "wave.csv", "-k", 3, "--restarts", 3, "--seed", 4)
        cluster("wave-only-pairs", "wave.csv", "--labels", "none.txt", "--constraints",
                "wave.pairs", "-k", 3)  # fmt: skip
        cluster("counts", "counts.svm")
        cluster("wave-single", "wave.csv", "--precision", "single")


def record_projections(recorder):
    known = json.loads(recorder.run("methods", "--json").stdout)["projections"]
    for name in (projection["name"] for projection in known):

        def project(label, table, *arguments, name=name):
            arguments = (table, "--method", name, *arguments, "--json")
            recorder.record(f"project-{name}-{label}", "project", *arguments)

        for table in ("wave", "integers", "nasty"):
            project(table, f"{table}.csv")
            project(f"{table}-pairs", f"{table}.csv", "--constraints", f"{table}.pairs")
        project("counts", "counts.svm")
        project("wave-scaled", "wave.csv", "--scale", "standard", "--precision", "single")


def record_experiments(recorder):
    calls = "cls,ridge_omp,fisher_score,laplacian_score:condense=som,bcs,cls:diversify=10"
    for label, arguments in {
        "tamis": ("--protocol", "tamis", "--runs", 2),
        "cls-2011": ("--protocol", "cls-2011", "--runs", 2),
    }.items():
        output = f"{label}.jsonl"
        recorder.run("evaluate", "wave-full.csv", "blobs-full.csv", "--methods", calls,
                     *arguments, "--seed", 1, "-o", output)  # fmt: skip
        text = (recorder.tables / output).read_text()
        lines = [json.dumps(stable(json.loads(line))) for line in text.splitlines()]
        (recorder.folder / f"evaluate-{label}.json").write_text("\n".join(lines))
        recorder.record(f"report-{label}", "report", output, "--json")
    for measure in ((), ("--close",)):
        recorder.record(f"constraints{''.join(measure)}", "constraints", "wave.csv",
                        "--constraints", "wave.pairs", *measure, "--json")  # fmt: skip


def compare(one, other):
    names = {path.name for folder in (one, other) for path in folder.glob("*.json")}
    different = []
    for name in sorted(names):
        texts = [f.read_text() if (f := folder / name).exists() else "" for folder in (one, other)]
        if texts[0] != texts[1]:
            different.append(name)
    print("\n".join([*different, f"{len(different)} of {len(names)} records differ"]))
    return 1 if different else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true", help="compare two records")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    arguments = parser.parse_args()
    if arguments.compare:
        return compare(*arguments.folders)
    (folder,) = arguments.folders
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as tables:
        recorder = Recorder(arguments.program, folder, Path(tables))
        make_tables(recorder)
        record_methods(recorder)
        record_clusterings(recorder)
        record_projections(recorder)
        record_experiments(recorder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
