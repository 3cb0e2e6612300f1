"""`tamis cluster`: what the k-means family tells about its clusters, in every form."""

import csv
import io
import itertools

import numpy as np
import pytest
from program import csv_text
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, rand_score
from test_terminal import on_a_terminal

FAMILY = (
    "kmeans", "seeded_kmeans", "constrained_kmeans", "cop_kmeans", "mpc_kmeans", "wckm", "l2gfs",
)  # fmt: skip
WITH_WEIGHTS = ("mpc_kmeans", "wckm", "l2gfs")
WITH_CLUSTER_WEIGHTS = ("mpc_kmeans", "l2gfs")
GUIDED = ("--labels-per-class", "3", "--seed", "1")


@pytest.fixture
def table(write, matrix):
    """The matrix with all its labels."""
    x, labels = matrix
    write("t.csv", csv_text(x, labels))
    return x, labels


@pytest.fixture
def loose(write):
    """Rows of two classes that overlap, so that links are broken; with ids."""
    random = np.random.default_rng(11)
    x = random.normal(size=(24, 3))
    labels = np.arange(24) % 2
    lines = [
        f"r{i},{a!r},{b!r},{c!r},{y}"
        for i, ((a, b, c), y) in enumerate(zip(x.tolist(), labels, strict=True))
    ]
    write("loose.csv", "id,a,b,c,class\n" + "\n".join(lines) + "\n")
    return labels


def means(x, clusters, k):
    return np.array([x[clusters == q].mean(axis=0) for q in range(k)])


@pytest.mark.parametrize("method", FAMILY)
def test_json_describes_the_whole_clustering(tamis, table, method):
    x, labels = table
    result = tamis("cluster", "t.csv", "--method", method, *GUIDED, "--json").json
    assert result["schema"] == "tamis/clustering/1" and result["method"] == method
    assert result["options"]["n_clusters"] == "auto" and result["seed"] == 1
    assert result["init"] is None and result["init_weights"] is None
    clusters = np.array(result["clusters"])
    assert result["rows"] == list(range(30)) and result["ids"] is None
    assert result["sizes"] == np.bincount(clusters, minlength=3).tolist()
    assert result["labels"] == [str(y) for y in labels]
    centroids = np.array(result["centroids"])
    assert centroids.shape == (3, 6)
    if method != "wckm":
        assert centroids == pytest.approx(means(x, clusters, 3))
    assert result["converged"] and result["iterations"][-1]["changed"] == 0
    assert result["iterations"][-1]["objective"] == pytest.approx(result["objective"])
    assert (result["memberships"] is None) == (method != "wckm")
    assert (result["weights"] is None) == (method not in WITH_WEIGHTS)
    assert (result["cluster_weights"] is None) == (method not in WITH_CLUSTER_WEIGHTS)
    assert "local" not in result


@pytest.mark.parametrize("method", WITH_CLUSTER_WEIGHTS)
def test_global_weights_are_means_over_the_clusters(tamis, table, method):
    result = tamis("cluster", "t.csv", "--method", method, *GUIDED, "--json").json
    local = np.array(result["cluster_weights"])
    assert local.shape == (3, 6)
    assert result["weights"] == pytest.approx(local.mean(axis=0))


def test_weights_and_memberships_of_wckm_sum_to_one(tamis, table):
    result = tamis("cluster", "t.csv", "--method", "wckm", *GUIDED, "--json").json
    memberships = np.array(result["memberships"])
    assert memberships.shape == (30, 3) and memberships.sum(axis=1) == pytest.approx(np.ones(30))
    assert memberships.argmax(axis=1).tolist() == result["clusters"]
    assert sum(result["weights"]) == pytest.approx(1)
    objectives = [iteration["objective"] for iteration in result["iterations"]]
    assert all(b <= a * (1 + 1e-12) for a, b in itertools.pairwise(objectives))


@pytest.mark.parametrize("method", FAMILY)
def test_clusters_are_compared_with_the_hidden_classes_too(tamis, loose, method):
    outcome = tamis("cluster", "loose.csv", "--method", method, *GUIDED, "--json")
    result = outcome.json
    clusters = np.array(result["clusters"])
    assert result["data"]["labeled"] == 6
    kept = labeled_rows(tamis)
    held_out = np.setdiff1d(np.arange(24), kept)
    for found, rows in (
        (result["agreement"], np.arange(24)),
        (result["held_out_agreement"], held_out),
    ):
        assert found["rows"] == len(rows)
        assert found["rand"] == pytest.approx(rand_score(loose[rows], clusters[rows]))
        assert found["adjusted_rand"] == pytest.approx(
            adjusted_rand_score(loose[rows], clusters[rows])
        )
        assert found["nmi"] == pytest.approx(
            normalized_mutual_info_score(loose[rows], clusters[rows])
        )
    shown = f"{result['agreement']['adjusted_rand']:.3f}"
    assert f"with the classes of 24 rows (6 of them given): adjusted Rand {shown}" in outcome.err
    assert "agreement on the 18 rows of which nothing was given" in outcome.err


