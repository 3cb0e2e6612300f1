"""Numbers of the records, found by what the published items call them."""

from statistics import fmean

from reproducing.accuracy import deviation
from reproducing.program import Problem

# Two-sided quantiles of Student's t at level 0.1, by degrees of freedom.
T_QUANTILES = {1: 6.314, 2: 2.920, 4: 2.132, 9: 1.833, 19: 1.729, 99: 1.660}


class Records:
    """The lines of the experiments that an item draws on."""

    def __init__(self, records, names):
        missing = [name for name in names if name not in records]
        if missing:
            raise Problem(
                f"docs/reproduction/{missing[0]}.jsonl is missing: "
                f"run tools/reproduction.py run {missing[0]}"
            )
        self.names = names
        self.heads = [records[name][0] for name in names]
        self.lines = [line | {"from": name} for name in names for line in records[name][1:]]
        self.used = set()

    def commands(self):
        """The commands of the lines that were asked for, and those that prepare something."""
        known = {(line["from"], line["command"]) for line in self.lines}
        return [
            command
            for name, head in zip(self.names, self.heads, strict=True)
            for number, command in enumerate(head["commands"])
            if (name, number) in self.used or (name, number) not in known
        ]

    def _use(self, line):
        self.used.add((line["from"], line["command"]))
        return line

    def curve(self, data_set, method, labels=None):
        """The first record of that data set and method; `method@5` means with 5 labels."""
        method, _, wanted = method.partition("@")
        labels = int(wanted) if wanted else labels
        for line in self.lines:
            if (line.get("data_set"), line.get("method")) == (data_set, method) and (
                labels in (None, line["labels"])
            ):
                return self._use(line)
        return None

    def runs(self, measure, data_set, method, labels=None):
        """One number for each run."""
        if measure == "cells":
            cell = {"row": data_set, "column": method}
            found = [line for line in self.lines if cell.items() <= line.items()]
            return self._use(found[0])["values"] if found else []
        line = self.curve(data_set, method, labels)
        if line is None or line["runs"] == 0:
            return []
        if measure == "redundancy":  # eq. 3.33 of the thesis counts each pair once
            return [line["correlation"] / 2]
        if measure == "optimum":
            return [line["lengths"][line["mean"].index(max(line["mean"]))]]
        return line[{"average": "averages", "best": "bests"}[measure]]

    def mean_within(self, data_set, method, labels=None, lengths=None):
        """The mean accuracy over numbers of features from `lengths[0]` to `lengths[1]`."""
        line = self.curve(data_set, method, labels)
        if line is None or line["runs"] == 0:
            return None
        low, high = lengths or (0, float("inf"))
        return fmean(
            mean
            for length, mean in zip(line["lengths"], line["mean"], strict=True)
            if low <= length <= high
        )

    def fact(self, name):
        return self._use(next(line for line in self.lines if line.get("fact") == name))


def win_tie_loss(records, data_sets, first, second):
    """On how many data sets `first` is better, not different and worse (paired t, level 0.1)."""
    counts = [0, 0, 0]
    for data_set in data_sets:
        a, b = (records.runs("average", data_set, method) for method in (first, second))
        if not a or len(a) != len(b):
            continue
        differences = [x - y for x, y in zip(a, b, strict=True)]
        error = deviation(differences) / len(differences) ** 0.5
        margin = T_QUANTILES[len(differences) - 1] * error
        mean = fmean(differences)
        counts[0 if mean > margin else 2 if mean < -margin else 1] += 1
    return counts
