import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import tamis
from registered import ESTIMATORS, METHODS, expected_failures
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS.keys())


@parametrize_with_checks(
    [estimator() for estimator in ESTIMATORS.values()], expected_failed_checks=expected_failures
)
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_method_has_an_estimator():
    assert sorted(ESTIMATORS) == METHODS


def test_tags_say_which_methods_cannot_do_without_classes():
    for method in tamis.methods():
        tags = ESTIMATORS[method["name"]]().__sklearn_tags__()
        assert tags.target_tags.required == method["needs_classes"], method["name"]
    assert not tamis.CLS().__sklearn_tags__().target_tags.required


@every_estimator
def test_defaults_are_those_of_the_method(estimator):
    method = next(m for m in tamis.methods() if m["name"] == estimator._method)
    parameters = estimator().get_params()
    assert {o["name"]: o["default"] for o in method["options"]}.items() <= parameters.items()


@every_estimator
def test_ranks_like_the_function(estimator, wave):
    fitted = estimator(random_state=1).fit(*wave)
    ranking = tamis.rank(*wave, method=estimator._method, random_state=1)
    np.testing.assert_array_equal(fitted.scores_, ranking.scores)
    np.testing.assert_array_equal(fitted.order_, ranking.order)
    assert fitted.ranking_[fitted.order_].tolist() == list(range(1, 41))


@every_estimator
def test_survives_pickling_and_joblib(estimator, wave, tmp_path):
    fitted = clone(estimator(n_features_to_select=3, random_state=1)).fit(*wave)
    joblib.dump(fitted, tmp_path / "fitted")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "fitted")):
        np.testing.assert_array_equal(copy.transform(wave[0]), fitted.transform(wave[0]))
        np.testing.assert_array_equal(copy.scores_, fitted.scores_)


@every_estimator
def test_sparse_tables_give_the_ranking_of_dense_ones(estimator, mostly_zero):
    x, y = mostly_zero
    dense = estimator(random_state=1).fit(x, y)
    for convert in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix):
        same = estimator(random_state=1).fit(convert(x), y)
        np.testing.assert_allclose(same.scores_, dense.scores_, rtol=1e-9)


@every_estimator
def test_the_number_of_threads_changes_nothing(estimator, wave):
    one, two = (estimator(random_state=1, n_jobs=n).fit(*wave).scores_ for n in (1, 2))
    np.testing.assert_array_equal(one, two)


@every_estimator
def test_paper_holds_the_options_of_the_paper(estimator):
    set_by_paper = next(m["paper"] for m in tamis.methods() if m["name"] == estimator._method)
    set_by_paper.pop("vote", None)  # an estimator predicts no classes
    found = estimator.paper(random_state=7).get_params()
    assert found == {**estimator().get_params(), **set_by_paper, "random_state": 7}
    for name in set_by_paper:
        default = estimator().get_params()[name]
        assert estimator.paper(**{name: default}).get_params()[name] == default
    assert clone(estimator.paper()).get_params() == estimator.paper().get_params()


def test_keeps_exactly_as_many_features_as_asked(wave):
    for wanted, kept in ((7, 7), (0.25, 10), (1.0, 40), ("auto", 20), (0.001, 1)):
        selector = tamis.CLS(n_features_to_select=wanted)
        assert selector.fit_transform(*wave).shape == (120, kept)
        assert selector.get_support().sum() == kept


@pytest.mark.parametrize("estimator", [tamis.CSFSR, tamis.FCBF])
def test_a_method_that_chooses_a_subset_keeps_it(estimator, wave):
    selector = estimator(random_state=0).fit(*wave)
    assert selector.selected_.tolist() == selector.result_.subset
    assert set(selector.get_support(indices=True)) == set(selector.result_.subset)


def test_a_method_that_counts_features_keeps_as_many(wave):
    selector = tamis.RidgeOMP(fdr=0.3, random_state=0).fit(*wave)
    assert len(selector.selected_) == max(1, selector.result_.relevance["n_backed"])
    assert selector.result_.options["fdr"] == 0.3


def test_keeps_one_feature_and_says_so_if_none_stands_out():
    X, y = np.random.default_rng(0).normal(size=(20, 5)), np.arange(20) % 2
    with pytest.warns(UserWarning, match="the first one is kept all the same"):
        selector = tamis.RidgeOMP(fdr=1e-6, random_state=0).fit(X, y)
    assert selector.selected_.tolist() == [selector.order_[0]]
    with pytest.warns(UserWarning, match="'auto': fcbf keeps no feature, the first one is kept"):
        selector = tamis.FCBF(delta=1).fit(X, y)
    assert selector.selected_.tolist() == [selector.order_[0]]


def test_a_method_that_chooses_one_by_one_goes_as_far_as_asked():
    X, y = np.random.default_rng(0).normal(size=(80, 70)), np.arange(80) % 2
    selector = tamis.RidgeOMP(n_features_to_select=60, fdr=1).fit(X, y)
    assert selector.result_.options["n_greedy"] == 60 and len(selector.selected_) == 60
    assert selector.result_.relevance is None


def test_warns_if_there_are_fewer_features_than_asked(wave):
    with pytest.warns(UserWarning, match="asks for more than the 40 features"):
        assert tamis.Variance(n_features_to_select=41).fit_transform(*wave).shape == (120, 40)


@pytest.mark.parametrize("wanted", [0, -1, 0.0, 1.5, "some", None, True])
def test_refuses_an_impossible_number_of_features(wanted, wave):
    with pytest.raises(ValueError, match="n_features_to_select"):
        tamis.CLS(n_features_to_select=wanted).fit(*wave)


def test_names_come_in_and_go_out():
    X, y = tamis.datasets.make_wave(90, random_state=0, n_labeled_per_class=5, as_frame=True)
    selector = tamis.CLS(n_features_to_select=4).set_output(transform="pandas")
    reduced = selector.fit_transform(X, y)
    assert isinstance(reduced, pd.DataFrame)
    assert reduced.columns.tolist() == selector.get_feature_names_out().tolist()
    assert set(reduced.columns) == set(selector.result_.top(4))
    assert selector.result_.names == X.columns.tolist()


def test_labels_may_be_texts_or_numbers_and_missing_in_any_way(wave):
    X, y = wave
    expected = tamis.CLS().fit(X, y).scores_
    texts = np.array(["a", "b", "c", ""])[y]
    objects = pd.Series(["x", "y", "z", None])[y % 4].to_numpy()
    floats = np.where(y == -1, np.nan, y)
    categories = pd.Categorical.from_codes(y, categories=["k", "l", "m"])
    for labels in (texts, objects, floats, categories, pd.Series(y), y.astype(float)):
        np.testing.assert_array_equal(tamis.CLS().fit(X, labels).scores_, expected)


def test_works_in_joblib_workers(wave):
    def scores(seed):
        return tamis.EnsCLS(random_state=seed, n_members=20).fit(*wave).scores_

    workers = joblib.Parallel(n_jobs=2)(joblib.delayed(scores)(seed) for seed in range(3))
    threads = joblib.Parallel(n_jobs=2, prefer="threads")(
        joblib.delayed(scores)(seed) for seed in range(3)
    )
    for seed in range(3):
        np.testing.assert_array_equal(workers[seed], scores(seed))
        np.testing.assert_array_equal(threads[seed], scores(seed))
