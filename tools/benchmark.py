#!/usr/bin/env python3
"""Compares all methods on the data sets of TAMIS_DATA (or ../shared/data); takes hours.

The records are packed results files of `tamis evaluate` in docs/benchmark. tools/generate.py makes
the tables and pictures of docs/benchmark.md and docs/choosing.md from them, by functions here.
"""

import argparse
import gzip
import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

from reproducing.program import Problem, Program, data_folder

ROOT = Path(__file__).parents[1]
FOLDER = Path("docs/benchmark")
ALL, TREES, DIVERSIFIED = "results", "trees", "diversify"  # names of records
FISHER_DIVERSIFIED = "fisher_diversified"
REGRESSION = FOLDER / "regression.json"  # by tools/regression.py
MUTUAL_INFORMATION = "mutual_info_classif"
DIVERSIFY = ":diversify=200"
AUTO = "ridge_omp"
CONTROLS = ("all", "random", "variance")
FEW = 3  # labels per class, where one number of them stands for both
TOP, RUNS = "5:50:5", 10
KINDS = {
    "small tables": (
        "iris soybean segmentation sonar wbcd ionosphere libras vehicle segmentation2310"
    ),
    "gene expression": "colon lymphoma leukemia TOX-171",
    "faces": "warpPIE10P pixraw10P orlraws10P",
    "text": "RELATHE PCMAC BASEHOCK",
    "artificial": "madelon",
}
WIDE = "colon lymphoma leukemia TOX-171 warpPIE10P pixraw10P orlraws10P RELATHE PCMAC BASEHOCK"
# Methods that need more than 5 CPU-seconds for a ranking of some table, and the tables on which
# they need more than 2: there they are not run.
SLOW = {
    "ens_cls": f"{WIDE} madelon",
    "fs_manifold": "pixraw10P orlraws10P RELATHE PCMAC BASEHOCK",
    "fw_semifs": f"libras segmentation2310 {WIDE} madelon",
    "sbcs": f"{WIDE} madelon",
    "ssfi": f"{WIDE.removeprefix('colon ')} madelon",
    MUTUAL_INFORMATION: WIDE,
}


def run_all(program):
    """All experiments."""
    known, _ = program.ask_json(["methods"])
    names = [method["name"] for method in known["methods"]]
    everywhere = [name for name in names if name not in (*CONTROLS, *SLOW)]
    run(program, ALL, tables_of(), everywhere)
    for name in SLOW.keys() - {MUTUAL_INFORMATION}:
        run(program, name, tables_of(name), [name])
    run(program, FISHER_DIVERSIFIED, tables_of(), ["fisher_score" + DIVERSIFY])
    ranked = ("cls", "fisher_score", "laplacian_score", "lsdf", "sselect")
    pairs = [call for name in ranked for call in (name, name + DIVERSIFY)]
    run(program, DIVERSIFIED, tables_of(), [*pairs, AUTO], "--labels-per-class", FEW)


def tables_of(method=None):
    """All tables, or those on which a slow method is run."""
    too_large = SLOW.get(method, "").split()
    return [table for table in " ".join(KINDS.values()).split() if table not in too_large]


def files_of(program, tables):
    return [path for table in tables for path in program.folder.glob(f"{table}.[cm]*")]


def run(program, name, tables, methods, *settings):
    """Runs an experiment, or goes on where an earlier run was interrupted."""
    files = [path.name for path in files_of(program, tables)]
    settings += ("--top", TOP, "--runs", RUNS, "--unlabeled", "NA", "-o", f"{name}.jsonl")
    program.ask(["evaluate", *files, "--methods", ",".join(methods), *settings])
    keep(program, name)


def run_peers(program):
    """Those of scikit-learn, which need the Python package."""
    from peers import MUTUAL_INFORMATION_PEER, TREE_PEERS, evaluate

    for name, methods in ((TREES, TREE_PEERS), (MUTUAL_INFORMATION, [MUTUAL_INFORMATION_PEER])):
        files = files_of(program, tables_of(name))
        evaluate(files, methods, program.folder / f"{name}.jsonl", top=TOP, runs=RUNS)
        keep(program, name)


def keep(program, name):
    """Packs the results of an experiment into its record."""
    lines = (program.folder / f"{name}.jsonl").read_bytes()
    (ROOT / FOLDER / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines, mtime=0))


