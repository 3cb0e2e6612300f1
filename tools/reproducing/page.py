"""The page docs/reproduction.md."""

from collections import Counter
from statistics import fmean

from reproducing.records import Records, win_tie_loss
from reproducing.verdicts import (
    CLOSE,
    HOLDS,
    HOLDS_MOSTLY,
    NEAR,
    NONE,
    NOT,
    PARTLY,
    REPRODUCES,
    SAME_ORDER,
    compare,
    verdict_of_shares,
)

INTRODUCTION = f"""\
# Reproduction

What the five papers behind these methods published, and what comes out here.
`tools/reproduction.py write` makes this page from the records in [reproduction](reproduction) and
from the published numbers in [published.json](reproduction/published.json), where the reasons are,
too; no number of ours is written by hand. `tools/reproduction.py run [NAME...]` repeats the
experiments.

Every cell of a table is *published / ours*; – means that there is no number, because the data or
the method are not available. What is said of reasons is our judgement; a verdict follows from the
numbers, and only cells with both numbers count:

- **Tables.** *{REPRODUCES}*: the mean absolute difference is at most {100 * CLOSE:.0f} points
  (hundredths) and, with several methods, the best one is the same in at least two thirds of the
  rows. *{PARTLY}*: the difference is at most {100 * NEAR:.0f} points, or the best one is the same
  that often, or the rank correlation of the methods (mean over the rows, three methods or more) is
  at least {SAME_ORDER}. *{NOT}*: none of these.
- **Statements**, and figures of which the text says in words which method is better.
  *{REPRODUCES}*: at least {100 * HOLDS:.0f} % of the comparisons hold. *{PARTLY}*: at least
  {100 * HOLDS_MOSTLY:.0f} %. *{NOT}*: fewer.
- *{NONE}*: nothing to compare with, or nothing that we can compute.

Our rankings see the training rows only, and chance draws other rows and labels than it drew for the
authors: differences of a few points mean nothing. In commands, TABLE stands for each table and K
for each number that is tried; `--seed` is 0, 1, 2 and so on where there are several draws.
`--paper` gives every method the settings of its paper; `settings=default` keeps ours where those
leave nothing to compute, as the reasons say.
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def number(value, percent, digits=None):
    if value is None:
        return "–"
    return f"{100 * value:.{digits or 1}f}" if percent else f"{value:.{digits or 3}f}"


def own_value(item, records, row, column):
    """The mean of a cell; columns and rows without a name of ours have none.

    A row may be the mean over several data sets, each with its number of labels or without.
    """
    if isinstance(row[1], list):
        cells = [own_value(item, records, ["", *place], column) for place in row[1]]
        known = [value for value in cells if value is not None]
        return fmean(known) if known else None
    if isinstance(column, list):  # of several variants the best one
        known = [own_value(item, records, row, each) for each in column]
        best = min if item.get("lower") else max
        return best((value for value in known if value is not None), default=None)
    data_set, labels = row[1], row[2] if len(row) > 2 else item.get("labels")
    if data_set is None or column is None:
        return None
    measure = item.get("measure", "average")
    values = records.runs(measure, data_set, column, labels)
    if not values:
        return None
    if "minus" in item:
        from_values = records.runs(measure, data_set, item["minus"], labels)
        return fmean(from_values) - fmean(values)
    return fmean(values)


def table_item(item, records):
    percent = item.get("percent", False)
    scale = 100 if percent else 1
    published = [
        [None if value is None else value / scale for value in row] for row in item["values"]
    ]
    ours = [
        [own_value(item, records, row, column) for _, column in item["columns"]]
        for row in item["rows"]
    ]
    rows = [
        [row[0], *(cell(a, b, percent, item.get("digits")) for a, b in zip(*values, strict=True))]
        for row, *values in zip(item["rows"], published, ours, strict=True)
    ]
    result = compare(published, ours, item.get("lower", False), item.get("rivals", True))
    words = [f"{result.compared} of {result.cells} cells compared"]
    if result.difference is not None:
        words.append(f"mean absolute difference {100 * result.difference:.1f} points")
    if result.winners is not None:
        words.append(f"same best in {result.winners[0]} of {result.winners[1]} rows")
    if result.order is not None:
        words.append(f"rank correlation {result.order:.2f}")
    head = [item.get("corner", "data"), *(title for title, _ in item["columns"])]
    return result.verdict, table(head, rows) + "\n" + "; ".join(words).capitalize() + ".\n"


def cell(published, ours, *form):
    return f"{number(published, *form)} / {number(ours, *form)}"


def wins_item(item, records):
    names = [title for title, _ in item["columns"]]
    methods = [method for _, method in item["columns"]]
    rows, shares = [], []
    for i, name in enumerate(names):
        row = [name]
        for j, published in enumerate(item["values"][i]):
            if published is None or None in (methods[i], methods[j]):
                row.append(f"{published} / –" if published else "–")
                continue
            ours = win_tie_loss(records, item["data_sets"], methods[i], methods[j])
            row.append(f"{published} / {'/'.join(map(str, ours))}".replace(" / ", " · "))
            wins, _, losses = map(int, published.split("/"))
            if i < j:
                shares.append((wins > losses) == (ours[0] > ours[2]))
        rows.append(row)
    words = f"The same side has more wins in {sum(shares)} of {len(shares)} pairs.\n"
    return verdict_of_shares(shares), table(["published · ours", *names], rows) + "\n" + words


def facts_item(item, records):
    found = {name: records.fact(name) for name in item["facts"]}
    rows = [
        [published, found[name]["ours"], f"{100 * found[name]['share']:.0f} %"]
        for name, published in item["facts"].items()
    ]
    verdict = verdict_of_shares([line["share"] for line in found.values()])
    return verdict, table(["published", "ours", "holds"], rows)


def mean_of(records, claim, data_set, method, where):
    """Of a curve between two numbers of features, or of a cell."""
    if claim.get("measure") != "cells":
        return records.mean_within(data_set, method, *where)
    values = records.runs("cells", data_set, method)
    return fmean(values) if values else None


def orders_item(item, records):
    rows, shares = [], []
    for claim in item["claims"]:
        where = (claim.get("labels"), claim.get("lengths"))
        held, failed = [], []
        for data_set, better, worse in claim["pairs"]:
            high, low = (
                mean_of(records, claim, data_set, method, where) for method in (better, worse)
            )
            if None in (high, low):
                continue
            words = f"{data_set}: {short(better)} {high:.3f}, {short(worse)} {low:.3f}"
            (held if high > low - claim.get("margin", 0) else failed).append(words)
        shares += [1.0] * len(held) + [0.0] * len(failed)
        count = f"{len(held)} of {len(held) + len(failed)}"
        rows.append([claim["says"], count, "; ".join(failed) or "–"])
    return verdict_of_shares(shares), table(["published", "holds in", "not in"], rows)


def optima_item(item, records):
    """Numbers of features; two that are at most `within` apart agree."""
    rows, shares = [], []
    for row, published in zip(item["rows"], item["values"], strict=True):
        cells = [row[0]]
        for (_, column), theirs in zip(item["columns"], published, strict=True):
            ours = own_value(item, records, row, column)
            cells.append(f"{theirs} / {'–' if ours is None else f'{ours:.0f}'}")
            if ours is not None:
                shares.append(float(abs(ours - theirs) <= item["within"]))
        rows.append(cells)
    head = ["data", *(title for title, _ in item["columns"])]
    words = f"{sum(shares):.0f} of {len(shares)} are at most {item['within']} apart.\n"
    return verdict_of_shares(shares), table(head, rows) + "\n" + words


def short(method):
    """A method without its options."""
    name, _, labels = method.partition("@")
    options = name.partition(":")[2]
    shown = name.partition(":")[0] + (f" ({options})" if options.startswith("eta") else "")
    return f"{shown}, {'all' if labels == '1000' else labels} labels" if labels else shown


def none_item(_item, _records):
    return NONE, ""


KINDS = {
    "table": table_item,
    "wins": wins_item,
    "facts": facts_item,
    "orders": orders_item,
    "optima": optima_item,
    "none": none_item,
}


def runs_text(records):
    counts = sorted({line["runs"] for line in records.lines if line.get("runs")})
    counts = counts or sorted({len(line["values"]) for line in records.lines if "values" in line})
    return f"Runs: {', '.join(map(str, counts))}. " if counts else ""


def section(item, all_records):
    records = Records(all_records, item.get("experiments", []))
    verdict, body = KINDS[item["kind"]](item, records)
    parts = [f"### {item['item']}: {item['title']}\n", f"**Verdict: {verdict}.** {item['why']}\n"]
    if body:
        parts.append(body)
    if records.names:
        links = ", ".join(f"[{name}](reproduction/{name}.jsonl)" for name in records.names)
        versions = ", ".join(sorted({head["version"] for head in records.heads}))
        parts.append(f"{runs_text(records)}Record: {links}; tamis {versions}.\n")
        parts.append("```text\n" + "\n".join(records.commands()) + "\n```\n")
    return verdict, "\n".join(parts)


def page_of(published, all_records):
    """The whole page: a table of the verdicts, then the items of each paper."""
    papers, overview = [], []
    for paper in published["papers"]:
        sections = [section(item, all_records) for item in paper["items"]]
        for item, (verdict, _) in zip(paper["items"], sections, strict=True):
            overview.append([paper["name"], item["item"], item["title"], verdict])
        heading = f"## {paper['name']}\n\n{paper['reference']}\n"
        papers.append("\n".join([heading, *(text for _, text in sections)]))
    verdicts = Counter(row[-1] for row in overview)
    counts = ", ".join(f"{name}: {verdicts[name]}" for name in (REPRODUCES, PARTLY, NOT, NONE))
    summary = table(["paper", "item", "what", "verdict"], overview)
    return "\n".join([INTRODUCTION, f"## Overview\n\n{counts.capitalize()}.\n", summary, *papers])
