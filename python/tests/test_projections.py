import json
import pickle
import re
import subprocess

import numpy as np
import pandas as pd
import pytest
import tamis
from registered import PROJECTIONS, PROJECTORS
from scipy import sparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from tamis.projections import CFLDProjection, PCAProjection, RCAProjection, SSDRProjection

every_projector = pytest.mark.parametrize("projector", PROJECTORS.values(), ids=PROJECTORS.keys())


@parametrize_with_checks([projector() for projector in PROJECTORS.values()])
@pytest.mark.filterwarnings("ignore:the rows vary in:UserWarning")
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_projection_has_an_estimator():
    assert sorted(PROJECTORS) == sorted(PROJECTIONS)


@every_projector
def test_defaults_are_those_of_the_projection(projector):
    known = next(p for p in tamis.projections.projections() if p["name"] == projector._method)
    parameters = projector().get_params()
    assert {o["name"]: o["default"] for o in known["options"]}.items() <= parameters.items()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@every_projector
def test_gives_the_bits_of_the_program(projector, dtype, program, wave, tmp_path):
    X, y = wave[0].astype(dtype), wave[1]
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.csv").write_text("".join(f"{label}\n" for label in y))
    (tmp_path / "pairs.csv").write_text("a,b,kind\n0,5,must\n5,9,cannot\n")
    words = ("x.npy", "--labels", "y.csv", "--constraints", "pairs.csv", "-q", "--json")
    command = [program, "project", *words, "--method", projector._method]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = json.loads(done.stdout)
    pairs = tamis.Constraints.from_pairs([(0, 5, "must"), (5, 9, "cannot")], n_rows=120)
    fitted = projector().fit(X, y, constraints=pairs)
    assert fitted.components_.tolist() == expected["components"]
    assert fitted.eigenvalues_.tolist() == expected["eigenvalues"]
    assert fitted.mean_.tolist() == expected["mean"] and fitted.rank_ == expected["rank"]
    np.testing.assert_allclose(fitted.transform(X), expected["projected"], atol=1e-12)


def test_pca_is_that_of_scikit_learn(wave):
    X = wave[0]
    theirs = PCA(n_components=5).fit(X)
    ours = PCAProjection(n_components=5).fit(X)
    signs = np.sign((theirs.components_ * ours.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components_, theirs.components_ * signs[:, None], atol=1e-9)
    shares = theirs.explained_variance_ * (len(X) - 1) / len(X)
    np.testing.assert_allclose(ours.eigenvalues_, shares)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X) * signs, atol=1e-9)


@every_projector
def test_transform_is_a_product_with_the_components(projector, wave):
    X, y = wave
    fitted = projector(n_components=3).fit(X, y)
    expected = (X - fitted.mean_) @ fitted.components_.T
    np.testing.assert_allclose(fitted.transform(X), expected, atol=1e-10)
    np.testing.assert_allclose(fitted.transform(sparse.csr_array(X)), expected, atol=1e-10)
    np.testing.assert_allclose(projector(n_components=3).fit_transform(X, y), expected, atol=1e-10)


@every_projector
def test_columns_of_the_result_are_named(projector, wave):
    X, y = wave
    frame = pd.DataFrame(X, columns=[f"t{r}" for r in range(X.shape[1])])
    out = projector(n_components=2).set_output(transform="pandas").fit_transform(frame, y)
    assert out.columns.tolist() == ["c1", "c2"] and out.shape == (len(X), 2)


@every_projector
def test_pairs_take_the_place_of_labels(projector, wave):
    X, _ = wave
    rows = [f"s{i}" for i in range(len(X))]
    pairs = tamis.Constraints.from_pairs([("s0", "s3", "must"), ("s1", "s4", "must")])
    found = projector(n_components=2).fit(X, constraints=pairs, sample_ids=rows)
    assert found.components_.shape == (2, X.shape[1])


def test_weights_of_pairs_are_honoured_or_refused(wave):
    X, _ = wave
    pairs = [(0, 3, "must"), (1, 4, "must"), (0, 1, "cannot")]
    plain = tamis.Constraints.from_pairs(pairs, n_rows=120)
    weighted = tamis.Constraints.from_pairs([(*pairs[0], 5.0), *pairs[1:]], n_rows=120)
    one = SSDRProjection(2).fit(X, constraints=plain).components_
    other = SSDRProjection(2).fit(X, constraints=weighted).components_
    assert np.abs(one - other).max() > 1e-3
    text = "takes pairs without weights, and that of rows 0 and 3 weighs 5: leave the weights out"
    for projector in (CFLDProjection, RCAProjection):
        with pytest.raises(ValueError, match=text):
            projector().fit(X, constraints=weighted)


def test_refuses_what_it_cannot_do(wave):
    X, _ = wave
    text = "cfld needs rows that belong together, and there is neither a must-link nor a class"
    with pytest.raises(ValueError, match=text):
        CFLDProjection().fit(X)
    with pytest.raises(ValueError, match=re.escape("pca: n_components = 0 must be >= 1")):
        PCAProjection(n_components=0).fit(X)
    with pytest.raises(ValueError, match="all 4 rows are equal"):
        PCAProjection().fit(np.full((4, 3), 0.1))
    with pytest.raises(ValueError, match="pca is a projection: it makes new features"):
        tamis.rank(X, method="pca")


def test_warns_of_fewer_directions_than_components():
    with pytest.warns(UserWarning, match="the rows vary in 2 directions only: 2 components"):
        found = PCAProjection().fit(np.array([[0.0, 1, 5], [2, 2, 0], [1, 0, 7]]))
    assert found.n_components_ == found.rank_ == 2


@every_projector
def test_is_pickled_and_cloned_and_works_in_pipelines(projector, wave):
    X, y = wave
    fitted = projector(n_components=2).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X))
    assert clone(fitted).get_params() == fitted.get_params()
    known = y >= 0
    model = make_pipeline(projector(n_components=2), KNeighborsClassifier(1))
    assert model.fit(X[known], y[known]).score(X[known], y[known]) == 1.0


def test_takes_part_in_evaluations():
    data = tamis.datasets.make_wave(90, random_state=0)
    options = {"runs": 2, "labels_per_class": 3, "top": "1:3"}
    by_text = tamis.evaluate(data, ["rca:ridge=0.01", "pca"], **options)
    by_estimator = tamis.evaluate(data, [RCAProjection(ridge=0.01), PCAProjection()], **options)
    assert by_text.facts["methods"] == ["rca:ridge=0.01", "pca", "variance", "random", "all"]
    frame = by_text.to_frame()
    assert set(frame[frame.method == "pca"].n_features) == {1, 2, 3}
    pd.testing.assert_frame_equal(frame, by_estimator.to_frame())
    assert not by_text.failures
