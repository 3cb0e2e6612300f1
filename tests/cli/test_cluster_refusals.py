"""`tamis cluster`: what the k-means family refuses, and in which words."""

import pytest

FAILED, USAGE, DATA, IO = 1, 2, 3, 4
START = "height,width,noise\n1,5,0\n3,1,0.5\n"
FAMILY = "kmeans, seeded_kmeans, constrained_kmeans, cop_kmeans, mpc_kmeans, wckm, l2gfs"


@pytest.fixture
def call(refused, small, write):
    """A refused call on small.csv, with files by name."""

    def run(*words, code, files=None):
        for name, content in (files or {}).items():
            write(name, content)
        return refused("cluster", "small.csv", *words, "-o", "out.csv", code=code)

    return run


@pytest.mark.parametrize("method", FAMILY.split(", "))
def test_more_clusters_than_rows(call, method):
    message = call("-m", method, "-k", "9", code=DATA)
    assert message == f"tamis: small.csv: {method}: 9 clusters need as many rows, and there are 8"


@pytest.mark.parametrize("method", FAMILY.split(", ")[1:])
def test_fewer_clusters_than_classes(call, method):
    assert call("-m", method, "-k", "1", code=DATA) == (
        f"tamis: small.csv: {method}: 1 clusters are fewer than the 2 labeled classes, so that "
        "rows of different classes would have to share a cluster; ask for at least 2 clusters "
        "(n_clusters) or give labels of fewer classes"
    )


@pytest.mark.parametrize("method", FAMILY.split(", "))
def test_neither_labels_nor_a_number_of_clusters(tamis, small, method):
    words = ("-m", method, "--label-column", "none", "--drop", "class", "--json")
    outcome = tamis("cluster", "small.csv", *words)
    warning = (
        f"{method} makes 8 clusters, because no row has a label and nothing says how many there "
        "are; set n_clusters"
    )
    assert len(outcome.json["centroids"]) == 8 and warning in outcome.json["warnings"]
    assert warning in outcome.err


@pytest.mark.parametrize("method", FAMILY.split(", "))
def test_constraints_that_contradict(call, method):
    pairs = "a,b,kind\na,c,must\nc,g,must\ng,a,cannot\n"
    message = call(
        "-m", method, "--constraints", "pairs.csv", code=DATA, files={"pairs.csv": pairs}
    )
    assert message == (
        "tamis: pairs.csv: rows 6 (g) and 0 (a) contradict: a cannot-link parts them, but "
        "must-links and labels put them together"
    )
    pairs = "a,b,kind\na,c,must\nc,d,must\n"
    message = call(
        "-m", method, "--constraints", "pairs.csv", code=DATA, files={"pairs.csv": pairs}
    )
    assert message == (
        "tamis: pairs.csv: rows 2 (c) and 3 (d) contradict: a must-link joins them, but labels "
        "and must-links put the first into class x and the second into class y"
    )


# A path of cannot-links p - q - r - s: placed in the order of the rows, p and s take the cluster
# that is nearest to both, q the other, and for r none is left.
PATH = "id,x\np,0.0\ns,0.1\nq,0.2\nr,0.3\nt,9.0\n"
LINKS = "a,b,kind\np,q,cannot\nq,r,cannot\nr,s,cannot\n"


def test_an_order_that_leaves_no_cluster_for_a_row(refused, tamis, write):
    write("path.csv", PATH)
    write("pairs.csv", LINKS)
    write("start.csv", "x\n0\n9\n")
    words = (
        "cluster", "path.csv", "-m", "cop_kmeans", "--constraints", "pairs.csv",
        "--init", "start.csv",
    )  # fmt: skip
    assert refused(*words, "--order", "rows", "-o", "out.csv", code=FAILED) == (
        "tamis: cop_kmeans: no cluster is left for row 3 (r): each of the 2 holds a row that it "
        "cannot be with; another order of the rows may leave one (order = shuffle), or more "
        "clusters"
    )
    result = tamis(*words, "--json").json
    clusters = dict(zip(result["ids"], result["clusters"], strict=True))
    assert clusters["p"] == clusters["r"] != clusters["q"] == clusters["s"]
    assert result["violations"] == {"must_link": 0, "cannot_link": 0}


def test_links_that_no_order_can_keep(refused, write):
    write("path.csv", PATH)
    write("pairs.csv", LINKS + "p,r,cannot\n")
    words = ("cluster", "path.csv", "-m", "cop_kmeans", "-k2", "--constraints", "pairs.csv")
    shuffled = ("--order", "shuffle", "--tries", "3", "--restarts", "2", "-o", "out.csv")
    message = refused(*words, *shuffled, code=FAILED)
    assert message.startswith(
        "tamis: cop_kmeans: none of 6 orders leaves a cluster for each row; in the last, each of "
        "the 2 clusters held a row that row "
    )
    assert message.endswith(" cannot be with; allow more tries or more clusters")


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ("height,width\n1,5\n3,1\n", "2 rows and 2 columns"),
        ("1,5,0\n", "1 row and 3 columns"),
        ("1,5,0\n3,1,0\n1,1,1\n", "3 rows and 3 columns"),
    ],
)
def test_a_start_of_the_wrong_shape(call, start, found):
    words = ("-m", "kmeans", "-k", "2", "--init", "start.csv")
    assert call(*words, code=DATA, files={"start.csv": start}) == (
        f"tamis: start.csv has {found}; 2 clusters of 3 features need 2 rows and 3 columns"
    )


