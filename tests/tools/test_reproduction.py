import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from reproducing.accuracy import condensed
from reproducing.must_links import quality
from reproducing.page import optima_item, orders_item, table_item
from reproducing.program import Problem, Program
from reproducing.published_ranks import critical_wins, wins
from reproducing.records import Records, win_tie_loss
from reproducing.regularization import cut_value
from reproducing.verdicts import compare, rank_correlation, verdict_of_shares

TOOL = Path(__file__).parents[2] / "tools/reproduction.py"
ITEM = {
    "item": "Table 1",
    "title": "accuracy",
    "kind": "table",
    "experiments": ["first"],
    "why": "Because.",
    "percent": True,
    "rows": [["Iris", "iris"], ["Lost", None]],
    "columns": [["CLS", "cls"], ["Other", None]],
    "values": [[90.0, 80.0], [70.0, 60.0]],
}
HEAD = {"experiment": "first", "version": "1.2", "commands": ["tamis evaluate iris.csv"]}


def line(run, accuracy, method="cls", failure=None):
    return {
        "data_set": "iris",
        "labels_per_class": 3,
        "run": run,
        "method": method,
        "lengths": [1, 2],
        "views": [{"view": "transfer", "accuracy": accuracy}],
        "mean_correlation": [0.0, 0.5],
        "cpu_seconds": 0.25,
        "failure": failure,
    }


def write_records(project, *lines):
    record = project / "docs/reproduction/first.jsonl"
    lines = [HEAD, *({"command": 0} | entry for entry in lines)]
    record.write_text("".join(json.dumps(entry) + "\n" for entry in lines))


@pytest.fixture
def project(tmp_path):
    """A project with one published table and the record of its experiment."""
    (tmp_path / "docs/reproduction").mkdir(parents=True)
    paper = {"name": "Paper", "reference": "Somebody.", "items": [ITEM]}
    (tmp_path / "docs/reproduction/published.json").write_text(json.dumps({"papers": [paper]}))
    write_records(tmp_path, *condensed([line(0, [0.8, 1.0]), line(1, [0.9, 0.9])]))
    return tmp_path


def reproduction(project, *arguments):
    command = [sys.executable, TOOL, "--root", project, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        ([[0.9, 0.8]], [[0.91, 0.79]], "reproduces"),
        ([[0.9, 0.8]], [[0.84, 0.82]], "partly"),
        ([[0.9, 0.8]], [[0.84, 0.85]], "does not"),  # 5.5 points are too many
        ([[0.9, 0.8]], [[0.7, 0.6]], "partly"),  # far away, but the same is best
        ([[0.9, 0.8, 0.7, 0.6]], [[0.5, 0.6, 0.4, 0.3]], "partly"),  # nearly the same order
        ([[0.9, 0.8]], [[0.6, 0.7]], "does not"),
        ([[0.9]], [[0.89]], "reproduces"),
        ([[0.9]], [[0.8]], "does not"),
        ([[0.9, None]], [[None, 0.8]], "not compared"),
    ],
)
def test_the_verdict_on_a_table_follows_its_numbers(published, ours, verdict):
    assert compare(published, ours).verdict == verdict


def test_a_close_table_with_other_winners_reproduces_in_part():
    published, ours = [[0.50, 0.51], [0.50, 0.51], [0.51, 0.50]], [[0.51, 0.50]] * 3
    result = compare(published, ours)
    assert (result.winners, result.verdict) == ((1, 3), "partly")


def test_low_values_win_where_a_table_says_so():
    assert compare([[0.1, 0.9]], [[0.1, 0.9]], lower=True).winners == (1, 1)
    assert compare([[0.1, 0.9]], [[0.9, 0.1]], lower=True).winners == (0, 1)


def test_columns_that_are_no_rivals_are_judged_by_their_distance_alone():
    result = compare([[0.9, 0.8, 0.1]], [[0.5, 0.6, 0.2]], rivals=False)
    assert (result.winners, result.order, result.verdict) == (None, None, "does not")


