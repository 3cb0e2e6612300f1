"""Answers that can be derived by hand, through the program: examples and theorems of the papers."""

import json

import pytest
from program import ROOT

TRUTHS = json.loads((ROOT / "tests" / "data" / "truths.json").read_text())


def csv_of(rows):
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def member(result, path):
    for name in path.split("."):
        result = result[name]
    return result


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth["name"])
def test_the_program_knows(tamis, write, truth):
    write("x.csv", csv_of(truth["table"]))
    command, *options = truth["run"]
    if truth["labels"] is not None:
        write("labels.txt", csv_of([[label or ""] for label in truth["labels"]]))
        options += ["--labels", "labels.txt"]
    if truth["pairs"] is not None:
        write("pairs.csv", csv_of(truth["pairs"]))
        options += ["--constraints", "pairs.csv"]
    for flag, rows in (truth["files"] or {}).items():
        write(f"{flag}.csv", csv_of(rows))
        options += [f"--{flag}", f"{flag}.csv"]
    result = tamis(command, "x.csv", *options, "--json").json
    for path, expected in truth["expect"].items():
        found = member(result, path)
        if isinstance(expected, bool):
            assert found is expected, path
        else:
            assert found == pytest.approx(expected, abs=truth["tolerance"]), path
