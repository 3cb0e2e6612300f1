"""Friedman's ranks of a published table, by our statistics: a results file made of its numbers."""

import json
import re

from reproducing.facts import fact

CRITICAL_DIFFERENCE = 1.8336


def data_set_of(title):
    sizes = {"rows": 2, "features": 1, "labeled": 2, "classes": [["1", 1], ["2", 1]]}
    return {"name": title, "file": title, "hash": ""} | sizes


def line_of(data_set, method, accuracy):
    """One run with one number of features."""
    view = {"view": "transfer", "accuracy": [accuracy], "balanced_accuracy": [accuracy]}
    where = {"data_set": data_set, "labels_per_class": 3, "run": 0, "method": method}
    found = {"lengths": [1], "features": [0], "views": [view], "mean_correlation": [0.0]}
    cost = {"wall_seconds": 0.0, "cpu_seconds": 0.0, "peak_memory_bytes": 0}
    return where | found | cost | {"warnings": [], "failure": None}


def results_of(item, version):
    """The lines of a results file, as `tamis evaluate -o` writes it."""
    methods = [title for title, _ in item["columns"][: len(item["average_ranks"])]]
    titles = [row[0] for row in item["rows"]]
    head = {"schema": "tamis/results/1", "version": version, "command": "", "seed": 0}
    head |= {"protocol": "published", "settings": {}, "methods": methods}
    head["data_sets"] = [data_set_of(title) for title in titles]
    lines = [
        line_of(title, method, accuracy)
        for title, values in zip(titles, item["values"], strict=True)
        for method, accuracy in zip(methods, values, strict=False)
    ]
    return [head, *lines]


def ranks_of(program, item):
    """The ranks and the critical difference at level 0.1 that the report of the table shows."""
    lines = results_of(item, program.version())
    path = program.folder / "published.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, number = program.ask(["report", path.name, "-o", "published.html"])
    page = (program.folder / "published.html").read_text()
    blocks = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page)
    block = next(b for b in map(json.loads, blocks) if b["file"] == "ranks-3-transfer.csv")
    ranks = {row[0]: row[1] for row in block["rows"]}
    shown = [ranks[method] for method in lines[0]["methods"]]
    equal = [abs(a - b) < 6e-5 for a, b in zip(shown, item["average_ranks"], strict=True)]
    difference = block["rows"][0][block["columns"].index("critical difference 10")]
    close = abs(difference - CRITICAL_DIFFERENCE) < 1e-3
    words = ", ".join(f"{rank:.4f}" for rank in shown)
    return [
        fact("ranks", number, words, sum(equal) / len(equal)),
        fact("difference", number, f"{difference:.4f}", close),
    ]