def names_of(root):
    """The records that are one comparison, that of most methods first."""
    names = sorted(path.name.partition(".")[0] for path in (root / FOLDER).glob("*.jsonl.gz"))
    return [ALL, *(name for name in names if name not in (ALL, DIVERSIFIED))]


def lines_of(root, name):
    """What a record says first, and the lines of its runs."""
    lines = gzip.decompress((root / FOLDER / f"{name}.jsonl.gz").read_bytes()).splitlines()
    return json.loads(lines[0]), lines[1:]


def merged(records):
    """One results file of several, which must be parts of one comparison.

    Every record has the controls: those of the first one stay.
    """
    (head, lines), *others = records
    lines, methods = list(lines), head["methods"][: -len(CONTROLS)]
    for facts, more in others:
        check_same_comparison(head, facts)
        own = facts["methods"][: -len(CONTROLS)]
        methods += own
        lines += [line for line in more if json.loads(line)["method"] in own]
    head = head | {"methods": [*methods, *head["methods"][-len(CONTROLS) :]]}
    return "".join(f"{line}\n" for line in (json.dumps(head), *(text.decode() for text in lines)))


def check_same_comparison(head, facts):
    """The same seed, settings and tables give the same splits and labels to all methods."""
    shared = head["settings"].keys() & facts["settings"].keys()  # some are newer than some records
    ours, theirs = (
        {**each, "settings": {name: each["settings"][name] for name in sorted(shared)}}
        for each in (head, facts)
    )
    for name in ("version", "seed", "settings"):
        if theirs[name] != ours[name]:
            raise Problem(f"the records differ in their {name}: {theirs[name]}, {ours[name]}")
    hashes = {data["name"]: data["hash"] for data in head["data_sets"]}
    for data in facts["data_sets"]:
        if hashes.get(data["name"]) != data["hash"]:
            raise Problem(f"the records differ in the table {data['name']}")


def recorded(root, names, ask):
    """The summary of records, their page and their commands; `ask` runs the program."""
    records = [lines_of(root, name) for name in names]
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "results.jsonl"
        lines.write_text(merged(records))
        facts = json.loads(ask("report", lines, "--json", "-q"))
        commands = [record["command"] for record, _ in records]
        return facts | {"commands": commands}, ask("report", lines, "-q")


def benchmark_pages(root, ask, replaced):
    """The text of the pages and pictures, by path; `replaced` puts tables between marks."""
    facts, page = recorded(root, names_of(root), ask)
    diversified, _ = recorded(root, [DIVERSIFIED], ask)
    tables = benchmark_tables(facts) | {
        "diversify": diversify_table(diversified),
        "regression": regression_table(json.loads((root / REGRESSION).read_text())),
    }
    docs = root / "docs"
    pages = {
        docs / "benchmark.md": replaced(docs / "benchmark.md", root, tables),
        docs / "choosing.md": replaced(
            docs / "choosing.md", root, {"evidence": evidence_table(facts)}
        ),
    }
    for view in ("transfer", "realistic"):
        pages[docs / f"images/average-ranks-{view}.svg"] = rank_diagram(page, view)
    return pages


def benchmark_tables(facts):
    """What stands between the marks of the page, by the name of the mark."""
    results = [comparison_table(facts, comparison) for comparison in facts["comparisons"]]
    return {
        "command": command_blocks(facts),
        "results": "\n".join(results),
        "failures": failures(facts),
        "time": time_table(facts),
        "data": data_table(facts),
    }


def rank_diagram(page, view):
    """A chart of the record's page as a picture of its own, with the page's style."""
    part = page.split(f'<h3 class="part">{FEW} labels per class</h3>')[1]
    figure = part.split(f"<h3>Average ranks, {view} view</h3>")[1]
    chart = re.search(r"<svg viewBox=\"([^\"]*)\".*?</svg>", figure, re.DOTALL)
    _, _, width, height = chart[1].split()
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    colors = style[: style.index("* {")]
    marks = style[style.index(".tone0 {") : style.index(".legend {")]
    paper = "svg { font-family: sans-serif; background: var(--card); }"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
    text = chart[0].replace("<svg ", head, 1).replace(' tabindex="0"', "", 1)
    return text.replace(">", f"><style>\n{colors}{marks}{paper}\n</style>", 1) + "\n"


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def command_blocks(facts):
    """The commands, and what else a run depends on."""
    said = f"tamis {facts['version']}, seed {facts['seed']}, {facts['settings']['runs']} runs"
    shown = (command.partition(" --quiet")[0] for command in facts["commands"])
    text = "\n\n".join(map(broken, shown))
    return f"```text\n{text}\n```\n\nIt was {said}.\n"


