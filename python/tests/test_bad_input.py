import re
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
import tamis
from registered import ESTIMATORS
from scipy import sparse
from sklearn.datasets import load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def refused(message, *arguments, error=ValueError, **options):
    with pytest.raises(error, match=re.escape(message)):
        tamis.rank(*arguments, **options)


def test_names_the_first_value_that_is_not_finite(wave):
    X = wave[0].copy()
    X[3, 5] = np.nan
    X[7, 1] = np.inf
    refused("Input X contains NaN: the first value that is not finite is in row 3, column 5", X)
    refused("row 3, column 5 (gene5);", X, feature_names=[f"gene{c}" for c in range(40)])
    X[3, 5] = 0.0
    refused(
        "Input X contains infinity: the first value that is not finite is in row 7, column 1", X
    )
    refused("row 7, column 1;", sparse.csr_array(X))
    with pytest.raises(ValueError, match="row 7, column 1"):
        tamis.CLS().fit(X, wave[1])


def test_refuses_what_is_no_table_of_numbers():
    refused("Complex data not supported", np.ones((5, 2), dtype=complex))
    refused("could not convert string to float: 'a'", np.array([["a", 1.0]] * 5, dtype=object))
    refused("Expected 2D array, got 1D array", np.ones(5))
    refused("0 sample(s)", np.empty((0, 3)))
    refused("0 feature(s)", np.empty((3, 0)))
    refused("1 sample(s)", np.ones((1, 3)))


def test_refuses_methods_that_are_none(wave):
    refused(
        "there is no method 'fisher_scor'; did you mean 'fisher_score'?",
        *wave,
        method="fisher_scor",
    )
    refused("method = 5 is neither a name", *wave, method=5, error=TypeError)
    refused("is neither a name, as tamis.methods() lists them, nor a selector", *wave,
            method=tamis.CLS, error=TypeError)  # fmt: skip


def test_masked_values_are_missing(wave):
    X = np.ma.masked_array(wave[0])
    expected = tamis.rank(*wave, method="cls", random_state=0)
    assert tamis.rank(X, wave[1], method="cls", random_state=0) == expected
    X[3, 5] = np.ma.masked
    refused("Input X contains NaN: the first value that is not finite is in row 3, column 5", X)


def test_columns_without_numbers_are_named_at_once(wave):
    X = pd.DataFrame(wave[0][:, :3], columns=["a", "b", "c"]).assign(
        cell="T", day=pd.Timestamp("2026-01-01"), count=[1, 2] * 60, whole=np.array([1] * 120, "O")
    )
    message = "columns of X that do not hold numbers: cell ("
    refused(message, X)
    with pytest.raises(
        ValueError, match=r"cell \((object|str)\), day \(datetime64.*; drop or encode"
    ):
        tamis.CLS().fit(X, wave[1])
    assert len(tamis.rank(X.drop(columns=["cell", "day"]), wave[1])) == 5
    many = pd.DataFrame({f"t{i}": ["x"] * 120 for i in range(13)})
    remedy = "drop or encode them, as encode='onehot' of tamis.rank does"
    refused(f") and 3 more; {remedy}", many)


def test_what_is_no_table_is_named(wave):
    adata = SimpleNamespace(X=wave[0], obs=None, var=None)
    refused("X is an AnnData object: call tamis.pp.select_features(adata, labels_key=...)", adata,
            error=TypeError)  # fmt: skip
    lazy = SimpleNamespace(compute=None, dask=None)
    refused("of dask, which is not computed yet: pass X.compute()", lazy, error=TypeError)
    remedy = "not a table: pass an array, a sparse matrix or a data frame, rows being samples"
    for x in (None, {"a": [1, 2]}, (row for row in wave[0])):
        refused(f"X is a {type(x).__name__}, {remedy}", x, error=TypeError)
        with pytest.raises(TypeError, match=remedy):
            tamis.Variance().fit(x)
    for x in (pd.Series(wave[1]), pl.Series(wave[1])):
        refused("X is a Series, which is one column: pass X.to_frame()", x, error=TypeError)
        assert len(tamis.rank(x.to_frame())) == 1


