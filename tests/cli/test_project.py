"""`tamis project`: projections beside the selectors."""

import csv
import io
import json

import numpy as np
import pytest
from program import SMALL, csv_text

USAGE, DATA, IO = 2, 3, 4
PCA = ("--method", "pca")


@pytest.fixture
def table(write, matrix):
    write("t.csv", csv_text(*matrix))
    return matrix[0]


def components_of(x, count):
    """Principal ones, the largest entry of each positive."""
    _, singular, directions = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    found = directions[:count]
    signs = np.sign(found[np.arange(count), np.abs(found).argmax(axis=1)])
    return found * signs[:, None], singular[:count] ** 2 / len(x)


def test_json_has_what_the_schema_says(tamis, table):
    result = tamis("project", "t.csv", *PCA, "--n-components", 3, "--json").json
    components, eigenvalues = components_of(table, 3)
    assert result["schema"] == "tamis/projection/1" and result["method"] == "pca"
    assert result["options"] == {"n_components": 3} and result["data"]["rows"] == 30
    assert result["names"] == [f"f{r}" for r in range(6)] and result["rank"] == 6
    np.testing.assert_allclose(result["components"], components, atol=1e-9)
    np.testing.assert_allclose(result["eigenvalues"], eigenvalues)
    np.testing.assert_allclose(result["mean"], table.mean(axis=0), atol=1e-12)
    projected = (table - result["mean"]) @ np.transpose(result["components"])
    np.testing.assert_allclose(result["projected"], projected, atol=1e-9)
    assert result["warnings"] == [] and result["scaling"] is None and result["ids"] is None
    assert result["seconds"] >= 0 and result["peak_memory_bytes"] > 0


def test_the_table_keeps_ids_and_labels(tamis, small, tmp_path):
    words = ("project", "small.csv", "--method", "ssdr", "--n-components", 2)
    outcome = tamis(*words, "-o", "out.csv")
    assert outcome.code == 0 and outcome.out == ""
    lines = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert list(lines[0]) == ["id", "c1", "c2", "class"]
    old = list(csv.DictReader(io.StringIO(SMALL)))
    assert [line["id"] for line in lines] == [line["id"] for line in old]
    assert [line["class"] for line in lines] == [line["class"] for line in old]
    result = tamis(*words, "--json").json
    assert [[float(line["c1"]), float(line["c2"])] for line in lines] == result["projected"]
    assert result["ids"] == [line["id"] for line in old]
    assert result["labels"] == [line["class"] for line in old]


def test_words_say_what_was_found(tamis, small):
    outcome = tamis("project", "small.csv", *PCA, "--n-components", 2)
    assert outcome.out.startswith("id,c1,c2,class\na,")
    assert "pca: Principal components; 2 components of 3, eigenvalues 4.9" in outcome.err
    assert tamis("project", "small.csv", *PCA, "-q").err == ""


@pytest.mark.parametrize("method", ["ssdr", "cfld", "rca"])
def test_pairs_and_labels_guide_it(tamis, small, write, method):
    write("pairs.csv", "a,g,must\nd,h,must\na,d,cannot\n")
    words = ("project", "small.csv", "--method", method, "--json")
    by_labels = tamis(*words).json
    by_pairs = tamis(
        *words, "--label-column", "none", "--drop", "class", "--constraints", "pairs.csv"
    ).json
    assert by_pairs["data"]["must_link"] == 2 and by_pairs["data"]["labeled"] == 0
    assert by_labels["components"] != by_pairs["components"]


def test_threads_change_nothing(tamis, table):
    words = ("project", "t.csv", "--method", "cfld", "-q")
    assert tamis(*words, "-j", 1).out == tamis(*words, "-j", 3).out


