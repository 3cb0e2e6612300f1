"""`tamis rank`: what it prints, and that it is always the same."""

import csv
import io
import json
import shlex

import numpy as np
import pytest
from program import csv_text

SMALL_FLAGS = ("--id-column", "id")
KEYS = [
    "schema", "version", "method", "options", "bagging", "diversify", "seed", "data", "better",
    "names", "scores", "order", "selected", "diagnostics", "seconds", "peak_memory_bytes",
]  # fmt: skip


def test_json_has_the_documented_content(tamis, small):
    words = ("rank", "small.csv", *SMALL_FLAGS, "--json", "--method", "cls", "--n-neighbors", "3")
    result = tamis(*words).json
    assert list(result) == KEYS
    assert result["schema"] == "tamis/ranking/1"
    assert result["method"] == "cls" and result["better"] == "lower"
    assert result["options"]["n_neighbors"] == 3 and result["options"]["cut_cannot_links"] is True
    assert result["data"] == {
        "file": "small.csv", "format": "csv", "rows": 8, "features": 3, "labeled": 4, "classes": 2,
        "targets": 0, "must_link": 2, "cannot_link": 4, "sparse": False, "precision": "double",
        "scale": "none",
    }  # fmt: skip
    assert result["names"] == ["height", "width", "noise"]
    assert sorted(result["order"]) == [0, 1, 2]
    assert result["order"] == list(np.argsort(result["scores"], kind="stable"))
    assert result["selected"] is None
    assert set(result["diagnostics"]) == {
        "undefined", "converged", "iterations", "edges", "effective_edges", "dropped_constraints",
        "figures", "warnings",
    }  # fmt: skip
    assert result["seconds"] >= 0 and result["peak_memory_bytes"] > 1e6


def test_undefined_scores_are_null_and_infinite_ones_are_words(tamis, write):
    write("t.csv", "flat,apart,x,class\n1,0,3,a\n1,0,1,a\n1,5,2,b\n1,5,6,b\n")
    result = tamis("rank", "t.csv", "--method", "fisher_score", "--json").json
    assert result["scores"][:2] == [None, "inf"]
    assert result["order"] == [1, 2, 0]
    assert result["diagnostics"]["undefined"] == [0]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_gives_exactly_k(tamis, small, k):
    words = ("rank", "small.csv", *SMALL_FLAGS, "--top", k, "-q")
    result = tamis(*words, "--json").json
    assert result["selected"] == result["order"][:k] and len(result["scores"]) == 3
    assert len(tamis(*words).out.splitlines()) == k + 1
    assert len(tamis(*words, "--csv").out.splitlines()) == k + 1


def test_more_than_all_gives_all_with_a_warning(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS, "--top", "10", "--json")
    assert len(outcome.json["selected"]) == 3
    assert "tamis: warning: --top 10" in outcome.err


def test_ties_do_not_change_the_number_taken(tamis, write):
    write("t.csv", "a,b,c,d\n1,1,1,1\n2,2,2,2\n4,4,4,4\n")
    result = tamis("rank", "t.csv", "--method", "variance", "--top", "2", "--json").json
    assert result["selected"] == [0, 1]


def test_undefined_features_are_taken_only_if_forced_and_with_a_warning(tamis, write):
    write("t.csv", "flat,x,class\n1,3,a\n1,1,a\n1,2,b\n1,6,b\n")
    words = ("rank", "t.csv", "--method", "fisher_score", "--json", "--top")
    assert "no defined score" not in tamis(*words, "1").err
    outcome = tamis(*words, "2")
    assert outcome.json["selected"] == [1, 0]
    assert "tamis: warning: 1 of the 2 features taken has no defined score" in outcome.err


def test_a_pipe_gets_plain_tab_separated_text(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS)
    lines = [line.split("\t") for line in outcome.out.splitlines()]
    assert lines[0] == ["rank", "feature", "score", "q", "part"]
    assert [line[0] for line in lines[1:]] == ["1", "2", "3"]
    assert lines[3][1] == "noise"
    assert "\033" not in outcome.out + outcome.err
    assert "8 rows x 3 features, 4 labeled in 2 classes" in outcome.err


