"""What earlier runs of bench/run measured, one JSON line each, and which ratios got worse since."""

import json

TOLERATED = 0.15  # of a ratio: repeated runs differ by about that much


def read(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def append(path, entry):
    with path.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def last_of_the_same_machine(entries, entry):
    same = [e for e in entries if (e["cpu"], e["target"]) == (entry["cpu"], entry["target"])]
    return same[-1] if same else None


def worse(before, now):
    """(what, ratio before, ratio now) of those that fell, or rose where less is better."""
    found = []
    for what, ratio in now["ratios"].items():
        earlier = before["ratios"].get(what)
        if earlier is None:
            continue
        is_worse = (
            ratio["measured"] < earlier["measured"] * (1 - TOLERATED)
            if ratio["goal"].startswith(">=")
            else ratio["measured"] > earlier["measured"] * (1 + TOLERATED)
        )
        if is_worse:
            found.append((what, earlier["measured"], ratio["measured"]))
    return found
