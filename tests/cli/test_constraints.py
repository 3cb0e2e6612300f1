"""`tamis constraints`: counts, closure, coherence, selection and pair files."""

import csv
import io
import itertools
import json
import re

import numpy as np
import pytest
from program import ROOT, csv_text
from test_terminal import on_a_terminal

SMALL_FLAGS = ("--id-column", "id")
BARE = ("small.csv", *SMALL_FLAGS, "--label-column", "none", "--drop", "class")
USAGE, DATA = 2, 3


def naive_overlap(x, p, q):
    """Length of what the projection of pair p on the line through pair q shares with q."""
    direction = x[q[1]] - x[q[0]]
    length = np.linalg.norm(direction)
    if length == 0 or not np.any(x[p[0]] - x[p[1]]):
        return 0.0
    ends = sorted((x[end] - x[q[0]]) @ direction / length for end in p)
    shared = min(ends[1], length) - max(ends[0], 0.0)
    return shared if shared >= 1e-12 * length else 0.0


def test_labels_and_pairs_are_counted_apart(tamis, small, write):
    write("pairs.csv", "a,b,kind\nc,g,must\na,b,must\nc,f,cannot\nc,f,cannot\n")
    words = ("constraints", "small.csv", *SMALL_FLAGS, "--constraints", "pairs.csv")
    outcome = tamis(*words, "--json")
    result = outcome.json
    assert result["schema"] == "tamis/constraints/1"
    must, cannot = result["must_link"], result["cannot_link"]
    assert (must["from_labels"], must["from_pairs"], must["implied"]) == (2, 1, 0)
    assert (cannot["from_labels"], cannot["from_pairs"], cannot["implied"]) == (4, 1, 0)
    assert must["pairs"] == [[0, 1], [2, 6], [3, 4]]
    assert cannot["pairs"] == [[0, 3], [0, 4], [1, 3], [1, 4], [2, 5]]
    assert must["coherence"] is None and result["coherence"] is None
    assert result["informativeness"] is None and result["ids"] == list("abcdefgh")
    assert "must-link: 2 from labels, 1 from pairs" in outcome.err


def test_the_closure_joins_labels_and_pairs(tamis, small, write):
    write("pairs.csv", "c,a,must\nf,g,must\nf,d,cannot\n")
    words = ("constraints", "small.csv", *SMALL_FLAGS, "--constraints", "pairs.csv", "--close")
    result = tamis(*words, "--json").json
    assert result["closed"]
    assert result["must_link"]["pairs"] == [[0, 1], [0, 2], [1, 2], [3, 4], [5, 6]]
    between = [[i, j] for i in (0, 1, 2) for j in (3, 4)]
    others = [[i, j] for i in (3, 4) for j in (5, 6)]
    assert result["cannot_link"]["pairs"] == sorted(between + others)
    assert result["must_link"]["implied"] == 1 and result["cannot_link"]["implied"] == 5


@pytest.mark.parametrize(
    ("pairs", "rows"),
    [
        ("c,f,must\nc,f,cannot\n", "cf"),
        ("c,f,must\nf,g,must\nc,g,cannot\n", "cg"),
        ("a,d,must\n", "ad"),
        ("a,b,cannot\n", "ab"),
    ],
)
@pytest.mark.parametrize("closing", [(), ("--close",)], ids=["plain", "closed"])
def test_contradictions_name_both_rows(refused, small, write, pairs, rows, closing):
    write("pairs.csv", pairs)
    words = ("constraints", "small.csv", *SMALL_FLAGS, "--constraints", "pairs.csv", *closing)
    message = refused(*words, "-o", "out.csv", code=DATA)
    assert "pairs.csv" in message and all(f"({row})" in message for row in rows)


def test_coherence_is_the_definition(tamis, write):
    random = np.random.default_rng(5)
    x = random.normal(size=(12, 2))
    write("t.csv", csv_text(x, [0, 0, 0, 0, 1, 1, 1, 2, 2, "", "", ""]))
    result = tamis("constraints", "t.csv", "--coherence", "--json").json
    must, cannot = result["must_link"], result["cannot_link"]
    links = list(itertools.product(must["pairs"], cannot["pairs"]))
    on_cannot = [naive_overlap(x, m, c) == 0 for m, c in links]
    on_must = [naive_overlap(x, c, m) == 0 for m, c in links]
    both = np.logical_and(on_cannot, on_must)
    assert 0 < both.mean() < 1
    assert result["coherence"] == pytest.approx(both.mean())
    shape = (len(must["pairs"]), len(cannot["pairs"]))
    np.testing.assert_allclose(must["coherence"], np.reshape(on_cannot, shape).mean(axis=1))
    np.testing.assert_allclose(cannot["coherence"], np.reshape(on_must, shape).mean(axis=0))


