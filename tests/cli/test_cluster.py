"""`tamis cluster`: the self-organizing map in every form."""

import csv
import io

import numpy as np
import pytest
from program import csv_text
from test_terminal import on_a_terminal

SMALL_FLAGS = ("--id-column", "id")
SOM = ("--method", "som")
USAGE, DATA, IO = 2, 3, 4


@pytest.fixture
def table(write, matrix):
    write("t.csv", csv_text(*matrix))
    return matrix[0]


def test_json_describes_the_whole_map(tamis, table):
    result = tamis("cluster", "t.csv", "--method", "som", "--units", "12", "--json").json
    assert result["schema"] == "tamis/clustering/1" and result["method"] == "som"
    assert result["options"] == {"units": 12} and result["data"]["rows"] == 30
    rows, cols = result["map"]["rows"], result["map"]["cols"]
    codebook = np.array(result["codebook"])
    assert codebook.shape == (rows * cols, 6) and len(result["names"]) == 6
    distances = np.linalg.norm(table[:, None, :] - codebook[None, :, :], axis=2)
    assert result["best_units"] == distances.argmin(axis=1).tolist()
    assert result["rows"] == list(range(30)) and result["ids"] is None
    counts = np.bincount(result["best_units"], minlength=rows * cols)
    assert result["hits"] == counts.tolist()
    assert result["quantization_error"] == pytest.approx(distances.min(axis=1).mean())
    assert len(result["error_by_epoch"]) >= 2
    assert result["warnings"] == [] and result["seconds"] >= 0 and result["peak_memory_bytes"] > 0


def test_the_u_matrix_is_the_mean_distance_from_the_neighbours(tamis, table):
    result = tamis("cluster", "t.csv", *SOM, "--units", "15", "--json").json
    cols = result["map"]["cols"]
    codebook, points = np.array(result["codebook"]), np.array(result["coordinates"])
    for unit, point in enumerate(points):
        row = unit // cols
        assert point == pytest.approx([unit % cols + 0.5 * (row % 2), row * 0.75**0.5])
    near = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    apart = np.linalg.norm(codebook[:, None] - codebook[None, :], axis=2)
    for unit in range(len(points)):
        neighbors = (near[unit] < 1.01) & (near[unit] > 0)
        assert result["u_matrix"][unit] == pytest.approx(apart[unit][neighbors].mean())


def test_a_pipe_gets_one_line_per_row(tamis, small):
    words = ("cluster", "small.csv", *SOM, *SMALL_FLAGS)
    outcome = tamis(*words)
    lines = list(csv.DictReader(io.StringIO(outcome.out)))
    result = tamis(*words, "--json").json
    assert [line["id"] for line in lines] == list("abcdefgh") == result["ids"]
    assert [int(line["unit"]) for line in lines] == result["best_units"]
    for line in lines:
        place = int(line["map_row"]) * result["map"]["cols"] + int(line["map_column"])
        assert place == int(line["unit"])
    assert "quantization error" in outcome.err and "units without any" in outcome.err


def test_rows_without_ids_have_numbers(tamis, table):
    outcome = tamis("cluster", "t.csv", *SOM, "-q")
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0] == "row,unit,map_row,map_column" and len(lines) == 31
    assert [line.split(",")[0] for line in lines[1:]] == [str(i) for i in range(30)]


def test_unlabeled_rows_make_the_map_that_condense_uses(tamis, write, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, [label if i < 6 else "" for i, label in enumerate(labels)]))
    result = tamis("cluster", "t.csv", *SOM, "--rows", "unlabeled", "--json").json
    assert result["rows"] == list(range(6, 30))
    ranking = tamis("rank", "t.csv", "--method", "cls", "--condense", "som", "--json").json
    figures = ranking["diagnostics"]["figures"]
    assert figures["quantization_error"] == result["quantization_error"]
    assert (figures["map_rows"], figures["map_cols"]) == (
        result["map"]["rows"],
        result["map"]["cols"],
    )


