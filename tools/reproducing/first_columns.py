"""How accurate the first 1, 2, ... 20 columns are: what a ranking gives that is no ranking."""

import csv
import json
from statistics import fmean

from reproducing.accuracy import deviation
from reproducing.facts import fact

PUBLISHED = {"warpPIE10P": (0.535, 0.04), "pixraw10P": (0.837, 0.05)}
MOST = 20
RUNS = 10


def as_csv(program, table):
    """The first columns of a table and its classes, as rows of a CSV table."""
    program.ask(
        ["select", f"{table}.mat", "--method", "variance", "--top", "all", "-o", "whole.csv"]
    )
    with open(program.folder / "whole.csv", newline="") as stream:
        return [[*row[:MOST], row[-1]] for row in csv.reader(stream)]


def accuracy_of_first(program, rows, count):
    """The accuracies of the first `count` columns, one for each run."""
    with open(program.folder / "first.csv", "w", newline="") as stream:
        csv.writer(stream).writerows([*row[:count], row[-1]] for row in rows)
    command = ["evaluate", "first.csv", "--label-column", "Y", "--methods", "variance"]
    command += ["--protocol", "ens-cls-2013", "--runs", RUNS, "--random-draws", "1", "--top"]
    noted = "tamis " + " ".join(map(str, [*command, "K"]))
    text, number = program.ask([*command, count], ("-o", "-"), noted)
    lines = [json.loads(line) for line in text.splitlines()[1:]]
    return [run["views"][0]["accuracy"][0] for run in lines if run["method"] == "all"], number


def equal_accuracies(program):
    """Whether the published accuracies that CLS and CSFS share are those of the first columns."""
    records = []
    for table, (published, spread) in PUBLISHED.items():
        rows = as_csv(program, table)
        results = [accuracy_of_first(program, rows, count) for count in range(1, MOST + 1)]
        averages = [fmean(runs) for runs in zip(*(runs for runs, _ in results), strict=True)]
        mean = fmean(averages)
        ours = f"{mean:.3f} ± {deviation(averages):.2f} with the first columns"
        records.append(fact(table, results[0][1], ours, abs(mean - published) <= spread))
    return records
