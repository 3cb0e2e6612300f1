"""How sSelect depends on λ (η here), and whether the cut value tells which is good."""

import csv

from reproducing.accuracy import measure
from reproducing.facts import fact
from reproducing.verdicts import rank_correlation

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


def cut_value(rows):
    """The second smallest eigenvalue of the normalised Laplacian of all rows' similarities."""
    import numpy as np
    from scipy.linalg import eigh

    table = np.array(rows, dtype=float)
    norms = (table**2).sum(axis=1)
    squares = np.maximum(norms[:, None] + norms - 2 * table @ table.T, 0)
    weights = np.exp(-squares / squares.mean())
    roots = np.sqrt(weights.sum(axis=1))
    walk = weights / roots[:, None] / roots
    second = len(table) - 2
    return 1 - eigh(walk, eigvals_only=True, subset_by_index=[second, second])[0]


def cut_of(program, eta, labels):
    """Of the table in the best features by all of its rows."""
    command = ["select", "PCMAC.mat", "--method", "sselect", "--top", SHORT]
    command += ["--labels-per-class", labels // 2, "--eta"]
    noted = "tamis " + " ".join(map(str, [*command, "λ", "-o", "best.csv"]))
    _, number = program.ask([*command, eta], ("-o", "best.csv"), noted)
    with open(program.folder / "best.csv", newline="") as stream:
        return cut_value([row[:-1] for row in list(csv.reader(stream))[1:]]), number


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
        cuts, number = zip(*(cut_of(program, eta, labels) for eta in ETAS), strict=True)
        agreement = -rank_correlation(cuts, [found[eta][SHORT] for eta in ETAS])
        words = f"cut {cuts[0]:.3f} (λ = 0.1), {cuts[-1]:.3f} (0.9); rank correlation "
        words += f"{agreement:.2f} of low cuts and accuracies"
        facts.append(fact(f"cut-{labels}", number[0], words, agreement >= 0.5))
    return [*records, *facts]
