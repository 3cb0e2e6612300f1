"""What runs of bench/run measured, one JSON line each: what got worse, and a table of it."""

import json

TOLERATED = 0.15  # of a ratio: repeated runs differ by about that much


def read(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def append(path, entry):
    with path.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def machine_of(entry):
    return entry["cpu"], entry["target"]


def newest(entries, machine):
    """The last ratio of each row on that machine, whatever else its runs measured."""
    found = {}
    for entry in reversed(entries):
        if machine_of(entry) == machine:
            found = found | {w: r for w, r in entry["ratios"].items() if w not in found}
    return found


def is_met(goal, measured):
    """Whether a goal such as ">= 3" is reached."""
    sign, number = goal.split()
    return measured >= float(number) if sign == ">=" else measured <= float(number)


def worse(before, now):
    """(what, ratio before, ratio now) of those that fell, or rose where less is better."""
    found = []
    for what, ratio in now.items():
        if what not in before:
            continue
        earlier, measured = before[what]["measured"], ratio["measured"]
        is_worse = (
            measured < earlier * (1 - TOLERATED)
            if ratio["goal"].startswith(">=")
            else measured > earlier * (1 + TOLERATED)
        )
        if is_worse:
            found.append((what, earlier, measured))
    return found


def cell(ratio):
    if ratio is None:
        return ""
    measured = f"{ratio['measured']:.2f}"
    return measured if is_met(**ratio) else f"**{measured}** ({ratio['goal']})"


def table(entries):
    """The newest ratio of each row, with a column for each machine, that of the last run first."""
    machines = list(dict.fromkeys(machine_of(entry) for entry in reversed(entries)))
    columns = [newest(entries, machine) for machine in machines]
    goals = {what: ratio["goal"] for column in reversed(columns) for what, ratio in column.items()}
    rows = [
        "| what | goal | " + " | ".join(f"{cpu}, {target}" for cpu, target in machines) + " |",
        "|---" * (len(machines) + 2) + "|",
    ]
    for what in dict.fromkeys(what for column in columns for what in column):
        cells = (cell(column.get(what)) for column in columns)
        rows.append(f"| {what} | {goals[what]} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"
