"""--paper: the options of a method as its paper has them."""

import numpy as np
import pytest
from program import csv_text

PAPER = {"bandwidth": 0.1, "bandwidth_unit": "absolute", "condense": "som"}


@pytest.fixture
def table(write):
    random = np.random.default_rng(3)
    labels = np.arange(40) % 2
    x = random.normal(size=(40, 6))
    x[:, 0] += 3 * labels
    texts = [f"c{label}" if i < 12 else "" for i, label in enumerate(labels)]
    write("table.csv", csv_text(x, labels=texts))
    return "table.csv"


def test_the_paper_sets_its_options_and_the_json_shows_them(tamis, table):
    words = ("rank", table, "--method", "cls", "--json")
    paper, ours = tamis(*words, "--paper").json, tamis(*words).json
    spelled_out = tamis(*words, "--bandwidth", 0.1, "--bandwidth-unit", "absolute",
                        "--condense", "som").json  # fmt: skip
    assert {name: paper["options"][name] for name in PAPER} == PAPER
    assert paper["options"] == spelled_out["options"] and paper["scores"] == spelled_out["scores"]
    assert paper["scores"] != ours["scores"]


def test_options_that_are_given_win(tamis, table):
    options = tamis("rank", table, "--method", "cls", "--paper", "--bandwidth", 2,
                    "--condense", "none", "--json").json["options"]  # fmt: skip
    assert (options["bandwidth"], options["condense"]) == (2, "none")
    assert options["bandwidth_unit"] == "absolute"


@pytest.mark.parametrize("method", ["ridge_omp", "fisher_score", "bcs"])
def test_a_paper_that_sets_nothing_is_followed_with_a_note(tamis, table, method):
    words = ("rank", table, "--method", method, "--json")
    paper = tamis(*words, "--paper")
    assert paper.json["scores"] == tamis(*words).json["scores"]
    note = f"--paper changes nothing: the paper of {method} sets no other option here"
    assert note in paper.err


def test_select_follows_the_paper_too(tamis, table):
    words = ("--method", "laplacian_score", "--paper")
    best = tamis("rank", table, *words, "--json").json
    assert best["options"]["must_link_edges"] is True
    chosen = tamis("select", table, *words, "--top", 2).out.splitlines()[0].split(",")
    assert set(chosen[:2]) == {best["names"][column] for column in best["order"][:2]}


def test_csfsr_ranks_by_csfs_as_its_paper_has_it(tamis, table):
    by_paper = tamis("rank", table, "--method", "csfsr", "--paper", "--json").json
    assert by_paper["options"]["base"] == "csfs:settings=paper"
    base = tamis("rank", table, "--method", "csfs", "--paper", "--json").json
    assert by_paper["scores"] == base["scores"] and base["options"]["form"] == "full"


def test_votes_need_classes_to_predict(refused, table):
    message = refused("rank", table, "--method", "bcs", "--vote", code=2)
    assert message == (
        "tamis: bcs: vote = true is about predicting classes, and a ranking predicts none; "
        "evaluate the method"
    )
    assert "vote = true" in refused("select", table, "--method", "bcs", "--vote", "-k", 2, code=2)


QUICK = ("--runs", 3, "--labels-per-class", 3, "--top", "1:3", "--split", "first_half")


def full_table(write):
    random = np.random.default_rng(5)
    labels = np.arange(45) % 3
    x = random.normal(size=(45, 5))
    x[:, 0] += 2 * labels
    write("full.csv", csv_text(x, labels=[f"c{label}" for label in labels]))
    return "full.csv"


def test_evaluate_follows_papers_of_one_method_or_of_all(tamis, write):
    table = full_table(write)
    words = ("evaluate", table, *QUICK, "--json", "--methods")
    one = tamis(*words, "cls:settings=paper,cls").json
    assert one["methods"][:2] == ["cls:settings=paper", "cls"]
    options = {entry["method"]: entry["options"] for entry in one["options"]}
    assert {name: options["cls:settings=paper"][name] for name in PAPER} == PAPER
    assert options["cls"]["bandwidth"] == 1
    every = tamis(*words, "cls,fisher_score,pca,bcs:n_bags=5", "--paper").json
    assert every["methods"][:4] == [
        "cls:settings=paper", "fisher_score", "pca", "bcs:n_bags=5,settings=paper",
    ]  # fmt: skip
    options = {entry["method"]: entry["options"] for entry in every["options"]}
    assert options["bcs:n_bags=5,settings=paper"]["vote"] is True


def test_votes_of_bags_are_counted(tamis, write):
    table = full_table(write)
    summary = tamis("evaluate", table, *QUICK, "--json",
                    "--methods", "bcs:n_bags=15,vote=true,bcs:n_bags=15").json  # fmt: skip
    vote, mean = summary["summary"][0]["methods"][:2]
    assert vote["failures"] == 0 and vote["stability"] == mean["stability"]
    assert vote["mean_by_length"] != mean["mean_by_length"]