def labeled_rows(tamis):
    """The rows whose labels --labels-per-class keeps: those that the pairs of labels name."""
    pairs = tamis("constraints", "loose.csv", *GUIDED, "-q").out.splitlines()[1:]
    return sorted({int(name[1:]) for pair in pairs for name in pair.split(",")[:2]})


def test_without_classes_there_is_no_agreement(tamis, write, matrix):
    write("t.csv", csv_text(matrix[0]))
    outcome = tamis("cluster", "t.csv", "--method", "kmeans", "-k", "3", "--json")
    assert outcome.json["agreement"] is None and outcome.json["held_out_agreement"] is None
    assert outcome.json["labels"] is None and outcome.json["options"]["n_clusters"] == 3
    assert "agreement" not in outcome.err and "breaks" not in outcome.err


def test_rows_whose_class_nobody_knows_are_not_compared(tamis, small):
    result = tamis("cluster", "small.csv", "--method", "kmeans", "--json").json
    assert result["agreement"]["rows"] == 4 and result["held_out_agreement"] is None
    assert result["labels"][1:3] == ["x", None]


def broken(labels, clusters, rows):
    """The links of the labels that clusters break."""
    pairs = list(itertools.combinations(rows, 2))
    must = [(i, j) for i, j in pairs if labels[i] == labels[j] and clusters[i] != clusters[j]]
    cannot = [(i, j) for i, j in pairs if labels[i] != labels[j] and clusters[i] == clusters[j]]
    return must, cannot


def test_violations_are_counted_and_listed_with_ids_when_asked(tamis, loose):
    words = ("cluster", "loose.csv", "--method", "kmeans", *GUIDED, "--json")
    quiet, verbose = tamis(*words), tamis(*words, "-v")
    must, cannot = broken(loose, quiet.json["clusters"], labeled_rows(tamis))
    assert must and cannot
    assert quiet.json["violations"] == {"must_link": len(must), "cannot_link": len(cannot)}
    listed = verbose.json["violations"].pop("pairs")
    assert listed == [{"a": f"r{i}", "b": f"r{j}", "kind": "must"} for i, j in must] + [
        {"a": f"r{i}", "b": f"r{j}", "kind": "cannot"} for i, j in cannot
    ]
    assert f"breaks {len(must)} must-link" in quiet.err and "broken must-link" not in quiet.err
    i, j = must[0]
    assert f"broken must-link: {i} (r{i}) and {j} (r{j})" in verbose.err
    i, j = cannot[-1]
    assert f"broken cannot-link: {i} (r{i}) and {j} (r{j})" in verbose.err


def test_a_long_list_of_violations_is_cut_for_people(tamis, loose):
    outcome = tamis("cluster", "loose.csv", "--method", "kmeans", "--json", "-v")
    violations = outcome.json["violations"]
    must, cannot = broken(loose, outcome.json["clusters"], range(24))
    assert (violations["must_link"], violations["cannot_link"]) == (len(must), len(cannot))
    assert len(violations["pairs"]) == len(must) + len(cannot)
    assert f"and {len(must) - 20} more broken must-links; --json lists them" in outcome.err


@pytest.mark.parametrize("method", FAMILY)
def test_pairs_guide_and_are_counted(tamis, write, small, method):
    write("pairs.csv", "a,b,kind\na,c,must\nc,g,must\nd,g,cannot\nf,g,cannot\n")
    words = ("cluster", "small.csv", "--label-column", "none", "--drop", "class", "-k", "2")
    result = tamis(*words, "--method", method, "--constraints", "pairs.csv", "--json").json
    clusters = dict(zip(result["ids"], result["clusters"], strict=True))
    assert clusters["a"] == clusters["c"] == clusters["g"] != clusters["d"] == clusters["f"]
    assert result["data"]["must_link"] == 2 and result["data"]["cannot_link"] == 2
    assert result["violations"] == {"must_link": 0, "cannot_link": 0}
    closed = tamis(
        *words, "--method", method, "--constraints", "pairs.csv", "--close-constraints", "--json"
    ).json
    assert closed["data"]["cannot_link"] == 6 and closed["clusters"] == result["clusters"]


