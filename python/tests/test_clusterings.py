import json
import pickle
import re
import subprocess

import joblib
import naive_mpc_kmeans
import numpy as np
import pandas as pd
import pytest
import tamis
from registered import CLUSTERERS, CLUSTERINGS, expected_failures
from scipy import sparse
from sklearn import cluster
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

# Those that make as many clusters as they are told, which maps do not.
FAMILY = {name: each for name, each in CLUSTERERS.items() if name != "som"}
every_clusterer = pytest.mark.parametrize("clusterer", FAMILY.values(), ids=FAMILY.keys())


@pytest.fixture
def blobs():
    """Three classes that are far apart, five labels of each, and the classes of all rows."""
    options = {"n_samples": 90, "spread": 0.3, "n_noise": 2, "random_state": 2}
    X, y = tamis.datasets.make_blobs(n_labeled_per_class=5, **options)
    return X, y, tamis.datasets.make_blobs(**options)[1]


@parametrize_with_checks(
    [clusterer() for clusterer in CLUSTERERS.values()], expected_failed_checks=expected_failures
)
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_clustering_has_an_estimator():
    assert sorted(CLUSTERERS) == sorted(CLUSTERINGS)


@pytest.mark.parametrize("clusterer", CLUSTERERS.values(), ids=CLUSTERERS.keys())
def test_defaults_are_those_of_the_clustering(clusterer):
    known = next(c for c in tamis.cluster.clusterings() if c["name"] == clusterer._method)
    parameters = clusterer().get_params()
    assert {o["name"]: o["default"] for o in known["options"]}.items() <= parameters.items()


def run(program, folder, *words):
    command = [program, "cluster", *words, "--json", "--seed", "7", "-q"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def assert_same(fitted, expected):
    """Bit for bit."""
    assert fitted.labels_.tolist() == expected["clusters"]
    assert fitted.cluster_centers_.tolist() == expected["centroids"]
    assert fitted.objective_ == expected["objective"]
    assert fitted.n_iter_ == len(expected["iterations"])
    weights = expected["cluster_weights"] or expected["weights"]
    found = getattr(fitted, "feature_weights_", None)
    assert (None if found is None else found.tolist()) == weights
    found = getattr(fitted, "memberships_", None)
    assert (None if found is None else found.tolist()) == expected["memberships"]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@every_clusterer
def test_dense_tables_give_the_bits_of_the_program(clusterer, dtype, program, wave, tmp_path):
    X, y = wave[0].astype(dtype), wave[1]
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.csv").write_text("".join(f"{label}\n" for label in y))
    (tmp_path / "pairs.csv").write_text("a,b,kind\n0,5,must\n5,9,cannot\n")
    words = ("--labels", "y.csv", "--constraints", "pairs.csv", "--method", clusterer._method)
    pairs = tamis.Constraints.from_pairs([(0, 5, "must"), (5, 9, "cannot")], n_rows=120)
    fitted = clusterer(random_state=7).fit(X, y, constraints=pairs)
    assert_same(fitted, run(program, tmp_path, "x.npy", *words))


@every_clusterer
def test_sparse_tables_give_the_bits_of_the_program(clusterer, program, mostly_zero, tmp_path):
    x, y = mostly_zero
    lines = []
    for label, row in zip(y, x, strict=True):
        entries = " ".join(f"{c + 1}:{float(row[c])!r}" for c in np.flatnonzero(row))
        lines.append(f"{label} {entries}\n")
    (tmp_path / "x.svm").write_text("".join(lines))
    words = ("--method", clusterer._method, "-k", "4")
    fitted = clusterer(4, random_state=7).fit(sparse.csr_array(x), y)
    assert_same(fitted, run(program, tmp_path, "x.svm", *words))


@every_clusterer
def test_finds_clusters_that_are_far_apart(clusterer, blobs):
    X, y, truth = blobs
    found = clusterer(random_state=1).fit_predict(X, y)
    assert adjusted_rand_score(truth, found) > 0.9


@every_clusterer
def test_weights_have_the_shape_that_the_clustering_says(clusterer, wave):
    fitted = clusterer(random_state=1).fit(*wave)
    shapes = {"nothing": None, "weights": (40,), "weights_of_clusters": (3, 40)}
    weights = getattr(fitted, "feature_weights_", None)
    assert (None if weights is None else weights.shape) == shapes[clusterer._learns]
    assert hasattr(fitted, "inertia_") == (weights is None)


@every_clusterer
def test_predicts_the_clusters_that_it_found_where_nothing_is_known(clusterer, blobs):
    X, _, truth = blobs
    fitted = clusterer(3, random_state=1).fit(X)
    np.testing.assert_array_equal(fitted.predict(X), fitted.labels_)
    np.testing.assert_array_equal(fitted.predict(X[:7]), fitted.labels_[:7])
    np.testing.assert_array_equal(fitted.predict(sparse.csr_array(X)), fitted.labels_)
    assert adjusted_rand_score(truth, fitted.labels_) > 0.5


@pytest.mark.parametrize("name", ["wckm", "l2gfs", "mpc_kmeans"])
def test_predicts_by_the_distances_of_the_definition(name, wave):
    fitted = CLUSTERERS[name](3, random_state=1).fit(wave[0])
    weights = fitted.feature_weights_ * np.ones((3, 1))
    powers = weights if name == "mpc_kmeans" else weights**fitted.beta
    differences = (wave[0][:, None] - fitted.cluster_centers_) ** 2
    distances = (powers * differences).sum(axis=2)
    if name == "mpc_kmeans":
        distances -= np.log(weights).sum(axis=1)
    np.testing.assert_array_equal(fitted.predict(wave[0]), distances.argmin(axis=1))


@every_clusterer
def test_survives_cloning_pickling_and_joblib(clusterer, wave, tmp_path):
    fitted = clone(clusterer(3, random_state=1)).fit(*wave)
    joblib.dump(fitted, tmp_path / "fitted")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "fitted")):
        np.testing.assert_array_equal(copy.labels_, fitted.labels_)
        np.testing.assert_array_equal(copy.predict(wave[0]), fitted.predict(wave[0]))


