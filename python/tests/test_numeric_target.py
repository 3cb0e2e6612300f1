"""A continuous y is something to predict."""

import numpy as np
import pytest
import tamis
from registered import ESTIMATORS
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

TAKERS = [method["name"] for method in tamis.methods() if method["takes_values"]]
UNSUPERVISED = [m["name"] for m in tamis.methods() if m["kind"] == "unsupervised"]
OTHERS = [name for name in ESTIMATORS if name not in (*TAKERS, *UNSUPERVISED, "csfsr")]


@pytest.fixture
def measured():
    random = np.random.default_rng(3)
    X = random.normal(size=(100, 10))
    return X, X[:, 3] + X[:, 7]


@pytest.mark.parametrize("method", TAKERS)
def test_numbers_are_predicted(measured, method):
    X, y = measured
    ranking = tamis.rank(X, y, method=method, random_state=0)
    assert set(ranking.order[:2]) == {3, 7}
    assert ranking.data["targets"] == 100 and ranking.data["classes"] == 0
    selector = ESTIMATORS[method](2, random_state=0).fit(X, y)
    assert set(selector.selected_) == {3, 7}
    np.testing.assert_array_equal(selector.scores_, ranking.scores)


@pytest.mark.parametrize("method", TAKERS)
@pytest.mark.parametrize("unknown", [np.nan, None])
def test_nan_is_not_known(measured, method, unknown):
    X, y = measured
    holes = y.astype(object if unknown is None else float)
    holes[::3] = unknown
    ranking = tamis.rank(X, holes, method=method, random_state=0)
    assert ranking.data["targets"] == 66
    assert set(ranking.order[:2]) == {3, 7}


def test_whole_numbers_are_classes_unless_they_hardly_come_twice(measured):
    X, y = measured
    assert tamis.rank(X, np.round(y), unlabeled=None).data["classes"] == len(set(np.round(y)))
    assert tamis.rank(X, np.argsort(np.argsort(y))).data["targets"] == 100


def test_minus_one_is_a_number_like_others(measured):
    X, y = measured
    y[0] = -1.0
    assert tamis.rank(X, y).data["targets"] == 100
    assert tamis.rank(X, y, unlabeled=-1).data["targets"] == 99


@pytest.mark.parametrize("method", OTHERS)
def test_methods_for_classes_name_those_for_numbers(measured, method):
    expected = (
        f"^{method} takes classes, not a numeric target; relieff and ridge_omp take one, or cut it "
        "into classes$"
    )
    with pytest.raises(ValueError, match=expected):
        tamis.rank(*measured, method=method)
    with pytest.raises(ValueError, match=expected):
        ESTIMATORS[method]().fit(*measured)


def test_pruning_takes_what_its_base_takes(measured):
    with pytest.raises(ValueError, match=r"^csfs takes classes, not a numeric target"):
        tamis.rank(*measured, method="csfsr")
    assert tamis.rank(*measured, method="csfsr", base="relieff").data["targets"] == 100


@pytest.mark.parametrize("method", UNSUPERVISED)
def test_methods_that_look_at_the_table_alone_do_not_mind(measured, method):
    X, y = measured
    np.testing.assert_array_equal(
        tamis.rank(X, y, method=method).scores, tamis.rank(X, method=method).scores
    )


def test_a_regression_pipeline(measured):
    X, y = measured
    pipeline = make_pipeline(ESTIMATORS["ridge_omp"](2, random_state=0), Ridge())
    assert pipeline.fit(X, y).score(X, y) > 0.99


def test_too_few_numbers_are_refused(measured):
    X, y = measured
    y[2:] = np.nan
    with pytest.raises(ValueError, match=r"^ridge_omp needs the numeric target of at least 3 rows"):
        tamis.rank(X, y)


def test_infinity_is_refused(measured):
    X, y = measured
    y[4] = np.inf
    with pytest.raises(ValueError, match=r"^the target of row 4 is not finite"):
        tamis.rank(X, y)


def test_bagging_resamples_the_rows_whose_number_is_known(measured):
    ranking = tamis.rank(*measured, method="relieff", bagging=12, random_state=0)
    assert set(ranking.order[:2]) == {3, 7}
