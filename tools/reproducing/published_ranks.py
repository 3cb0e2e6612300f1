"""Friedman's ranks of a published table, by our statistics: a results file made of its numbers."""

import json
import re
from math import comb

from reproducing.facts import fact

CRITICAL_DIFFERENCE = 1.8336
CRITICAL_WINS = 7


def data_set_of(title):
    sizes = {"rows": 6, "features": 1, "labeled": 6, "classes": [["1", 3], ["2", 3]]}
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


def ranks_of(program, item, wins_item):
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
        *groups(program, path, dict(zip(lines[0]["methods"], shown, strict=True)), difference),
        *wins(number, wins_item),
    ]


def groups(program, path, ranks, difference):
    """Whether the methods differ at all, and which cannot be told from the best one."""
    summary, number = program.ask_json(["report", path.name])
    p = summary["comparisons"][0]["friedman"]["chi_square_p"]
    best = min(ranks, key=ranks.get)
    near = [name for name in ranks if name != best and ranks[name] - ranks[best] <= difference]
    return [
        fact("friedman", number, f"p = {p:.1g}", p < 0.05),
        fact("group", number, f"with {best}: {', '.join(near)}", near == ["SSFI"]),
    ]


def critical_wins(n, level):
    """Wins of one of two equal rivals on n tables that chance exceeds with at most this level."""
    tail, wins = 0.0, n + 1
    while tail + comb(n, wins - 1) / 2**n <= level:
        wins -= 1
        tail += comb(n, wins) / 2**n
    return wins


def wins(number, item):
    """Which methods win often enough by the published wins, ties and losses; ties are shared."""
    names = [title for title, _ in item["columns"]]
    n = sum(map(int, item["values"][0][1].split("/")))
    needed = critical_wins(n, 0.1)
    beaten = []
    for name, row in zip(names, item["values"], strict=True):
        for rival, counts in zip(names, row, strict=True):
            won, tied, _ = map(int, (counts or "0/0/0").split("/"))
            if won + tied // 2 >= needed:
                beaten.append((name, rival))
    first = [rival for name, rival in beaten if name == names[0]]
    words = ", ".join(f"{name} over {rival}" for name, rival in beaten)
    return [
        fact("critical-wins", number, f"{needed} of {n}", needed == CRITICAL_WINS),
        fact("outperforms", number, words, first == names[1:]),
    ]