def test_selection_keeps_what_is_as_coherent_as_the_set(tamis, write, tmp_path):
    random = np.random.default_rng(6)
    write("t.csv", csv_text(random.normal(size=(14, 2)), np.arange(14) % 3))
    every = tamis("constraints", "t.csv", "--coherence", "--json").json
    outcome = tamis("constraints", "t.csv", "--select", "--json")
    chosen = outcome.json
    n_dropped = 0
    for kind in ("must_link", "cannot_link"):
        expected = [
            pair
            for pair, own in zip(every[kind]["pairs"], every[kind]["coherence"], strict=True)
            if own >= every["coherence"]
        ]
        assert chosen[kind]["pairs"] == expected
        assert sorted(expected + chosen[kind]["dropped"]) == every[kind]["pairs"]
        n_dropped += len(chosen[kind]["dropped"])
    assert n_dropped > 0 and "dropped as incoherent" in outcome.err
    assert chosen["coherence"] == every["coherence"]


def test_the_pair_file_is_read_back(tamis, write, tmp_path, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, labels))
    words = ("t.csv", "--labels-per-class", "3", "--seed", "4")
    tamis("constraints", *words, "-o", "pairs.csv")
    assert (tmp_path / "pairs.csv").read_text().startswith("a,b,kind\n")
    data = tamis("rank", *words, "--json").json["data"]
    read = ("t.csv", "--label-column", "none", "--drop", "class", "--constraints", "pairs.csv")
    again = tamis("rank", *read, "--method", "constraint_score", "--json").json
    direct = tamis("rank", *words, "--method", "constraint_score", "--json").json
    assert [again["data"][key] for key in ("must_link", "cannot_link")] == [
        data["must_link"],
        data["cannot_link"],
    ]
    np.testing.assert_allclose(again["scores"], direct["scores"], rtol=1e-12)
    same = tamis("constraints", *read, "-o", "again.csv")
    assert same.code == 0 and same.out == ""
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "pairs.csv").read_text()


def test_awkward_ids_survive_the_pair_file(tamis, write):
    ids = ["a,b", 'say "x"', "semi;colon", " blank "]
    cells = ['"' + name.replace('"', '""') + '"' for name in ids]
    write("t.csv", "id,f,class\n" + "".join(f"{c},{i},{i % 2}\n" for i, c in enumerate(cells)))
    words = ("constraints", "t.csv", "--id-column", "id")
    first = tamis(*words, "-o", "pairs.csv")
    assert first.code == 0, first.err
    bare = (*words, "--label-column", "none", "--drop", "class", "--constraints", "pairs.csv")
    again, direct = tamis(*bare, "--json").json, tamis(*words, "--json").json
    for kind in ("must_link", "cannot_link"):
        assert again[kind]["pairs"] == direct[kind]["pairs"]


def test_a_pipe_gets_pairs_or_the_table_of_coherence(tamis, small, tmp_path):
    words = ("constraints", "small.csv", *SMALL_FLAGS)
    pairs = tamis(*words).out
    assert pairs == "a,b,kind\na,b,must\nd,e,must\n" + "".join(
        f"{a},{b},cannot\n" for a in "ab" for b in "de"
    )
    table = tamis(*words, "--coherence").out
    lines = list(csv.DictReader(io.StringIO(table), delimiter="\t"))
    assert list(lines[0]) == ["kind", "a", "b", "coherence"] and len(lines) == 6
    both = tamis(*words, "--coherence", "-o", "pairs.csv")
    assert both.out == table and (tmp_path / "pairs.csv").read_text() == pairs


def test_a_terminal_shows_a_table_and_counts_the_rest(write, tmp_path, matrix):
    write("t.csv", csv_text(*matrix))
    words = ("constraints", "t.csv", "--coherence", "--no-color")
    shown = on_a_terminal(words, tmp_path)
    assert re.search("kind  a +b +coherence", shown) and "coherence of the set" in shown
    assert f"{30 * 29 // 2 - 20} more" in shown