def test_dates_are_no_numbers():
    dates = np.array([["2026-01-01"], ["NaT"], ["2026-01-03"]], dtype="M8[D]")
    message = "X holds {}, not numbers: subtract a date and divide by a unit"
    refused(message.format("datetime64[D]"), dates)
    refused(message.format("timedelta64[D]"), dates - dates[0])
    assert len(tamis.rank((dates[::2] - dates[0]) / np.timedelta64(1, "D"))) == 1


@pytest.mark.parametrize("fit", [tamis.rank, tamis.FisherScore().fit], ids=["rank", "fit"])
def test_a_column_is_not_found_by_its_name(fit, wave):
    X = pd.DataFrame(wave[0]).assign(cell=np.array(["a", "b", "c", None])[wave[1]])
    message = "pass X['cell'] as y, and X without that column"
    with pytest.raises(ValueError, match=re.escape(message)):
        fit(X, "cell")
    fit(X.drop(columns="cell").set_axis([f"f{c}" for c in range(40)], axis=1), X["cell"])


def test_warnings_point_at_the_line_of_the_user(wave):
    X, y = wave
    texts = np.array(["a", "b", "c", "nan"])[y]
    calls = (
        lambda: tamis.rank(X, texts, method="fisher_score"),
        lambda: tamis.Variance(41).fit(X),
        lambda: make_pipeline(StandardScaler(), tamis.Variance(41)).fit(X),
        lambda: tamis.cluster.KMeans().fit(X, y),
    )
    for call in calls:
        with pytest.warns(UserWarning) as caught:
            call()
        assert {warning.filename for warning in caught} == {__file__}


def test_refuses_wrong_lengths(wave):
    X, y = wave
    refused("y has 119 labels, but X has 120 rows", X, y[1:])
    refused("there are 39 feature names for 40 columns", X, y, feature_names=["a"] * 39)
    refused("there are 119 sample ids for 120 rows", X, y, sample_ids=range(119))
    refused("y should be a 1d array", X, np.ones((120, 2)))


def test_refuses_a_supervised_method_without_labels(wave):
    X = wave[0]
    for y in (None, np.full(120, -1), np.full(120, np.nan)):
        refused("fisher_score needs labels, and no row has one; pass classes as y", X, y,
                method="fisher_score")  # fmt: skip
        refused("constraint_score needs must-link or cannot-link pairs, and there are none", X, y,
                method="constraint_score")  # fmt: skip


def test_asks_whether_minus_one_is_a_class(wave):
    X, y = wave
    signs = np.where(y == 1, 1, -1)
    refused("y holds -1 and 1 only: pass unlabeled=-1", X, signs)
    assert tamis.rank(X, signs, unlabeled=-1).data["classes"] == 1
    assert tamis.rank(X, signs, unlabeled=None).data["classes"] == 2
    refused("y holds the text '-1': pass unlabeled='-1'", X, np.array(["a", "-1"])[(y < 0) * 1])


