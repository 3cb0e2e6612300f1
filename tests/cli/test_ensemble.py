"""Ensembles: any method under `--bagging`, and what is said of how sure a ranking is."""

import csv
import io
import json
import re
import signal
import subprocess
import time

import numpy as np
import pytest
from program import PROGRAM, csv_text
from test_terminal import on_a_terminal

USAGE, DATA = 2, 3
BAGGED = ("--method", "variance", "--bagging", "40", "--subspace", "3")


@pytest.fixture
def table(write, matrix):
    """The matrix with every other row labeled."""
    x, labels = matrix
    write("t.csv", csv_text(x, [y if i % 2 == 0 else "" for i, y in enumerate(labels)]))
    return x


def test_json_says_what_was_bagged_and_how_sure_it_is(tamis, table):
    result = tamis("rank", "t.csv", *BAGGED, "--json").json
    assert result["bagging"] == {"n_members": 40, "subspace_size": 3, "combine": "rank"}
    committee = result["committee"]
    assert list(committee) == [
        "members", "draws", "mean", "place", "place_low", "place_high", "best_share", "stability",
    ]  # fmt: skip
    assert committee["members"] == 40 and sum(committee["draws"]) == 40 * 3
    assert all(0 <= score < 1 for score in result["scores"]) and result["better"] == "lower"
    for place, column in enumerate(result["order"], start=1):
        assert committee["place"][column] == place
        assert 1 <= committee["place_low"][column] <= place <= committee["place_high"][column] <= 6
    assert all(0 <= share <= 1 for share in committee["best_share"])
    stability = committee["stability"]
    assert (stability["sets"], stability["set_size"]) == (10, 1)
    assert stability["nogueira_low"] <= stability["nogueira"] <= stability["nogueira_high"]
    assert stability["nogueira"] <= 1 + 1e-12
    assert stability["kuncheva"] == pytest.approx(stability["nogueira"])  # sets of one size


def test_a_plain_ranking_is_not_bagged_and_has_no_committee(tamis, table):
    result = tamis("rank", "t.csv", "--json").json
    assert result["bagging"] is None and "committee" not in result


def test_what_is_not_known_is_null(tamis, table):
    words = ("rank", "t.csv", "--method", "variance", "--bagging", "1", "--subspace", "2")
    result = tamis(*words, "--json").json
    committee = result["committee"]
    drawn = [draws == 1 for draws in committee["draws"]]
    assert sum(drawn) == 2 and committee["stability"] is None
    assert committee["place_low"] == committee["place_high"] == [None] * 6
    assert result["diagnostics"]["warnings"][0] == (
        "1 member is too few to tell how sure places are; take at least 10"
    )
    for values in (result["scores"], committee["mean"], committee["best_share"]):
        assert [value is not None for value in values] == drawn
    assert result["diagnostics"]["undefined"] == [r for r in range(6) if not drawn[r]]
    lines = list(csv.DictReader(io.StringIO(tamis(*words, "--csv").out)))
    assert [lines[0][name] for name in ("draws", "place", "place_low", "place_high")] == [
        "1", "1", "", "",
    ]  # fmt: skip
    assert [lines[-1][name] for name in ("draws", "score", "mean", "best_share")] == [
        "0", "", "", "",
    ]  # fmt: skip
    assert tamis(*words).out.splitlines()[-1].split("\t")[2:] == [
        "undefined", "0", "undefined", "6", "undefined", "undefined", "undefined",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [BAGGED, ("--method", "ens_cls"), ("--method", "bcs")])
def test_tables_have_the_same_figures_as_json(tamis, table, words):
    result = tamis("rank", "t.csv", *words, "--json").json
    committee = result["committee"]
    lines = list(csv.DictReader(io.StringIO(tamis("rank", "t.csv", *words, "--csv").out)))
    assert list(lines[0]) == [
        "rank", "feature", "column", "score", "draws", "mean", "place", "place_low", "place_high",
        "best_share",
    ]  # fmt: skip
    assert [int(line["column"]) for line in lines] == result["order"]
    for line in lines:
        column = int(line["column"])
        assert float(line["score"]) == result["scores"][column]
        for name in ("draws", "mean", "place", "place_low", "place_high", "best_share"):
            assert float(line[name]) == committee[name][column]
        assert line["place"] == line["rank"] and line["place_low"].isdigit()
    text = tamis("rank", "t.csv", *words).out.splitlines()
    assert text[0].split("\t") == ["rank", "feature", *list(lines[0])[3:]]
    for line, cells in zip(text[1:], lines, strict=True):
        assert line.split("\t")[2:] == list(cells.values())[3:]