def test_rank_correlation_shares_the_ranks_of_ties():
    assert rank_correlation([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert rank_correlation([1, 2, 2], [1, 2, 3]) == pytest.approx(0.8660254)
    assert rank_correlation([1, 1, 1], [1, 2, 3]) == 0


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [([1, 1], "reproduces"), ([1, 0], "partly"), ([0.4], "does not"), ([], "not compared")],
)
def test_the_verdict_on_statements_follows_the_share_that_holds(shares, verdict):
    assert verdict_of_shares(shares) == verdict


def test_condenses_runs_and_keeps_what_failed():
    lines = [line(0, [0.8, 1.0]), line(1, [0.9, 0.8]), line(0, [], "csfs", "all weights are 0")]
    cls, csfs = condensed(lines)
    assert (cls["runs"], cls["mean"], cls["averages"]) == (2, [0.85, 0.9], [0.9, 0.85])
    assert (cls["bests"], cls["correlation"], cls["cpu_seconds"]) == ([1.0, 0.9], 0.5, 0.25)
    assert (csfs["runs"], csfs["failed_runs"], csfs["failure"]) == (0, 1, "all weights are 0")


def test_methods_are_named_without_where_their_options_come_from():
    names = {"cls:settings=paper": "cls", "csfs:settings=default": "csfs", "lsdf": "lsdf"}
    names |= {"cls:form=pairs,settings=paper": "cls:form=pairs"}
    assert {name: condensed([line(0, [1, 1], name)])[0]["method"] for name in names} == names


def test_runs_with_several_numbers_of_constraints_are_kept_apart():
    runs = [line(run, [a, a]) | {"n_constraints": c} for run, c, a in ((0, 5, 0.5), (1, 5, 0.7))]
    runs += [line(0, [0.9, 0.9]) | {"n_constraints": 10}]
    (record,) = condensed(runs)
    assert (record["constraints"], record["by_constraints"]) == ([5, 10], [0.6, 0.9])
    assert "constraints" not in condensed([line(0, [0.5, 0.5])])[0]


def test_counts_wins_ties_and_losses_by_data_set():
    lines = [line(run, [0.9 + run / 100, 0.9], "cls") for run in range(3)]
    lines += [line(run, [0.5, 0.5 - run / 100], "lsdf") for run in range(3)]
    entries = [{"command": 0} | entry for entry in condensed(lines)]
    records = Records({"first": [HEAD, *entries]}, ["first"])
    assert win_tie_loss(records, ["iris"], "cls", "lsdf") == [1, 0, 0]
    assert win_tie_loss(records, ["iris"], "lsdf", "cls") == [0, 0, 1]
    assert win_tie_loss(records, ["iris"], "cls", "cls") == [0, 1, 0]


def records_of(*lines):
    entries = [{"command": 0} | entry for entry in lines]
    return Records({"first": [HEAD, *entries]}, ["first"])


def test_a_row_may_be_the_mean_of_several_data_sets():
    lines = [line(0, [0.8, 0.8]), line(0, [0.5, 0.5], "lsdf")]
    lines += [entry | {"data_set": "wave"} for entry in (line(0, [0.6, 0.6], "lsdf"),)]
    lines += [line(0, [0.7, 0.7]) | {"data_set": "wave"}]
    item = {
        "minus": "cls",
        "rivals": False,
        "rows": [["mean", [["iris"], ["wave", 3], ["lost"]]]],
        "columns": [["LSDF", "lsdf"]],
        "values": [[0.2]],
    }
    verdict, text = table_item(item, records_of(*condensed(lines)))
    assert verdict == "reproduces" and "| mean | 0.200 / 0.200 |" in text


def test_of_several_variants_the_best_one_counts():
    lines = condensed([line(0, [0.8, 0.8]), line(0, [0.5, 0.5], "lsdf")])
    item = {
        "rows": [["Iris", "iris"]],
        "columns": [["Both", ["lsdf", "cls", "lost"]]],
        "values": [[0.8]],
    }
    assert "| Iris | 0.800 / 0.800 |" in table_item(item, records_of(*lines))[1]
    assert "| Iris | 0.800 / 0.500 |" in table_item(item | {"lower": True}, records_of(*lines))[1]


def test_numbers_of_features_agree_within_a_margin():
    lines = condensed([line(0, [0.8, 0.9]), line(0, [0.9, 0.5], "lsdf")])
    item = {
        "measure": "optimum",
        "within": 3,
        "rows": [["Iris", "iris"], ["Lost", None]],
        "columns": [["CLS", "cls"], ["LSDF", "lsdf"]],
        "values": [[5, 7], [1, 1]],
    }
    verdict, text = optima_item(item, records_of(*lines))
    assert verdict == "partly" and "1 of 2 are at most 3 apart." in text
    assert "| Iris | 5 / 2 | 7 / 1 |\n| Lost | 1 / – | 1 / – |" in text


def test_orders_may_be_those_of_cells():
    cells = [{"row": "iris", "column": name, "values": [v]} for name, v in (("a", 0.3), ("b", 0.2))]
    claim = {"says": "a", "measure": "cells", "pairs": [["iris", "a", "b"], ["iris", "a", "c"]]}
    verdict, text = orders_item({"claims": [claim]}, records_of(*cells))
    assert verdict == "reproduces" and "| a | 1 of 1 | – |" in text


def test_pairs_of_rows_are_counted_in_either_order_and_with_themselves():
    """Two classes of two rows, one label each; the other row of the second goes astray."""
    result = {
        "data": {"rows": 4, "classes": 2, "labeled": 2},
        "must_link": {"from_labels": 0, "deduced": 3},
        "deduction": {"correct": 1 / 3, "coverage": 1 / 2, "given": 0.0},
    }
    assert quality(result) == pytest.approx((6 / 10, 6 / 8, 2 / 8))


def test_critical_wins_are_those_of_one_side_of_the_binomial_law():
    assert [critical_wins(n, 0.1) for n in (4, 5, 9, 20)] == [4, 5, 7, 14]
    item = {"columns": [["A", None], ["B", None]], "values": [[None, "6/3/0"], ["0/3/6", None]]}
    needed, better = wins(0, item)
    assert (needed["ours"], better["ours"], better["share"]) == ("7 of 9", "A over B", 1)


def test_shows_the_commands_of_the_lines_in_use_and_those_that_prepare_something():
    head = HEAD | {"commands": ["tamis generate", "tamis rank a", "tamis rank b"]}
    lines = [{"command": 1, "fact": "a"}, {"command": 2, "fact": "b"}]
    records = Records({"first": [head, *lines]}, ["first"])
    records.fact("b")
    assert records.commands() == ["tamis generate", "tamis rank b"]


def test_writes_published_and_own_values_with_verdict_command_and_runs(project):
    assert reproduction(project, "write").returncode == 0
    page = (project / "docs/reproduction.md").read_text()
    assert "**Verdict: reproduces.** Because." in page
    assert "| Iris | 90.0 / 90.0 | 80.0 / – |\n| Lost | 70.0 / – | 60.0 / – |" in page
    assert "1 of 4 cells compared; mean absolute difference 0.0 points." in page
    assert "Runs: 2. Record: [first](reproduction/first.jsonl); tamis 1.2." in page
    assert "```text\ntamis evaluate iris.csv\n```" in page


def test_check_finds_a_page_that_is_not_what_the_records_give(project):
    reproduction(project, "write")
    assert reproduction(project, "write", "--check").returncode == 0
    write_records(project, *condensed([line(0, [0.1, 0.1])]))
    run = reproduction(project, "write", "--check")
    stale = "docs/reproduction.md is stale: run tools/reproduction.py write\n"
    assert (run.returncode, run.stdout) == (1, stale)


def test_says_which_record_is_missing_and_how_to_make_it(project):
    (project / "docs/reproduction/first.jsonl").unlink()
    run = reproduction(project, "write")
    assert run.returncode == 1
    assert run.stderr == (
        "reproduction.py: docs/reproduction/first.jsonl is missing: "
        "run tools/reproduction.py run first\n"
    )


def test_refuses_an_unknown_experiment(project):
    run = reproduction(project, "run", "second")
    assert run.returncode == 1
    assert run.stderr.startswith("reproduction.py: unknown experiment 'second'; there are ")


def test_names_the_columns_of_vehicle_apart(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/vehicle.csv").write_text("a,b,a,class\n1,2,3,van\n")
    program = tmp_path / "tamis"
    program.touch()
    Program(program, tmp_path / "work", tmp_path / "tables")
    assert (tmp_path / "work/vehicle.csv").read_text() == "a,b,a_2,class\n1,2,3,van\n"


def test_goes_on_where_a_method_failed_but_not_where_the_program_did(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/vehicle.csv").write_text("a,class\n1,van\n")
    path = tmp_path / "tamis"
    path.write_text("#!/bin/sh\necho said; echo wrong >&2; exit $2\n")
    path.chmod(0o755)
    program = Program(path, tmp_path / "work", tmp_path / "tables")
    assert program.ask(["evaluate", 1], may_fail=True) == ("said\n", 0)
    for code, may_fail in ((2, True), (1, False)):
        with pytest.raises(Problem, match="wrong"):
            program.ask(["evaluate", code], may_fail=may_fail)


def test_the_cut_value_of_equal_rows_is_that_of_all_of_them():
    squares = [[0, 0, 4], [0, 0, 4], [4, 4, 0]]
    mean = sum(map(sum, squares)) / 9
    weights = np.exp(-np.array(squares) / mean)
    degrees = weights.sum(axis=1)
    walk = weights / np.sqrt(np.outer(degrees, degrees))
    assert cut_value([[0.0], [0.0], [2.0]]) == pytest.approx(1 - np.linalg.eigvalsh(walk)[-2])


def test_says_that_the_program_must_be_built_first(tmp_path):
    with pytest.raises(Problem, match="build it first"):
        Program(tmp_path / "tamis", tmp_path / "work", tmp_path)
