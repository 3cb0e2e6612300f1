"""`--trace`: JSON lines from which the result can be recomputed elsewhere."""

import gzip
import json
import os

import numpy as np
import pytest
from program import csv_text

USAGE, DATA, IO = 2, 3, 4
SEEN = ("rank", "t.csv", "--bagging", "7", "--subspace", "3", "--trace", "t.jsonl")


@pytest.fixture
def table(write, matrix):
    """The matrix, and the labels of its rows; -1 on every third."""
    x, classes = matrix
    labels = np.where(np.arange(len(x)) % 3 == 1, -1, classes)
    write("t.csv", csv_text(x, ["" if y < 0 else y for y in labels]))
    return x, labels


@pytest.fixture
def events(tmp_path):
    def read(name="t.jsonl"):
        return [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]

    return read


def members(x, labels, trace):
    """The table of each member, row by row as drawn: features, values, labels."""
    unlabeled = np.flatnonzero(labels < 0)
    for event in trace:
        rows = np.concatenate([event["rows"], unlabeled]).astype(int)
        yield event["features"], x[np.ix_(rows, event["features"])], labels[rows]


def combined(scores, how):
    """scores[b][r]: what member b said of feature r, NaN if it did not see it; higher is better."""
    drawn = ~np.isnan(scores)
    size = drawn.sum(axis=1, keepdims=True)
    beaten = np.array(
        [
            [np.nan if np.isnan(s) else (row < s).sum() + ((row == s).sum() - 1) / 2 for s in row]
            for row in scores
        ]
    )
    with np.errstate(invalid="ignore"):
        if how == "literal":
            return np.nansum(scores, axis=0) / len(scores)
        if how == "rank":
            return np.nansum((size - 1 - beaten) / size, axis=0) / drawn.sum(axis=0)
        if how == "borda":
            return np.nansum(beaten, axis=0) / drawn.sum(axis=0)
        return np.nansum(scores, axis=0) / drawn.sum(axis=0)


def fisher(x, y):
    x, y = x[y >= 0], y[y >= 0]
    parts = [x[y == c] for c in np.unique(y)]
    between = sum(len(part) * (part.mean(axis=0) - x.mean(axis=0)) ** 2 for part in parts)
    return between / sum(len(part) * part.var(axis=0) for part in parts)


SCORES = {"variance": lambda x, y: x.var(axis=0), "fisher_score": fisher}


@pytest.mark.parametrize("how", ["mean", "literal", "rank", "borda"])
@pytest.mark.parametrize("method", SCORES)
def test_a_bagged_ranking_can_be_recomputed(tamis, table, events, method, how):
    words = (*SEEN, "--method", method, "--bagging-combine", how, "--json")
    result = tamis(*words).json
    run, *trace = events()
    assert run["bagging"] == result["bagging"] and run["options"] == result["options"]
    assert [event["index"] for event in trace] == list(range(7))
    scores = np.full((7, 6), np.nan)
    for b, (features, x, labels) in enumerate(members(*table, trace)):
        scores[b, features] = SCORES[method](x, labels)
    found = [np.nan if score is None else score for score in result["scores"]]
    np.testing.assert_allclose(found, combined(scores, how), rtol=1e-12, atol=1e-12)

    committee = result["committee"]
    draws = (~np.isnan(scores)).sum(axis=0)
    assert committee["draws"] == draws.tolist()
    assert committee["place_low"] == committee["place_high"] == 6 * [None]  # of so few members
    for r in range(6):
        said = scores[~np.isnan(scores[:, r]), r]
        best = np.nanargmax(scores, axis=1)  # the best 10 % of three features is one
        if len(said) > 0:
            assert committee["best_share"][r] == pytest.approx((best == r).sum() / len(said))


def pairs_of(labels, same):
    rows = np.flatnonzero(labels >= 0)
    return [(i, j) for i in rows for j in rows if i < j and (labels[i] == labels[j]) == same]


def test_bags_of_constraints_can_be_recomputed(tamis, table, events):
    x, labels = table
    words = ("rank", "t.csv", "--method", "bcs", "--n-bags", "9", "--trace", "t.jsonl", "--json")
    result = tamis(*words, "--combine", "score").json
    ranks = tamis(*words).json["scores"]
    run, *trace = events()
    assert run["options"]["n_bags"] == 9 and run["bagging"] is None and len(trace) == 9

    def spread(pairs, drawn):
        i, j = np.array([pairs[position] for position in drawn]).T
        return ((x[i] - x[j]) ** 2).sum(axis=0)

    must, cannot = pairs_of(labels, same=True), pairs_of(labels, same=False)
    scores = np.array(
        [spread(must, e["must_link"]) / spread(cannot, e["cannot_link"]) for e in trace]
    )
    np.testing.assert_allclose(result["scores"], scores.mean(axis=0), rtol=1e-12)
    places = scores.argsort(axis=1).argsort(axis=1) + 1
    np.testing.assert_allclose(ranks, places.mean(axis=0), rtol=1e-12)