def test_a_pair_can_change_the_clusters(tamis, write, small):
    write("pairs.csv", "a,b,kind\nc,g,cannot\n")
    words = ("cluster", "small.csv", "--method", "cop_kmeans", "-k", "2")
    result = tamis(*words, "--constraints", "pairs.csv", "--json").json
    clusters = dict(zip(result["ids"], result["clusters"], strict=True))
    assert clusters["c"] != clusters["g"] and clusters["a"] == clusters["b"]


@pytest.mark.parametrize("method", FAMILY)
def test_a_pipe_gets_one_line_per_row(tamis, small, method):
    words = ("cluster", "small.csv", "--method", method)
    outcome = tamis(*words)
    lines = list(csv.DictReader(io.StringIO(outcome.out)))
    result = tamis(*words, "--json").json
    assert [line["id"] for line in lines] == list("abcdefgh") == result["ids"]
    assert [int(line["cluster"]) for line in lines] == result["clusters"]
    assert [line["label"] for line in lines] == ["x", "x", "", "y", "y", "", "", ""]
    assert "8 rows in 2 clusters, objective" in outcome.err
    assert tamis(*words, "-o", "out.csv", "-q").err == ""
    assert tamis(*words, "--csv").out == outcome.out


def test_rows_without_ids_and_labels_have_numbers_only(tamis, write):
    write("t.csv", "a,b\n1,2\n1,3\n9,9\n")
    outcome = tamis("cluster", "t.csv", "-m", "kmeans", "-k2", "-q")
    assert outcome.out.splitlines()[0] == "row,cluster"
    assert [line.split(",")[0] for line in outcome.out.splitlines()[1:]] == ["0", "1", "2"]


def test_a_terminal_shows_sizes_classes_and_best_features(small, tmp_path):
    shown = on_a_terminal(("cluster", "small.csv", "-m", "l2gfs", "--no-color"), tmp_path)
    assert "its best features, with their weights in it" in shown and "id,cluster" not in shown
    assert "x (2), 2 unlabeled" in shown and "y (2), 2 unlabeled" in shown
    assert "height=" in shown and "agreement with the classes of 4 rows (4 of them given)" in shown
    shown = on_a_terminal(("cluster", "small.csv", "-m", "kmeans", "--no-color"), tmp_path)
    assert "classes of its rows" in shown and "best features" not in shown
    shown = on_a_terminal(("cluster", "small.csv", "-m", "wckm", "--no-color"), tmp_path)
    assert "best features, with their weights\r\n" in shown
    shown = on_a_terminal(("cluster", "small.csv", "-m", "kmeans", "--csv"), tmp_path)
    assert "id,cluster,label" in shown


def test_a_terminal_shows_the_first_of_many_clusters(tamis, tmp_path):
    tamis("generate", "blobs", "--rows", "200", "-q", "-o", "b.csv")
    words = ("cluster", "b.csv", "-m", "kmeans", "-k", "50", "--restarts", "1", "--no-color")
    assert "10 more; --json has them all" in on_a_terminal(words, tmp_path)


@pytest.mark.parametrize("rank_by", ["weight", "distance_weight"])
@pytest.mark.parametrize("beta", ["-0.1", "2"])
def test_local_lists_the_best_features_of_each_cluster(tamis, table, rank_by, beta):
    words = ("cluster", "t.csv", "-m", "l2gfs", *GUIDED, f"--beta={beta}", "--rank-by", rank_by)
    result = tamis(*words, "--local", "4", "--json").json
    weights = np.array(result["cluster_weights"])
    scores = weights if rank_by == "weight" else weights ** float(beta)
    assert len(result["local"]) == 3
    for cluster, features in enumerate(result["local"]):
        order = np.argsort(-scores[cluster], kind="stable")[:4].tolist()
        assert [feature["feature"] for feature in features] == order
        assert [feature["name"] for feature in features] == [f"f{r}" for r in order]
        assert [feature["weight"] for feature in features] == weights[cluster, order].tolist()


def test_local_lists_ten_features_unless_told(tamis, tmp_path):
    tamis("generate", "wave", "--rows", "300", "-q", "-o", "w.csv")
    words = ("cluster", "w.csv", "-m", "mpc_kmeans", *GUIDED)
    for given, count in (("--local", 10), ("--local=3", 3), ("--local=100", 40)):
        result = tamis(*words, given, "--json").json
        assert [len(features) for features in result["local"]] == [count] * 3
    assert "local" not in tamis(*words, "--local=false", "--json").json
    shown = on_a_terminal((*words, "--local", "2", "--no-color"), tmp_path)
    best = tamis(*words, "--local=2", "--json").json["local"][1]
    assert ", ".join(f"{f['name']}={f['weight']:.3g}" for f in best) in shown


