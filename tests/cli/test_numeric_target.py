"""Numbers to predict: --target and --regression."""

import numpy as np
import pytest
from program import csv_text, is_for_people

WITHOUT_VALUES = ["cls", "fisher_score", "constraint_score", "ens_cls", "sselect", "wckm", "l2gfs"]


def notes_of(outcome):
    lines = outcome.err.splitlines()
    return [line.removeprefix("tamis: ") for line in lines if is_for_people(line)]


@pytest.fixture
def measured(write):
    """A hundred rows, ten features, of which f3 and f7 make up dose, known in sixty rows."""
    random = np.random.default_rng(3)
    x = random.normal(size=(100, 10))
    dose = x[:, 3] + x[:, 7]
    texts = [f"{value:.6f}" if i % 5 < 3 else "" for i, value in enumerate(dose)]
    write("x.csv", csv_text(x, texts).replace("class", "dose"))
    return x, dose


@pytest.mark.parametrize("method", ["auto", "relieff"])
def test_numbers_are_predicted(tamis, measured, method):
    outcome = tamis("rank", "x.csv", "--target", "dose", "--method", method, "--json")
    assert set(outcome.json["order"][:2]) == {3, 7}
    assert outcome.json["data"]["targets"] == 60
    assert outcome.json["data"]["labeled"] == outcome.json["data"]["classes"] == 0
    assert (
        "note: x.csv: the target is taken as numbers to predict, known in 60 of 100 rows"
        in notes_of(outcome)
    )
    assert "100 rows x 10 features, a numeric target in 60" in outcome.err


def test_the_words_are_about_the_target(tamis, measured):
    outcome = tamis("rank", "x.csv", "--target", "dose", "--top", "auto", "--json")
    assert outcome.json["relevance"]["null"] == "labels"
    assert set(outcome.json["selected"]) == {3, 7}
    assert "have to do with the target (q ≤ 0.1)" in outcome.err
    by_table = tamis("rank", "x.csv", "--target", "dose", "--null", "table")
    assert "to do with the target or with other columns (q ≤ 0.1)" in by_table.err


def test_select_writes_the_target_too(tamis, measured, tmp_path):
    outcome = tamis("select", "x.csv", "--target", "dose", "--top", "2", "-o", "y.csv")
    assert outcome.code == 0, outcome.err
    assert (tmp_path / "y.csv").read_text().splitlines()[0] == "f3,f7,dose"


def test_numbers_from_a_file(tamis, write, measured):
    x, dose = measured
    write("plain.csv", csv_text(x))
    write(
        "dose.txt", "".join(f"{value:.6f}\n" if i % 5 < 3 else "\n" for i, value in enumerate(dose))
    )
    write("doses.csv", "row,dose,other\n" + "".join(f"{i},{v:.6f},a\n" for i, v in enumerate(dose)))
    wanted = tamis("rank", "x.csv", "--target", "dose", "--json").json
    by_line = tamis("rank", "plain.csv", "--labels", "dose.txt", "--regression", "--json").json
    assert by_line["scores"] == wanted["scores"] and by_line["order"] == wanted["order"]
    words = ("rank", "plain.csv", "--labels", "doses.csv", "--target", "dose", "--json")
    assert tamis(*words).json["data"]["targets"] == 100


def test_whole_numbers_are_classes_unless_they_are_said_not_to_be(tamis, write, measured):
    x, dose = measured
    write("x.csv", csv_text(x, np.clip(np.round(dose), -3, 3).astype(int)))
    outcome = tamis("rank", "x.csv", "--target", "class", "--unlabeled", "none", "--json")
    assert outcome.json["data"]["classes"] == 7
    assert (
        "note: x.csv: the 7 different numbers of the target are taken as classes; --regression "
        "takes them as numbers to predict"
    ) in notes_of(outcome)
    forced = tamis("rank", "x.csv", "--target", "class", "--regression", "--json").json
    assert forced["data"]["targets"] == 100, "-1 is a number like others"
    assert set(forced["order"][:2]) == {3, 7}


def test_empty_cells_and_other_words_are_unknown(tamis, write, measured):
    x, dose = measured
    words = ["", "NA", "nan", "?"]
    write("x.csv", csv_text(x, [words[i % 5] if i % 5 < 4 else v for i, v in enumerate(dose)]))
    outcome = tamis("rank", "x.csv", "--target", "class", "--json")
    assert outcome.json["data"]["targets"] == 20
    write("x.csv", csv_text(x, ["lost" if i % 2 else v for i, v in enumerate(dose)]))
    outcome = tamis("rank", "x.csv", "--target", "class", "--unlabeled", "lost", "--json")
    assert outcome.json["data"]["targets"] == 50


def test_a_text_among_numbers_is_named(refused, write, measured):
    x, dose = measured
    write("x.csv", csv_text(x, ["lost" if i == 4 else v for i, v in enumerate(dose)]))
    assert refused("rank", "x.csv", "--target", "class", "--regression", code=3) == (
        "tamis: x.csv: the target of row 4 is 'lost', not a number to predict; --unlabeled lost "
        "takes such rows as unlabeled"
    )


