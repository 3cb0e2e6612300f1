"""The default method, features in order of what they add, and an automatic number of them."""

import csv
import io
import json

import numpy as np
import pytest
from program import csv_text
from scipy.stats import spearmanr
from test_terminal import on_a_terminal

USAGE = 2


@pytest.fixture
def table(write):
    """Two features that tell three classes apart, three noisy copies of the first, and noise."""
    rng = np.random.default_rng(7)
    labels = np.repeat([0, 1, 2], 40)
    first = 3.0 * (labels == 0) + rng.normal(size=120)
    second = 3.0 * (labels == 2) + rng.normal(size=120)
    copies = [first + 0.01 * rng.normal(size=120) for _ in range(3)]
    noise = rng.normal(size=(120, 20))
    x = np.column_stack([first, *copies, second, noise])
    write("t.csv", csv_text(x, labels))
    return x


def without_times(result):
    return {
        key: value for key, value in result.items() if key not in ("seconds", "peak_memory_bytes")
    }


@pytest.mark.parametrize("words", [(), ("--method", "auto")], ids=["nothing", "auto"])
def test_the_default_is_ridge_omp(tamis, table, words):
    named = tamis("rank", "t.csv", "--method", "ridge_omp", "--json").json
    default = tamis("rank", "t.csv", *words, "--json").json
    assert default["method"] == "ridge_omp"
    assert without_times(default) == without_times(named)


def test_auto_is_a_method_wherever_one_is_named(tamis, table):
    assert tamis("methods", "auto").out == tamis("methods", "ridge_omp").out
    words = ("t.csv", "--runs", "2", "--labels-per-class", "3", "--top", "1:3", "--json")
    assert "auto" in str(tamis("evaluate", *words, "--methods", "auto").json)


def test_top_beyond_the_greedy_limit_raises_it(tamis, write):
    x = np.random.default_rng(1).normal(size=(80, 70))
    write("t.csv", csv_text(x, np.arange(80) % 2))
    result = tamis("rank", "t.csv", "--top", "60", "--json").json
    assert result["options"]["n_greedy"] == 60 and len(result["selected"]) == 60
    shorter = tamis("rank", "t.csv", "--top", "10", "--json").json
    assert shorter["options"]["n_greedy"] == 50
    assert shorter["selected"] == result["selected"][:10]
    given = tamis("rank", "t.csv", "--top", "60", "--n-greedy", "5", "--json").json
    assert given["options"]["n_greedy"] == 5


def test_diversify_moves_copies_back(tamis, table):
    plain = tamis("rank", "t.csv", "--method", "fisher_score", "--json").json
    spread = tamis("rank", "t.csv", "--method", "fisher_score", "--diversify", "--json").json
    assert 4 in spread["order"][:2], "the other good feature comes before the copies of the first"
    assert spread["scores"] == plain["scores"]
    assert spread["diversify"] == {"n_candidates": 200, "ranks": "exact", "fdr": 1}
    assert plain["diversify"] is None


def test_diversify_tells_why_features_stand_where_they_do(tamis, table, tmp_path):
    words = ("rank", "t.csv", "--method", "fisher_score", "--diversify", "9")
    result = tamis(*words, "--json").json
    why, order = result["diversity"], result["order"]
    x = np.loadtxt(tmp_path / "t.csv", delimiter=",", skiprows=1)[:, : len(order)]
    rho = np.abs(spearmanr(x).statistic)
    assert why["gain"][order[0]] > 0 and why["nearest"][order[0]] is None
    for place, feature in enumerate(order[1:9], start=1):
        above = order[:place]
        assert why["correlation"][feature] == pytest.approx(rho[feature, above].max(), abs=1e-9)
        assert rho[feature, why["nearest"][feature]] == pytest.approx(rho[feature, above].max())
    assert all(why["gain"][feature] is None for feature in order[9:])
    lines = list(csv.DictReader(io.StringIO(tamis(*words, "--csv").out)))
    assert [line["nearest"] for line in lines] == [
        "" if why["nearest"][feature] is None else result["names"][why["nearest"][feature]]
        for feature in order
    ]
    assert float(lines[1]["gain"]) == why["gain"][order[1]]
    assert float(lines[1]["correlation"]) == why["correlation"][order[1]]
    shown = on_a_terminal((*words, "--no-color", "-q"), tmp_path).splitlines()
    assert shown[1].split()[:6] == ["rank", "feature", "score", "adds", "nearest", "above"]
    assert f"{why['correlation'][order[1]]:.2f} {lines[1]['nearest']}" in shown[3]


