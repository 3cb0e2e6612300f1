import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from tamis import SemiSupervisedSplit


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