@pytest.mark.parametrize(
    ("method", "weights", "message"),
    [
        (
            "l2gfs",
            "1,1,1\n1,1,1\n1,1,1\n",
            "has 3 rows and 3 columns; weights of 2 clusters of 3 features need 1 or 2 rows and 3 "
            "columns",
        ),
        (
            "wckm",
            "1,1,1\n1,1,1\n",
            "has 2 rows and 3 columns; weights of 3 features need 1 row and 3 columns",
        ),
        (
            "mpc_kmeans",
            "1,1\n",
            "has 1 row and 2 columns; weights of 2 clusters of 3 features need 1 or 2 rows and 3 "
            "columns",
        ),
    ],
)
def test_weights_of_the_wrong_shape(call, method, weights, message):
    words = ("-m", method, "--init", "start.csv", "--init-weights", "weights.csv")
    files = {"start.csv": START, "weights.csv": weights}
    assert call(*words, code=DATA, files=files) == f"tamis: weights.csv {message}"


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (
            "height,witdh,noise\n1,5,0\n3,1,0\n",
            "column 'witdh' is not a feature of the table; did you mean 'width'?",
        ),
        ("1,5,0\n3,nan,0\n", "row 1 has a value that is not finite, for feature 1 (width)"),
    ],
)
def test_a_start_that_does_not_fit(call, start, message):
    words = ("-m", "kmeans", "--init", "start.csv")
    assert call(*words, code=DATA, files={"start.csv": start}) == f"tamis: start.csv: {message}"


def test_weights_that_mean_nothing(call):
    files = {"start.csv": START, "weights.csv": "1,-1,1\n"}
    words = ("--init", "start.csv", "--init-weights", "weights.csv")
    for method in ("wckm", "l2gfs", "mpc_kmeans"):
        assert call("-m", method, *words, code=DATA, files=files) == (
            f"tamis: small.csv: {method}: a weight of the start is negative or not finite"
        )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("-m", "som", "--constraints", "p.csv"),
            f"som makes no use of --constraints; it is for {FAMILY}",
        ),
        (
            ("-m", "som", "--close-constraints"),
            f"som makes no use of --close-constraints; it is for {FAMILY}",
        ),
        (("-m", "som", "--init", "s.csv"), f"som makes no use of --init; it is for {FAMILY}"),
        (("-m", "som", "-k", "3"), f"som has no option 'n_clusters'; it belongs to {FAMILY}"),
        (("-m", "kmeans", "--rows", "all"), "kmeans makes no use of --rows; it is for som"),
        (("-m", "kmeans", "--units", "9"), "kmeans has no option 'units'; it belongs to som"),
        (("-m", "wckm", "--local"), "wckm makes no use of --local; it is for mpc_kmeans, l2gfs"),
        (
            ("-m", "kmeans", "--init", "s.csv", "--init-weights", "w.csv"),
            "kmeans makes no use of --init-weights; it is for mpc_kmeans, wckm, l2gfs",
        ),
        (
            ("-m", "wckm", "--init-weights", "w.csv"),
            "--init-weights belongs to centroids: give --init FILE too",
        ),
        (("-m", "kmeans", "-k", "0"), "kmeans: n_clusters = 0 must be >= 1"),
        (("-m", "l2gfs", "--local", "0"), "cluster: --local = 0 must be >= 1"),
        (("-m", "l2gfs", "--local=few"), "cluster: --local = 'few' is not an integer"),
        (("-m", "cop_kmeans", "--order", "shuffled"), "did you mean 'shuffle'?"),
        (("-m", "kmeans", "--order", "shuffle"), "it belongs to cop_kmeans"),
        (("-m", "wckm", "--beta", "0.5"), "wckm: beta = 0.5 must be < 0 or > 1"),
        (
            ("--centroids", "a.csv", "--codebook", "b.csv"),
            "--centroids and --codebook are two names of one flag: give one of them",
        ),
        (("-m", "kmeans", "--centroids", "out.csv"), "--centroids both go to out.csv"),
        (("-m", "kmeans", "--json", "--csv"), "--json and --csv exclude each other"),
    ],
)
def test_a_wrong_command_line(call, words, message):
    assert message in call(*words, code=USAGE)


def test_a_start_is_not_overwritten(call):
    words = ("-m", "kmeans", "--init", "start.csv", "--centroids", "start.csv")
    assert call(*words, code=USAGE, files={"start.csv": START}) == (
        "tamis: --centroids start.csv would overwrite the input start.csv: choose another name"
    )


def test_a_start_that_is_not_there(call):
    message = call("-m", "kmeans", "--init", "absent.csv", code=IO)
    assert message == "tamis: absent.csv: No such file or directory"