def test_new_rows_are_projected_as_the_others(tamis, small, write, tmp_path):
    fit = tamis("project", "small.csv", "--method", "rca", "--json", "-o", "fit.json")
    assert fit.code == 0 and fit.out == ""
    result = json.loads((tmp_path / "fit.json").read_text())
    # Other columns, in another order, one of them new; labels and ids kept.
    write("new.csv", "id,noise,extra,width,height,class\np,0.2,9,1.5,2.5,\nq,0.4,8,2.5,1.0,y\n")
    outcome = tamis("project", "new.csv", "--from", "fit.json")
    assert outcome.code == 0
    assert "new.csv: the projection of fit.json makes no use of 1 column" in outcome.err
    lines = list(csv.DictReader(io.StringIO(outcome.out)))
    x = np.array([[2.5, 1.5, 0.2], [1.0, 2.5, 0.4]])
    expected = (x - result["mean"]) @ np.transpose(result["components"])
    found = [[float(line[f"c{c}"]) for c in (1, 2, 3)] for line in lines]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert [line["id"] for line in lines] == ["p", "q"]
    assert [line["class"] for line in lines] == ["", "y"]
    again = tamis("project", "new.csv", "--from", "fit.json", "--json").json
    assert again["projected"] == found and again["components"] == result["components"]
    assert again["method"] == "rca" and again["data"]["rows"] == 2


@pytest.mark.parametrize("scale", ["standard", "minmax"])
def test_new_rows_are_scaled_as_the_others(tamis, table, write, scale):
    words = ("project", "t.csv", *PCA, "--scale", scale)
    write("fit.json", tamis(*words, "--json").out)
    assert tamis("project", "t.csv", "--from", "fit.json").out == tamis(*words).out


def test_columns_without_names_are_told_by_number(tamis, table, write, tmp_path):
    write("fit.json", tamis("project", "t.csv", *PCA, "--json", "--drop", "class").out)
    np.save(tmp_path / "same.npy", table)
    projected = tamis("project", "same.npy", "--from", "fit.json", "--json").json["projected"]
    assert projected == json.loads((tmp_path / "fit.json").read_text())["projected"]


def test_sparse_rows_give_the_same(tamis, write):
    rng = np.random.default_rng(1)
    x = np.where(rng.random((20, 8)) < 0.3, rng.normal(size=(20, 8)).round(3), 0.0)
    x[0, 7] = 1.0
    write("d.csv", csv_text(x))
    lines = ["0 " + " ".join(f"{r + 1}:{v:.17g}" for r, v in enumerate(row) if v) for row in x]
    write("s.libsvm", "\n".join(lines) + "\n")
    dense = tamis("project", "d.csv", *PCA, "--json").json
    sparse = tamis("project", "s.libsvm", *PCA, "--json").json
    assert sparse["data"]["sparse"]
    np.testing.assert_allclose(sparse["projected"], dense["projected"], atol=1e-9)
    # A sparse table that a fit to shifted columns would have to fill.
    write("fit.json", tamis("project", "d.csv", *PCA, "--json", "--scale", "standard").out)
    outcome = tamis("project", "s.libsvm", "--from", "fit.json")
    assert outcome.code == DATA and outcome.err.splitlines()[-1] == (
        "tamis: s.libsvm: is sparse, and the projection was fitted to columns that --scale "
        "shifted: give the rows as a dense table"
    )


def test_more_components_than_directions_are_a_warning(tamis, small):
    outcome = tamis("project", "small.csv", *PCA, "--json")
    warning = "the rows vary in 3 directions only: 3 components instead of 10"
    assert outcome.json["warnings"] == [warning]
    assert f"tamis: warning: {warning}" in outcome.err


