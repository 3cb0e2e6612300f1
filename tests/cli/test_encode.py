"""Columns of text as features."""

import json

import numpy as np
import pytest
from program import csv_text

DATA = 3
USAGE = 2


@pytest.fixture
def people(write):
    """Classes that a text column tells, beside noise."""
    random = np.random.default_rng(1)
    lines = ["noise,colour,other,weak,class"]
    for i in range(60):
        label = i % 2
        colour = ("red", "blue")[label] if i % 10 else "green"
        weak = label + 2 * random.normal()
        lines.append(f"{random.normal()},{colour},{'uvw'[i % 3]},{weak},{'xy'[label]}")
    return write("people.csv", "\n".join(lines) + "\n")


def test_text_columns_are_refused_with_the_flag(refused, people):
    assert refused("rank", "people.csv", code=DATA) == (
        "tamis: people.csv: 2 columns hold text: 1 (colour: 'green', 'blue', 'red'), "
        "2 (other: 'u', 'v', 'w'); use --encode onehot if their texts are categories, --drop "
        "colour,other to leave them out, and --label-column or --id-column for one that holds "
        "labels or ids"
    )


def test_a_group_has_the_score_and_place_of_its_best_column(tamis, people):
    words = ("rank", "people.csv", "--encode", "onehot", "--method", "fisher_score", "--json")
    outcome = tamis(*words)
    result = outcome.json
    names = [result["names"][column] for column in result["order"]]
    assert set(names[:3]) == {"colour=red", "colour=blue", "colour=green"}
    scores = dict(zip(result["names"], result["scores"], strict=True))
    assert len({scores[name] for name in names[:3]}) == 1
    assert len({scores[f"other={value}"] for value in "uvw"}) == 1
    assert (
        "tamis: note: people.csv: column 'colour' holds 3 categories ('blue', 'green', 'red'), "
        "read as 3 columns of 0 and 1 that stand for one feature"
    ) in outcome.err.splitlines()


def test_a_group_is_selected_whole(tamis, people):
    words = ("select", "people.csv", "--method", "fisher_score", "--encode", "onehot")
    lines = tamis(*words, "--top", "1").out.splitlines()
    assert lines[0] == "colour=blue,colour=green,colour=red,class"
    listed = tamis("rank", *words[1:], "--top", "2").out.splitlines()
    assert len(listed) == 1 + 3


def test_a_text_of_chance_is_not_relevant(tamis, write, tmp_path):
    random = np.random.default_rng(3)
    lines = ["a,b,c,d,colour,class"]
    for i in range(200):
        noise = ",".join(f"{value:.6f}" for value in random.normal(size=4))
        label = "xy"[i % 2] if i < 20 else ""
        lines.append(f"{noise},{'rgb'[random.integers(3)]},{label}")
    write("t.csv", "\n".join(lines) + "\n")
    words = ("rank", "t.csv", "--encode", "onehot", "--json", "--trace", "trace.jsonl")
    result = tamis(*words).json
    assert min(result["relevance"]["q"]) > 0.1
    events = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    folds = next(event["fold"] for event in events if event["event"] == "folds")
    assert len(set(folds[4:])) == 1


def test_ordinal_and_drop(tamis, people):
    words = ("rank", "people.csv", "--method", "fisher_score", "--json", "--encode")
    assert tamis(*words, "ordinal").json["names"] == ["noise", "weak", "colour", "other"]
    assert tamis(*words, "drop").json["names"] == ["noise", "weak"]


def test_missing_texts_stay_missing(tamis, refused, write):
    write("t.csv", "a,b,class\n1,u,x\n2,,y\n3,v,x\n5,u,y\n4,v,y\n1,u,x\n")
    words = ("rank", "t.csv", "--method", "fisher_score", "--encode", "onehot")
    assert "2 missing values in 1 row and 2 columns" in refused(*words, code=DATA)
    assert tamis(*words, "--missing", "median").code == 0
    names = tamis(*words, "--missing", "columns", "--json").json["names"]
    assert names == ["a"]


def test_encoded_columns_are_judged(tamis, people):
    words = ("evaluate", "people.csv", "--encode", "onehot", "--methods", "fisher_score")
    result = tamis(*words, "--runs", "3", "--labels-per-class", "5", "--json").json
    assert result["data_sets"][0]["features"] == 8


def judged_features(tamis, folder, *words):
    """The features of t.csv in a run, best first; the name of the file decides on its rows."""
    protocol = ("--runs", "1", "--labels-per-class", "5", "--seed", "3", "-o", "runs.jsonl", "-q")
    outcome = tamis("evaluate", "t.csv", *protocol, *words)
    assert outcome.code == 0, outcome.err
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()[1:]]
    (folder / "runs.jsonl").unlink()
    return runs[0]["features"]


def unseen_rows(tamis, folder, write):
    """The rows that judge: a column that only such a row fills does not vary in training."""
    cells = np.diag(np.arange(200, 140, -1))
    write("t.csv", csv_text(cells, ["xy"[i % 2] for i in range(60)]))
    words = ("--methods", "variance", "--top", "1:60")
    order = judged_features(tamis, folder, *words)
    n_seen = next(s for s in range(1, 60) if order[s] < order[s - 1])
    assert 30 < n_seen < 50
    return order[n_seen:]


@pytest.mark.parametrize("kind", ["onehot", "ordinal"])
def test_methods_see_texts_of_training_rows_only(tamis, write, tmp_path, people, kind):
    header, *lines = people.read_text().splitlines()
    cells = [line.split(",") for line in lines]
    unseen = unseen_rows(tamis, tmp_path, write)

    def features(rows):
        write("t.csv", "\n".join([header, *(",".join(row) for row in rows)]) + "\n")
        words = ("--encode", kind, "--methods", "fisher_score", "--top", "1:9")
        return judged_features(tamis, tmp_path, *words)

    def other_tells_classes(rows):
        changed = [[*row[:2], "uv"[row[4] == "y"], *row[3:]] for row in cells]
        return [changed[i] if i in rows else cells[i] for i in range(60)]

    before = features(cells)
    assert features(other_tells_classes(unseen)) == before
    assert features(other_tells_classes(range(60))) != before
    if kind == "onehot":  # a category that training rows do not have says nothing
        pink = [[row[0], "pink", *row[2:]] if i in unseen else row for i, row in enumerate(cells)]
        column = 4  # behind blue and green
        found = [each - (each > column) for each in features(pink) if each != column]
        assert found == before


def test_runs_of_rows_do_not_do(refused, people):
    assert refused("rank", "people.csv", "--encode", "onehot", "--memory", "1G", code=USAGE) == (
        "tamis: --encode needs the whole table in memory: leave out --memory and --checkpoint"
    )
