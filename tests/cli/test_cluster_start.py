"""`tamis cluster --init`: given starts, those of a trace, and scikit-learn's k-means from them."""

import json

import numpy as np
import pytest
from program import csv_text
from sklearn.cluster import KMeans
from test_cluster_family import FAMILY, GUIDED, WITH_WEIGHTS


@pytest.fixture
def blurred():
    """400 rows around seven places that are not easy to tell apart."""
    random = np.random.default_rng(5)
    places = random.normal(size=(7, 9))
    return 0.7 * random.normal(size=(400, 9)) + places[random.integers(7, size=400)]


def single_run_of_scikit_learn(x, start):
    found = KMeans(len(start), init=start, n_init=1, algorithm="lloyd", tol=0, max_iter=1000)
    return found.fit(x)


@pytest.mark.parametrize("kind", ["csv", "npy", "npy32"])
def test_k_means_equals_scikit_learn_from_the_same_start(tamis, write, tmp_path, blurred, kind):
    if kind == "csv":
        write("t.csv", csv_text(blurred))
        np.savetxt(tmp_path / "start.csv", blurred[:7], delimiter=",", fmt="%.17g")
    else:
        blurred = blurred.astype(np.float32 if kind == "npy32" else np.float64)
        np.save(tmp_path / "t.npy", blurred)
        np.save(tmp_path / "start.npy", blurred[:7])
    table, start = ("t.csv", "start.csv") if kind == "csv" else ("t.npy", "start.npy")
    words = ("cluster", table, "--method", "kmeans", "--init", start, "--max-iter", "1000")
    result = tamis(*words, "--json").json
    theirs = single_run_of_scikit_learn(blurred.astype(np.float64), blurred[:7].astype(np.float64))
    assert result["data"]["precision"] == ("single" if kind == "npy32" else "double")
    assert result["converged"] and len(result["iterations"]) > 5
    assert result["clusters"] == theirs.labels_.tolist()
    assert np.abs(np.array(result["centroids"]) - theirs.cluster_centers_).max() < 1e-6
    assert result["objective"] == pytest.approx(theirs.inertia_, rel=1e-6)


def start_of_the_trace(path, run):
    """The first event of the given run; and what its iterations did."""
    events = [json.loads(line) for line in path.read_text().splitlines()]
    (start,) = [event for event in events if event["event"] == "start" and event["run"] == run]
    iterations = [
        event for event in events if event["event"] == "iteration" and event["run"] == run
    ]
    return events, start, iterations


def write_start(folder, start):
    """The files for --init and --init-weights, and the flags that name them."""
    lines = [",".join(map(repr, row)) for row in start["centroids"]]
    (folder / "start.csv").write_text("\n".join(lines) + "\n")
    if "weights" not in start:
        return ("--init", "start.csv")
    weights = np.atleast_2d(start["weights"]).tolist()
    lines = [",".join(map(repr, row)) for row in weights]
    (folder / "weights.csv").write_text("\n".join(lines) + "\n")
    return ("--init", "start.csv", "--init-weights", "weights.csv")


@pytest.mark.parametrize("method", FAMILY)
def test_a_run_of_a_trace_can_be_repeated(tamis, tmp_path, method):
    tamis("generate", "wave", "--rows", "200", "-q", "-o", "w.csv")
    words = ("cluster", "w.csv", "--method", method, "-k", "4", *GUIDED, "--json")
    if method == "cop_kmeans":
        words += ("--order", "rows")  # a given start says nothing of the order
    result = tamis(*words, "--restarts", "4", "--trace", "t.jsonl").json
    events, start, iterations = start_of_the_trace(tmp_path / "t.jsonl", result["run"])
    assert events[0]["event"] == "run" and events[0]["options"] == result["options"]
    assert {event["run"] for event in events[1:]} == {0, 1, 2, 3}
    assert np.array(start["centroids"]).shape == (4, 40)
    assert ("weights" in start) == (method in WITH_WEIGHTS)
    names = ("objective", "changed", "must_link_violations", "cannot_link_violations")
    told = [{name: event[name] for name in names} for event in iterations]
    assert told == result["iterations"]
    assert [event["iteration"] for event in iterations] == list(range(len(told)))

    again = tamis(*words, *write_start(tmp_path, start), "--trace", "again.jsonl").json
    for member in ("clusters", "centroids", "weights", "memberships", "objective", "iterations"):
        assert again[member] == result[member]
    assert again["run"] == 0 and again["init"] == "start.csv"
    assert start_of_the_trace(tmp_path / "again.jsonl", 0)[1] == {**start, "run": 0}


