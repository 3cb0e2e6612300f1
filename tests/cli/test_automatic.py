"""The default method, features in order of what they add, and an automatic number of them."""

import numpy as np
import pytest
from program import csv_text

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
    assert spread["diversify"] == {"n_candidates": 200, "n_shadows": 0}
    assert plain["diversify"] is None


@pytest.mark.parametrize(
    "words", [("--diversify", "5"), ("--diversify=5",)], ids=["word", "equals"]
)
def test_diversify_reorders_only_the_candidates(tamis, table, words):
    plain = tamis("rank", "t.csv", "--method", "fisher_score", "--json").json["order"]
    spread = tamis("rank", "t.csv", "--method", "fisher_score", *words, "--json").json["order"]
    assert spread != plain
    assert sorted(spread[:5]) == sorted(plain[:5]) and spread[5:] == plain[5:]


def test_diversify_follows_bagging(tamis, table):
    words = ("rank", "t.csv", "--method", "variance", "--bagging", "5", "--json")
    bagged, spread = tamis(*words).json, tamis(*words, "--diversify", "6").json
    assert spread["scores"] == bagged["scores"] and spread["committee"] == bagged["committee"]
    assert sorted(spread["order"][:6]) == sorted(bagged["order"][:6])


@pytest.mark.parametrize(
    "words", [(), ("--method", "cls", "--diversify")], ids=["ridge_omp", "diversified cls"]
)
def test_an_automatic_number_of_features_ends_where_shadows_gain_as_much(tamis, table, words):
    result = tamis("rank", "t.csv", *words, "--top", "auto", "--json").json
    curve = result["curve"]
    count = curve["n_features"]
    assert result["selected"] == result["order"][:count]
    assert len(curve["gains"]) == len(curve["shadow_gains"]) == count + 1
    above = [
        gain > shadow for gain, shadow in zip(curve["gains"], curve["shadow_gains"], strict=True)
    ]
    assert above == [True] * count + [False]
    assert (
        tamis("rank", "t.csv", *words, "--top", "auto", "--threads", "1", "--json").json["curve"]
        == curve
    )


def test_select_writes_the_automatic_number_of_features(tamis, table, tmp_path):
    chosen = tamis("rank", "t.csv", "--top", "auto", "--json").json["selected"]
    assert tamis("select", "t.csv", "--top", "auto", "-o", "best.csv").code == 0
    header = (tmp_path / "best.csv").read_text().splitlines()[0].split(",")
    assert header == [f"f{column}" for column in sorted(chosen)] + ["class"]


@pytest.mark.parametrize(
    ("words", "who"),
    [((), "ridge_omp"), (("--method", "variance", "--diversify"), "diversify")],
    ids=["ridge_omp", "diversify"],
)
def test_pure_noise_gives_one_feature_and_a_warning(tamis, write, words, who):
    for seed in range(20):
        x = np.random.default_rng(seed).normal(size=(12, 300))
        write("n.csv", csv_text(x, [""] * 6 + ["a", "b"] * 3))
        outcome = tamis("rank", "n.csv", *words, "--top", "auto", "--json")
        if outcome.json["curve"]["n_features"] == 0:
            assert len(outcome.json["selected"]) == 1
            assert f"warning: {who}: no feature gains more than the best shadow" in outcome.err
            return
    pytest.fail("noise always seemed to tell something")


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
            ("--top", "auto", "--n-shadows", "0"),
            "top = auto: there is nothing to compare with if n_shadows = 0",
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


def test_the_page_shows_both_gains(tamis, table, tmp_path):
    assert tamis("rank", "t.csv", "--top", "auto", "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "What each feature adds" in page and "gains.csv" in page