@pytest.mark.parametrize(
    "words", [("--diversify", "9"), ("--diversify=9",)], ids=["word", "equals"]
)
def test_diversify_reorders_only_the_candidates(tamis, table, words):
    plain = tamis("rank", "t.csv", "--method", "fisher_score", "--json").json["order"]
    spread = tamis("rank", "t.csv", "--method", "fisher_score", *words, "--json").json["order"]
    assert spread != plain
    assert sorted(spread[:9]) == sorted(plain[:9]) and spread[9:] == plain[9:]


def test_diversify_follows_bagging(tamis, table):
    words = ("rank", "t.csv", "--method", "variance", "--bagging", "5", "--json")
    bagged, spread = tamis(*words).json, tamis(*words, "--diversify", "6").json
    assert spread["scores"] == bagged["scores"] and spread["committee"] == bagged["committee"]
    assert sorted(spread["order"][:6]) == sorted(bagged["order"][:6])


@pytest.mark.parametrize(
    "words", [(), ("--method", "cls", "--diversify")], ids=["ridge_omp", "diversified cls"]
)
def test_an_automatic_number_of_features_is_that_of_the_backed_ones(tamis, table, words):
    result = tamis("rank", "t.csv", *words, "--top", "auto", "--json").json
    relevance = result["relevance"]
    count = relevance["n_backed"]
    assert 2 <= count <= 5
    assert result["selected"] == result["order"][:count]
    parts = [relevance["part"][column] for column in result["order"]]
    assert parts.count("backed") == count and parts[:count] == ["backed"] * count
    assert relevance["null"] == "labels" and relevance["label_p"] == 0.001
    assert list(relevance) == [
        "null", "fdr", "p", "q", "part", "step_p", "n_backed", "n_relevant", "label_p",
    ]  # fmt: skip
    steps = -np.log1p(-np.minimum(relevance["step_p"], 1 - 1e-16))
    small = np.cumsum(steps) / np.arange(1, len(steps) + 1) <= relevance["fdr"]
    assert count == 1 + np.flatnonzero(small).max()
    one = tamis("rank", "t.csv", *words, "--top", "auto", "--threads", "1", "--json").json
    assert one["relevance"] == relevance


def test_relevant_features_are_those_of_small_q(tamis, table):
    result = tamis("rank", "t.csv", "--top", "relevant", "--json").json
    q = np.array(result["relevance"]["q"])
    assert set(result["selected"]) == set(np.flatnonzero(q <= 0.1))
    assert set(range(5)) <= set(result["selected"]), "the copies, too"
    p, m = np.array(result["relevance"]["p"]), len(q)
    order = np.argsort(p)
    naive = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    np.testing.assert_allclose(q[order], naive, rtol=1e-12)


def test_how_sure_features_are_is_shown_everywhere(tamis, table):
    outcome = tamis("rank", "t.csv")
    assert outcome.out.splitlines()[0] == "rank\tfeature\tscore\tq\tpart"
    assert outcome.out.splitlines()[1].endswith("\tbacked")
    relevance = tamis("rank", "t.csv", "--json").json["relevance"]
    words = "features add what chance would not; {n_relevant} have to do with the labels (q ≤ 0.1)"
    assert f"{relevance['n_backed']} {words.format(**relevance)}" in outcome.err
    lines = tamis("rank", "t.csv", "--csv").out.splitlines()
    assert lines[0] == "rank,feature,column,score,q,part"
    assert len(lines) == 26 and {line.split(",")[-1] for line in lines[1:]} >= {"backed", "rest"}
    judged = tamis("rank", "t.csv", "--fdr", "1", "--csv").out.splitlines()
    assert judged[0] == "rank,feature,column,score"


def test_select_writes_the_automatic_number_of_features(tamis, table, tmp_path):
    chosen = tamis("rank", "t.csv", "--top", "auto", "--json").json["selected"]
    assert tamis("select", "t.csv", "--top", "auto", "-o", "best.csv").code == 0
    header = (tmp_path / "best.csv").read_text().splitlines()[0].split(",")
    assert header == [f"f{column}" for column in sorted(chosen)] + ["class"]


