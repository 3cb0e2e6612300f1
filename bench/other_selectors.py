"""Compares the default of tamis with selectors that people use, on tables whose markers are known.

    python3 -m venv /tmp/selectors
    /tmp/selectors/bin/pip install scikit-learn mrmr-selection boruta scanpy
    /tmp/selectors/bin/python bench/other_selectors.py

Each table is one of `tamis generate cells`: 300 cells, 250 genes, of which 30 tell the types, in
six groups of five that go together. Prints the tables of README.md: means over the tables. Seconds
are CPU-seconds on one thread; those of tamis include reading the file.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile
import time
import warnings
from importlib.metadata import version
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy starts

import anndata
import numpy as np
import pandas as pd
import scanpy
from boruta import BorutaPy
from mrmr import mrmr_classif
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest

ROOT = Path(__file__).resolve().parents[1]
GROUPS, MARKERS = 6, 30
CYCLE = {"MKI67", "TOP2A", "PCNA", "CDK1", "CCNB1"}


class Cells:
    """One generated table, as the program and as Python code read it."""

    def __init__(self, program, folder, labels_per_class, seed):
        self.program, self.file, self.seed = program, folder / "cells.csv", seed
        self.pairs = folder / "pairs.csv"
        words = ["--labels-per-class", labels_per_class, "--seed", str(seed), "--pairs", self.pairs]
        truth = self.ask("generate", "cells", "-o", self.file, *words)
        self.groups = np.array([-1 if g == GROUPS else g for g in truth["groups"]])
        frame = pd.read_csv(self.file, index_col="id")
        self.y = frame.pop("class")
        self.X = frame
        self.known = self.y.notna()

    def ask(self, *words):
        done = subprocess.run(
            [self.program, *words, "--json", "--quiet", "--threads", "1"],
            check=True,
            capture_output=True,
        )
        return json.loads(done.stdout)

    def labeled(self):
        return self.X[self.known], self.y[self.known]

    def score(self, order):
        """How many groups are among the first six genes, how many markers among the first 30."""
        told = self.groups[np.asarray(order)]
        return len(set(told[:GROUPS]) - {-1}), int((told[:MARKERS] >= 0).sum())


def cpu_seconds():
    """Of this process and of the programs that it has run."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + spent.ru_utime + spent.ru_stime


def tamis(*words):
    def order(cells):
        flags = [cells.pairs if word == "PAIRS" else word for word in words]
        return cells.ask("rank", cells.file, *flags)["order"]

    return order


def select_k_best(cells):
    X, y = cells.labeled()
    scores = SelectKBest(k=MARKERS).fit(X, y).scores_
    return np.argsort(-np.nan_to_num(scores, nan=-1), kind="stable")


def mrmr(cells):
    X, y = cells.labeled()
    chosen = mrmr_classif(X, y, K=MARKERS, show_progress=False, n_jobs=1)
    return X.columns.get_indexer(chosen)


def boruta(cells):
    X, y = cells.labeled()
    forest = RandomForestClassifier(n_jobs=1, max_depth=5, class_weight="balanced")
    found = BorutaPy(forest, n_estimators="auto", random_state=cells.seed)
    found.fit(X.to_numpy(), y.to_numpy())
    # All confirmed genes share rank 1: among equals the more important come first.
    return np.lexsort((-np.nanmean(found.importance_history_[1:], axis=0), found.ranking_))


def highly_variable(cells):
    table = anndata.AnnData(cells.X)
    scanpy.pp.highly_variable_genes(table, flavor="seurat", n_top_genes=MARKERS)
    dispersion = table.var["dispersions_norm"].to_numpy()
    return np.argsort(-np.nan_to_num(dispersion, nan=-np.inf), kind="stable")


NOTHING_MORE = ("no", "no", "no")
SELECTORS = {  # how to call it; whether it uses unlabeled rows and pairs; whether it says how sure
    "`tamis rank`": (tamis(), ("yes", "yes", "q of each feature, and how many add something")),
    "scikit-learn `SelectKBest`": (select_k_best, ("no", "no", "p of each feature")),
    "mRMR (`mrmr-selection`)": (mrmr, NOTHING_MORE),
    "Boruta (`boruta`)": (boruta, ("no", "no", "confirmed, tentative or rejected")),
}
WITHOUT_LABELS = {
    "`tamis rank`, 20 pairs": tamis("--label-column", "none", "--constraints", "PAIRS"),
    "`tamis rank`, the table alone": tamis("--label-column", "none"),
    "scanpy `highly_variable_genes`": highly_variable,
}


def measure(cells_of, selectors, n_tables):
    """Mean groups, markers and seconds of each selector, by its name."""
    found = {name: [] for name in selectors}
    for seed in range(n_tables):
        cells = cells_of(seed)
        for name, order_of in selectors.items():
            start = cpu_seconds()
            order = order_of(cells)
            found[name].append((*cells.score(order), cpu_seconds() - start))
    return {name: np.mean(rows, axis=0) for name, rows in found.items()}


def related(cells_of, n_tables):
    """What `--top relevant` lists: its genes, the markers among them, those of the cell cycle."""
    counts = []
    for seed in range(n_tables):
        cells = cells_of(seed)
        chosen = cells.ask("rank", cells.file, "--top", "relevant")["selected"]
        cycle = CYCLE & set(cells.X.columns[chosen])
        counts.append((len(chosen), int((cells.groups[chosen] >= 0).sum()), len(cycle)))
    return np.mean(counts, axis=0)


def labeled_table(few, all_labels):
    lines = [
        "| | groups, 12 labels | 300 labels | markers, 12 labels | 300 labels "
        "| CPU-seconds, 12 labels | unlabeled rows | pairs | says how sure |",
        "|---" * 9 + "|",
    ]
    for name, (_, facts) in SELECTORS.items():
        (groups, markers, seconds), (more_groups, more_markers, _) = few[name], all_labels[name]
        numbers = (groups, more_groups, markers, more_markers)
        cells = [name, *(f"{number:.1f}" for number in numbers), f"{seconds:.2g}", *facts]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def unlabeled_table(found):
    lines = ["| without labels | groups | markers | CPU-seconds |", "|---" * 4 + "|"]
    for name, (groups, markers, seconds) in found.items():
        lines.append(f"| {name} | {groups:.1f} | {markers:.1f} | {seconds:.2g} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    parser.add_argument("--tables", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # of peers about constant columns and each other
    with tempfile.TemporaryDirectory() as folder:

        def cells_with(labels_per_class):
            return lambda seed: Cells(arguments.program, Path(folder), labels_per_class, seed)

        few, all_labels = cells_with("3"), cells_with("300")
        n_tables = arguments.tables
        callables = {name: order_of for name, (order_of, _) in SELECTORS.items()}
        print(labeled_table(*(measure(each, callables, n_tables) for each in (few, all_labels))))
        print("\n" + unlabeled_table(measure(few, WITHOUT_LABELS, n_tables)))
        listed, markers, cycle = related(few, n_tables)
    print(
        f"\n`--top relevant` lists {listed:.1f} genes: {markers:.1f} of the {MARKERS} markers, "
        f"{cycle:.1f} of the {len(CYCLE)} of the cell cycle."
    )
    peers = ("scikit-learn", "mrmr-selection", "boruta", "scanpy")
    print("\n" + ", ".join(f"{peer} {version(peer)}" for peer in peers))


if __name__ == "__main__":
    main()
