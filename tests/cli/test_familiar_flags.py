"""Words that people try first do what they mean."""

import pytest
from program import csv_text


@pytest.mark.parametrize("flag", ["--label", "--target", "--label-column"])
def test_labels_by_any_name(tamis, write, matrix, flag):
    x, labels = matrix
    write("x.csv", csv_text(x, labels).replace("class", "kind"))
    assert tamis("rank", "x.csv", flag, "kind", "--json").json["data"]["classes"] == 3


@pytest.mark.parametrize("flag", ["--drop", "--exclude", "--ignore"])
def test_columns_are_left_out_by_any_name(tamis, small, flag):
    assert "noise" not in tamis("rank", small.name, flag, "noise", "--json").json["names"]


@pytest.mark.parametrize("flag", ["--separator", "--sep", "--delimiter"])
@pytest.mark.parametrize(("name", "character"), [("|", "|"), ("tab", "\t"), (":", ":")])
def test_separator(tamis, write, matrix, flag, name, character):
    write("x.txt", csv_text(*matrix).replace(",", character))
    assert tamis("rank", "x.txt", flag, name, "--json").json["data"]["features"] == 6


def test_refuses_a_separator_of_two_characters(refused, small):
    assert refused("rank", small.name, "--sep", "::", code=2) == (
        "tamis: --separator '::' is neither one character, nor tab, nor space"
    )


@pytest.mark.parametrize("flag", ["-j", "--threads"])
def test_threads(tamis, small, flag):
    assert tamis("rank", small.name, flag, "1").code == 0


def test_version(tamis):
    assert tamis("-V").out == tamis("--version").out != ""


def test_color(tamis, small):
    words = ("methods", "cls")
    assert "\033[" in tamis(*words, "--color", "always").out
    assert "\033[" not in tamis(*words, "--color", "auto").out
    assert "\033[" not in tamis(*words, "--color", "never").out


def test_format(tamis, small):
    rank = ("rank", small.name, "--method", "fisher_score")
    assert tamis(*rank, "--format", "csv").out == tamis(*rank, "--csv").out
    assert tamis(*rank, "--format", "text").out == tamis(*rank).out
    assert tamis(*rank, "--format", "json").json["order"] == tamis(*rank, "--json").json["order"]
    assert tamis("info", small.name, "--format", "json").json["features"] == 3


def test_format_and_another_switch_exclude_each_other(refused, small):
    assert refused("rank", small.name, "--format", "json", "--csv", code=2) == (
        "tamis: --json and --csv exclude each other"
    )


def test_the_beginning_of_a_name_suggests_it(refused, small):
    assert refused("rank", small.name, "--method", "fisher", code=2) == (
        "tamis: there is no method 'fisher'; did you mean 'fisher_score'?"
    )


def test_suggests_flags_that_apply_only(refused, small):
    assert "did you mean '--n-neighbors'?" in refused(
        "rank", small.name, "--method", "cls", "--n-neighbor", "3", code=2
    )
    assert "--n-neighbors" not in refused(
        "rank", small.name, "--method", "variance", "--n-neighbor", "3", code=2
    )


def test_evaluate_compares_the_default_with_fisher_score(tamis, write, matrix):
    write("x.csv", csv_text(*matrix))
    outcome = tamis("evaluate", "x.csv", "--runs", "2", "--top", "1,2", "--json")
    methods = {each["method"] for each in outcome.json["summary"][0]["methods"]}
    assert {"ridge_omp", "fisher_score"} <= methods