def test_refusals(refused, small, write):
    assert refused("project", "small.csv", code=USAGE) == (
        "tamis: project: say how to project: --method pca | ssdr | cfld | rca; or --from "
        "RESULT.json to project new rows as others were"
    )
    assert refused("project", "small.csv", "--method", "isomap", code=USAGE) == (
        "tamis: project: --method = 'isomap' is not one of pca, ssdr, cfld, rca"
    )
    assert refused("project", "small.csv", *PCA, "--ridge", "1", code=USAGE) == (
        "tamis: pca has no option 'ridge'; it belongs to cfld, rca"
    )
    assert refused("project", "small.csv", *PCA, "--n-components", "0", code=USAGE) == (
        "tamis: pca: n_components = 0 must be >= 1"
    )
    assert refused("project", "small.csv", *PCA, "-o", "small.csv", code=USAGE) == (
        "tamis: -o small.csv would overwrite the input small.csv: choose another name"
    )
    assert refused(
        "project",
        "small.csv",
        "--method",
        "rca",
        "--label-column",
        "none",
        "--drop",
        "class",
        code=DATA,
    ) == (
        "tamis: small.csv: rca needs rows that belong together, and there is neither a must-link "
        "nor a class with two labeled rows; give labels of at least two rows (--label-column, "
        "--labels) or a file of pairs (--constraints)"
    )
    write("pairs.csv", "a,b,must,2\n")
    assert refused(
        "project", "small.csv", "--method", "cfld", "--constraints", "pairs.csv", code=DATA
    ) == (
        "tamis: small.csv: cfld takes pairs without weights, and that of rows 0 (a) and 1 (b) "
        "weighs 2: leave the weights out, or choose a method that sums over pairs"
    )


def test_refusals_of_fits(refused, tamis, small, write):
    fit = tamis("project", "small.csv", *PCA, "--json").json
    write("fit.json", json.dumps(fit))
    assert refused("project", "small.csv", "--from", "fit.json", *PCA, code=USAGE) == (
        "tamis: project: --method is for fitting, and --from brings what was fitted: leave one of "
        "them out"
    )
    assert refused(
        "project", "small.csv", "--from", "fit.json", "--n-components", 2, code=USAGE
    ) == (
        "tamis: project: --n-components is for fitting, and --from brings what was fitted: leave "
        "one of them out"
    )
    assert refused("project", "small.csv", "--from", "none.json", code=IO) == (
        "tamis: none.json: No such file or directory"
    )
    assert refused("project", "small.csv", "--from", "small.csv", code=DATA) == (
        "tamis: small.csv: it is no JSON; --from takes what tamis project --json writes"
    )
    write("rank.json", tamis("rank", "small.csv", "--json").out)
    assert refused("project", "small.csv", "--from", "rank.json", code=DATA) == (
        "tamis: rank.json: it is no projection: its schema is not tamis/projection/1; --from takes "
        "what tamis project --json writes"
    )
    write("new.csv", "height,widht,noise\n1,2,3\n")
    assert refused("project", "new.csv", "--from", "fit.json", code=DATA) == (
        "tamis: new.csv: has no column 'width', which the projection of fit.json needs; did you "
        "mean 'widht'?"
    )
    write("plain.csv", "1,2\n3,4\n")
    assert refused("project", "plain.csv", "--from", "fit.json", code=DATA) == (
        "tamis: plain.csv: has 2 features, and the projection of fit.json was fitted to 3; without "
        "names, columns are told by their numbers"
    )


@pytest.mark.parametrize("command", ["rank", "select"])
def test_selectors_send_projections_here(refused, small, command):
    assert refused(command, "small.csv", "--method", "ssdr", "--top", 2, code=USAGE) == (
        f"tamis: {command}: ssdr is a projection: it makes new features of all columns, and ranks "
        "none; tamis project FILE --method ssdr writes them"
    )


def test_methods_lists_projections_for_programs(tamis):
    listed = tamis("methods", "--json").json["projections"]
    assert [each["name"] for each in listed] == ["pca", "ssdr", "cfld", "rca"]
    assert [each["needs_must_links"] for each in listed] == [False, False, True, True]
    assert [option["name"] for option in listed[2]["options"]] == ["n_components", "ridge"]


def test_the_manual_has_them(tamis):
    manual = tamis("man").out
    assert ".SH PROJECTIONS" in manual and ".SS ssdr" in manual