@every_clusterer
def test_the_number_of_threads_changes_nothing(clusterer, wave):
    one, two = (clusterer(random_state=1, n_jobs=n).fit(*wave) for n in (1, 2))
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.cluster_centers_, two.cluster_centers_)


def test_pairs_are_kept_and_follow_their_samples(wave):
    X = pd.DataFrame(wave[0], index=[f"s{i}" for i in range(120)]).add_prefix("gene")
    known = tamis.Constraints([("s0", "s5")], [("s0", "s9"), ("s3", "s80")])
    shuffled = X.sample(frac=1, random_state=0)
    fitted = tamis.cluster.COPKMeans(3, random_state=0).fit(shuffled, constraints=known)
    cluster = dict(zip(shuffled.index, fitted.labels_, strict=True))
    assert cluster["s0"] == cluster["s5"] != cluster["s9"]
    assert cluster["s3"] != cluster["s80"]
    assert fitted.feature_names_in_.tolist() == X.columns.tolist()


def test_a_pipeline_passes_labels_on(blobs):
    X, y, truth = blobs
    pipeline = make_pipeline(StandardScaler(), tamis.cluster.ConstrainedKMeans())
    found = pipeline.fit_predict(X, y)
    assert (found[y >= 0] == y[y >= 0]).all()
    assert adjusted_rand_score(truth, found) > 0.9


def test_labels_count_the_clusters_unless_a_number_is_given(wave):
    X, y = wave
    with pytest.warns(UserWarning, match="one cluster for each of the 3 labeled classes"):
        assert len(tamis.cluster.KMeans().fit(X, y).cluster_centers_) == 3
    assert len(tamis.cluster.KMeans(5).fit(X, y).cluster_centers_) == 5


@every_clusterer
def test_makes_clusters_of_a_table_alone(clusterer, wave):
    with pytest.warns(UserWarning, match="makes 8 clusters, because no row has a label"):
        assert len(clusterer(random_state=0).fit(wave[0]).cluster_centers_) == 8


def test_what_methods_say_that_they_need_is_true(wave):
    for method in tamis.methods():
        if not method["needs_knowledge"]:
            assert len(tamis.rank(wave[0], method=method["name"], random_state=0)) == 40
            continue
        with pytest.raises(ValueError, match=f"^{method['name']} needs "):
            tamis.rank(wave[0], method=method["name"], random_state=0)


@every_clusterer
def test_begins_at_given_centres(clusterer, wave):
    first = wave[0][[3, 50, 90]]
    once = clusterer(init=first, random_state=1).fit(wave[0])
    again = clusterer(init=first, n_clusters=3, restarts=1, random_state=2).fit(wave[0])
    np.testing.assert_array_equal(once.labels_, again.labels_)
    assert len(once.cluster_centers_) == 3


def test_k_means_from_given_centres_is_that_of_scikit_learn(wave):
    first = wave[0][[3, 50, 90]]
    ours = tamis.cluster.KMeans(init=first).fit(wave[0])
    theirs = cluster.KMeans(3, init=first, n_init=1, tol=0).fit(wave[0])
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_)


def test_refuses_centres_that_do_not_fit(wave):
    message = r"init has shape \(3, 7\), and should have .* 40 columns"
    with pytest.raises(ValueError, match=message):
        tamis.cluster.KMeans(init=np.ones((3, 7))).fit(wave[0])
    with pytest.raises(ValueError, match="4 centroids of 40 columns are 160"):
        tamis.cluster.KMeans(4, init=np.ones((3, 40))).fit(wave[0])
    message = "init = 'random' is no array of centres: leave it out, and kmeans chooses its start"
    with pytest.raises(ValueError, match=message):
        tamis.cluster.KMeans(4, init="random").fit(wave[0])


