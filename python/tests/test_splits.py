import numpy as np
import pandas as pd
import pytest
import tamis
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from tamis import LabeledOnly, SemiSupervisedSplit


@pytest.fixture
def y():
    labels = np.full(60, -1)
    labels[:18] = np.arange(18) % 3
    return np.random.default_rng(0).permutation(labels)


def test_tests_on_labeled_rows_and_trains_on_all_unlabeled_ones(y):
    seen = []
    for train, test in SemiSupervisedSplit(3, random_state=0).split(np.zeros((60, 1)), y):
        assert (y[test] >= 0).all()
        assert np.bincount(y[test]).tolist() == [2, 2, 2]
        assert set(np.flatnonzero(y < 0)) <= set(train)
        assert sorted([*train, *test]) == list(range(60))
        seen += test.tolist()
    assert sorted(seen) == np.flatnonzero(y >= 0).tolist()


def test_hides_labels_for_transductive_evaluation(y):
    for hidden, test in SemiSupervisedSplit(3, random_state=0).split_labels(y):
        assert (hidden[test] == -1).all()
        others = np.setdiff1d(np.arange(60), test)
        np.testing.assert_array_equal(hidden[others], y[others])


def test_takes_texts_and_missing_values(y):
    texts = np.array(["a", "b", "c", None], dtype=object)[y]
    split = SemiSupervisedSplit(3, random_state=0)
    for (train, test), (same_train, same_test) in zip(
        split.split(y, y), split.split(texts, texts), strict=True
    ):
        np.testing.assert_array_equal(train, same_train)
        np.testing.assert_array_equal(test, same_test)


def test_works_in_cross_validation(y):
    X = np.random.default_rng(1).normal(size=(60, 3)) + y[:, None]
    scores = cross_val_score(KNeighborsClassifier(1), X, y, cv=SemiSupervisedSplit(3))
    assert len(scores) == 3


def test_refuses_more_folds_than_a_class_has_rows(y):
    with pytest.raises(ValueError, match="smallest class has 6 labeled rows, too few"):
        next(SemiSupervisedSplit(7).split(y, y))
    with pytest.raises(ValueError, match="needs y"):
        next(SemiSupervisedSplit(2).split(y, None))


def test_no_group_is_on_both_sides(y):
    groups = np.random.default_rng(2).integers(12, size=60)
    tested = []
    for train, test in SemiSupervisedSplit(3, random_state=0).split(y, y, groups):
        assert (y[test] >= 0).all() and len(test)
        assert not set(groups[train]) & set(groups[test])
        others = np.setdiff1d(np.flatnonzero(y < 0), train)
        assert set(groups[others]) <= set(groups[test])
        tested += test.tolist()
    assert sorted(tested) == np.flatnonzero(y >= 0).tolist()
    scores = cross_val_score(
        LabeledOnly(KNeighborsClassifier(1)),
        np.eye(60),
        y,
        groups=groups,
        cv=SemiSupervisedSplit(3),
    )
    assert len(scores) == 3
    for hidden, test in SemiSupervisedSplit(3, random_state=0).split_labels(y, groups):
        assert not set(groups[hidden >= 0]) & set(groups[test])


def test_groups_are_counted(y):
    with pytest.raises(ValueError, match="2 groups have a labeled row, too few for n_splits = 3"):
        next(SemiSupervisedSplit(3).split(y, y, np.arange(60) % 2))
    with pytest.raises(ValueError, match="there are 59 groups for 60 rows"):
        next(SemiSupervisedSplit(3).split(y, y, np.arange(59)))
    split = SemiSupervisedSplit(3, partition=True)
    with pytest.raises(ValueError, match="partition = True puts unlabeled rows on both sides"):
        next(split.split(y, y, np.arange(60)))


def test_draws_from_a_generator(y):
    def folds(split):
        return [test.tolist() for _, test in split.split(y, y)]

    one, same = (SemiSupervisedSplit(3, random_state=np.random.default_rng(1)) for _ in range(2))
    first = folds(one)
    assert first == folds(same)
    assert first != folds(one)  # which goes on


def test_says_what_it_is():
    assert repr(SemiSupervisedSplit(3)) == "SemiSupervisedSplit(3)"
    split = SemiSupervisedSplit(4, shuffle=False, unlabeled="?")
    assert repr(split) == "SemiSupervisedSplit(4, shuffle=False, unlabeled='?')"


def test_predicts_every_row_once(y):
    X = np.random.default_rng(1).normal(size=(60, 3)) + 3 * np.arange(60)[:, None] % 3
    split = SemiSupervisedSplit(3, random_state=0, partition=True)
    found = cross_val_predict(LabeledOnly(KNeighborsClassifier(1)), X, y, cv=split)
    assert found.shape == (60,) and set(found) <= {0, 1, 2}
    for train, test in split.split(X, y):
        assert not set(train) & set(test[y[test] >= 0])
        assert set(np.flatnonzero(y < 0)) <= set(train)


def test_learns_from_labeled_rows_alone(wave):
    X, y = wave
    known = y >= 0
    fitted = LabeledOnly(LogisticRegression()).fit(X, y)
    expected = LogisticRegression().fit(X[known], y[known])
    np.testing.assert_array_equal(fitted.predict_proba(X), expected.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict(sparse.csr_array(X)), expected.predict(X))
    assert fitted.score(X, y) == expected.score(X[known], y[known])
    assert fitted.classes_.tolist() == [0, 1, 2] and fitted.n_features_in_ == 40
    assert is_classifier(fitted) and hasattr(fitted, "decision_function")
    assert not hasattr(LabeledOnly(LinearSVC()), "predict_proba")
    assert clone(fitted).get_params()["estimator__C"] == 1.0
    assert not hasattr(fitted, "feature_names_in_")
    named = pd.DataFrame(X).add_prefix("c")
    assert LabeledOnly(LogisticRegression()).fit(named, y).feature_names_in_[39] == "c39"


def test_labels_may_be_texts_and_weights_are_cut(wave):
    X, y = wave
    texts = pd.Series(np.array(["a", "b", "c", None], dtype=object)[y])
    weights = np.where(y >= 0, 1.0 + y, np.nan)
    fitted = LabeledOnly(LogisticRegression()).fit(pd.DataFrame(X), texts, sample_weight=weights)
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    known = y >= 0
    expected = LogisticRegression().fit(X[known], y[known], sample_weight=weights[known])
    np.testing.assert_allclose(fitted.estimator_.coef_, expected.coef_)
    of_others = fitted.score(X, texts, sample_weight=np.where(y == 0, 0.0, weights))
    assert of_others == expected.score(X[y > 0], y[y > 0], weights[y > 0])
    with pytest.raises(ValueError, match="LabeledOnly needs labels, and no row has one"):
        LabeledOnly(LogisticRegression()).fit(X, np.full(120, -1))


def test_searches_a_pipeline_with_few_labels(wave):
    X, y = wave
    search = GridSearchCV(
        make_pipeline(tamis.CLS(), LabeledOnly(LogisticRegression())),
        {"cls__n_features_to_select": [5, 20], "labeledonly__estimator__C": [0.1, 1]},
        cv=SemiSupervisedSplit(4, random_state=0),
    ).fit(X, y)
    assert search.best_score_ > 0.5