def test_people_read_how_stable_the_ranking_is(tamis, table):
    outcome = tamis("rank", "t.csv", *BAGGED, "--json")
    found = outcome.json["committee"]["stability"]
    line = (
        f"stability {found['nogueira']:.2f} ({found['nogueira_low']:.2f} to "
        f"{found['nogueira_high']:.2f}; Nogueira), {found['kuncheva']:.2f} (Kuncheva), "
        "of the 1 best over 10 parts of the ensemble"
    )
    assert line in outcome.err.splitlines()
    assert "variance: Variance, combined from 40 members; lower is better" in outcome.err
    assert "stability" not in tamis("rank", "t.csv", *BAGGED, "-q", "--json").err


def test_a_terminal_shows_places_draws_and_shares(tamis, table, tmp_path):
    shown = on_a_terminal(("rank", "t.csv", *BAGGED, "--no-color", "-q"), tmp_path).splitlines()
    assert re.split(r"  +", shown[1]) == [
        "rank", "feature", "score", "place (5–95 %)", "draws", "in best 10 %", "from worst to best",
    ]  # fmt: skip
    assert re.match(r"   1  f[01] +\d+\.\d+ +1 \(1–\d\) +\d+ +\d+ %  █+$", shown[2])
    assert max(map(len, shown)) == 80
    words = ("rank", "t.csv", "--method", "variance", "--bagging", "9", "--no-color", "-q")
    assert re.search("score +draws", on_a_terminal(words, tmp_path).splitlines()[1])


def test_a_diversified_table_shows_the_places_of_the_ensemble(tamis, table, tmp_path):
    words = ("rank", "t.csv", *BAGGED, "--diversify", "--no-color", "-q")
    result = tamis(*words, "--json").json
    places = [result["committee"]["place"][column] for column in result["order"]]
    assert sorted(places) == [1, 2, 3, 4, 5, 6] != places
    shown = on_a_terminal(words, tmp_path).splitlines()[2:8]
    assert [int(re.search(r"(\d) \(\d–\d\)", line)[1]) for line in shown] == places


@pytest.mark.parametrize("method", ["cls", "laplacian_score", "fisher_score", "sc4", "csfs", "bcs"])
def test_any_method_can_be_bagged_and_threads_change_nothing(tamis, table, method):
    words = ("rank", "t.csv", "--method", method, "--bagging", "12", "--subspace", "4", "--json")
    one, two = (tamis(*words, "--threads", n).json for n in (1, 2))
    for result in (one, two):
        assert result.pop("seconds") >= 0 and result.pop("peak_memory_bytes") > 0
    assert json.dumps(one) == json.dumps(two)
    assert one["committee"]["members"] == 12 and set(one["order"][:2]) & {0, 1}


def test_members_depend_on_the_seed(tamis, table):
    for words in (BAGGED, ("--method", "ens_cls"), ("--method", "bcs")):
        first, again, other = (
            tamis("rank", "t.csv", *words, "--json", "--seed", seed).json["scores"]
            for seed in (1, 1, 2)
        )
        assert first == again != other


def test_verbose_prints_a_command_that_repeats_the_ensemble(tamis, table):
    outcome = tamis("rank", "t.csv", *BAGGED, "-v", "--json")
    command = next(line for line in outcome.err.splitlines() if line.startswith("tamis rank"))
    assert command.endswith("--bagging-combine=rank --seed=0")
    assert tamis(*command.split()[1:]).json["scores"] == outcome.json["scores"]


def test_select_takes_the_best_of_the_ensemble(tamis, table, tmp_path):
    best = tamis("rank", "t.csv", *BAGGED, "--top", "2", "--json").json["selected"]
    outcome = tamis("select", "t.csv", *BAGGED, "--top", "2", "-o", "best.csv")
    assert outcome.code == 0 and "stability" in outcome.err
    header = (tmp_path / "best.csv").read_text().splitlines()[0]
    assert header == ",".join([*(f"f{r}" for r in sorted(best)), "class"])


def test_of_a_method_that_chooses_only_the_ranking_is_bagged(tamis, refused, table):
    words = ("t.csv", "--method", "csfsr", "--base", "variance", "--bagging", "30",
             "--bagging-combine", "mean")  # fmt: skip
    outcome = tamis("rank", *words, "--json")
    assert outcome.json["selected"] is None and "redundancy" not in outcome.json
    assert outcome.json["committee"]["members"] == 30
    assert outcome.err.count("warning:") == 1
    assert (
        "tamis: warning: only the ranking of csfsr is bagged: the subsets of members are not kept"
    ) in outcome.err
    plain = tamis("rank", "t.csv", "--method", "variance", *words[5:], "--json").json
    assert outcome.json["scores"] == plain["scores"]
    assert refused("select", *words, "-o", "out.csv", code=USAGE) == (
        "tamis: select: say how many features to keep: --top K; under --bagging csfsr chooses none"
    )


