"""What fits a screen: no broken word, columns that align whatever is in them, readable bars."""

import re
import unicodedata

import numpy as np
import pytest
from program import csv_text
from test_terminal import on_a_terminal

WIDE_NAMES = ["基因一", "e\u0301le\u0301ment", "🧬 gène", "plain", "ｱｲｳ", "Ω"]


def cells(text):
    """How many cells a terminal gives a text, by the tables of Python."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


@pytest.fixture
def tables(tamis, write, matrix):
    """wave.csv, and iris-like.csv whose names are long."""
    tamis("generate", "wave", "--rows", "90", "-o", "wave.csv")
    x, labels = matrix
    names = [f"the_measured_concentration_of_metabolite_number_{r}" for r in range(6)]
    classes = [f"class_with_a_long_name_{label}" for label in labels]
    write("long.csv", csv_text(x, classes, names))


FEW = ("--labels-per-class", "3")
SCREENS = [
    ("--help",),
    ("rank", "--help"),
    ("evaluate", "--help"),
    ("cluster", "--help"),
    ("select", "--help"),
    ("methods",),
    ("methods", "csfsr"),
    ("methods", "ridge_omp"),
    ("info", "wave.csv"),
    ("info", "long.csv"),
    ("rank", "wave.csv", *FEW),
    ("rank", "long.csv", *FEW),
    ("rank", "wave.csv", "--top", "50"),
    ("rank", "wave.csv", "-m", "csfsr"),
    ("rank", "long.csv", "-m", "csfsr", "--top", "2"),
    ("rank", "long.csv", "--bagging", "5", "-m", "fisher_score", "--diversify", "--top", "auto"),
    ("select", "long.csv", "-m", "csfsr", "-o", "out.csv"),
    ("cluster", "long.csv", *FEW),
    ("cluster", "long.csv", "-m", "l2gfs", *FEW),
    ("cluster", "wave.csv", "-m", "som"),
    ("constraints", "long.csv", *FEW, "--coherence"),
    (
        "evaluate", "wave.csv", "long.csv", "--runs", "2", "--top", "1,3",
        "-m", "cls:n_neighbors=5,form=ensemble,symmetry=mutual,fisher_score",
    ),
]  # fmt: skip


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("words", SCREENS, ids=" ".join)
def test_no_line_is_wider_than_the_screen(tables, tmp_path, words, columns):
    shown = on_a_terminal(words, tmp_path, {"NO_COLOR": "1"}, columns)
    for line in re.split(r"[\r\n]+(?:\x1b\[K)?", shown):  # progress is drawn over itself
        assert cells(line) <= columns or " " not in line.strip(), line


def test_columns_says_how_wide_the_screen_is(tables, tamis, tmp_path):
    narrow = on_a_terminal(("methods",), tmp_path, {"COLUMNS": "56", "NO_COLOR": "1"})
    assert max(map(cells, narrow.splitlines())) <= 56
    assert tamis("methods", env={"COLUMNS": "56"}).out.splitlines()[:3] == narrow.splitlines()[:3]


def test_wide_and_combining_characters_align(tmp_path, write, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, labels, WIDE_NAMES))
    words = ("rank", "t.csv", "--method", "fisher_score", "--no-color", "-q")
    _, heading, *lines = on_a_terminal(words, tmp_path).splitlines()
    end = cells(heading[: heading.index("score") + len("score")])
    assert len(lines) == 6
    for line in lines:
        score = re.search(r" (\d+\.\d+)", line)
        assert cells(line[: score.end()]) == end, line


def test_a_name_that_is_cut_says_so(tmp_path, write, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, labels, [f"{'基因' * 30}{r}" for r in range(6)]))
    words = ("rank", "t.csv", "--method", "fisher_score", "--no-color", "-q")
    lines = on_a_terminal(words, tmp_path).splitlines()[2:]
    assert all("基因…" in line or "基…" in line for line in lines)
    assert all(cells(line) <= 80 for line in lines)


NASTY = ['"a\tb"', '"c\nd"', "e\x1b[2Jf", "g\u202eh"]


@pytest.fixture
def nasty(write, matrix):
    x, labels = matrix
    return write("t.csv", csv_text(x[:, :4], labels, NASTY))


@pytest.mark.parametrize("words", [("rank", "t.csv", "-m", "variance"), ("info", "t.csv")])
def test_control_characters_are_shown_not_obeyed(nasty, tmp_path, tamis, words):
    on_screen = on_a_terminal((*words, "--no-color"), tmp_path)
    in_a_pipe = tamis(*words).out
    for shown in (on_screen, in_a_pipe):
        for name in (r"a\tb", r"c\nd", r"e\x1b[2Jf", r"g\u202eh"):
            assert name in shown, shown
        assert "\x1b" not in shown


def test_fields_between_tabs_stay_fields(nasty, tamis):
    lines = tamis("rank", "t.csv", "-m", "variance").out.splitlines()
    assert [line.count("\t") for line in lines] == [2] * 5


def test_messages_do_not_obey_names_either(nasty, tamis):
    outcome = tamis("rank", "t.csv", "--label-column", "x\x1b[2Jy")
    assert outcome.code != 0 and "\x1b" not in outcome.err and r"x\x1b[2Jy" in outcome.err


def bars_of(shown):
    return [len(line.rstrip().split()[-1]) for line in shown.splitlines()[2:] if "█" in line]


def test_scores_over_decades_have_logarithmic_bars(write, tmp_path):
    random = np.random.default_rng(3)
    x = random.normal(size=(40, 5))
    x *= np.sqrt([2000.0, 200.0, 20.0, 2.0, 0.2]) / x.std(axis=0)
    write("t.csv", csv_text(x))
    words = ("rank", "t.csv", "--method", "variance", "--no-color", "-q")
    shown = on_a_terminal(words, tmp_path)
    assert re.search(r"logarithmic, from 0\.1$", shown.splitlines()[1]), shown
    lengths = bars_of(shown)
    assert len(lengths) == 5
    steps = -np.diff(lengths)
    assert steps.min() >= 5 and steps.max() - steps.min() <= 1, "a decade is a decade"


def test_scores_of_one_size_have_bars_from_the_worst(write, tmp_path):
    random = np.random.default_rng(3)
    write("t.csv", csv_text(random.normal(size=(40, 5)) * [5, 4, 3, 2, 1]))
    words = ("rank", "t.csv", "--method", "variance", "--no-color", "-q")
    shown = on_a_terminal(words, tmp_path)
    assert "from worst to best" in shown and "logarithmic" not in shown


def test_low_scores_over_decades_have_long_bars_too(write, tmp_path, matrix):
    x, labels = matrix
    x[:, 0] += 300 * labels
    write("t.csv", csv_text(x, labels))
    words = ("rank", "t.csv", "--method", "constraint_score", "--no-color", "-q")
    shown = on_a_terminal(words, tmp_path)
    assert "logarithmic, from " in shown
    assert bars_of(shown)[0] == max(bars_of(shown))


def test_the_default_method_is_marked(tamis):
    marked = [line for line in tamis("methods").out.splitlines() if "(the default)" in line]
    assert len(marked) == 1
    assert [m["name"] for m in tamis("methods", "--json").json["methods"] if m["default"]] == [
        "ridge_omp"
    ]
    assert "default    yes" in tamis("methods", "ridge_omp").out
    assert "default    yes" not in tamis("methods", "cls").out