def test_informativeness_is_what_k_means_breaks(tamis, write):
    random = np.random.default_rng(1)
    x = random.normal(size=(40, 3))
    x[:20] += 50  # two groups; the labels of two rows in each say otherwise
    labels = [""] * 40
    labels[0], labels[1], labels[20], labels[21] = "p", "q", "p", "p"
    write("t.csv", csv_text(x, labels))
    outcome = tamis("constraints", "t.csv", "--informativeness", "--json")
    # must: 0-20, 0-21 are broken, 20-21 is not; cannot: 0-1 is broken, 1-20 and 1-21 are not
    assert outcome.json["informativeness"] == {
        "value": 0.5, "clusters": 2, "broken_must_link": 2, "broken_cannot_link": 1,
    }  # fmt: skip
    assert "informativeness: 0.5000" in outcome.err
    one = tamis("constraints", "t.csv", "--clusters", "1", "--json").json["informativeness"]
    assert one == {"value": 0.5, "clusters": 1, "broken_must_link": 0, "broken_cannot_link": 3}


def test_informativeness_of_pairs_needs_a_number_of_clusters(tamis, refused, small, write):
    write("pairs.csv", "a,c,must\nd,a,cannot\n")
    words = ("constraints", *BARE, "--constraints", "pairs.csv")
    assert "--clusters" in refused(*words, "--informativeness", code=USAGE)
    found = tamis(*words, "--clusters", "2", "--json").json["informativeness"]
    assert found["value"] == 0.0


def test_one_kind_of_constraint_is_coherent(tamis, small, write):
    write("pairs.csv", "a,c,must\na,f,must\n")
    words = ("constraints", *BARE, "--constraints", "pairs.csv", "--coherence", "--json")
    result = tamis(*words).json
    assert result["coherence"] == 1.0 and result["must_link"]["coherence"] == [1.0, 1.0]
    assert result["cannot_link"]["pairs"] == []


def test_a_table_without_constraints_is_refused(refused, small):
    message = refused("constraints", *BARE, "-o", "out.csv", code=DATA)
    assert message.startswith("tamis: small.csv: there are no constraints")
    assert all(flag in message for flag in ("--label-column", "--labels", "--constraints"))


@pytest.mark.parametrize(
    ("flags", "culprit"),
    [
        (("--clusters", "0"), "--clusters = 0"),
        (("--clusters", "two"), "'two'"),
        (("--close-constraints",), "--close-constraints"),
        (("-o", "small.csv"), "overwrite"),
    ],
)
def test_a_wrong_command_line_is_refused(refused, small, flags, culprit):
    assert culprit in refused("constraints", "small.csv", *SMALL_FLAGS, *flags, code=USAGE)


def test_more_clusters_than_rows_are_refused(refused, small):
    message = refused("constraints", "small.csv", *SMALL_FLAGS, "--clusters", "9", code=DATA)
    assert "9 clusters" in message and "8" in message


@pytest.mark.parametrize(
    "words",
    [
        ("constraints", "--coherence"),
        ("constraints", "--select"),
        ("constraints", "--close", "--select"),
        ("rank", "--method", "csfs"),
        ("rank", "--method", "l2gfs", "-k", "2"),
        ("cluster", "--method", "cop_kmeans", "-k", "2"),
    ],
)
def test_weights_are_refused_where_they_would_count_for_nothing(refused, small, write, words):
    write("pairs.csv", "a,b,kind,weight\na,b,must,2\n")
    command, *flags = words
    message = refused(command, *BARE, "--constraints", "pairs.csv", *flags, code=DATA)
    assert "takes pairs without weights, and that of rows 0 (a) and 1 (b) weighs 2" in message


def test_pairs_that_follow_weigh_as_much_as_the_lightest_on_their_way(tamis, small, write):
    write("pairs.csv", "a,b,kind,weight\na,b,must,2\nb,c,must,0.5\nc,h,cannot,3\n")
    words = ("constraints", *BARE, "--constraints", "pairs.csv", "--close")
    expected = ["a,b,kind,weight", "a,b,must,2", "a,c,must,0.5", "b,c,must,0.5"]
    expected += ["a,h,cannot,0.5", "b,h,cannot,0.5", "c,h,cannot,3"]
    assert tamis(*words).out.splitlines() == expected
    report = tamis(*words, "--json").json
    assert report["must_link"]["weights"] == [2, 0.5, 0.5]
    assert report["cannot_link"]["weights"] == [0.5, 0.5, 3]
    write("closed.csv", tamis(*words).out)

    def scores(*flags):
        return tamis("rank", *BARE, "--method", "constraint_score", "--json", *flags).json["scores"]

    closed = scores("--constraints", "closed.csv")
    assert scores("--constraints", "pairs.csv", "--close-constraints") == closed