def test_a_map_is_that_of_the_program(program, wave, tmp_path):
    np.save(tmp_path / "x.npy", wave[0])
    expected = run(program, tmp_path, "x.npy", "--method", "som", "--units", "12")
    found = tamis.cluster.SOM(units=12).fit(wave[0])
    assert found.labels_.tolist() == expected["best_units"]
    assert found.cluster_centers_.tolist() == expected["codebook"]


def test_a_map_has_its_units_on_a_sheet(wave):
    found = tamis.cluster.SOM(units=12).fit(*wave)
    n_rows, n_cols = found.sheet_shape_
    assert n_rows * n_cols == len(found.cluster_centers_) == len(found.neighbor_distances_)
    differences = wave[0] - found.cluster_centers_[found.labels_]
    assert found.quantization_error_ == pytest.approx(np.linalg.norm(differences, axis=1).mean())
    np.testing.assert_array_equal(found.predict(wave[0]), found.labels_)


def test_restarts_of_mpc_k_means_find_lower_objectives():
    X, y = load_wine(return_X_y=True)
    gains = []
    for seed in range(3):
        known = pairs_of(y, 100, seed)
        one, many = (
            tamis.cluster.MPCKMeans(3, restarts=n, random_state=seed).fit(X, constraints=known)
            for n in (1, 10)
        )
        gains.append(one.objective_ - many.objective_)
    assert min(gains) >= 0 and max(gains) > 0


def test_the_objective_of_mpc_k_means_is_that_of_its_definition():
    for load, seed in ((load_iris, 1), (load_wine, 2)):
        X, y = load(return_X_y=True)
        known = pairs_of(y, 100, seed).closure()
        found = tamis.cluster.MPCKMeans(3, restarts=5, random_state=seed).fit(X, constraints=known)
        expected = naive_mpc_kmeans.objective(X, found.labels_, known)
        np.testing.assert_allclose(found.objective_, expected, rtol=1e-9)


def test_cop_k_means_keeps_what_can_be_kept():
    X, y = load_wine(return_X_y=True)
    for seed in range(20):
        known = pairs_of(y, 250, seed)
        clusters = tamis.cluster.COPKMeans(3, random_state=seed).fit_predict(X, constraints=known)
        assert all(clusters[a] == clusters[b] for a, b in known.must_link)
        assert all(clusters[a] != clusters[b] for a, b in known.cannot_link)


def pairs_of(y, count, seed):
    """Random pairs, of the kind that the classes say."""
    random = np.random.default_rng(seed)
    rows = [random.choice(len(y), 2, replace=False).tolist() for _ in range(count)]
    kinds = ["must" if y[a] == y[b] else "cannot" for a, b in rows]
    return tamis.Constraints.from_pairs(
        [(*pair, kind) for pair, kind in zip(rows, kinds, strict=True)], n_rows=len(y)
    )


def test_says_so_if_iterations_run_out(wave):
    with pytest.warns(ConvergenceWarning, match=r"wckm did not settle .* more \(max_iter = 2\)"):
        tamis.cluster.WCKM(max_iter=2).fit(*wave)


@pytest.mark.parametrize(
    ("clusterer", "message"),
    [
        (tamis.cluster.KMeans(121), "kmeans: 121 clusters need as many rows, and there are 120"),
        (tamis.cluster.KMeans(0), "kmeans: n_clusters = 0 must be >= 1"),
        (tamis.cluster.WCKM(3, beta=0.5), "wckm: beta = 0.5"),
        (tamis.cluster.COPKMeans(3, order="any"), "cop_kmeans: order = 'any'"),
        (tamis.cluster.KMeans(3, random_state=-1), "random_state = -1 is negative"),
    ],
)
def test_refuses_arguments_by_name(clusterer, message, wave):
    with pytest.raises(ValueError, match=re.escape(message)):
        clusterer.fit(wave[0])


def test_refuses_bad_tables_by_place(wave):
    X = wave[0].copy()
    X[3, 5] = np.nan
    with pytest.raises(ValueError, match=r"NaN: the first value .* row 3, column 5"):
        tamis.cluster.KMeans(3).fit(X)
    fitted = tamis.cluster.KMeans(3).fit(wave[0])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        fitted.predict(X)
    with pytest.raises(ValueError, match="expecting 40 features"):
        fitted.predict(X[:, :5])
    with pytest.raises(ValueError, match="there are 3 sample ids for 120 rows"):
        tamis.cluster.KMeans(3).fit(wave[0], sample_ids=["a", "b", "c"])


def test_says_for_which_row_no_cluster_is_left(wave):
    apart = tamis.Constraints.by_row(cannot_link=[(0, 1), (1, 2), (0, 2)], n_rows=120)
    with pytest.raises(RuntimeError, match=r"no cluster is left for row .* \(order = shuffle\)"):
        tamis.cluster.COPKMeans(2, order="rows").fit(wave[0], constraints=apart)
    with pytest.raises(RuntimeError, match="none of 1000 orders leaves a cluster for each row"):
        tamis.cluster.COPKMeans(2).fit(wave[0], constraints=apart)
