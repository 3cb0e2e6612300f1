"""One ranking for each of several label columns, of one reading of the table."""

import numpy as np
import pandas as pd
import pytest
from program import csv_text


@pytest.fixture
def two_labels(write, matrix):
    x, labels = matrix
    lines = csv_text(x, labels).splitlines()
    lines = [f"{line},{'side' if i == 0 else i % 2}" for i, line in enumerate(lines)]
    return write("two.csv", "\n".join(lines) + "\n")


def test_several_label_columns_give_a_ranking_each(tamis, two_labels):
    words = ("rank", "two.csv", "--method", "fisher_score", "--label-column")
    both = tamis(*words, "class,side", "--json").json
    assert both["schema"] == "tamis/rankings/1"
    for each, (column, other) in zip(
        both["rankings"], [("class", "side"), ("side", "class")], strict=True
    ):
        alone = tamis(*words, column, "--drop", other, "--json").json
        assert each["label_column"] == column
        assert each["names"] == alone["names"] == [f"f{r}" for r in range(6)]
        assert each["scores"] == alone["scores"] and each["order"] == alone["order"]
    lines = tamis(*words, "class,side", "--csv", "--top", "2").out.splitlines()
    assert lines[0] == "rank,class,class score,side,side score" and len(lines) == 3
    first = both["rankings"][0]
    assert lines[1].split(",")[1] == first["names"][first["order"][0]]


def test_several_label_columns_tell_how_sure_features_are(tamis, two_labels):
    words = ("rank", "two.csv", "--label-column")
    both = tamis(*words, "class,side", "--csv").out.splitlines()
    titles = both[0].split(",")
    assert titles[1:5] == ["class", "class score", "class q", "class part"]
    assert titles[5:] == ["side", "side score", "side q", "side part"]
    for column, other, cells in (("class", "side", slice(1, 5)), ("side", "class", slice(5, 9))):
        alone = tamis(*words, column, "--drop", other, "--csv").out.splitlines()
        names = alone[0].split(",")
        wanted = [names.index(name) for name in ("feature", "score", "q", "part")]
        for line, expected in zip(both[1:], alone[1:], strict=True):
            values = expected.split(",")
            assert line.split(",")[cells] == [values[place] for place in wanted]


def test_several_label_columns_exclude_a_page(refused, two_labels):
    assert (
        refused("rank", "two.csv", "--label-column", "class,side", "--report", "p.html", code=2)
        == "tamis: rank: --report is about one label column: give --label-column one"
    )


def ranked_by(tamis, name, columns, *words, **options):
    call = ("rank", name, "--method", "fisher_score", "--json", "--label-column")
    return tamis(*call, ",".join(columns), *words, **options).json


def without_measures(ranking):
    """What does not depend on the moment."""
    measures = ("seconds", "peak_memory_bytes", "label_column")
    return {key: value for key, value in ranking.items() if key not in measures}


def frame_with_two_labels(matrix):
    x, labels = matrix
    return pd.DataFrame(x).add_prefix("f").assign(kind=labels, side=np.arange(len(x)) % 2)


WRITERS = {
    "t.csv": lambda frame, path: frame.to_csv(path, index=False),
    "t.json": lambda frame, path: frame.to_json(path, orient="records"),
    "t.npz": lambda frame, path: np.savez(
        path,
        X=frame.filter(like="f").to_numpy(),
        kind=frame["kind"].to_numpy(dtype=str),
        side=frame["side"],
    ),
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("words", [(), ("--scale", "standard"), ("--labels-per-class", "2")])
def test_several_label_columns_are_those_of_one_reading(tamis, tmp_path, matrix, name, words):
    frame = frame_with_two_labels(matrix)
    WRITERS[name](frame, tmp_path / name)
    both = ranked_by(tamis, name, ("side", "kind"), *words)["rankings"]
    for each, (column, other) in zip(both, [("side", "kind"), ("kind", "side")], strict=True):
        drop = () if name == "t.npz" else ("--drop", other)
        alone = ranked_by(tamis, name, (column,), *drop, *words)
        assert without_measures(each) == without_measures(alone)


def test_several_label_columns_of_numbers(tamis, tmp_path):
    random = np.random.default_rng(3)
    table = np.column_stack([random.standard_normal((30, 4)), np.arange(30) % 3, np.arange(30) % 2])
    np.save(tmp_path / "t.npy", table)
    both = ranked_by(tamis, "t.npy", ("5", "4"))["rankings"]
    for each, (column, other) in zip(both, [("5", "4"), ("4", "5")], strict=True):
        alone = ranked_by(tamis, "t.npy", (column,), "--drop", other)
        assert without_measures(each) == without_measures(alone)


def test_several_label_columns_with_missing_values(tamis, write):
    write("t.csv", "a,b,p,q\n1,2,x,u\n2,,x,v\n5,1,y,u\n7,3,y,v\n6,2,y,u\n")
    for kind in ("median", "rows"):
        both = ranked_by(tamis, "t.csv", ("p", "q"), "--missing", kind)["rankings"]
        for each, (column, other) in zip(both, [("p", "q"), ("q", "p")], strict=True):
            alone = ranked_by(tamis, "t.csv", (column,), "--drop", other, "--missing", kind)
            assert without_measures(each) == without_measures(alone)


def test_several_label_columns_of_standard_input_are_read_once(tamis, refused, two_labels):
    text = two_labels.read_text()
    piped = ranked_by(tamis, "-", ("class", "side"), stdin=text)["rankings"]
    named = ranked_by(tamis, "two.csv", ("class", "side"))["rankings"]
    assert [each["scores"] for each in piped] == [each["scores"] for each in named]
    words = ("rank", "-", "--label-column", "class,side", "--memory", "1G")
    assert refused(*words, code=2, stdin=text) == (
        "tamis: rank: in runs of rows, standard input can be read for one label column only"
    )


def test_a_label_column_is_asked_for_once(refused, two_labels):
    assert refused("rank", "two.csv", "--label-column", "class,class", code=2) == (
        "tamis: two.csv: column 'class' is asked for twice as the labels"
    )