def test_a_shuffled_order_is_in_the_trace(tamis, small, tmp_path):
    words = ("cluster", "small.csv", "-m", "cop_kmeans", "--order", "shuffle", "--restarts", "2")
    tamis(*words, "--trace", "t.jsonl")
    events = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    orders = [event for event in events if event["event"] == "order"]
    assert len(orders) == 2 and all(sorted(order["rows"]) == list(range(8)) for order in orders)


START = "height,width,noise\n1,5,0\n3,1,0.5\n"


@pytest.mark.parametrize(
    "start",
    [
        "noise,height,width\n0,1,5\n0.5,3,1\n",  # by name, in another order
        "1,5,0\n3,1,0.5\n",  # by place
        "width\theight\tnoise\n5\t1\t0\n1\t3\t0.5\n",
    ],
)
def test_the_columns_of_a_start_are_found_by_name(tamis, write, small, start):
    write("start.csv", START)
    write("other.csv", start)
    words = ("cluster", "small.csv", "-m", "kmeans", "--max-iter", "1", "--json", "--init")
    one, other = tamis(*words, "start.csv").json, tamis(*words, "other.csv").json
    assert one["iterations"] == other["iterations"] and one["clusters"] == other["clusters"]


def test_a_start_says_how_many_clusters_there_are(tamis, write, matrix):
    write("t.csv", csv_text(matrix[0]))
    write("start.csv", csv_text(matrix[0][:5]))
    result = tamis("cluster", "t.csv", "-m", "kmeans", "--init", "start.csv", "--json").json
    assert result["options"]["n_clusters"] == 5 and len(result["sizes"]) == 5


@pytest.mark.parametrize("method", ["som", *FAMILY])
@pytest.mark.parametrize("name", ["c.csv", "c.npy", "c.mat", "c"])
def test_centroids_are_written_as_a_table(tamis, small, method, name):
    words = ("cluster", "small.csv", "-m", method, "--json")
    result = tamis(*words, "--centroids", name).json
    info = tamis("info", name, "--json").json
    assert info["format"] == {"c.npy": "npy", "c.mat": "matlab"}.get(name, "csv")
    assert info["rows"] == len(result["codebook" if method == "som" else "centroids"])
    assert info["features"] == 3


@pytest.mark.parametrize("name", ["c.csv", "c.npy", "c.mat", "c.csv.gz"])
@pytest.mark.parametrize("method", ["kmeans", "seeded_kmeans", "cop_kmeans"])
def test_a_run_from_its_own_centroids_changes_nothing(tamis, small, method, name):
    words = ("cluster", "small.csv", "-m", method, "--json")
    result = tamis(*words, "--centroids", name).json
    again = tamis(*words, "--init", name).json
    assert again["centroids"] == result["centroids"] and again["clusters"] == result["clusters"]
    assert len(again["iterations"]) == 2 and again["iterations"][1]["changed"] == 0


def test_a_single_row_of_weights_serves_every_cluster(tamis, write, small):
    write("start.csv", START)
    write("one.csv", "noise,width,height\n0.25,0.25,0.5\n")
    write("two.csv", "0.5,0.25,0.25\n0.5,0.25,0.25\n")
    for method in ("l2gfs", "mpc_kmeans"):
        words = ("cluster", "small.csv", "-m", method, "--init", "start.csv", "--init-weights")
        one, two = (tamis(*words, name, "--json").json for name in ("one.csv", "two.csv"))
        assert one["cluster_weights"] == two["cluster_weights"]
        assert one["iterations"] == two["iterations"]
