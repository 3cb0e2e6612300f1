"""Missing values: refused with what can be done about them, filled in, or left out."""

import json

import numpy as np
import pytest
from program import csv_text


def holed(x):
    """A copy with three values missing, in two rows and two columns."""
    x = x.copy()
    x[3, 1] = x[3, 4] = x[7, 4] = np.nan
    return x


@pytest.fixture
def table(write, matrix):
    x, labels = matrix
    write("x.csv", csv_text(holed(x), labels))
    return holed(x), labels


def scores(tamis, file, *words):
    outcome = tamis("rank", file, "--method", "fisher_score", "--json", *words)
    return outcome.json["scores"], outcome.json["diagnostics"]["warnings"]


def test_are_refused_with_what_can_be_done(refused, table):
    assert refused("rank", "x.csv", code=3) == (
        "tamis: x.csv: the table has 3 missing values in 2 rows and 2 columns; the first is in row "
        "3, column 1 (f1); --missing median, mean or nearest fills them in, --missing rows or "
        "columns leaves these rows or columns out"
    )


@pytest.mark.parametrize("kind", ["median", "mean"])
def test_are_filled_in_by_column(tamis, table, write, kind):
    x, labels = table
    fill = getattr(np, "nan" + kind)(x, axis=0)
    write("full.csv", csv_text(np.where(np.isnan(x), fill, x), labels))
    filled, warnings = scores(tamis, "x.csv", "--missing", kind)
    np.testing.assert_allclose(filled, scores(tamis, "full.csv")[0], rtol=1e-12)
    assert warnings == [
        f"x.csv: 3 missing values in 2 rows and 2 columns are filled in with the {kind} of the "
        "column"
    ]


def test_are_filled_in_by_the_nearest_rows(tamis, table):
    filled, warnings = scores(tamis, "x.csv", "--missing", "nearest")
    assert np.isfinite(filled).all()
    assert warnings[0].endswith("with the mean of the column over the 5 nearest rows")


def test_rows_are_left_out_with_their_labels_and_pairs(tamis, table, write):
    x, labels = table
    kept = ~np.isnan(x).any(axis=1)
    write("labels.txt", "".join(f"{label}\n" for label in labels))
    write("bare.csv", csv_text(x))
    write("complete.csv", csv_text(x[kept], labels[kept]))
    left, warnings = scores(tamis, "bare.csv", "--labels", "labels.txt", "--missing", "rows")
    assert left == scores(tamis, "complete.csv")[0]
    assert warnings == ["bare.csv: 2 rows with 3 missing values left out"]


def test_columns_are_left_out(tamis, table):
    outcome = tamis("rank", "x.csv", "--missing", "columns", "--json").json
    assert outcome["names"] == ["f0", "f2", "f3", "f5"]
    assert outcome["diagnostics"]["warnings"] == ["x.csv: 2 columns with 3 missing values left out"]


def test_nothing_is_left_if_every_row_lacks_something(refused, write):
    write("x.csv", "a,b,class\n1,,x\n,2,y\n")
    assert refused("rank", "x.csv", "--missing", "rows", code=3) == (
        "tamis: x.csv: every row has a missing value: without them none is left"
    )


@pytest.mark.parametrize("kind", ["median", "mean", "nearest", "rows", "columns"])
def test_nothing_changes_where_nothing_is_missing(tamis, write, matrix, kind):
    write("x.csv", csv_text(*matrix))

    def lasting(*words):
        outcome = tamis("rank", "x.csv", "--json", *words)
        return {
            name: value
            for name, value in outcome.json.items()
            if name not in ("seconds", "peak_memory_bytes")
        }, outcome.err

    assert lasting("--missing", kind) == lasting()


def test_select_writes_what_was_read(tamis, table, tmp_path):
    outcome = tamis("select", "x.csv", "--missing", "median", "--top", "6", "-o", "y.csv")
    assert outcome.code == 0, outcome.err
    written = np.genfromtxt(tmp_path / "y.csv", delimiter=",", skip_header=1)[:, :6]
    np.testing.assert_array_equal(written, table[0])


def test_sparse_tables_keep_their_zeros(tamis, write):
    write("x.svm", "1 1:2 2:nan\n1 1:3\n2 2:4\n2 1:1 2:5\n")
    write("y.svm", "1 1:2 2:3\n1 1:3\n2 2:4\n2 1:1 2:5\n")
    assert scores(tamis, "x.svm", "--missing", "mean")[0] == scores(tamis, "y.svm")[0]


def test_evaluate_learns_from_training_rows(tamis, table, write, tmp_path):
    words = ("--methods", "fisher_score", "--runs", 3, "--labels-per-class", 3, "--top", "1:4")
    for kind in ("median", "nearest", "rows"):
        outcome = tamis(
            "evaluate", "x.csv", *words, "--missing", kind, "-o", f"{kind}.jsonl", "--json"
        )
        assert outcome.json["summary"][0]["methods"][0]["failures"] == 0
    hashes = {
        json.loads((tmp_path / f"{kind}.jsonl").read_text().splitlines()[0])["data_sets"][0]["hash"]
        for kind in ("median", "nearest", "rows")
    }
    assert len(hashes) == 3  # so that an experiment is not continued with other values
