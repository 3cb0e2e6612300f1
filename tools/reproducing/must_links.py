"""Must-links deduced from the nearest labeled row: a table alone is enough, no ranking is made."""

import csv
import random
from collections import Counter
from statistics import fmean, pstdev

TABLES = ("vehicle", "segmentation", "segmentation2310", "wbcd", "ionosphere", "sonar", "libras")
RUNS = 100
PER_CLASS = 3


def read_standardised(path):
    """Rows with columns of mean 0 and deviation 1, and the classes."""
    with open(path, newline="") as stream:
        table = list(csv.reader(stream))[1:]
    columns = []
    for column in list(zip(*table, strict=True))[:-1]:
        numbers = [float(number) for number in column]
        centre, scale = fmean(numbers), pstdev(numbers)
        if scale > 0:
            columns.append([(number - centre) / scale for number in numbers])
    return list(zip(*columns, strict=True)), [row[-1] for row in table]


def pairs(count):
    """Eq. 17 takes them from X²: in either order, and a row with itself."""
    return count * count


def quality(rows, classes, generator):
    """Correct among the deduced, correct among the possible, and given among the possible."""
    prototypes = []
    for name in sorted(set(classes)):
        members = [i for i, word in enumerate(classes) if word == name]
        prototypes += generator.sample(members, PER_CLASS)

    def class_of_nearest(row):
        def distance(prototype):
            return sum((a - b) ** 2 for a, b in zip(row, rows[prototype], strict=True))

        return classes[min(prototypes, key=distance)]

    deduced = [class_of_nearest(row) for row in rows]
    correct = sum(map(pairs, Counter(zip(deduced, classes, strict=True)).values()))
    possible = sum(map(pairs, Counter(classes).values()))
    given = len(set(classes)) * pairs(PER_CLASS)
    return (
        correct / sum(map(pairs, Counter(deduced).values())),
        correct / possible,
        given / possible,
    )


def deduced(program):
    """Table 2 of the report on similarity-based constraint scores."""
    records = []
    number = program.note("tools/reproduction.py run sbcs-table-2")
    for table in TABLES:
        rows, classes = read_standardised(program.folder / f"{table}.csv")
        runs = [quality(rows, classes, random.Random(run)) for run in range(RUNS)]
        for column, values in zip(("CR", "COV", "SMC"), zip(*runs, strict=True), strict=True):
            numbers = [round(value, 6) for value in values]
            records.append({"command": number, "row": table, "column": column, "values": numbers})
    return records
