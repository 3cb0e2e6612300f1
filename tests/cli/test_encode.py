"""Columns of text as features."""

import numpy as np
import pytest

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


def test_runs_of_rows_do_not_do(refused, people):
    assert refused("rank", "people.csv", "--encode", "onehot", "--memory", "1G", code=USAGE) == (
        "tamis: --encode needs the whole table in memory: leave out --memory and --checkpoint"
    )
