"""Examples that the papers draw. The pictures have no numbers: tables are ours, outcomes theirs."""

import csv

from reproducing.facts import fact

CROSSING = [(0, 0), (2, 0), (1, 1), (3, 2)]  # a must-link, then a cannot-link that overlaps it
PERPENDICULAR = [(0, 0), (2, 0), (1, 1), (1, 3)]
# Eight rows whose columns have the tree of Figure 3.5, with correlations .9, .8, .7, .6 and .5.
SIX_FEATURES = [
    (6.6794, 7.2659, 2.8, 6.0, 5.0824, 1.7131),
    (-2.3206, -3.8381, -2.8, -6.0, -0.7976, 0.7331),
    (2.3206, 5.2499, 0.4, 6.0, 2.5624, -0.439),
    (-6.6794, -1.8221, -0.4, -6.0, 1.7224, -0.579),
    (6.6794, -2.5619, 2.8, 6.0, 0.7976, -0.7331),
    (-2.3206, -0.8659, -2.8, -6.0, -5.0824, -1.7131),
    (2.3206, -4.5779, 0.4, 6.0, -1.7224, 0.579),
    (-6.6794, 1.1501, -0.4, -6.0, -2.5624, 0.439),
]
FIVE_ROWS = [(1, 0), (0, 4), (1, 6), (1.5, 10), (3, 5)]


def write_table(program, name, rows):
    with open(program.folder / f"{name}.csv", "w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([f"F{column + 1}" for column in range(len(rows[0]))])
        writer.writerows(rows)


def write_pairs(program, name, must_link, cannot_link):
    """Pairs of rows, counted from 0."""
    lines = [f"{a},{b},must" for a, b in must_link] + [f"{a},{b},cannot" for a, b in cannot_link]
    (program.folder / f"{name}-pairs.csv").write_text("\n".join(lines) + "\n")


def coherence(program):
    """Figure 3.3 of the thesis: constraints that overlap on each other's line do not agree."""
    records = []
    for name, rows, expected in (("crossing", CROSSING, 0), ("perpendicular", PERPENDICULAR, 1)):
        write_table(program, name, rows)
        write_pairs(program, name, [(0, 1)], [(2, 3)])
        command = ["constraints", f"{name}.csv", "--constraints", f"{name}-pairs.csv"]
        result, number = program.ask_json([*command, "--coherence"])
        found = result["coherence"]
        records.append(fact(name, number, f"coherence {found:g}", found == expected))
    return records


def pruning(program):
    """Figures 3.5 and 3.6: a spanning tree of correlations, and what is left of six features."""
    write_table(program, "six", SIX_FEATURES)
    command = ["rank", "six.csv", "--method", "csfsr", "--base", "variance"]
    result, number = program.ask_json(command)
    kept = [result["names"][column] for column in result["selected"]]
    pruned = {
        result["names"][entry["feature"]]: result["names"][entry["because_of"]]
        for entry in result["redundancy"]["removed"]
    }
    removed = ", ".join(f"{feature} by {by}" for feature, by in pruned.items())
    return [
        fact("kept", number, ", ".join(kept), kept == ["F4", "F2", "F6"]),
        fact("removed", number, removed, pruned == {"F1": "F4", "F3": "F4", "F5": "F2"}),
    ]


def five_rows(program):
    """Figures 1 and 2 of the report on similarity: constraints turn the order round."""
    write_table(program, "five", FIVE_ROWS)
    write_pairs(program, "five", [(0, 3)], [(1, 4)])
    binary = ("--n-neighbors", "2", "--kernel", "binary")
    pairs = ("--constraints", "five-pairs.csv")
    methods = {
        "variance": ("F2", ("variance",)),
        "laplacian": ("F2", ("laplacian_score", *binary)),
        "ratio": ("F1", ("constraint_score", *pairs)),
        "difference": ("F1", ("constraint_score", "--form", "difference", *pairs)),
        "similarity": ("F1", ("sbcs", "--mode", "supervised", *pairs)),
    }
    records = []
    for name, (expected, method) in methods.items():
        result, number = program.ask_json(["rank", "five.csv", "--method", *method])
        best = result["names"][result["order"][0]]
        records.append(fact(name, number, best, best == expected))
    return records