def test_select_writes_the_relevant_features_of_a_level(tamis, table, tmp_path):
    chosen = tamis("rank", "t.csv", "--top", "relevant", "--fdr", "0.3", "--json").json["selected"]
    for words in (("--fdr", "0.3"), ("--fdr", "0.3", "--top", "relevant")):
        assert tamis("select", "t.csv", *words, "-o", "best.csv").code == 0
        header = (tmp_path / "best.csv").read_text().splitlines()[0].split(",")
        assert header == [f"f{column}" for column in sorted(chosen)] + ["class"]


@pytest.mark.parametrize("words", [(), ("--method", "variance", "--diversify")])
def test_pure_noise_gives_no_feature_and_select_refuses(tamis, refused, write, tmp_path, words):
    x = np.random.default_rng(0).normal(size=(30, 300))
    write("n.csv", csv_text(x, [""] * 15 + ["a", "b", "c"] * 5))
    outcome = tamis("rank", "n.csv", *words, "--top", "auto", "--json")
    assert outcome.json["selected"] == [] and outcome.json["relevance"]["n_backed"] == 0
    assert "no feature adds what chance would not; none has to do with the labels" in outcome.err
    message = refused("select", "n.csv", *words, "--top", "auto", "-o", "out.csv", code=3)
    assert message.endswith(
        "select: no feature adds what chance would not, so there is nothing to write; --top K "
        "writes the K best all the same"
    )
    assert not (tmp_path / "out.csv").exists()


def test_random_labels_are_told_from_others(tamis, table, write):
    assert "random" not in tamis("rank", "t.csv").err
    x = np.random.default_rng(5).normal(size=(60, 30))
    write("n.csv", csv_text(x, np.arange(60) % 3))
    outcome = tamis("rank", "n.csv", "--json")
    assert outcome.json["relevance"]["label_p"] > 0.05
    assert "warning: ridge_omp: the labels can't be told from random ones (p = " in outcome.err


def test_a_method_that_chooses_keeps_its_own_number(tamis, table):
    words = ("rank", "t.csv", "--method", "csfsr", "--json")
    own = tamis(*words).json["selected"]
    assert tamis(*words, "--top", "auto").json["selected"] == own


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--method", "cls", "--top", "auto"),
            "top = auto: cls does not say how many features are worth keeping; diversify its "
            "ranking, or give a number",
        ),
        (
            ("--bagging", "3", "--top", "auto"),
            "top = auto: ridge_omp, bagged, does not say how many features are worth keeping; "
            "diversify its ranking, or give a number",
        ),
        (
            ("--top", "auto", "--fdr", "1"),
            "top = auto: no feature is judged if fdr = 1",
        ),
        (
            ("--method", "csfsr", "--diversify"),
            "diversify: csfsr removes what repeats a better feature itself; choose a method that "
            "ranks",
        ),
        (("--diversify=0",), "rank: --diversify = 0 must be >= 1"),
        (("--diversify=some",), "rank: --diversify = 'some' is not an integer"),
    ],
)
def test_what_cannot_be_is_explained(refused, table, words, message):
    assert refused("rank", "t.csv", *words, code=USAGE) == f"tamis: {message}"


def test_the_page_shows_how_sure_each_step_is(tamis, table, tmp_path):
    assert tamis("rank", "t.csv", "--top", "auto", "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "What each feature adds, against chance" in page and "steps.csv" in page
    assert "what chance would not" in page


def test_the_trace_tells_folds_and_decoys(tamis, table, tmp_path):
    words = ("--null", "table", "--n-folds", "4", "--trace", "t.jsonl")
    assert tamis("rank", "t.csv", *words).code == 0
    events = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    (folds,) = [event["fold"] for event in events if event["event"] == "folds"]
    assert sorted(np.bincount(folds)) == [6, 6, 6, 7]
    (decoys,) = [event for event in events if event["event"] == "decoys"]
    assert list(decoys) == ["event", "stratum", "columns", "decoys", "threshold", "scale"]
    assert decoys["columns"] == 25 and decoys["decoys"] == 2000 and decoys["scale"] >= 1
