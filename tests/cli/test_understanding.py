"""How a table is understood without being told: which column is what, and that it is said."""

import pytest
from program import csv_text


def notes_of(outcome):
    return [line.removeprefix("tamis: ") for line in outcome.err.splitlines()
            if line.startswith(("tamis: note:", "tamis: warning:"))]  # fmt: skip


@pytest.fixture
def signs(write, matrix):
    """Labels -1 and 1, as in most LIBSVM files."""
    x, labels = matrix
    return write("signs.csv", csv_text(x, [1 if label == 1 else -1 for label in labels]))


def test_minus_one_and_one_are_two_classes(tamis, signs):
    outcome = tamis("rank", signs.name, "--method", "fisher_score", "--json")
    assert (outcome.json["data"]["classes"], outcome.json["data"]["labeled"]) == (2, 30)
    assert (
        "note: signs.csv: label -1 is taken as a class (20 rows), for there is only one other; "
        "--unlabeled -1 takes such rows as unlabeled"
    ) in notes_of(outcome)


def test_unlabeled_decides_otherwise(tamis, signs):
    outcome = tamis("rank", signs.name, "--unlabeled=-1", "--method", "laplacian_score", "--json")
    assert (outcome.json["data"]["classes"], outcome.json["data"]["labeled"]) == (1, 10)


def test_minus_one_is_unlabeled_beside_two_classes(tamis, write, matrix):
    x, labels = matrix
    write("x.csv", csv_text(x, [label - 1 for label in labels]))
    outcome = tamis("rank", "x.csv", "--json")
    assert (outcome.json["data"]["classes"], outcome.json["data"]["labeled"]) == (2, 20)
    assert "note: x.csv: label -1 is taken as unlabeled (10 rows)" in notes_of(outcome)


def with_column(x, labels, name, values, place=0):
    """The table as text, with another column."""
    lines = csv_text(x, labels).splitlines()
    for i, value in enumerate([name, *values]):
        cells = lines[i].split(",")
        cells.insert(place, str(value))
        lines[i] = ",".join(cells)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["id", "Sample", "patient_ID", "PatientId", "barcode", "row"])
def test_numbers_that_name_the_rows_are_no_feature(tamis, write, matrix, name):
    numbers = [1000 + (7 * i) % 30 for i in range(30)]
    write("x.csv", with_column(*matrix, name, numbers, place=2))
    outcome = tamis("rank", "x.csv", "--method", "variance", "--json")
    assert outcome.json["names"] == [f"f{r}" for r in range(6)]
    assert (
        f"note: x.csv: column '{name}' holds distinct integers and is taken as the sample ids; "
        f"--keep {name} makes it a feature"
    ) in notes_of(outcome)
    kept = tamis("rank", "x.csv", "--method", "variance", "--keep", name, "--json").json
    assert kept["names"][kept["order"][0]] == name


def test_a_feature_that_counts_the_rows_is_named_in_a_warning(tamis, write, matrix):
    write("x.csv", with_column(*matrix, "when", range(30)))
    outcome = tamis("rank", "x.csv", "--json")
    text = (
        "x.csv: 'when' rises or falls from row to row: it may tell which row it is, not what was "
        "measured; if so, use --drop when"
    )
    assert f"warning: {text}" in notes_of(outcome)
    assert text in outcome.json["diagnostics"]["warnings"]
    page = tamis("rank", "x.csv", "--report", "page.html")
    assert page.code == 0


def test_a_first_column_without_a_name_names_the_rows(tamis, write, matrix):
    write("x.csv", with_column(*matrix, "", range(30)))
    outcome = tamis("info", "x.csv", "--json")
    assert outcome.json["ids"] is True and outcome.json["features"] == 6


def test_without_labels_their_column_is_no_feature(tamis, write, matrix):
    write("x.csv", csv_text(*matrix))
    words = ("rank", "x.csv", "--label-column", "none", "--method", "variance", "--json")
    outcome = tamis(*words)
    assert "class" not in outcome.json["names"]
    assert (
        "note: x.csv: column 'class' is left out: its name is that of labels; --keep class makes "
        "it a feature"
    ) in notes_of(outcome)
    assert "class" in tamis(*words, "--keep", "class").json["names"]


def test_measurements_are_no_classes(refused, write, matrix):
    x, _ = matrix
    write("x.csv", csv_text(x, [f"{value:.6f}" for value in x[:, 0]]))
    assert refused("rank", "x.csv", code=3) == (
        "tamis: x.csv: the labels are 30 different numbers in 30 rows: measurements, not classes; "
        "tamis rank and select predict numbers, of a column by --target in place of "
        "--label-column, of any labels by --regression; or put them into a few classes first, or "
        "name another column"
    )


def test_info_describes_a_table_of_measurements(tamis, write, matrix):
    x, _ = matrix
    write("x.csv", csv_text(x, [f"{value:.6f}" for value in x[:, 0]]))
    outcome = tamis("info", "x.csv", "--json")
    assert outcome.json["features"] == 6 and outcome.json["classes"] == {}
    assert "measurements, not classes" in outcome.err


def test_a_class_that_reads_like_unknown_is_named(tamis, write, matrix):
    x, labels = matrix
    write("x.csv", csv_text(x, [["ALL", "AML", "Unknown"][label] for label in labels]))
    outcome = tamis("rank", "x.csv", "--json")
    assert outcome.json["data"]["classes"] == 3
    text = "x.csv: label 'Unknown' is taken as a class; --unlabeled Unknown takes such rows as "
    assert f"warning: {text}unlabeled" in notes_of(outcome)
    silent = tamis("rank", "x.csv", "--unlabeled", "Unknown", "--json")
    assert silent.json["data"]["classes"] == 2 and "Unknown" not in silent.err


def test_columns_in_other_units_are_named_by_methods_that_measure_distances(tamis, write, matrix):
    x, labels = matrix
    x[:, 2] *= 1000
    write("x.csv", csv_text(x, labels))
    outcome = tamis("rank", "x.csv", "--method", "laplacian_score")
    (warning,) = [note for note in notes_of(outcome) if note.startswith("warning:")]
    assert warning.endswith(
        "in column 2 (f2), so that distances hardly see the small ones; --scale standard makes "
        "columns alike"
    )
    quiet = ("rank", "x.csv", "--method", "laplacian_score", "--scale", "standard")
    assert "distances" not in tamis(*quiet).err
    assert "distances" not in tamis("rank", "x.csv", "--method", "variance").err


def test_info_describes_a_table_with_texts(tamis, write):
    write("people.csv", "age,smokes,town\n31,no,Metz\n45,yes,Nancy\n28,no,Metz\n")
    outcome = tamis("info", "people.csv", "--json")
    assert outcome.json["names"] == ["age"]
    assert "columns of text are left out: 'smokes', 'town'" in outcome.json["notes"]
    assert "2 columns hold text" in outcome.err
    words = outcome.json["next"].split()[1:]
    assert words[:4] == ["rank", "people.csv", "--encode", "drop"]
    assert tamis(*words).code == 0


def test_info_refuses_texts_from_a_pipe(refused):
    message = refused("info", "-", stdin="age,town\n31,Metz\n45,Nancy\n", code=3)
    assert "'Metz' is not a number" in message
