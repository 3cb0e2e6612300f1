"""Single statements of the papers: each record has what we found and in which share it holds."""

import csv
from statistics import fmean

IRIS = ["F1", "F2", "F3", "F4"]
CLOSE_PAIRS = ((73, 150), (78, 111))  # of Iris, with different classes
IRIS_LABELS = (1, 2, 3, 4, 51, 73, 78, 101, 111, 150)
PUBLISHED_SCORES = (1.07e-2, 1.77e-2, 1.4e-3, 2.7e-3)
PAPER = ("--paper",)
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


def label_rows(program, table, name, rows):
    """The classes of these rows, counted from 1, and of no other."""
    with open(program.folder / table, newline="") as stream:
        classes = [row[-1] for row in csv.reader(stream)][1:]
    labels = [word if row + 1 in rows else "?" for row, word in enumerate(classes)]
    (program.folder / name).write_text("\n".join(labels) + "\n")


def nearness(program, table, row, other):
    """Which neighbour of a row the other one is, 1 being the nearest; both counted from 1."""
    with open(program.folder / table, newline="") as stream:
        points = [[float(word) for word in line[:-1]] for line in list(csv.reader(stream))[1:]]
    centre = points[row - 1]
    distances = [sum((a - b) ** 2 for a, b in zip(p, centre, strict=True)) for p in points]
    nearer = [d for i, d in enumerate(distances) if i != row - 1 and d < distances[other - 1]]
    return len(nearer) + 1


def iris(program):
    """The order of the four features; ten labels, four of which the thesis names."""
    label_rows(program, "iris.csv", "iris-labels.txt", IRIS_LABELS)

    def order(method, neighbors=None, settings=PAPER):
        command = ["rank", "iris.csv", "--drop", "class", "--labels", "iris-labels.txt"]
        command += ["--method", method]
        noted = None
        if neighbors is not None:
            command += [*settings, "--n-neighbors", neighbors]
            noted = "tamis " + " ".join([*command[:-1], "K"])
        result, number = program.ask_json(command, (), noted)
        return [IRIS[column] for column in result["order"]], result["scores"], number

    def orders(name, method, expected, neighbors, settings=PAPER):
        found = [order(method, k, settings) for k in neighbors]
        hits = sum(best == expected for best, _, _ in found)
        ours = f"for {hits} of {len(found)} values of k"
        return fact(name, found[0][2], ours, hits / len(found))

    best, _, number = order("variance")
    records = [fact("variance", number, ", ".join(best), best == ["F3", "F1", "F4", "F2"])]
    late, early = ["F3", "F4", "F1", "F2"], ["F4", "F3", "F1", "F2"]
    records.append(orders("laplacian-late", "laplacian_score", late, range(15, 21)))
    records.append(orders("laplacian-early", "laplacian_score", early, range(3, 15)))
    binary = ("--kernel", "binary")
    records.append(orders("laplacian-binary", "laplacian_score", early, range(3, 15), binary))
    records.append(orders("cls", "cls", late, range(1, 21)))
    _, scores, number = order("cls", 10)
    close = [
        abs(ours - paper) <= 0.1 * paper
        for ours, paper in zip(scores, PUBLISHED_SCORES, strict=True)
    ]
    shown = ", ".join(f"{scores[column]:.2e}" for column in (2, 3, 0, 1)) + " (k = 10)"
    records.append(fact("scores", number, shown, sum(close) / 4))
    _, laplacian, number = order("laplacian_score", 10)
    below = [ours < theirs for ours, theirs in zip(scores, laplacian, strict=True)]
    shown = ", ".join(f"{laplacian[column]:.2e}" for column in (2, 3, 0, 1)) + " (k = 10)"
    records.append(fact("smaller", number, f"Laplacian scores {shown}", sum(below) / 4))
    places = [nearness(program, "iris.csv", *pair) for pair in CLOSE_PAIRS]
    shown = ", ".join(
        f"{other} is neighbour {place} of {row}"
        for place, (row, other) in zip(places, CLOSE_PAIRS, strict=True)
    )
    near = sum(place <= 10 for place in places) / len(places)
    return [*records, fact("close", number, shown, near)]


def split_waves(program, method):
    """Whether waves 2..20 come before noise 22..40, how much noise is last, and the command."""
    command = ["rank", "wave.csv", "--drop", "class", "--labels", "wave-labels.txt"]
    result, number = program.ask_json([*command, "--method", *method])
    noise = [column >= 21 for column in result["order"] if 1 <= column <= 19 or column >= 21]
    return noise == sorted(noise), sum(noise[19:]), number


def wave(program):
    """Breiman's waves, drawn anew for each seed; eight labels, the first rows of each class."""
    methods = {
        "cls": ("cls", *PAPER),
        "csfs": ("csfs", *PAPER),
        "wckm": ("wckm",),
        "l2gfs": ("l2gfs", *PAPER),
    }
    outcomes = {name: [] for name in methods}
    iterations = []
    for seed in WAVES:
        program.ask(["generate", "wave"], ("--seed", seed, "-o", "wave.csv"))
        write_labels(program, "wave.csv", "wave-labels.txt", (3, 3, 2))
        for name, method in methods.items():
            outcomes[name].append(split_waves(program, method))
        cluster = ["cluster", "wave.csv", "--drop", "class", "--labels", "wave-labels.txt"]
        result, number = program.ask_json([*cluster, "--method", "wckm"])
        iterations.append(len(result["iterations"]))
    records = []
    for name, found in outcomes.items():
        hits = sum(apart for apart, _, _ in found)
        last = fmean(count for _, count, _ in found)
        ours = (
            f"all of 2 to 20 before all of 22 to 40 in {hits} of {len(found)} tables; "
            f"of the last 19 of these, {last:.1f} are noise"
        )
        records.append(fact(name, found[0][2], ours, hits / len(found)))
    ours = f"{min(iterations)} to {max(iterations)} over {len(iterations)} tables"
    within = min(iterations) <= 19 <= max(iterations)
    return [*records, fact("wckm-iterations", number, ours, within)]


def nmi(program):
    """The values that 1 - NMI takes with ten and with two labels, and how many the cut takes."""

    def values(eta, labels):
        command = ["rank", "PCMAC.mat", "--method", "sselect", "--eta", eta]
        result, number = program.ask_json([*command, "--labels-per-class", labels])
        return [round(score, 4) for score in result["scores"] if score is not None], number

    records = []
    for name, labels, published in (("ten", 5, NMI_LOSSES), ("two", 1, (0.0, 1.0))):
        scores, number = values(0, labels)
        losses = sorted(set(scores))
        found = [value for value in published if any(abs(loss - value) < 6e-5 for loss in losses)]
        ours = f"{', '.join(f'{loss:.4f}' for loss in losses)}; of the published {len(found)}"
        share = len(found) / len(published)
        records.append(fact(name, number, f"{ours} of {len(published)}", share))
    cuts, number = values(1, 1)
    words = f"{len(set(cuts))} different ones of {len(cuts)}, to four digits"
    return [*records, fact("smooth", number, words, 2 * len(set(cuts)) > len(cuts))]
