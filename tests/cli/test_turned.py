"""Tables whose rows are features, files of labels with more in them, info and convert."""

import numpy as np
import pytest
from program import csv_text


@pytest.fixture
def genes(write, matrix):
    """Genes as rows, samples as columns, and what is known of the samples."""
    x, labels = matrix
    samples = [f"s{i}" for i in range(30)]
    lines = ["gene," + ",".join(samples)]
    lines += [f"g{r}," + ",".join(map(repr, map(float, x[:, r]))) for r in range(6)]
    write("genes.csv", "\n".join(lines) + "\n")
    rows = [f"{i % 4}\tc{labels[i]}\t{samples[i]}" for i in reversed(range(30))]
    write("samples.tsv", "batch\tstage\tsample\n" + "\n".join(rows) + "\n")
    write("plain.csv", csv_text(x, [f"c{label}" for label in labels], [f"g{r}" for r in range(6)]))


def ranking(outcome):
    return {name: outcome.json[name] for name in ("names", "scores", "order")}


WORDS = ("--method", "fisher_score", "--json")


def test_rows_become_columns_when_asked(tamis, genes):
    outcome = tamis(
        "rank", "genes.csv", "--transpose", "--labels", "samples.tsv", "--label-column", "stage",
        *WORDS,
    )  # fmt: skip
    assert ranking(outcome) == ranking(tamis("rank", "plain.csv", *WORDS))


def test_rows_become_columns_where_labels_name_the_columns(tamis, genes):
    words = ("rank", "genes.csv", "--labels", "samples.tsv", "--label-column", "stage", *WORDS)
    outcome = tamis(*words)
    assert ranking(outcome) == ranking(tamis("rank", "plain.csv", *WORDS))
    assert (
        "tamis: note: genes.csv: its columns are the samples of samples.tsv, so its rows are taken "
        "as the features (--transpose)"
    ) in outcome.err.splitlines()


def test_rows_become_columns_where_pairs_name_the_columns(tamis, genes, write):
    write("pairs.csv", "a,b,kind\ns0,s3,must\ns0,s1,cannot\ns1,s5,cannot\n")
    words = ("rank", "genes.csv", "--constraints", "pairs.csv", "--method", "constraint_score")
    outcome = tamis(*words, "--json")
    assert outcome.json["data"]["rows"] == 30 and outcome.json["data"]["cannot_link"] == 2
    assert "the samples of pairs.csv" in outcome.err


def test_many_named_rows_and_few_columns_are_doubted(tamis, write):
    rows = [f"g{i},{i % 7},{i % 5},{i % 3}" for i in range(2000)]
    write("t.csv", "gene,a,b,c\n" + "\n".join(rows) + "\n")
    assert (
        "tamis: note: t.csv: 2000 rows with names and 3 columns: perhaps the rows are the "
        "features; --transpose makes columns of its rows"
    ) in tamis("rank", "t.csv", "--method", "variance").err.splitlines()


def test_labels_are_asked_for_if_several_columns_may_hold_them(refused, genes):
    message = refused("rank", "genes.csv", "--transpose", "--labels", "samples.tsv", code=3)
    assert message == (
        "tamis: samples.tsv: which of its 2 columns 'batch', 'stage' holds the labels?; name the "
        "one that holds the labels with --label-column"
    )


def test_labels_may_be_an_array(tamis, write, matrix, tmp_path):
    x, labels = matrix
    write("x.csv", csv_text(x))
    np.save(tmp_path / "y.npy", labels)
    write("full.csv", csv_text(x, labels))
    outcome = tamis("rank", "x.csv", "--labels", "y.npy", *WORDS)
    assert ranking(outcome) == ranking(tamis("rank", "full.csv", *WORDS))


def test_info_tells_the_command_to_go_on_with(tamis, write):
    write("t.csv", "id,a,b,big,class\nr1,1,1,1000,x\nr2,2,2,,x\nr3,5,5,9000,y\nr4,4,4,1e6,y\n")
    info = tamis("info", "t.csv", "--json").json
    assert info["duplicate_columns"] == [1] and info["units"] is None
    assert info["next"] == "tamis rank t.csv --missing median"
    assert tamis(*info["next"].split()[1:]).code == 0
    text = tamis("info", "t.csv", "--drop", "b").out
    assert "go on with   tamis rank t.csv --drop b --missing median" in text
    write("u.csv", "a,big\n1,1000\n2,2000\n5,9000\n4,1e6\n")
    info = tamis("info", "u.csv", "--json").json
    assert info["next"] == "tamis rank u.csv --scale standard --method laplacian_score"
    assert info["units"].startswith("the standard deviations reach from")


@pytest.mark.parametrize("name", ["t.tsv", "t.mat", "t.npy", "t.svm", "t.csv.gz"])
def test_convert_writes_the_same_table(tamis, genes, name):
    words = ("--transpose", "--labels", "samples.tsv", "--label-column", "stage")
    assert tamis("convert", "genes.csv", *words, "-o", name).code == 0
    method = "variance" if name == "t.npy" else "fisher_score"  # NPY has no place for labels
    labels = ("--label-column", "stage") if name in ("t.tsv", "t.csv.gz") else ()
    found = tamis("rank", name, "--method", method, "--json", *labels).json
    wanted = tamis("rank", "plain.csv", "--method", method, "--json").json
    np.testing.assert_allclose(found["scores"], wanted["scores"], rtol=1e-12)


def test_convert_writes_text_to_stdout(tamis, write):
    write("t.txt", '"a" "b"\n"r1" 1,5 2\n"r2" 3,25 4\n')
    assert tamis("convert", "t.txt").out == "id,a,b\nr1,1.5,2\nr2,3.25,4\n"