def broken(command, width=120):
    """A command on lines of that width."""
    lines, line = [], ""
    for word in command.split():
        if line and len(line) + len(word) + 3 > width:
            lines.append(f"{line} \\")
            line = " "
        line += f" {word}" if line else word
    return "\n".join([*lines, line])


def comparison_table(facts, comparison):
    """One number of labels in one view: all methods, then all data sets."""
    labels, view = comparison["labels_per_class"], comparison["view"]
    summaries = summaries_of(facts, labels, view)
    friedman = comparison["friedman"]
    ranks = dict(zip(comparison["methods"], friedman["average_ranks"], strict=True))
    methods = sorted(ranks, key=ranks.get)
    head = ["method", "mean accuracy", "average rank", f"{AUTO} wins / ties / losses"]
    rows = [
        (
            f"`{method}`",
            f"{mean_accuracy(summaries, method):.3f}",
            f"{ranks[method]:.2f}",
            versus(comparison, method),
            better_than_random(summaries, method),
        )
        for method in methods
    ]
    return (
        f"### {labels} labels per class, {view} view\n\n"
        f"{table([*head, 'better than random'], rows)}\n"
        f"{friedman_words(friedman, ranks)}\n\n"
        f"{partial_table(summaries, methods)}"
        f"{accuracy_table(summaries, methods)}"
    )


def partial_table(summaries, complete):
    """Methods that were not run everywhere, beside others on the same data sets."""
    known = dict.fromkeys(method for each in summaries.values() for method in each)
    rows = []
    for method in [name for name in known if name not in complete]:
        there = {name: each for name, each in summaries.items() if method in each}
        means = [f"{mean_accuracy(there, each):.3f}" for each in (method, AUTO, "random")]
        rows.append((f"`{method}`", len(there), *means, better_than_random(there, method)))
    head = ["not run everywhere", "data sets", "mean accuracy there", f"`{AUTO}` there"]
    head += ["random there", "better than random"]
    return f"{table(head, rows)}\n" if rows else ""


def summaries_of(facts, labels, view):
    """What is known of each method, by data set."""
    return {
        summary["data_set"]: {method["method"]: method for method in summary["methods"]}
        for summary in facts["summary"]
        if (summary["labels_per_class"], summary["view"]) == (labels, view)
    }


def mean_accuracy(summaries, method):
    return statistics.fmean(each[method]["mean"] for each in summaries.values())


def versus(comparison, method, own=AUTO):
    """Data sets on which our own is significantly better, not different, worse."""
    if method == own:
        return "–"
    methods = comparison["methods"]
    place = methods.index(own) * len(methods) + methods.index(method)
    return " / ".join(map(str, comparison["win_tie_loss"][place]))


def better_than_random(summaries, method):
    if method == "random":
        return "–"
    return f"{sum(each[method]['beats_random'] for each in summaries.values())} of {len(summaries)}"


def friedman_words(friedman, ranks):
    difference = friedman["critical_difference_05"]
    worse = [f"`{name}`" for name, rank in ranks.items() if rank - ranks[AUTO] > difference]
    better = [f"`{name}`" for name, rank in ranks.items() if ranks[AUTO] - rank > difference]
    return (
        f"Friedman: chi-square {friedman['chi_square']:.1f}, p = {friedman['chi_square_p']:.1g}; "
        f"Iman and Davenport: F = {friedman['f']:.1f}, p = {friedman['f_p']:.1g}. "
        f"Critical difference {difference:.2f} (Nemenyi, 0.05): `{AUTO}` is better than "
        f"{', '.join(worse) or 'none'}, and worse than {', '.join(better) or 'none'}."
    )


def accuracy_table(summaries, methods):
    rows = []
    for data_set, known in summaries.items():
        best = max(known[method]["mean"] for method in methods)
        means = [known[method]["mean"] for method in methods]
        cells = [f"**{mean:.3f}**" if mean == best else f"{mean:.3f}" for mean in means]
        rows.append([data_set, *cells])
    inner = table(["", *(f"`{method}`" for method in methods)], rows)
    return f"<details><summary>Accuracy on each data set</summary>\n\n{inner}\n</details>\n"


def failures(facts):
    """Where our default is not above random features, or clearly below another method."""
    lines = []
    for comparison in facts["comparisons"]:
        labels, view = comparison["labels_per_class"], comparison["view"]
        for data_set, known in summaries_of(facts, labels, view).items():
            words = shortcomings(known)
            if words:
                lines.append(f"- {data_set}, {labels} labels per class, {view}: {words}.\n")
    return "".join(lines) or "Nowhere.\n"