def test_a_continuous_label_column_names_the_way_out(refused, measured):
    assert refused("rank", "x.csv", "--label-column", "dose", code=3) == (
        "tamis: x.csv: the labels are 60 different numbers in 60 rows: measurements, not classes; "
        "tamis rank and select predict numbers, of a column by --target in place of "
        "--label-column, of any labels by --regression; or put them into a few classes first, or "
        "name another column"
    )
    assert "measurements, not classes" in refused(
        "evaluate", "x.csv", "--target", "dose", "--methods", "variance", code=3
    )


@pytest.mark.parametrize("method", WITHOUT_VALUES)
def test_methods_for_classes_name_those_for_numbers(refused, measured, method):
    assert refused("rank", "x.csv", "--target", "dose", "--method", method, code=3) == (
        f"tamis: x.csv: {method} takes classes, not a numeric target; relieff and ridge_omp take "
        "one; or put its numbers into a few classes and name these with --label-column"
    )


def test_methods_that_look_at_the_table_alone_do_not_mind(tamis, measured):
    words = ("--method", "variance", "--json")
    by_target = tamis("rank", "x.csv", "--target", "dose", *words).json
    assert by_target["scores"] == tamis("rank", "x.csv", "--drop", "dose", *words).json["scores"]


def test_what_makes_no_sense_with_numbers_is_refused(refused, measured):
    assert refused("rank", "x.csv", "--target", "dose", "--labels-per-class", "2", code=2) == (
        "tamis: --labels-per-class hides labels of classes, and the target is numeric: leave it out"
    )
    assert refused("rank", "x.csv", "--target", "dose", "--label-column", "f1", code=2) == (
        "tamis: --target and --label-column name the same column: give one of them"
    )
    assert refused("rank", "x.csv", "--drop", "dose", "--regression", code=2) == (
        "tamis: --regression needs the numbers to predict: give --target or --labels"
    )


def test_too_few_or_equal_numbers_are_refused(refused, write, measured):
    x, _ = measured
    write("x.csv", csv_text(x, ["0.5" if i < 2 else "" for i in range(100)]))
    assert refused("rank", "x.csv", "--target", "class", code=3) == (
        "tamis: x.csv: ridge_omp needs the numeric target of at least 3 rows, and knows that of 2"
    )
    write("x.csv", csv_text(x, ["0.5"] * 100))
    assert refused("rank", "x.csv", "--target", "class", "--method", "relieff", code=3) == (
        "tamis: x.csv: relieff: the numeric target is 0.5 in all 100 rows whose value is known: "
        "nothing to predict"
    )


def test_info_tells_what_there_is_to_predict(tamis, measured):
    _, dose = measured
    known = [round(v, 6) for i, v in enumerate(dose) if i % 5 < 3]
    facts = tamis("info", "x.csv", "--target", "dose", "--json").json
    assert facts["target"] == {
        "known": 60, "least": pytest.approx(min(known)), "largest": pytest.approx(max(known)),
    }  # fmt: skip
    assert facts["classes"] == {} and facts["unlabeled"] == 40
    assert facts["next"] == "tamis rank x.csv --target dose"
    text = tamis("info", "x.csv", "--target", "dose").out
    assert "column 'dose': numbers to predict, known in 60 of 100" in text
    assert tamis("info", "x.csv", "--drop", "dose", "--json").json["target"] is None
    undecided = tamis("info", "x.csv", "--label-column", "dose", "--json").json
    assert undecided["next"] == "tamis rank x.csv --label-column dose --regression"
    assert tamis(*undecided["next"].split()[1:], "--json").json["data"]["targets"] == 60


def test_a_table_in_runs_of_rows_is_ranked_the_same(tamis, write, measured):
    x, dose = measured
    np.save(write("x.npy", ""), x)
    write("dose.txt", "".join(f"{value:.6f}\n" for value in dose))
    words = (
        "rank",
        "x.npy",
        "--labels",
        "dose.txt",
        "--regression",
        "--json",
        "--method",
        "relieff",
    )
    whole, streamed = tamis(*words).json, tamis(*words, "--memory", "100M").json
    assert streamed["scores"] == whole["scores"]


def test_several_targets_are_ranked_side_by_side(tamis, write, measured):
    x, dose = measured
    write("x.csv", csv_text(np.column_stack([x, -dose]), [f"{v:.6f}" for v in dose]))
    rankings = tamis("rank", "x.csv", "--target", "class,f10", "--json").json["rankings"]
    assert [each["data"]["targets"] for each in rankings] == [100, 100]
    assert rankings[0]["order"] == rankings[1]["order"]


def test_a_report_tells_of_the_target(tamis, measured, tmp_path):
    outcome = tamis("rank", "x.csv", "--target", "dose", "--report", "page.html")
    assert outcome.code == 0, outcome.err
    page = (tmp_path / "page.html").read_text()
    assert "100 rows × 10 features, a numeric target in 60." in page
    assert "60 of 100 rows" in page
