"""Missing values: refused with what can be done about them, filled in, or left out."""

import re

import numpy as np
import pandas as pd
import pytest
import tamis
from hypothesis import given, settings
from hypothesis import strategies as st
from registered import ESTIMATORS
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_program import comparable, run, write_labels

FILLS = ("median", "mean", "nearest")
ALL = (*FILLS, "rows", "columns")
MISSING = [(3, 5), (3, 7), (60, 5), (119, 0)]


@pytest.fixture
def holes(wave):
    """Waves in which three rows and three columns lack values, and their labels."""
    X, y = wave
    X = X.copy()
    for place in MISSING:
        X[place] = np.nan
    return X, y


def test_the_refusal_names_the_way_out(holes):
    first = "Input X contains NaN: the first value that is not finite is in row 3, column 5; "
    fill = "missing='median', 'mean' or 'nearest' fills in 4 missing values, "
    for call, leave in (
        (lambda: tamis.rank(*holes), "'rows' leaves out 3 rows, 'columns' 3 columns"),
        (lambda: tamis.CLS().fit(*holes), "'columns' leaves out 3 columns"),
    ):
        with pytest.raises(ValueError) as refusal:
            call()
        assert str(refusal.value) == first + fill + leave
    with pytest.raises(ValueError, match=r"fills in 4 missing values, 'rows' leaves out 3 rows"):
        tamis.rank(sparse.csr_array(holes[0]))
    with pytest.raises(ValueError) as refusal:
        tamis.cluster.KMeans(3).fit(holes[0])
    assert str(refusal.value) == first + "remove or impute such values first"


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [*FILLS, "rows"])
def test_gives_the_bits_of_the_program(kind, dtype, program, holes, tmp_path):
    X, y = holes
    X = X.astype(dtype)
    np.save(tmp_path / "x.npy", X)
    write_labels(tmp_path, y)
    words = ("x.npy", "--labels", "y.csv", "--missing", kind, "--top", "auto")
    expected = run(program, tmp_path, *words)
    with pytest.warns(UserWarning, match="4 missing values"):
        ranking = tamis.rank(X, y, missing=kind, top="auto", random_state=7)
    found = comparable(ranking.to_dict())
    for result in (expected, found):
        warnings = result["diagnostics"]["warnings"]
        warnings[0] = warnings[0].removeprefix("x.npy: ")
    assert found == expected


@pytest.mark.parametrize("wishes", [{}, {"bagging": 7}, {"method": "csfsr"}, {"diversify": True}])
def test_columns_that_are_left_out_come_last_without_a_score(wishes, program, holes, tmp_path):
    X, y = holes
    kept = [column for column in range(40) if column not in (0, 5, 7)]
    with pytest.warns(UserWarning, match="3 columns with 4 missing values left out"):
        ranking = tamis.rank(X, y, missing="columns", top=4, random_state=7, **wishes)
    names = [f"f{column}" for column in kept]
    narrow = tamis.rank(X[:, kept], y, feature_names=names, top=4, random_state=7, **wishes)
    assert ranking[:37] == narrow[:]
    assert ranking[37:] == ["f0", "f5", "f7"]
    np.testing.assert_array_equal(ranking.scores[kept], narrow.scores)
    assert np.isnan(ranking.scores[[0, 5, 7]]).all()
    assert set(ranking.diagnostics["undefined"]) >= {0, 5, 7}
    assert ranking.top() == narrow.top()
    assert ranking.names == [f"f{column}" for column in range(40)]
    assert ranking.data["features"] == 40
    assert ranking.plane["x_column"] == kept[narrow.plane["x_column"]]
    assert ranking.to_frame().shape == (40, len(narrow.to_frame().columns))
    assert "f39" in tamis.report(ranking)


def test_rows_are_left_out_with_what_is_known_of_them(holes):
    X, y = holes
    frame = pd.DataFrame(X, index=[f"s{row}" for row in range(120)])
    pairs = tamis.Constraints([("s3", "s4"), ("s8", "s9")], [("s5", "s6")])
    with pytest.warns(UserWarning, match="3 rows with 4 missing values left out"):
        ranking = tamis.rank(frame, y, "cls", missing="rows", constraints=pairs)
    kept = frame.dropna()
    labels = y[~np.isnan(X).any(axis=1)]
    pairs = tamis.Constraints([("s8", "s9")], [("s5", "s6")])
    expected = tamis.rank(kept, labels, "cls", constraints=pairs)
    np.testing.assert_array_equal(ranking.scores, expected.scores)
    assert ranking.data == expected.data


@pytest.mark.parametrize("kind", FILLS)
def test_sparse_tables_keep_their_zeros(kind, mostly_zero):
    x, y = mostly_zero
    x = x.copy()
    x[np.flatnonzero(x[:, 3])[0], 3] = np.nan
    with pytest.warns(UserWarning, match="1 missing value in 1 row and 1 column is filled in"):
        dense = tamis.rank(x, y, missing=kind)
    with pytest.warns(UserWarning, match="1 missing value"):
        same = tamis.rank(sparse.csr_array(x), y, missing=kind)
    np.testing.assert_allclose(same.scores, dense.scores, rtol=1e-9)