def shortcomings(known):
    own = known[AUTO]
    rivals = [name for name in known if name not in (*CONTROLS, AUTO)]
    best = max(rivals, key=lambda name: known[name]["mean"])
    words = []
    if not own["beats_random"] and len(own["lengths"]) > 1:
        words.append("no better than random features")
    if known[best]["mean"] - own["mean"] >= 0.03:
        words.append(f"{own['mean']:.3f}, and {known[best]['mean']:.3f} by `{best}`")
    return "; ".join(words)


def evidence_table(facts):
    """The best methods of each kind of data, beside the controls."""
    rows = []
    for kind, names in KINDS.items():
        for view in ("transfer", "realistic"):
            known = summaries_of(facts, FEW, view)
            tables = {name: known[name] for name in names.split()}
            common = set.intersection(*(set(each) for each in tables.values()))
            means = {method: mean_accuracy(tables, method) for method in common}
            ranked = sorted(means.keys() - set(CONTROLS), key=lambda name: (-means[name], name))
            best = ", ".join(f"`{name}` {means[name]:.3f}" for name in ranked[:3])
            own = f"{means[AUTO]:.3f} (place {ranked.index(AUTO) + 1} of {len(ranked)})"
            rows.append((kind, view, best, own, f"{means['random']:.3f}", f"{means['all']:.3f}"))
    return table(["data", "view", "best three", f"`{AUTO}`", "random", "all"], rows)


def diversify_table(facts):
    """What the greedy order brings to methods that rank one feature at a time."""
    rows = []
    for comparison in facts["comparisons"]:
        summaries = summaries_of(facts, FEW, comparison["view"])
        for call in comparison["methods"]:
            if not call.endswith(DIVERSIFY):
                continue
            plain = call.removesuffix(DIVERSIFY)
            means = [f"{mean_accuracy(summaries, each):.3f}" for each in (plain, call)]
            rows.append((f"`{plain}`", comparison["view"], *means, versus(comparison, plain, call)))
    head = ["method", "view", "as it is", "with `--diversify`", "wins / ties / losses by it"]
    return table(head, rows)


def regression_table(record):
    """R² of each method on each table whose target is a number, and on average."""
    results = record["results"]
    chosen = [name for name in results[0]["r_squared"] if name not in CONTROLS]
    shown = [*chosen, *CONTROLS]
    rows = []
    for each in results:
        means = {name: statistics.fmean(each["r_squared"][name]) for name in shown}
        best = max(round(means[name], 2) for name in chosen)
        cells = [
            f"**{means[name]:.2f}**"
            if name in chosen and round(means[name], 2) == best
            else f"{means[name]:.2f}"
            for name in shown
        ]
        rows.append((each["table"], each["known"], *cells))
    overall = [
        statistics.fmean(statistics.fmean(each["r_squared"][name]) for each in results)
        for name in shown
    ]
    rows.append(("mean", "", *(f"{mean:.2f}" for mean in overall)))
    return table(["table", "known values", *(f"`{name}`" for name in shown)], rows)


def time_table(facts):
    seconds = {}
    for known in summaries_of(facts, FEW, "transfer").values():
        for method in known.keys() - {"all", "random"}:
            seconds.setdefault(method, []).append(known[method]["cpu_seconds"])
    rows = [
        (f"`{method}`", len(values), f"{statistics.median(values):.2g}", f"{max(values):.2g}")
        for method, values in sorted(seconds.items(), key=lambda item: statistics.fmean(item[1]))
    ]
    return table(["method", "data sets", "median", "longest"], rows)


def data_table(facts):
    rows = [
        (data["name"], data["rows"], data["features"], len(data["classes"]), f"`{data['hash']}`")
        for data in facts["data_sets"]
    ]
    return table(["data set", "rows", "features", "classes", "hash of table and labels"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    parser.add_argument(
        "--peers", action="store_true", help="run the selectors of scikit-learn instead"
    )
    arguments = parser.parse_args()
    try:
        folder = ROOT / "build/benchmark"
        program = Program(arguments.program, folder, data_folder(ROOT), threads=0)
        (run_peers if arguments.peers else run_all)(program)
    except Problem as problem:
        sys.exit(f"benchmark.py: {problem}")


if __name__ == "__main__":
    main()