def test_csv_quotes_names_and_keeps_every_digit(tamis, write):
    write("t.csv", '"a,b","say ""x"""\n1,2\n2,5\n4,1\n')
    outcome = tamis("rank", "t.csv", "--method", "variance", "--csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [row["feature"] for row in rows] == ['say "x"', "a,b"]
    assert [row["column"] for row in rows] == ["1", "0"]
    assert [float(row["score"]) for row in rows] == pytest.approx([26 / 9, 14 / 9], rel=1e-15)


def test_quiet_says_nothing_but_the_result(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS, "-q", "-m", "cls", "--n-neighbors", "20")
    assert outcome.err == "" and outcome.out


def test_a_file_gets_what_stdout_would(tamis, small, tmp_path):
    words = ("rank", "small.csv", *SMALL_FLAGS, "--csv")
    outcome = tamis(*words, "-o", "out.csv")
    assert outcome.out == ""
    assert (tmp_path / "out.csv").read_text() == tamis(*words).out == tamis(*words, "-o", "-").out


@pytest.mark.parametrize(
    "method", ["cls", "constraint_score", "laplacian_score", "lsdf", "sc4", "sselect", "variance"]
)
def test_scores_are_the_same_bits_for_any_number_of_threads(tamis, write, method):
    random = np.random.default_rng(3)
    labels = [str(c) if i < 30 else "" for i, c in enumerate(np.arange(400) % 4)]
    write("t.csv", csv_text(random.normal(size=(400, 70)), labels))
    one, three = (
        tamis("rank", "t.csv", "--method", method, "--json", "--threads", n).json for n in (1, 3)
    )
    assert json.dumps(one["scores"]) == json.dumps(three["scores"])
    assert one["order"] == three["order"]


def test_labels_per_class_keeps_that_many_by_seed(tamis, write, matrix):
    write("t.csv", csv_text(*matrix))
    words = ("rank", "t.csv", "--labels-per-class", "3", "--json", "--seed")
    first, again, other = (tamis(*words, seed).json for seed in (1, 1, 2))
    assert first["data"]["labeled"] == 9 and first["data"]["classes"] == 3
    assert (first["data"]["must_link"], first["data"]["cannot_link"]) == (9, 27)
    assert first["scores"] == again["scores"] != other["scores"]


def test_a_class_with_too_few_labels_keeps_them_with_a_warning(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS, "--labels-per-class", "5", "--json")
    assert outcome.json["data"]["labeled"] == 4
    assert "fewer of classes x (2), y (2): all of them are kept" in outcome.err


def test_scaling_is_what_numpy_would_do(tamis, write, matrix):
    x, labels = matrix
    x = np.column_stack([x * np.array([1, 10, 100, 1, 0.1, 1]), np.full(len(x), 0.1)])
    standard, span = x - x.mean(axis=0), x - x.min(axis=0)
    standard[:, :-1] /= x[:, :-1].std(axis=0)
    span[:, :-1] /= np.ptp(x[:, :-1], axis=0)
    write("raw.csv", csv_text(x, labels))
    for how, expected in (("standard", standard), ("minmax", span)):
        write("scaled.csv", csv_text(expected, labels))
        scaled = tamis("rank", "raw.csv", "--scale", how, "--json").json
        direct = tamis("rank", "scaled.csv", "--json").json
        assert scaled["data"]["scale"] == how
        assert scaled["scores"][-1] is None
        np.testing.assert_allclose(scaled["scores"][:-1], direct["scores"][:-1], rtol=1e-9)


def test_sparse_columns_are_scaled_like_dense_ones(tamis, write, matrix):
    x = np.where(np.abs(matrix[0]) < 1, 0.0, matrix[0])
    lines = [
        " ".join([str(label), *(f"{r + 1}:{float(v)!r}" for r, v in enumerate(row) if v)])
        for row, label in zip(x, matrix[1], strict=True)
    ]
    write("t.svm", "\n".join(lines) + "\n")
    write("t.csv", csv_text(x, matrix[1]))
    for how in ("none", "standard", "minmax"):
        words = ("--scale", how, "--method", "laplacian_score", "--json")
        sparse, dense = (tamis("rank", name, *words).json for name in ("t.svm", "t.csv"))
        assert sparse["data"]["sparse"] and not dense["data"]["sparse"]
        np.testing.assert_allclose(sparse["scores"], dense["scores"], rtol=1e-9)


def test_pairs_by_id_count_and_close(tamis, small, write):
    write("pairs.csv", "a,b,kind\nc,g,must\ng,a,must\nf,c,cannot\n")
    words = ("rank", "small.csv", *SMALL_FLAGS, "--label-column", "none", "--drop", "class",
             "--constraints", "pairs.csv", "--json")  # fmt: skip
    data = tamis(*words).json["data"]
    assert (data["labeled"], data["must_link"], data["cannot_link"]) == (0, 2, 1)
    closed = tamis(*words, "--close-constraints").json["data"]
    assert (closed["must_link"], closed["cannot_link"]) == (3, 3)


def test_labels_come_from_a_file_too(tamis, small, write):
    write("labels.txt", "p\np\n?\nq\nq\n?\n?\n?\n")
    words = ("--drop", "id,class", "--label-column", "none", "--labels", "labels.txt", "--json")
    own = tamis("rank", "small.csv", *SMALL_FLAGS, "--json").json
    assert tamis("rank", "small.csv", *words).json["scores"] == own["scores"]


def test_unlabeled_texts_can_be_chosen(tamis, write):
    write("t.csv", "a,class\n1,x\n2,x\n3,y\n4,none\n5,skip\n")
    words = ("rank", "t.csv", "--method", "fisher_score", "--json")
    assert tamis(*words).json["data"]["classes"] == 4
    data = tamis(*words, "--unlabeled", "none", "--unlabeled", "skip").json["data"]
    assert (data["classes"], data["labeled"]) == (2, 3)
    assert tamis(*words, "--unlabeled", "none,skip").json["data"]["labeled"] == 3


def test_single_precision_is_close_and_says_so(tamis, write, matrix):
    write("t.csv", csv_text(*matrix))
    double = tamis("rank", "t.csv", "--json").json
    single = tamis("rank", "t.csv", "--json", "--precision", "single").json
    assert single["data"]["precision"] == "single"
    np.testing.assert_allclose(single["scores"], double["scores"], rtol=1e-4)


def test_verbose_prints_a_command_that_repeats_the_run(tamis, small):
    outcome = tamis("rank", "small.csv", *SMALL_FLAGS, "--method", "cls", "-v", "--json")
    command = next(line for line in outcome.err.splitlines() if line.startswith("tamis rank"))
    assert "--n-neighbors=10" in command and "--seed=0" in command
    again = tamis(*shlex.split(command)[1:])
    assert again.json["scores"] == outcome.json["scores"]


def test_booleans_are_switched_off_by_name(tamis, small):
    words = ("rank", "small.csv", *SMALL_FLAGS, "--method", "cls", "--json")
    assert tamis(*words, "--cut-cannot-links=false").json["options"]["cut_cannot_links"] is False
    assert tamis(*words, "--cut-cannot-links").json["options"]["cut_cannot_links"] is True