def test_a_warning_that_comes_early_is_not_repeated(tamis, table):
    outcome = tamis("rank", "t.csv", "--bagging", "3", "--json")
    (warning,) = outcome.json["diagnostics"]["warnings"]
    assert warning == "3 members are too few to tell how sure places are; take at least 10"
    assert outcome.err.count(f"tamis: warning: {warning}\n") == 1
    assert outcome.err.count("warning") == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--bagging", "0"), "{}: --bagging = 0 must be >= 1"),
        (("--bagging", "-3"), "{}: --bagging = -3 must be >= 1"),
        (("--bagging", "many"), "{}: --bagging = 'many' is not an integer"),
        (("--bagging", "9", "--subspace", "0"), "{}: --subspace = 0 must be >= 1"),
        (("--bagging", "9", "--subspace", "7"),
         "a subspace of 7 features is larger than the table, which has 6; choose a smaller one"),
        (("--subspace", "3"),
         "{}: --subspace is about the members of an ensemble: give --bagging N too"),
        (("--bagging-combine", "rank"),
         "{}: --bagging-combine is about the members of an ensemble: give --bagging N too"),
        (("--bagging", "9", "--bagging-combine", "bord"),
         "{}: --bagging-combine = 'bord' is not one of mean, literal, rank, borda, robust_rank; "
         "did you mean 'borda'?"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", [("rank",), ("select", "--top", "2")], ids=["rank", "select"])
def test_a_wrong_ensemble_is_refused(refused, table, command, flags, message):
    words = (command[0], "t.csv", *command[1:], "--method", "variance", *flags)
    expected = "tamis: " + message.format(command[0])
    assert refused(*words, "-o", "out.csv", "--trace", "t.jsonl", code=USAGE) == expected


def test_ensembles_need_what_their_members_need(refused, write, matrix):
    write("t.csv", csv_text(matrix[0]))
    for words in (("fisher_score", "--bagging", "5"), ("ens_cls",), ("bcs",)):
        message = refused("rank", "t.csv", "--method", *words, "-o", "out.txt", code=DATA)
        assert message.startswith(f"tamis: t.csv: {words[0]} needs ")


def test_no_single_bootstrap_decides_by_default(tamis, write):
    """A bootstrap whose only row of y is the one with rare = 1: no variance within classes."""
    rows = [f"{0.5 * i},0,x" for i in range(5)] + [
        f"{3 + 0.5 * i},{int(i == 0)},y" for i in range(5)
    ]
    write("t.csv", "\n".join(["good,rare,class", *rows]) + "\n")
    words = ("rank", "t.csv", "--method", "fisher_score", "--bagging", "1000", "--json")
    mean = tamis(*words, "--bagging-combine", "mean").json
    assert mean["order"] == [1, 0] and mean["scores"][1] == "inf"
    assert mean["committee"]["best_share"][1] < 0.02
    result = tamis(*words).json
    assert result["order"] == [0, 1] and result["bagging"]["combine"] == "rank"


def test_a_better_direction_survives_members_that_fail(tamis, write):
    """One labeled row of a class: many bootstraps lose it, and fisher_score fails on them."""
    write("t.csv", "a,b,class\n0,0,x\n1,5,x\n9,1,y\n3,3,\n4,2,\n")
    for members in range(5, 25):
        words = ("rank", "t.csv", "--method", "fisher_score", "--bagging", members, "--json")
        result = tamis(*words, "--bagging-combine", "mean").json
        assert result["better"] == "higher"
        assert any("could not rank" in text for text in result["diagnostics"]["warnings"])


def test_an_interrupted_ensemble_leaves_nothing(long_work):
    words = ("rank", "big.npy", "--method", "laplacian_score", "--bagging", "4", "-o", "out.json",
             "--trace", "trace.jsonl")  # fmt: skip
    process = subprocess.Popen([PROGRAM, *words], cwd=long_work, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "4 members are too few" in line:
            break  # the early warning: long before the end
    assert len(list(long_work.glob(".tamis-*.tmp"))) == 2, "the result and the trace"
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    sent = time.monotonic()
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - sent < 1.0
    assert process.stderr.read() == "tamis: interrupted\n"
    assert [path.name for path in long_work.iterdir()] == ["big.npy"]


def test_stability_of_noise_is_near_nothing(tamis, write):
    random = np.random.default_rng(5)
    write("noise.csv", csv_text(random.normal(size=(40, 60))))
    words = ("rank", "noise.csv", "--method", "laplacian_score", "--bagging", "60", "--json")
    noise = tamis(*words, "--subspace", "8").json["committee"]["stability"]
    assert noise["set_size"] == 6 and noise["nogueira"] < 0.5
