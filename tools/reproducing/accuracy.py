"""Accuracies by number of features: `tamis evaluate`, and its results condensed to a few lines."""

import json
from statistics import fmean, stdev


def deviation(values):
    return stdev(values) if len(values) > 1 else 0.0


def rounded(values):
    return [round(value, 4) for value in values]


def plain(method):
    """A method without where its options come from, which the command says."""
    name, _, options = method.partition(":")
    others = [option for option in options.split(",") if not option.startswith("settings=")]
    return f"{name}:{','.join(others)}" if any(others) else name


def condensed(lines):
    """One record for each data set, method and number of labels, of a results file's lines."""
    groups = {}
    for line in lines:
        key = (line["data_set"], plain(line["method"]), line["labels_per_class"])
        groups.setdefault(key, []).append(line)
    return [record_of(*key, runs) for key, runs in groups.items()]


def record_of(data_set, method, labels, runs):
    record = {"data_set": data_set, "method": method, "labels": labels}
    done = [run for run in runs if run["failure"] is None]
    if len(done) < len(runs):
        failed = next(run for run in runs if run["failure"] is not None)
        record |= {"failed_runs": len(runs) - len(done), "failure": failed["failure"]}
    if not done:
        return record | {"runs": 0}
    curves = [run["views"][0]["accuracy"] for run in done]
    if any(run.get("n_constraints") for run in done):
        record |= by_constraints(done)
    correlations = [run["mean_correlation"][-1] for run in done]
    by_length = list(zip(*curves, strict=True))
    return record | {
        "runs": len({run["run"] for run in done}),
        "lengths": done[0]["lengths"],
        "mean": rounded(map(fmean, by_length)),
        "sd": rounded(map(deviation, by_length)),
        "averages": rounded(map(fmean, curves)),
        "bests": rounded(map(max, curves)),
        "correlation": None if None in correlations else round(fmean(correlations), 4),
        "cpu_seconds": round(fmean(run["cpu_seconds"] for run in done), 4),
    }


def by_constraints(runs):
    """Mean accuracies by the number of constraints that a method saw."""
    groups = {}
    for run in runs:
        accuracies = groups.setdefault(run["n_constraints"], [])
        accuracies.append(fmean(run["views"][0]["accuracy"]))
    numbers = sorted(groups)
    return {
        "constraints": numbers,
        "by_constraints": rounded(fmean(groups[number]) for number in numbers),
    }


def measure(program, name, commands):
    """The records of an experiment: each command is the tables and the options of an evaluation.

    Results are kept in the working folder, where an interrupted experiment goes on.
    """
    records = []
    for position, (tables, options) in enumerate(commands):
        arguments = ["evaluate", *tables.split(), *options.split()]
        results = program.folder / f"{name}-{position}.jsonl"
        _, number = program.ask(arguments, ("-o", results.name), may_fail=True)
        lines = [json.loads(line) for line in results.read_text().splitlines()]
        records += [{"command": number} | record for record in condensed(lines[1:])]
    return records