def test_clusterings_refuse_measurements_as_classes(wave):
    X, y = wave
    cluster = tamis.cluster.ConstrainedKMeans(3)
    with pytest.raises(ValueError, match=r"^y holds 120 different numbers in 120 rows, "):
        cluster.fit(X, X[:, 0])
    message = (
        "y holds 3 different numbers in 12 rows, 0.5 among them: measurements, not classes; put "
        "them into a few classes first, or pass texts if they are names of classes"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        cluster.fit(X, np.where(y < 0, np.nan, y + 0.5))
    y = np.where(np.arange(120) < 60, np.arange(120) // 2, -1)  # 30 classes, each twice
    assert tamis.rank(X, y).data["classes"] == 30


def test_whole_numbers_may_be_measurements():
    X, y = load_diabetes(return_X_y=True)
    for measured in (y, y.astype(int)):
        assert tamis.rank(X, measured).data["targets"] == 442
        refused("cls takes classes, not a numeric target", X, measured, method="cls")
    with pytest.raises(ValueError, match=r"^cls takes classes, not a numeric target; relieff and"):
        tamis.CLS().fit(X, y)
    classes = pd.Series(y.astype(int))
    for named in (classes.astype(str), classes.astype("category")):
        assert tamis.rank(X, named, method="fisher_score").data["classes"] == 214


@pytest.mark.parametrize("text", ["None", "<NA>", "N/A", "nan", "NaT", "", "  ", "?"])
def test_texts_that_stand_for_nothing_are_counted(text, wave):
    X, y = wave
    texts = np.array(["a", "b", "c", text], dtype=object)[y]
    with pytest.warns(UserWarning) as caught:
        ranking = tamis.rank(X, texts, method="fisher_score")
    assert str(caught[0].message) == (
        f"y holds {text!r} 108 times: these rows count as unlabeled; if that is a class, pass "
        "unlabeled=None, or another text"
    )
    assert ranking.data["labeled"] == 12
    assert tamis.rank(X, texts, method="fisher_score", unlabeled=None).data["classes"] == 4


@pytest.mark.parametrize("text", ["Unknown", "unlabeled", ".", "not available"])
def test_classes_that_read_like_no_class_are_named(text, wave):
    X, y = wave
    texts = np.array(["a", "b", "c", text])[y]
    with pytest.warns(UserWarning) as caught:
        assert tamis.rank(X, texts, method="fisher_score").data["classes"] == 4
    assert str(caught[0].message) == (
        f"{text!r} in y is taken as a class; unlabeled={text!r} takes such rows as unlabeled, "
        "unlabeled=None is silent"
    )
    with warnings.catch_warnings(action="error"):
        assert tamis.rank(X, texts, method="fisher_score", unlabeled=text).data["classes"] == 3
        assert tamis.rank(X, texts, method="fisher_score", unlabeled=None).data["classes"] == 4


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT, -1])
def test_what_marks_rows_without_a_label_is_no_news(nothing, wave):
    X, y = wave
    labels = np.array(["a", "b", "c", nothing], dtype=object)[y]
    with warnings.catch_warnings(action="error"):
        assert tamis.rank(X, labels, method="fisher_score").data["labeled"] == 12
    masked = np.ma.masked_equal(y, -1)
    assert tamis.rank(X, masked, method="fisher_score").data["labeled"] == 12


def test_a_mark_that_is_not_there_is_refused_with_the_nearest_value(wave):
    X, y = wave
    texts = np.array(["a", "b", "c", "Unknown"])[y]
    refused("unlabeled = 'unknown' is not in y; did you mean 'Unknown'?", X, texts,
            unlabeled="unknown")  # fmt: skip
    refused("unlabeled = 9 is not in y; it holds '-1', '0', '1', '2'", X, y, unlabeled=9)
    assert tamis.rank(X[:12], np.arange(12) % 3, "fisher_score", unlabeled=-1).data["labeled"] == 12


def test_another_value_may_mark_rows_without_a_label(wave):
    X, y = wave
    texts = np.array(["a", "b", "c", "Unknown"])[y]
    assert tamis.rank(X, texts, unlabeled="Unknown").data["labeled"] == 12
    assert tamis.rank(X, y + 10, unlabeled=9).data["labeled"] == 12


def test_suggests_a_near_name(wave):
    refused("there is no method 'clss'; did you mean 'cls'?", *wave, method="clss")
    refused("n_neighbor", *wave, n_neighbor=3)
    refused("cls: n_neighbors = 0 must be >= 1", *wave, method="cls", n_neighbors=0)
    refused("option n_neighbors must be", *wave, "cls", n_neighbors=[3], error=TypeError)


def test_what_is_no_option_is_named_before_its_value(wave):
    weights = np.ones(120)
    for method in ("auto", "ridge_omp"):
        refused("ridge_omp has no option 'sample_weight'", *wave, method, sample_weight=weights)
        refused("option nugget must be", *wave, method, nugget=weights, error=TypeError)
    refused("there is no method 'clss'; did you mean", *wave, "clss", sample_weight=weights)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            {"top": 0},
            "top = 0 is neither an integer from 1, nor a share such as '5%', nor 'auto', nor "
            "'relevant', nor None",
        ),
        ({"top": "150%"}, "rank: top = '150%' is no share of the features: it must be more than"),
        ({"top": "many"}, "top = 'many' is neither"),
        ({"top": True}, "top = True is neither"),
        ({"method": "cls", "top": "auto"}, "top = auto: cls does not say how many features"),
        ({"method": "csfsr", "diversify": True}, "diversify: csfsr removes what repeats"),
        ({"diversify": 0}, "diversify = 0 is neither a bool nor an integer from 1"),
        ({"diversify": -2}, "diversify = -2 is neither a bool nor an integer from 1"),
        ({"bagging": 0}, "bagging: n_members = 0 must be in [1, 10000000]"),
        ({"bagging": {"members": 3}}, "bagging has no option 'members'"),
    ],
)
def test_refuses_plans_that_make_no_sense(wave, words, message):
    refused(message, *wave, **words)


