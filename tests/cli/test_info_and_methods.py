"""`tamis info`, `tamis methods`, help and version."""

import pytest

COMMANDS = [
    "rank", "select", "cluster", "project", "constraints", "generate", "info", "convert",
    "methods", "completion", "man",
]  # fmt: skip


def test_info_counts_what_is_in_a_table(tamis, write):
    write(
        "t.csv",
        "id,a,flat,b,class\nr1,1,2,0,x\nr2,1,2,0,x\nr3,nan,2,5,y\nr4,inf,2,5,\nr5,3,2,nan,y\n",
    )
    info = tamis("info", "t.csv", "--id-column", "id", "--json").json
    assert info["schema"] == "tamis/info/1" and info["format"] == "csv"
    assert (info["rows"], info["features"], info["ids"]) == (5, 3, True)
    assert info["classes"] == {"x": 2, "y": 2} and info["unlabeled"] == 1
    assert (info["missing"], info["infinite"]) == (2, 1)
    assert info["first_not_finite"] == {"row": 2, "column": 0}
    assert info["constant_columns"] == [1] and info["duplicate_rows"] == 1
    text = tamis("info", "t.csv", "--id-column", "id").out
    assert "2 missing, 1 infinite; the first in row 2, column 0 (a)" in text
    assert "x (2), y (2)" in text


def test_info_of_a_sparse_table_tells_its_density(tamis, write):
    write("t.svm", "1 1:1 4:2\n2 2:1\n1 1:1 4:2\n")
    info = tamis("info", "t.svm", "--json").json
    assert info["sparse"] and info["density"] == pytest.approx(5 / 12)
    assert info["duplicate_rows"] == 1 and info["constant_columns"] == [2]


def test_methods_are_listed_with_everything_a_program_needs(tamis):
    result = tamis("methods", "--json").json
    assert result["schema"] == "tamis/methods/1"
    methods = {method["name"]: method for method in result["methods"]}
    assert list(methods) == sorted(methods)
    cls = methods["cls"]
    assert set(cls) == {
        "name", "title", "kind", "needs", "selects_subset", "counts_features", "measures_distances",
        "takes_values", "draws", "needs_classes", "needs_knowledge", "streams", "streams_if",
        "base_option",
        "default", "reference", "paper", "options",
    }  # fmt: skip
    assert cls["paper"] == {"bandwidth": 0.1, "bandwidth_unit": "absolute", "condense": "som"}
    assert methods["fisher_score"]["paper"] == {} and methods["bcs"]["paper"] == {"vote": True}
    assert [name for name, method in methods.items() if method["selects_subset"]] == [
        "csfsr", "fcbf", "sbcs",
    ]  # fmt: skip
    assert [name for name, method in methods.items() if method["counts_features"]] == ["ridge_omp"]
    takers = [name for name, method in methods.items() if method["takes_values"]]
    assert takers == ["relieff", "ridge_omp"]
    options = {option["name"]: option for option in cls["options"]}
    assert options["n_neighbors"]["flag"] == "--n-neighbors"
    assert options["n_neighbors"]["default"] == 10 and options["n_neighbors"]["low"] == 1
    assert options["form"]["words"][0] == "sum"


def test_every_default_can_be_given_as_a_flag(tamis, small):
    for method in tamis("methods", "--json").json["methods"]:
        flags = [
            f"{option['flag']}={str(option['default']).lower()}" for option in method["options"]
        ]
        words = ("rank", "small.csv", "--id-column", "id", "--json", "--method", method["name"])
        given, default = tamis(*words, *flags).json, tamis(*words).json
        assert given["options"] == default["options"]
        assert given["scores"] == default["scores"]


def test_one_method_is_told_in_full(tamis):
    text = tamis("methods", "cls").out
    assert "--n-neighbors" in text and "default 10" in text and "semi-supervised" in text
    assert "--paper    sets bandwidth = 0.1, bandwidth_unit = absolute, condense = som\n" in text
    assert "vote = true (where classes are predicted)" in tamis("methods", "bcs").out
    assert "--paper    sets nothing\n" in tamis("methods", "fisher_score").out
    table = tamis("methods", "cls", "--markdown").out
    assert table.startswith("|") and "n_neighbors" in table


def test_without_words_the_overview_is_shown_as_an_error(tamis):
    outcome = tamis()
    assert outcome.code == 2 and outcome.out == ""
    assert outcome.err == tamis("--help").out


def test_the_overview_lists_every_command(tamis):
    text = tamis("--help").out
    assert all(f"\n  {command} " in text for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(tamis, command):
    outcome = tamis(command, "--help")
    assert outcome.code == 0 and outcome.err == ""
    assert outcome.out.startswith(f"tamis {command} ")
    assert "Examples" in outcome.out and "--help" in outcome.out
    assert tamis("help", command).out == outcome.out
    assert all(len(line) <= 96 for line in outcome.out.splitlines())


def test_help_shows_the_options_of_the_chosen_method(tamis):
    assert "--nu NUMBER" not in tamis("rank", "--help").out
    text = tamis("rank", "--method", "constraint_score", "--help").out
    assert "--nu NUMBER" in text and "--n-neighbors N" not in text


def test_the_version_is_told(tamis):
    assert tamis("--version").out.startswith("tamis 0.")