@pytest.mark.parametrize("name", ["units.csv", "units.npy", "units.mat", "units"])
def test_the_codebook_is_a_table_with_the_names_of_the_features(tamis, table, name):
    codebook = tamis("cluster", "t.csv", *SOM, "--units", "9", "--codebook", name, "--json").json
    info = tamis("info", name, "--json").json
    assert info["rows"] == len(codebook["codebook"]) and info["features"] == 6
    assert info["format"] == {"units.npy": "npy", "units.mat": "matlab"}.get(name, "csv")
    assert info["names"] == [f"f{r}" for r in range(6)]


def test_the_codebook_keeps_every_digit(tamis, small, tmp_path):
    words = ("cluster", "small.csv", *SOM, *SMALL_FLAGS, "--codebook", "units.csv", "--json")
    expected = tamis(*words).json["codebook"]
    with open(tmp_path / "units.csv") as file:
        assert file.readline() == "height,width,noise\n"
        assert [[float(cell) for cell in line.split(",")] for line in file] == expected


def test_the_result_is_the_same_for_any_number_of_threads(tamis, tmp_path):
    tamis("generate", "wave", "--rows", "700", "-o", "w.csv")
    one, three = (tamis("cluster", "w.csv", *SOM, "--json", "--threads", n).json for n in (1, 3))
    for member in ("codebook", "best_units", "u_matrix", "error_by_epoch"):
        assert one[member] == three[member]


def test_a_terminal_shows_the_u_matrix(small, tmp_path):
    shown = on_a_terminal(("cluster", "small.csv", *SOM, *SMALL_FLAGS, "--no-color"), tmp_path)
    assert "██" in shown and "map of" in shown and "unit,map_row" not in shown


def test_a_file_gets_what_a_pipe_would(tamis, small, tmp_path):
    words = ("cluster", "small.csv", *SOM, *SMALL_FLAGS)
    assert tamis(*words, "-o", "map.csv").out == ""
    assert (tmp_path / "map.csv").read_text() == tamis(*words).out


def test_more_units_than_rows_are_cut_with_a_warning(tamis, small):
    outcome = tamis("cluster", "small.csv", *SOM, *SMALL_FLAGS, "--units", "50", "--json")
    assert outcome.json["warnings"] == ["units = 50 was cut to the number of rows, 8"]
    assert "tamis: warning: units = 50" in outcome.err


@pytest.mark.parametrize(
    ("flags", "culprit"),
    [
        ((*SOM, "--units", "1"), "som: units = 1"),
        ((*SOM, "--units", "many"), "'many'"),
        (("--method", "sam"), "did you mean 'som'"),
        ((*SOM, "--rows", "unlabelled"), "did you mean 'unlabeled'"),
        (("--codebook", "-"), "standard output"),
        (("--codebook", "out.csv"), "both go to out.csv"),
        (("--codebook", "small.csv"), "--codebook small.csv would overwrite"),
        ((*SOM, "--constraints", "pairs.csv"), "--constraints"),
    ],
)
def test_a_wrong_command_line_is_refused(refused, small, flags, culprit):
    output = () if "-" in flags else ("-o", "out.csv")
    message = refused("cluster", "small.csv", *SMALL_FLAGS, *flags, *output, code=USAGE)
    assert culprit in message


def test_a_codebook_that_cannot_be_written_is_named(refused, small):
    words = ("cluster", "small.csv", *SOM, *SMALL_FLAGS, "-o", "out.csv")
    assert "absent/cb.csv" in refused(*words, "--codebook", "absent/cb.csv", code=IO)


def test_a_map_needs_four_rows(refused, write):
    write("t.csv", "a,b\n1,2\n3,4\n5,7\n")
    message = refused("cluster", "t.csv", *SOM, "-o", "out.csv", code=DATA)
    assert message == "tamis: t.csv: som: a map needs at least 4 rows, and there are 3"