def test_refuses_bagging_that_is_no_number(wave):
    refused("bagging = 'much' is neither", *wave, bagging="much", error=TypeError)


def test_refuses_impossible_seeds_and_threads(wave):
    refused("random_state = -1 is negative", *wave, random_state=-1)
    refused(f"random_state = {2**70} is larger than {2**64 - 1}", *wave, random_state=2**70)
    assert tamis.rank(*wave, method="cls", random_state=2**64 - 1).seed == 2**64 - 1
    refused("n_jobs = 0 is no number of threads", *wave, n_jobs=0)


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 2, 1], [0, 1]), ([0, 1, 2], [0, 7]), ([0, 1, 2], [0, -1]), ([0, 1, 5], [0, 1])],
)
def test_refuses_a_malformed_sparse_table(indptr, indices):
    x = sparse.csr_array((2, 3))
    x.indptr, x.indices = np.array(indptr), np.array(indices)
    x.data = np.ones(2)
    with pytest.raises(ValueError):
        tamis.rank(x, method="variance")


def test_wide_indices_are_taken(mostly_zero):
    x = sparse.csr_array(mostly_zero[0])
    expected = tamis.rank(x, mostly_zero[1]).scores
    x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    np.testing.assert_array_equal(tamis.rank(x, mostly_zero[1]).scores, expected)


def test_wide_indices_are_looked_at_before_they_are_made_narrow():
    x = sparse.csr_array((2, 3))
    x.indptr, x.indices, x.data = np.array([0, 1, 2]), np.array([1, 2**32]), np.ones(2)
    message = "the sparse table is malformed: row 1 has a value in column 4294967296 of 3"
    refused(message, x, method="variance")
    many = sparse.csr_array(([1.0, 2.0], [1, 2**31], [0, 1, 2]), shape=(2, 2**31 + 1))
    message = "the table has 2 rows and 2147483649 columns; a sparse table has at most 2147483647"
    refused(message, many, method="variance")


def test_an_estimator_that_needs_labels_says_so(wave):
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        ESTIMATORS["fisher_score"]().fit(wave[0])


def test_generators_name_what_they_refuse():
    for make, options, message in (
        (tamis.datasets.make_madelon, {"n_relevant": 21}, "n_relevant = 21 is more than the 20"),
        (tamis.datasets.make_madelon, {"n_relevant": 0}, "n_relevant = 0 is not an integer from 1"),
        (tamis.datasets.make_blobs, {"spread": 0}, "spread = 0 is not a positive number"),
        (tamis.datasets.make_cells, {"n_noise": -1}, "n_noise = -1 is not an integer from 0"),
        (tamis.datasets.make_wave, {"n_samples": 2.5}, "n_samples = 2.5 is not an integer from 1"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            make(**options)


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: tamis.rank(X, y, "fisher_score"),
        lambda X, y: tamis.FisherScore().fit(X, y),
        lambda X, y: tamis.cluster.KMeans(n_clusters=3).fit(X, y),
    ],
)
def test_labels_of_the_same_rows_in_another_order_are_refused(wave, fit):
    X = pd.DataFrame(wave[0], index=[f"s{row}" for row in range(len(wave[0]))])
    y = pd.Series(wave[1], index=X.index)
    with pytest.raises(ValueError) as refused:
        fit(X, y[::-1])
    assert str(refused.value) == (
        "y has the rows of X in another order, by its index: pass y.loc[X.index], or "
        "y.to_numpy() if they are in the order of X after all"
    )
    fit(X, y[::-1].loc[X.index])
    fit(X, y[::-1].to_numpy())
    fit(X, y.reset_index(drop=True))  # other names are no other order
