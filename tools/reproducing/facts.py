"""Single statements of the papers: each record has what we found and in which share it holds."""

import csv
import json
import re

IRIS = ["F1", "F2", "F3", "F4"]
PUBLISHED_SCORES = (1.07e-2, 1.77e-2, 1.4e-3, 2.7e-3)
BANDWIDTH = ("--bandwidth", "0.1", "--bandwidth-unit", "absolute")
WAVES = range(10)
NMI_LOSSES = (0.6042, 0.7635, 0.8755, 0.8920, 0.9651, 1.0)


def fact(name, number, ours, share):
    return {"command": number, "fact": name, "ours": ours, "share": round(share, 4)}


def write_labels(program, table, name, wanted):
    """A file of labels: those of the first `wanted[i]` rows of the i-th class, else '?'."""
    with open(program.folder / table, newline="") as stream:
        classes = [row[-1] for row in csv.reader(stream)][1:]
    left = dict(zip(dict.fromkeys(classes), wanted, strict=True))
    labels = []
    for word in classes:
        labels.append(word if left[word] > 0 else "?")
        left[word] -= 1
    (program.folder / name).write_text("\n".join(labels) + "\n")


def iris(program):
    """The order of the four features; ten labels, as in the thesis: the first rows of a class."""
    write_labels(program, "iris.csv", "iris-labels.txt", (4, 3, 3))

    def order(method, neighbors=None):
        command = ["rank", "iris.csv", "--drop", "class", "--labels", "iris-labels.txt"]
        command += ["--method", method]
        noted = None
        if neighbors is not None:
            command += [*BANDWIDTH, "--n-neighbors", neighbors]
            noted = "tamis " + " ".join([*command[:-1], "K"])
        result, number = program.ask_json(command, (), noted)
        return [IRIS[column] for column in result["order"]], result["scores"], number

    def orders(name, method, expected, neighbors):
        found = [order(method, k) for k in neighbors]
        hits = sum(best == expected for best, _, _ in found)
        ours = f"for {hits} of {len(found)} values of k"
        return fact(name, found[0][2], ours, hits / len(found))

    best, _, number = order("variance")
    records = [fact("variance", number, ", ".join(best), best == ["F3", "F1", "F4", "F2"])]
    late, early = ["F3", "F4", "F1", "F2"], ["F4", "F3", "F1", "F2"]
    records.append(orders("laplacian-late", "laplacian_score", late, range(15, 21)))
    records.append(orders("laplacian-early", "laplacian_score", early, range(3, 15)))
    records.append(orders("cls", "cls", late, range(1, 21)))
    _, scores, number = order("cls", 10)
    close = [
        abs(ours - paper) <= 0.1 * paper
        for ours, paper in zip(scores, PUBLISHED_SCORES, strict=True)
    ]
    shown = ", ".join(f"{scores[column]:.2e}" for column in (2, 3, 0, 1)) + " (k = 10)"
    return [*records, fact("scores", number, shown, sum(close) / 4)]


def split_waves(program, seed, method):
    """Whether the waves 2..20 come before the noise 22..40, and the ranking of a drawn table."""
    command = ["rank", "wave.csv", "--drop", "class", "--labels", "wave-labels.txt"]
    result, number = program.ask_json([*command, "--method", *method])
    columns = [column + 1 for column in result["order"]]
    noise = [column for column in columns if column >= 22]
    relevant = [column for column in columns if 2 <= column <= 20]
    apart = columns.index(relevant[-1]) < columns.index(noise[0])
    return apart, columns, number


def wave(program):
    """Breiman's waves, drawn anew for each seed; eight labels, the first rows of each class."""
    methods = {
        "cls": ("cls", *BANDWIDTH, "--condense", "som"),
        "csfs": ("csfs", *BANDWIDTH, "--condense", "som"),
        "wckm": ("wckm",),
        "l2gfs": ("l2gfs",),
    }
    outcomes = {name: [] for name in methods}
    iterations = []
    for seed in WAVES:
        program.ask(["generate", "wave"], ("--seed", seed, "-o", "wave.csv"))
        write_labels(program, "wave.csv", "wave-labels.txt", (3, 3, 2))
        for name, method in methods.items():
            outcomes[name].append(split_waves(program, seed, method))
        cluster = ["cluster", "wave.csv", "--drop", "class", "--labels", "wave-labels.txt"]
        result, number = program.ask_json([*cluster, "--method", "wckm"])
        iterations.append(len(result["iterations"]))
    records = []
    for name, found in outcomes.items():
        hits = sum(apart for apart, _, _ in found)
        ours = f"19 waves before all 19 noise features in {hits} of {len(found)} tables"
        records.append(fact(name, found[0][2], ours, hits / len(found)))
    ours = f"{min(iterations)} to {max(iterations)} over {len(iterations)} tables"
    within = min(iterations) <= 19 <= max(iterations)
    return [*records, fact("wckm-iterations", number, ours, within)]


def nmi(program):
    """The values that 1 - NMI takes with ten and with two labels."""
    records = []
    for name, labels, published in (("ten", 5, NMI_LOSSES), ("two", 1, (0.0, 1.0))):
        command = ["rank", "PCMAC.mat", "--method", "sselect", "--eta", "0"]
        result, number = program.ask_json([*command, "--labels-per-class", labels])
        losses = sorted({round(score, 4) for score in result["scores"] if score is not None})
        found = [value for value in published if any(abs(loss - value) < 6e-5 for loss in losses)]
        ours = f"{', '.join(f'{loss:.4f}' for loss in losses)}; of the published {len(found)}"
        share = len(found) / len(published)
        records.append(fact(name, number, f"{ours} of {len(published)}", share))
    return records


def published_ranks(program, item):
    """Friedman's ranks of a published table, by our statistics: a results file made of it."""
    methods = [title for title, _ in item["columns"]]
    header = {
        "schema": "tamis/results/1", "version": program.version(), "command": "", "seed": 0,
        "protocol": "published", "settings": {}, "methods": methods,
        "data_sets": [],
    }  # fmt: skip
    lines = [header]
    for (title, *_), values in zip(item["rows"], item["values"], strict=True):
        header["data_sets"].append(
            {
                "name": title, "file": title, "hash": "", "rows": 2, "features": 1, "labeled": 2,
                "classes": [["1", 1], ["2", 1]],
            }
        )  # fmt: skip
        for method, value in zip(methods, values, strict=True):
            view = {"view": "transfer", "accuracy": [value], "balanced_accuracy": [value]}
            lines.append(
                {
                    "data_set": title, "labels_per_class": 3, "run": 0, "method": method,
                    "lengths": [1], "features": [0], "views": [view], "mean_correlation": [0.0],
                    "wall_seconds": 0.0, "cpu_seconds": 0.0, "peak_memory_bytes": 0,
                    "warnings": [], "failure": None,
                }
            )  # fmt: skip
    path = program.folder / "published.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, number = program.ask(["report", path.name, "-o", "published.html"])
    page = (program.folder / "published.html").read_text()
    blocks = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page)
    ranks = next(b for b in map(json.loads, blocks) if b["file"] == "ranks-3-transfer.csv")
    ours = {row[0]: row[1] for row in ranks["rows"]}
    difference = ranks["rows"][0][3]
    equal = [
        abs(ours[method] - rank) < 6e-5
        for method, rank in zip(methods, item["average_ranks"], strict=True)
    ]
    shown = ", ".join(f"{ours[method]:.4f}" for method in methods)
    return [
        fact("ranks", number, shown, sum(equal) / len(equal)),
        fact("difference", number, f"{difference:.4f}", abs(difference - 1.8336) < 1e-3),
    ]