def test_the_coherence_of_many_constraints_is_that_of_a_sample_and_says_so(tamis):
    tamis("generate", "blobs", "--rows", "60", "--noise", "3", "-o", "blobs.csv")
    words = ("constraints", "blobs.csv", "--label-column", "class", "--coherence", "--json")
    whole, part = tamis(*words).json, tamis(*words, "--max-pairs", "50")
    assert whole["coherence_standard_error"] is None
    error = part.json["coherence_standard_error"]
    assert 0 < abs(part.json["coherence"] - whole["coherence"]) < 5 * error
    assert f"(standard error {error:.4f}: of a sample of constraints)" in part.err
    for kind in ("must_link", "cannot_link"):  # of every constraint, not only of those drawn
        assert len(part.json[kind]["coherence"]) == len(whole[kind]["pairs"])
    assert (
        tamis(*words, "--max-pairs", "50", "--threads", "1").json["coherence"]
        == (part.json["coherence"])
    )
    ranked = tamis("rank", "blobs.csv", "--method", "csfs", "--max-pairs", "50", "--json").json
    assert ranked["diagnostics"]["figures"]["coherence_standard_error"] == error


def test_weights_count_where_pairs_are_summed_up(tamis, small, write):
    def scores(weight):
        write("pairs.csv", f"a,b,kind,weight\na,b,must,{weight}\na,g,cannot\n")
        words = ("--method", "constraint_score", "--constraints", "pairs.csv", "--json")
        return np.array(tamis("rank", *BARE, *words).json["scores"], dtype=float)

    np.testing.assert_allclose(scores(3), 3 * scores(1))


def same(classes):
    return [
        [i, j]
        for i, j in itertools.combinations(range(len(classes)), 2)
        if classes[i] == classes[j]
    ]


@pytest.mark.parametrize("name", ["plain", "integers", "nasty"])
def test_must_links_are_deduced_from_the_nearest_labeled_rows(tamis, name):
    golden = ROOT / "tests" / "data" / "golden"
    classes = json.loads((golden / f"{name}.json").read_text())["nearest_prototype_class"]
    outcome = tamis("constraints", golden / f"{name}.csv", "--nearest-prototype", "--json")
    result = outcome.json
    assert result["must_link"]["pairs"] == same(classes)
    assert result["must_link"]["deduced"] == len(same(classes)) - result["must_link"]["from_labels"]
    assert result["cannot_link"]["deduced"] == 0


def test_what_is_deduced_is_judged_by_hidden_labels(tamis, tmp_path):
    tamis("generate", "wave", "--rows", "90", "-o", "wave.csv")
    words = ("constraints", "wave.csv", "--labels-per-class", "3", "--nearest-prototype")
    outcome = tamis(*words, "--json")
    table = np.genfromtxt(tmp_path / "wave.csv", delimiter=",", skip_header=1)
    true = {tuple(pair) for pair in same(table[:, -1])}
    links = outcome.json["must_link"]
    deduced = {tuple(pair) for pair in links["pairs"]}
    assert outcome.json["deduction"] == pytest.approx(
        {
            "correct": len(true & deduced) / len(deduced),
            "coverage": len(true & deduced) / len(true),
            "given": links["from_labels"] / len(true),
        }
    )
    assert "(CR)" in outcome.err and "(COV)" in outcome.err and "(SMC)" in outcome.err
    assert tamis(*words[:4], "--json").json["deduction"] is None


def test_a_pair_that_is_a_cannot_link_is_not_deduced(tamis, write):
    write("t.csv", "x,class\n0,a\n0.1,\n5,b\n0.2,\n")
    write("pairs.csv", "a,b,kind\n1,3,cannot\n")
    words = ("constraints", "t.csv", "--nearest-prototype", "--json")
    assert tamis(*words).json["must_link"]["pairs"] == [[0, 1], [0, 3], [1, 3]]
    result = tamis(*words, "--constraints", "pairs.csv").json
    assert result["must_link"]["pairs"] == [[0, 1], [0, 3]]
    assert result["cannot_link"]["pairs"] == [[0, 2], [1, 3]]


def test_nothing_is_deduced_from_one_class(refused, write):
    write("t.csv", "x,class\n0,a\n0.1,\n5,a\n")
    assert refused("constraints", "t.csv", "--nearest-prototype", code=3) == (
        "tamis: t.csv: the rule of the nearest labeled row needs labels of at least two classes "
        "(--label-column, --labels)"
    )