def test_the_table_of_the_user_is_left_as_it_is(holes):
    before = holes[0].copy()
    with pytest.warns(UserWarning, match="4 missing values"):
        tamis.rank(*holes, missing="mean")
    np.testing.assert_array_equal(holes[0], before)


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(ALL))
@settings(max_examples=20)
def test_nothing_changes_where_nothing_is_missing(seed, kind):
    X, y = tamis.datasets.make_wave(30, random_state=seed, n_labeled_per_class=3)
    for method in ("ridge_omp", "fisher_score"):
        plain = tamis.rank(X, y, method, random_state=0)
        treated = tamis.rank(X, y, method, random_state=0, missing=kind)
        assert treated == plain
        assert treated.diagnostics == plain.diagnostics


@pytest.mark.parametrize("kind", [*FILLS, "columns"])
@pytest.mark.parametrize("name", ["cls", "ridge_omp", "csfsr"])
def test_selectors_take_what_keeps_rows(name, kind, holes):
    selector = ESTIMATORS[name](5, missing=kind, random_state=1)
    with pytest.warns(UserWarning, match="4 missing values"):
        selector.fit(*holes)
    with pytest.warns(UserWarning, match="4 missing values"):
        ranking = tamis.rank(*holes, name, missing=kind, top=5, random_state=1)
    np.testing.assert_array_equal(selector.scores_, ranking.scores)
    assert selector.selected_.tolist() == ranking.selected
    chosen = np.sort(selector.selected_)
    np.testing.assert_array_equal(selector.transform(holes[0]), holes[0][:, chosen])


def test_columns_left_out_are_not_selected(holes):
    selector = tamis.Variance(40, missing="columns")
    with pytest.warns(UserWarning, match="more than the 37 features to choose from"):
        selector.fit(*holes)
    assert not set(selector.selected_) & {0, 5, 7}


def test_tags_say_who_takes_missing_values(holes):
    assert not get_tags(tamis.CLS()).input_tags.allow_nan
    assert get_tags(tamis.CLS(missing="mean")).input_tags.allow_nan
    assert not get_tags(tamis.cluster.KMeans()).input_tags.allow_nan
    pipeline = make_pipeline(tamis.CLS(3, missing="columns"), LinearSVC())
    with pytest.warns(UserWarning, match="left out"):
        assert pipeline.fit(holes[0], holes[1]).predict(holes[0]).shape == (120,)


def expected_failures(estimator):
    """Where every column has a missing value, none is left."""
    checks = ("check_estimators_pickle", "check_estimators_pickle(readonly_memmap=True)")
    is_left = estimator.missing != "columns"
    return {} if is_left else dict.fromkeys(checks, "every column of the table has a missing value")


@parametrize_with_checks(
    [
        tamis.CLS(missing="median"),
        tamis.RidgeOMP(missing="nearest"),
        tamis.FisherScore(missing="mean"),
        tamis.Variance(missing="columns"),
    ],
    expected_failed_checks=expected_failures,
)
def test_keeps_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def test_other_errors_are_not_blamed_on_missing_values(holes):
    X, _ = holes
    with pytest.raises(ValueError, match=r"^fisher_score needs labels"):
        tamis.rank(X, method="fisher_score", missing="median")
    with pytest.raises(ValueError, match=r"^every row has a missing value: without them none is"):
        tamis.rank(np.array([[1.0, np.nan], [np.nan, 2.0]]), missing="rows")
    X[7, 1] = np.inf
    with pytest.raises(ValueError, match=r"^Input X contains infinity: .* row 7, column 1; remove"):
        tamis.rank(X, missing="median")


def test_columns_without_any_value_are_named(wave):
    X = wave[0].copy()
    X[:, 2] = np.nan
    with pytest.warns(UserWarning, match="column 2 has no value at all and becomes 0"):
        tamis.rank(X, wave[1], missing="median")


def test_nulls_of_every_library_are_missing(holes):
    import polars as pl

    X, y = holes
    names = [f"f{column}" for column in range(40)]
    frame = pd.DataFrame(X, columns=names)
    with pytest.warns(UserWarning, match="4 missing values"):
        expected = tamis.rank(frame, y, missing="median", random_state=0)
    masked = np.ma.masked_invalid(X)
    nullable = frame.astype("Float64")
    polars = pl.DataFrame(X, schema=names).fill_nan(None)
    for table in (masked, nullable, polars, polars.to_arrow()):
        with pytest.warns(UserWarning, match="4 missing values"):
            found = tamis.rank(table, y, missing="median", random_state=0)
        np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda X, y: tamis.rank(X, y, missing="zero"),
            "rank: missing = 'zero' is not one of refuse, median, mean, nearest, rows, columns",
        ),
        (
            lambda X, y: tamis.CLS(missing="rows").fit(X, y),
            "missing = 'rows' leaves rows out, and an estimator keeps them all: use 'median', "
            "'mean', 'nearest' or 'columns', or tamis.rank",
        ),
        (
            lambda X, y: tamis.rank(X, y, "variance", missing="mean", memory="1G"),
            "missing needs a look at all rows before the first is ranked, and X is read in runs of "
            "rows: leave out memory and checkpoint, or rank a sample of the rows",
        ),
    ],
    ids=["word", "rows", "runs"],
)
def test_refuses_what_cannot_be(call, message, wave):
    with pytest.raises(ValueError, match=re.escape(message)) as refusal:
        call(*wave)
    assert str(refusal.value) == message
