"""`tamis select`: the reduced table keeps values, names, ids and labels."""

import csv
import gzip

import numpy as np
import pytest
import scipy.io
from program import csv_text

SMALL_FLAGS = ("--id-column", "id")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_keeps_exactly_the_best_columns_in_their_order(tamis, small, tmp_path):
    words = ("small.csv", *SMALL_FLAGS, "--top", "2")
    best = tamis("rank", *words, "--json").json["selected"]
    assert tamis("select", *words, "-o", "out.csv").code == 0
    before, after = rows_of(small), rows_of(tmp_path / "out.csv")
    names = [["height", "width", "noise"][column] for column in sorted(best)]
    assert list(after[0]) == ["id", *names, "class"]
    for old, new in zip(before, after, strict=True):
        assert new["id"] == old["id"] and new["class"] == old["class"]
        assert all(float(new[name]) == float(old[name]) for name in names)


def test_values_are_written_as_stored_whatever_the_scale(tamis, small, tmp_path):
    tamis(
        "select", "small.csv", *SMALL_FLAGS, "--top", "all", "--scale", "standard", "-o", "out.csv"
    )
    assert [row["width"] for row in rows_of(tmp_path / "out.csv")] == [
        "5.1", "5", "4.8", "1.2", "1.1", "0.9", "5.2", "1",
    ]  # fmt: skip


def test_the_extension_chooses_the_format(tamis, write, tmp_path, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, labels))
    words = ("select", "t.csv", "--method", "fisher_score", "--top", "2", "-q", "-o")
    for name in ("out.mat", "out.npy", "out.svm", "out.tsv", "out.csv.gz"):
        outcome = tamis(*words, name)
        assert outcome.code == 0, outcome.err
    np.testing.assert_array_equal(scipy.io.loadmat(tmp_path / "out.mat")["X"], x[:, :2])
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), x[:, :2])
    assert (tmp_path / "out.tsv").read_text().startswith("f0\tf1\tclass\n")
    packed = gzip.decompress((tmp_path / "out.csv.gz").read_bytes())
    assert packed.startswith(b"f0,f1,class\n")
    for name in ("out.mat", "out.svm", "out.tsv", "out.csv.gz"):
        info = tamis("info", name, "--json").json
        assert (info["rows"], info["features"], len(info["classes"])) == (30, 2, 3), name


def test_without_an_extension_the_input_decides(tamis, tmp_path, matrix):
    scipy.io.savemat(tmp_path / "t.mat", {"X": matrix[0], "Y": matrix[1] + 1})
    assert tamis("select", "t.mat", "--top", "3", "-o", "reduced").code == 0
    assert scipy.io.loadmat(tmp_path / "reduced", appendmat=False)["X"].shape == (30, 3)


@pytest.mark.parametrize("name", ["out.orc", "out.xls", "out.npy.gz", "out.csv.zst", "v1.2"])
def test_no_table_is_written_under_the_name_of_something_else(refused, small, tmp_path, name):
    message = refused("select", "small.csv", *SMALL_FLAGS, "--top", "1", "-o", name, code=2)
    assert message.startswith(f"tamis: {name}: no table is written as .")
    assert ".csv, .txt, .tsv" in message
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_text_may_go_to_stdout(tamis, small, output):
    outcome = tamis("select", "small.csv", *SMALL_FLAGS, "--top", "1", *output)
    assert outcome.code == 0 and len(outcome.out.splitlines()) == 9


def test_binary_tables_do_not_go_to_stdout(refused, tmp_path, matrix):
    np.save(tmp_path / "t.npy", matrix[0])
    message = refused("select", "t.npy", "--method", "variance", "--top", "1", code=2)
    assert "-o" in message


def test_the_number_of_features_must_be_said(refused, small):
    assert "--top" in refused("select", "small.csv", *SMALL_FLAGS, "-o", "out.csv", code=2)


def test_an_existing_output_is_replaced_and_a_link_stays_a_link(tamis, small, write, tmp_path):
    write("old.csv", "old")
    (tmp_path / "link.csv").symlink_to("old.csv")
    assert tamis("select", "small.csv", *SMALL_FLAGS, "--top", "1", "-o", "link.csv").code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert len(rows_of(tmp_path / "old.csv")) == 8


@pytest.mark.parametrize(
    ("share", "count"),
    [("5%", 2), ("7.5%", 3), ("1%", 1), ("0.001%", 1), ("100%", 40), ("52.5%", 21)],
)
def test_top_may_be_a_share_of_the_features(tamis, tmp_path, share, count):
    tamis("generate", "wave", "--rows", "60", "-o", "w.csv")
    words = ("w.csv", "--method", "fisher_score", "--top")
    best = tamis("rank", *words, share, "--json").json["selected"]
    assert best == tamis("rank", *words, count, "--json").json["selected"]
    assert tamis("select", *words, share, "-o", "out.csv").code == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()[0].split(",")) == count + 1


def test_a_share_is_chosen_as_far_as_a_number_is(tamis):
    tamis("generate", "blobs", "--rows", "60", "--noise", "190", "-o", "b.csv")
    half = tamis("rank", "b.csv", "--top", "60%", "--json").json
    number = tamis("rank", "b.csv", "--top", len(half["selected"]), "--json").json
    assert half["options"] == number["options"] and half["order"] == number["order"]


@pytest.mark.parametrize("command", ["rank", "select"])
@pytest.mark.parametrize("share", ["0%", "150%", "x%", "-5%", "%", "nan%", "5%%"])
def test_a_share_that_is_none_is_refused(refused, small, command, share):
    message = refused(command, "small.csv", f"--top={share}", "-o", "out.csv", code=2)
    assert message == (
        f"tamis: {command}: --top = '{share}' is no share of the features: it must be more than "
        "0% and at most 100%"
    )
