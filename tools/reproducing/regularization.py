"""How sSelect depends on λ (η here): Figures 4, 7a and 7b of its paper."""

import csv
from math import log1p
from statistics import fmean

from reproducing.accuracy import measure
from reproducing.facts import fact

ETAS = [round(0.1 * step, 1) for step in range(1, 10)]
LABELS = {2: 0.8, 6: 0.4, 10: 0.2}  # labels in all, and the best λ that the text gives
SHORT, LONG = 10, 200  # numbers of features
GOOD = (0.1, 0.3)  # where the text finds λ good with few features
METHODS = ",".join(f"sselect:eta={eta}" for eta in ETAS)
COMMANDS = [
    (
        "PCMAC.mat",
        f"--protocol sselect-2006 --methods {METHODS} --top {SHORT},{LONG} --random-draws 1"
        " --runs 1",
    )
]


def effect(program):
    """The curves, and what the text says of them."""
    records = measure(program, "sselect-eta", COMMANDS)
    facts = []
    for labels, published in LABELS.items():
        found = {
            float(record["method"].partition("=")[2]): dict(
                zip(record["lengths"], record["mean"], strict=True)
            )
            for record in records
            if record["labels"] == labels and "=" in record["method"]
        }
        number = records[0]["command"]
        best = {length: max(ETAS, key=lambda eta: found[eta][length]) for length in (SHORT, LONG)}
        within = GOOD[0] <= best[SHORT] <= GOOD[1]
        facts.append(fact(f"short-{labels}", number, f"λ = {best[SHORT]}", within))
        near = abs(best[LONG] - published) <= 0.1 + 1e-9
        facts.append(fact(f"long-{labels}", number, f"λ = {best[LONG]}", near))
    return [*records, *facts]


# What rows may be before similarities are taken: the paper does not say.
ROWS = {"counts": float, "logarithms": log1p, "words": lambda count: float(count > 0)}


def cut_value(rows):
    """The second smallest eigenvalue of the normalised Laplacian of all rows' similarities.

    Rows that are equal are one of a multiple weight: all other eigenvalues are 1.
    """
    import numpy as np

    points, copies = np.unique(np.array(rows), axis=0, return_counts=True)
    norms = (points**2).sum(axis=1)
    squares = np.maximum(norms[:, None] + norms - 2 * points @ points.T, 0)
    weights = np.exp(-squares / (copies @ squares @ copies) * copies.sum() ** 2)
    roots = np.sqrt(copies / (weights @ copies))
    return max(0.0, 1 - np.linalg.eigvalsh(roots[:, None] * weights * roots)[-2])


def best_words(program, eta, labels, length):
    """The table in the best features by all of its rows, and the command."""
    command = ["select", "PCMAC.mat", "--method", "sselect", "--top", length]
    command += ["--labels-per-class", labels // 2, "--eta"]
    noted = "tamis " + " ".join(map(str, [*command, "λ", "-o", "best.csv"]))
    _, number = program.ask([*command, eta], ("-o", "best.csv"), noted)
    with open(program.folder / "best.csv", newline="") as stream:
        lines = list(csv.reader(stream))[1:]
    return [[float(word) for word in line[:-1]] for line in lines], number


def cut_values(program, length):
    """By kind of rows, number of labels and λ; and the command."""
    found = {kind: {} for kind in ROWS}
    for labels in LABELS:
        for eta in ETAS:
            rows, number = best_words(program, eta, labels, length)
            for kind, change in ROWS.items():
                changed = [[change(value) for value in row] for row in rows]
                found[kind].setdefault(labels, {})[eta] = round(cut_value(changed), 3)
    return found, number


def cuts(program):
    """Whether cut values are where the text finds λ good, with few features and with many."""
    return [*short_cuts(program), *long_cuts(program)]


def short_cuts(program):
    """Whether the smallest cut value is where the text finds λ good, and λ = 0.9 far above it."""
    found, number = cut_values(program, SHORT)
    facts = []
    for kind, by_labels in found.items():
        holds, words = [], []
        for labels, values in by_labels.items():
            best = min(values[eta] for eta in ETAS if GOOD[0] <= eta <= GOOD[1])
            holds.append(best == min(values.values()) and values[ETAS[-1]] > best)
            words.append(f"l = {labels}: {best:.3f} and {values[ETAS[-1]]:.3f}")
        facts.append(fact(f"cut-{kind}", number, "; ".join(words), fmean(holds)))
    return facts


def long_cuts(program):
    """Whether the λ of the smallest cut value grows as labels become fewer."""
    found, number = cut_values(program, LONG)
    facts = []
    for kind, by_labels in found.items():
        best = [min(ETAS, key=values.get) for values in by_labels.values()]
        holds = best[0] >= best[1] >= best[2] and best[0] > best[2]
        words = [
            f"l = {labels}: λ = {eta} ({by_labels[labels][eta]:.3f}, largest"
            f" {max(by_labels[labels].values()):.3f})"
            for labels, eta in zip(by_labels, best, strict=True)
        ]
        facts.append(fact(f"long-cut-{kind}", number, "; ".join(words), holds))
    return facts