def test_explicit_pairs_are_drawn_by_position(tamis, write, matrix, events):
    x, _ = matrix
    write("t.csv", csv_text(x))
    must, cannot = [(0, 3), (5, 8), (2, 11)], [(0, 1), (4, 9), (7, 12), (3, 5)]
    lines = [f"{i},{j},must" for i, j in must] + [f"{i},{j},cannot" for i, j in cannot]
    write("pairs.csv", "\n".join(lines) + "\n")
    words = (*SEEN, "--constraints", "pairs.csv", "--method", "constraint_score", "--json")
    result = tamis(*words, "--label-column", "none").json
    _, *trace = events()
    scores = np.full((7, 6), np.nan)
    for b, event in enumerate(trace):
        assert event["rows"] == []

        def spread(pairs, drawn, columns=tuple(event["features"])):
            i, j = np.array([pairs[position] for position in set(drawn)]).T  # each counts once
            return ((x[i] - x[j]) ** 2).sum(axis=0)[list(columns)]

        far = spread(cannot, event["cannot_link"])
        scores[b, event["features"]] = spread(must, event["must_link"]) / far
    found = [np.nan if score is None else score for score in result["scores"]]
    np.testing.assert_allclose(found, combined(-scores, "rank"), rtol=1e-12)


@pytest.mark.parametrize(
    "words", [("--bagging", "12"), ("--method", "ens_cls"), ("--method", "ssfi")]
)
def test_threads_change_no_byte(tamis, table, tmp_path, words):
    results, traces = [], []
    for n in (1, 2):
        result = tamis("rank", "t.csv", *words, "--threads", n, "--trace", f"{n}.jsonl", "--json")
        results.append({**result.json, "seconds": 0, "peak_memory_bytes": 0})
        traces.append((tmp_path / f"{n}.jsonl").read_bytes())
    assert json.dumps(results[0]) == json.dumps(results[1])
    assert traces[0] == traces[1] and traces[0].count(b"\n") > 9


def test_the_first_line_says_what_was_run(tamis, table, events):
    result = tamis(*SEEN, "--method", "cls", "--n-neighbors", "4", "--seed", "5", "--json").json
    run = events()[0]
    assert list(run) == [
        "event", "schema", "version", "method", "options", "bagging", "diversify", "seed",
        "data",
    ]  # fmt: skip
    assert (run.pop("event"), run.pop("schema")) == ("run", "tamis/trace/1")
    assert run == {name: result[name] for name in run}
    assert run["seed"] == 5 and run["options"]["n_neighbors"] == 4


def test_a_method_that_leaves_nothing_to_chance_records_only_its_run(tamis, table, events):
    assert tamis("rank", "t.csv", "--method", "variance", "--trace", "t.jsonl").code == 0
    (run,) = events()
    assert run["method"] == "variance" and run["bagging"] is None
    assert tamis("cluster", "t.csv", "-m", "som", "--seed", "3", "--trace", "t.jsonl").code == 0
    assert events()[0]["method"] == "som" and events()[0]["seed"] == 3
    words = ("select", "t.csv", "--method", "variance", "--bagging", "6", "--top", "2")
    assert tamis(*words, "--trace", "t.jsonl", "-o", "best.csv").code == 0
    assert [event["event"] for event in events()] == ["run"] + 6 * ["member"]


def test_a_trace_may_be_compressed_or_go_to_a_pipe(tamis, table, tmp_path):
    words = ("rank", "t.csv", "--method", "variance", "--bagging", "5", "-q")
    piped = tamis(*words, "-o", "out.txt", "--trace", "-").out
    tamis(*words, "--trace", "t.jsonl.gz")
    assert gzip.decompress((tmp_path / "t.jsonl.gz").read_bytes()).decode() == piped
    assert len(piped.splitlines()) == 6 and (tmp_path / "out.txt").exists()


@pytest.mark.parametrize("command", ["rank", "select", "cluster"])
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--trace", "-"), "{}: the result and --trace both go to standard output"),
        (("-o", "out", "--trace", "out"), "{}: the result and --trace both go to out"),
        (("-o", "out", "--trace", "./out"), "{}: the result and --trace both go to out"),
        (("-o", "out.csv", "--trace", "t.csv"),
         "--trace t.csv would overwrite the input t.csv: choose another name"),
        (("--trace", "a", "--trace", "b"), "{}: --trace is given twice"),
        (("--trace",), "{}: --trace needs a value"),
    ],
)  # fmt: skip
def test_a_trace_needs_a_place_of_its_own(refused, table, command, flags, message):
    top = ("--top", "2") if command == "select" else ()
    assert refused(command, "t.csv", *top, *flags, code=USAGE) == "tamis: " + message.format(
        command
    )


def test_codebook_and_trace_are_two_files(refused, table):
    words = ("cluster", "t.csv", "-o", "map.csv", "--codebook", "x.csv", "--trace", "x.csv")
    assert refused(*words, code=USAGE) == (
        "tamis: cluster: --codebook and --trace both go to x.csv"
    )


@pytest.mark.parametrize("path", ["absent/t.jsonl", "folder"])
@pytest.mark.parametrize("command", ["rank", "select", "cluster"])
def test_a_trace_that_cannot_be_written_is_named(refused, table, tmp_path, command, path):
    (tmp_path / "folder").mkdir()
    top = ("--top", "2") if command == "select" else ()
    assert path in refused(command, "t.csv", *top, "-o", "out.csv", "--trace", path, code=IO)


def test_a_run_that_fails_leaves_no_trace(refused, write):
    write("flat.csv", "a,b\n1,2\n1,2\n1,2\n")
    words = ("rank", "flat.csv", "--method", "laplacian_score", "--bagging", "3")
    refused(*words, "-o", "out.txt", "--trace", "t.jsonl", code=DATA)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_device_is_reported(refused, table):
    message = refused(*SEEN[:-1], "/dev/full", "-o", "out.txt", code=IO)
    assert "/dev/full" in message and "No space left" in message