def test_a_feature_with_one_value_in_a_cluster_is_not_listed_for_it(tamis, write):
    lines = ["a,b,flag,class"]
    lines += [f"{i % 3},{i % 4},0,x" for i in range(8)]
    lines += [f"{9 + i % 3},{i % 4},{i % 2},y" for i in range(8)]
    write("t.csv", "\n".join(lines) + "\n")
    local = tamis("cluster", "t.csv", "-m", "l2gfs", "--local", "--json").json["local"]
    names = [{feature["name"] for feature in features} for features in local]
    assert {"a", "b"} in names and {"a", "b", "flag"} in names


@pytest.mark.parametrize("method", FAMILY)
def test_the_result_is_the_same_for_any_number_of_threads(tamis, method):
    tamis("generate", "wave", "--rows", "400", "-q", "-o", "w.csv")
    words = ("cluster", "w.csv", "-m", method, *GUIDED, "--restarts", "3", "--json")
    one, three = (tamis(*words, "--threads", n).json for n in (1, 3))
    for figure in ("seconds", "peak_memory_bytes"):
        one.pop(figure), three.pop(figure)
    assert one == three


@pytest.mark.parametrize("method", FAMILY)
def test_help_shows_the_options_of_the_clustering(tamis, method):
    text = tamis("cluster", "--method", method, "--help").out
    assert f"Options of {method} (see another's with --method NAME --help)" in text
    assert "-k, --n-clusters N" in text and "--units" not in text.replace("--units 100", "")
    assert ("--order WORD" in text) == (method == "cop_kmeans")
    assert "--local [K]" in text and "--init-weights FILE" in text


def test_every_default_can_be_given_as_a_flag(tamis, small):
    for clustering in tamis("methods", "--json").json["clusterings"]:
        flags = [
            f"{option['flag']}={str(option['default']).lower()}" for option in clustering["options"]
        ]
        words = ("cluster", "small.csv", "--json", "--method", clustering["name"])
        given, default = tamis(*words, *flags).json, tamis(*words).json
        assert given["options"] == default["options"]
        assert given.get("clusters") == default.get("clusters")


def test_the_command_that_repeats_a_run_names_everything(tamis, small):
    said = tamis("cluster", "small.csv", "-m", "kmeans", "-k", "2", "-v").err
    assert (
        "tamis cluster small.csv -m kmeans -k 2 -v --start=plus_plus --restarts=10 "
        "--max-iter=100 --seed=0\n"
    ) in said
    said = tamis("cluster", "small.csv", "-v").err
    assert "-v --method=constrained_kmeans --n-clusters=auto --restarts=10" in said


def test_an_unfinished_run_is_a_warning(tamis, loose):
    outcome = tamis("cluster", "loose.csv", "-m", "kmeans", "-k2", "--max-iter", "1", "--json")
    warning = "kmeans did not settle within 2 iterations: allow more (--max-iter)"
    assert outcome.json["warnings"] == [warning] and not outcome.json["converged"]
    assert f"tamis: warning: {warning}" in outcome.err


@pytest.mark.parametrize(
    ("words", "method", "reason"),
    [
        (("--id-column", "id"), "constrained_kmeans", "there are labels"),
        (
            ("--label-column", "none", "-k", "2", "--constraints", "pairs.csv"),
            "mpc_kmeans",
            "there are pairs",
        ),
        (("--label-column", "none", "-k", "2"), "kmeans", "there are neither labels nor pairs"),
        (("--method", "auto"), "constrained_kmeans", "there are labels"),
    ],
)
def test_without_a_method_what_is_known_decides(tamis, write, small, words, method, reason):
    write("pairs.csv", "a,b,kind,weight\na,c,must,2\nc,d,cannot,1\n")
    outcome = tamis("cluster", "small.csv", *words, "--json")
    assert outcome.json["method"] == method
    assert (
        f"tamis: note: {reason}, so the rows are clustered by {method}; --method NAME chooses "
        "another way\n"
    ) in outcome.err
    others = [word for word in words if word not in ("--method", "auto")]
    named = tamis("cluster", "small.csv", *others, "--method", method, "--json")
    assert named.json["clusters"] == outcome.json["clusters"] and reason not in named.err


def test_options_of_the_clustering_that_was_not_named_are_checked(refused, small):
    words = ("cluster", "small.csv", "--units", "9", "-o", "out.csv")
    assert refused(*words, code=2) == (
        "tamis: constrained_kmeans has no option 'units'; it belongs to som; name a method with "
        "--method"
    )
