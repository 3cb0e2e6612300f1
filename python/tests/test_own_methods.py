"""tamis.evaluate with methods that are not ours: estimators of scikit-learn, and functions."""

import functools

import numpy as np
import pytest
import tamis
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_selection import RFE, SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression

QUICK = {"runs": 3, "labels_per_class": 3, "top": "1:4"}


@pytest.fixture(scope="module")
def blobs():
    return tamis.datasets.make_blobs(60, random_state=1)


def fisher(X, y):
    """The Fisher score of the rows whose class is known."""
    between, within = 0.0, 0.0
    mean = X[y >= 0].mean(axis=0)
    for label in np.unique(y[y >= 0]):
        rows = X[y == label]
        between = between + len(rows) * (rows.mean(axis=0) - mean) ** 2
        within = within + len(rows) * rows.var(axis=0)
    return between / within


def outcomes(evaluation, method):
    runs = [run for run in evaluation.runs if run["method"] == method]
    return [(run["features"], run["views"], run["failure"]) for run in runs]


def test_a_function_competes_like_a_method_of_ours(blobs):
    found = tamis.evaluate(blobs, ["fisher_score", fisher], **QUICK)
    assert found.facts["methods"][:2] == ["fisher_score", "fisher"]
    assert outcomes(found, "fisher") == outcomes(found, "fisher_score")
    alone = tamis.evaluate(blobs, fisher, **QUICK)
    assert outcomes(alone, "fisher") == outcomes(found, "fisher")


def test_functions_see_training_rows_and_few_labels(blobs):
    X, y = blobs
    seen = []

    def noting(rows, labels):
        seen.append((rows.copy(), labels.copy()))
        return rows.std(axis=0)

    tamis.evaluate((X, y), ("noting", noting), n_jobs=1, **QUICK)
    assert len(seen) == 3
    for rows, labels in seen:
        assert len(rows) == len(labels) == 40
        assert sorted(labels[labels >= 0]) == sorted([0, 1, 2] * 3)
        places = [int(np.flatnonzero((row == X).all(axis=1))[0]) for row in rows]
        known = labels >= 0
        assert (y[np.array(places)[known]] == labels[known]).all()


@pytest.mark.parametrize(
    "estimator",
    [
        SelectKBest(f_classif, k=2),
        ExtraTreesClassifier(20),
        RFE(LogisticRegression(), n_features_to_select=1),
    ],
    ids=["scores_", "feature_importances_", "ranking_"],
)
def test_estimators_are_fitted_to_the_labeled_rows(blobs, estimator):
    """The same by a function that says how."""

    def by_hand(X, y):
        fitted = type(estimator)(**{**estimator.get_params(deep=False), **drawn})
        fitted.fit(X[y >= 0], y[y >= 0])
        for name in ("scores_", "feature_importances_"):
            if hasattr(fitted, name):
                return getattr(fitted, name)
        return -fitted.ranking_

    has_seed = "random_state" in estimator.get_params(deep=False)
    drawn = {"random_state": 5} if has_seed else {}
    theirs = type(estimator)(**{**estimator.get_params(deep=False), **drawn})
    found = tamis.evaluate(blobs, [("theirs", theirs), by_hand], **QUICK)
    assert outcomes(found, "theirs") == outcomes(found, "by_hand")
    assert not hasattr(theirs, "n_features_in_")  # a copy was fitted


def test_an_estimator_without_a_seed_draws_from_that_of_the_run(blobs):
    trees = ExtraTreesClassifier(5)
    one, two = (tamis.evaluate(blobs, [trees], **QUICK) for _ in range(2))
    assert outcomes(one, "ExtraTreesClassifier") == outcomes(two, "ExtraTreesClassifier")
    assert trees.random_state is None
    other = tamis.evaluate(blobs, [trees], random_state=1, **QUICK)
    assert outcomes(one, "ExtraTreesClassifier") != outcomes(other, "ExtraTreesClassifier")


def test_threads_change_nothing(blobs):
    trees = ExtraTreesClassifier(5)
    one, two = (tamis.evaluate(blobs, [trees, fisher], n_jobs=jobs, **QUICK) for jobs in (1, 2))
    for method in ("ExtraTreesClassifier", "fisher"):
        assert outcomes(one, method) == outcomes(two, method)


def test_a_sparse_table_stays_sparse(blobs):
    X, y = np.where(blobs[0] > 1, blobs[0], 0), blobs[1]
    X[:, -1] = 0  # the last column has no entry

    def spread(rows, labels):
        assert sparse.issparse(rows) and rows.shape == (len(labels), X.shape[1])
        return rows.toarray().std(axis=0)

    found = tamis.evaluate((sparse.csr_array(X), y), [spread], **QUICK)
    dense = tamis.evaluate((X, y), ("spread", lambda rows, _: rows.std(axis=0)), **QUICK)
    assert outcomes(found, "spread") == outcomes(dense, "spread")


def test_columns_without_a_score_come_last(blobs):
    def some(X, y):
        scores = np.full(X.shape[1], np.nan)
        scores[2] = 1
        return scores

    found = tamis.evaluate(blobs, some, **QUICK)
    assert {tuple(run["features"]) for run in found.runs if run["method"] == "some"} == {
        (2, 0, 1, 3)
    }


FAILURES = [
    (lambda X, y: 1 / 0, "ZeroDivisionError: division by zero"),
    (lambda X, y: X[0, :2], "ValueError: scores of shape (2,) are not one for each of 50 features"),
    (lambda X, y: np.full(50, np.nan), "it gave no feature a score"),
    (LogisticRegression(), "TypeError: LogisticRegression has none of scores_, "),
]


@pytest.mark.parametrize(("method", "failure"), FAILURES, ids=[each[1] for each in FAILURES])
def test_what_it_raises_is_the_reason_of_a_failed_run(blobs, method, failure):
    with pytest.warns(FitFailedWarning, match="3 of 12 runs failed"):
        found = tamis.evaluate(blobs, [("mine", method)], **QUICK)
    assert len(found.failures) == 3
    assert found.failures[0]["failure"].startswith(failure)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_the_experiment(blobs, jobs, tmp_path):
    def interrupted(X, y):
        raise KeyboardInterrupt

    file = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt):
        tamis.evaluate(blobs, [("mine", interrupted)], n_jobs=jobs, output=file, **QUICK)
    continued = tamis.evaluate(blobs, [("mine", fisher)], output=file, **QUICK)
    assert outcomes(continued, "mine") == outcomes(tamis.evaluate(blobs, fisher, **QUICK), "fisher")


REFUSALS = [
    ([("cls", fisher)], ValueError, "cls is a method of tamis: give your own another name"),
    ([("all", fisher)], ValueError, "all is a method of tamis: give your own another name"),
    ([("pca", fisher)], ValueError, "pca is a method of tamis: give your own another name"),
    ([fisher, fisher], ValueError, "methods has fisher twice: name them apart"),
    ([ExtraTreesClassifier], TypeError, "methods holds <class 'sklearn"),
]


@pytest.mark.parametrize(
    ("methods", "kind", "message"), REFUSALS, ids=[each[-1] for each in REFUSALS]
)
def test_refusals(blobs, methods, kind, message):
    with pytest.raises(kind) as refusal:
        tamis.evaluate(blobs, methods, **QUICK)
    assert str(refusal.value).startswith(message)


def test_names_come_from_the_object(blobs):
    methods = [SelectKBest(), fisher, functools.partial(fisher)]
    assert tamis.evaluate(blobs, methods, **QUICK).facts["methods"][:3] == [
        "SelectKBest",
        "fisher",
        "partial",
    ]
