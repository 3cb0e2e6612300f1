"""Breiman's waves: what the figures show beside the order of the features."""

import csv
import json
from statistics import fmean, pvariance

from reproducing.accuracy import plain
from reproducing.facts import WAVES, fact, write_labels

NOISE = range(22, 41)  # features counted from 1
LENGTHS = (1, 2, 5, 10, 15, 20, 30, 40)
FEW = (5, 10, 15)  # numbers of features by which a ranking and the columns as they stand differ
ROWS, RUNS = 1000, 5
EVALUATE = ("--protocol", "wckm-2013", "--paper", "--random-draws", 1, "--runs", RUNS)


def noise(program):
    """Figure 3.9: what the noise is like, and how many rows there are."""
    _, number = program.ask(["generate", "wave"], ("-o", "wave.csv"))
    with open(program.folder / "wave.csv", newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    columns = [[float(row[feature - 1]) for row in rows] for feature in NOISE]
    means, variances = [fmean(c) for c in columns], [pvariance(c) for c in columns]
    words = (
        f"{len(rows)} rows; means {min(means):.2f} to {max(means):.2f}, "
        f"variances {min(variances):.2f} to {max(variances):.2f}"
    )
    near = max(map(abs, means)) < 0.1 and max(abs(v - 1) for v in variances) < 0.1
    return fact("noise", number, words, near and len(rows) == 5000)


def violations(program):
    """Figure 4.1c: broken constraints at the first and at the last iteration of wckm."""
    ends = {"must": [], "cannot": []}
    for seed in WAVES:
        program.ask(["generate", "wave"], ("--seed", seed, "-o", "wave.csv"))
        write_labels(program, "wave.csv", "wave-labels.txt", (3, 3, 2))
        command = ["cluster", "wave.csv", "--drop", "class", "--labels", "wave-labels.txt"]
        result, number = program.ask_json([*command, "--method", "wckm"])
        for kind, found in ends.items():
            counts = [iteration[f"{kind}_link_violations"] for iteration in result["iterations"]]
            found.append((counts[0], counts[-1]))
    records = []
    for kind, found in ends.items():
        first, last = (fmean(counts) for counts in zip(*found, strict=True))
        words = f"{first:.1f} broken at first, {last:.1f} at last (mean of {len(found)} tables)"
        share = fmean(end <= start for start, end in found) if first > 0 else 1.0
        records.append(fact(f"violations-{kind}", number, words, share))
    return records


def accuracies(program, methods, top, *dropped):
    """Mean accuracies of all methods, by name and number of features, and the command."""
    command = ["evaluate", "small-wave.csv", "--methods", methods, *EVALUATE, "--top", top]
    hidden = ("--drop", ",".join(f"F{feature}" for feature in dropped)) if dropped else ()
    noted = "tamis " + " ".join(map(str, [*command[:-1], "K"]))
    text, number = program.ask(command, (*hidden, "-o", "-"), noted)
    curves = {}
    for run in map(json.loads, text.splitlines()[1:]):
        for length, accuracy in zip(run["lengths"], run["views"][0]["accuracy"], strict=True):
            curves.setdefault(plain(run["method"]), {}).setdefault(length, []).append(accuracy)
    means = {name: {k: fmean(a) for k, a in found.items()} for name, found in curves.items()}
    return means, number


def curves(program):
    """Figures 3.18, 4.1d and, of the paper on L2GFS, 2: accuracy by number of features."""
    program.ask(["generate", "wave", "--rows", ROWS], ("-o", "small-wave.csv"))
    found, number = accuracies(program, "wckm,l2gfs,csfs,csfsr", ",".join(map(str, LENGTHS)))
    noisy, _ = accuracies(program, "variance", len(NOISE), *range(1, NOISE[0]))
    as_they_stand = {}
    for length in FEW:
        only, _ = accuracies(program, "variance", length, *range(length + 1, 41))
        as_they_stand[length] = only["all"][length]
    noise_alone = noisy["all"][len(NOISE)]
    records = []
    for name in ("wckm", "l2gfs", "csfs"):
        curve = found[name]
        words = ", ".join(f"{curve[length]:.2f} ({length})" for length in (1, 5, 10, 20, 40))
        rises, stays = curve[20] - curve[1] > 0.1, abs(curve[40] - curve[20]) < 0.03
        records.append(fact(f"{name}-curve", number, words, (rises + stays) / 2))
        weak = noise_alone < curve[20] - 0.2
        words = f"{noise_alone:.2f} with noise alone, {curve[20]:.2f} with the best 20"
        records.append(fact(f"{name}-noise", number, words, weak))
        above = [curve[length] > as_they_stand[length] for length in FEW]
        words = "; ".join(
            f"{length} features: {curve[length]:.2f}, {as_they_stand[length]:.2f} as they stand"
            for length in FEW
        )
        records.append(fact(f"{name}-order", number, words, fmean(above)))
    faster = [found["csfsr"][length] > found["csfs"][length] for length in (2, 5, 10)]
    words = "; ".join(
        f"{length} features: {found['csfsr'][length]:.2f} and {found['csfs'][length]:.2f}"
        for length in (2, 5, 10)
    )
    return [*records, fact("csfsr-faster", number, words, fmean(faster))]


def waves(program):
    return [noise(program), *violations(program), *curves(program)]
