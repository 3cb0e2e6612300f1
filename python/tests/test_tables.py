import warnings

import numpy as np
import pandas as pd
import pytest
import tamis
from sklearn.exceptions import NotFittedError

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")


@pytest.fixture
def frame():
    return tamis.datasets.make_wave(90, random_state=0, n_labeled_per_class=5, as_frame=True)


def as_polars(frame):
    return polars.DataFrame({name: frame[name].to_numpy() for name in frame})


def as_arrow(frame):
    return pyarrow.table({name: frame[name].to_numpy() for name in frame})


class OnlyStream:
    """Any other library: all it has is the Arrow C stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def as_stream(frame):
    return OnlyStream(as_arrow(frame))


def as_reader(frame):
    """A stream that can be read only once."""
    return as_arrow(frame).to_reader()


def as_duckdb(frame):
    """A relation, whose numbers are computed only when it is read."""
    return duckdb.connect().from_arrow(as_arrow(frame))


EVERY_KIND = [as_polars, as_arrow, as_stream, as_reader, as_duckdb]


@pytest.mark.parametrize("convert", EVERY_KIND)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_table_ranks_like_its_numbers(convert, dtype, frame):
    X, y = frame[0].astype(dtype), frame[1]
    ranking = tamis.rank(convert(X), y, random_state=0)
    expected = tamis.rank(X.to_numpy(), y, random_state=0)
    np.testing.assert_array_equal(ranking.scores, expected.scores)
    assert ranking.names == X.columns.tolist()
    assert ranking.data["precision"] == ("single" if dtype == np.float32 else "double")


@pytest.mark.parametrize("convert", EVERY_KIND)
def test_estimators_take_every_table_and_keep_its_names(convert, frame):
    X, y = frame
    selector = tamis.CLS(n_features_to_select=3).fit(convert(X), y)
    expected = tamis.CLS(n_features_to_select=3).fit(X, y)
    np.testing.assert_array_equal(selector.scores_, expected.scores_)
    assert selector.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    with warnings.catch_warnings(action="error"):
        np.testing.assert_array_equal(selector.transform(convert(X)), expected.transform(X))
        reduced = selector.set_output(transform="pandas").transform(convert(X))
    assert reduced.columns.tolist() == selector.get_feature_names_out().tolist()


@pytest.mark.parametrize("convert", EVERY_KIND)
def test_clusterings_take_every_table(convert, frame):
    X, y = frame
    clusterer = tamis.cluster.MPCKMeans(3, random_state=0).fit(convert(X), y)
    assert clusterer.feature_names_in_.tolist() == X.columns.tolist()
    expected = tamis.cluster.MPCKMeans(3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(clusterer.labels_, expected.labels_)
    np.testing.assert_array_equal(clusterer.predict(convert(X)), expected.predict(X))


@pytest.mark.parametrize("convert", [as_stream, as_duckdb])
def test_other_columns_than_in_fit_are_named(convert, frame):
    X, y = frame
    selector = tamis.CLS(n_features_to_select=3).fit(convert(X), y)
    with pytest.raises(ValueError, match="X has 39 features, but CLS is expecting 40 features"):
        selector.transform(convert(X.drop(columns="F1")))
    with pytest.raises(ValueError, match="column 1 of X is called 'G', but it was 'F2' in fit"):
        selector.transform(convert(X.rename(columns={"F2": "G"})))
    with pytest.raises(NotFittedError):
        tamis.CLS().transform(convert(X))


def test_a_relation_is_read_when_it_is_ranked(frame):
    X, y = frame
    connection = duckdb.connect()
    connection.register("measured", as_arrow(X))
    relation = connection.sql("select F6, F7, 2 * F15 as doubled, F30 from measured where F1 > -9")
    ranking = tamis.rank(relation, y, random_state=0)
    assert ranking.names == ["F6", "F7", "doubled", "F30"]
    numbers = X[["F6", "F7", "F15", "F30"]].to_numpy() * [1, 1, 2, 1]
    np.testing.assert_array_equal(ranking.scores, tamis.rank(numbers, y, random_state=0).scores)


def test_decimal_and_whole_numbers_are_numbers():
    relation = duckdb.connect().sql(
        "select i::decimal(9, 2) / 4 as quarter, (i * i)::decimal(9, 2) as square, i as whole, "
        "i % 3 = 0 as third from range(20) as numbers(i)"
    )
    i = np.arange(20)
    expected = np.column_stack([i / 4, i * i, i, i % 3 == 0])
    found = tamis.rank(relation, method="variance").scores
    np.testing.assert_array_equal(found, tamis.rank(expected, method="variance").scores)


def test_polars_comes_out_if_asked_for(frame):
    X, y = frame
    selector = tamis.CLS(n_features_to_select=3).set_output(transform="polars")
    reduced = selector.fit_transform(as_polars(X), y)
    assert isinstance(reduced, polars.DataFrame)
    assert reduced.columns == selector.get_feature_names_out().tolist()


def test_chunks_are_joined(frame):
    X, y = frame
    parts = pyarrow.concat_tables([as_arrow(X.iloc[:30]), as_arrow(X.iloc[30:])])
    joined, whole = (tamis.rank(each, y, random_state=0).scores for each in (parts, X))
    np.testing.assert_array_equal(joined, whole)


def test_a_missing_value_is_named(frame):
    X = frame[0].copy()
    X.loc[4, "F3"] = np.nan
    table = pyarrow.Table.from_pandas(X)
    with pytest.raises(ValueError, match=r"row 4, column 2 \(F3\)"):
        tamis.rank(table)
    with pytest.raises(ValueError, match=r"row 4, column 2 \(F3\)"):
        tamis.rank(X)


@pytest.mark.parametrize("convert", EVERY_KIND)
def test_columns_of_texts_and_dates_are_named_at_once(convert, frame):
    extended = frame[0].assign(cell="a", day=np.datetime64("2026-01-01", "ns"))
    for call in (tamis.rank, tamis.CLS().fit, tamis.cluster.KMeans(3).fit):
        with pytest.raises(ValueError, match=r"not hold numbers: cell \(.*\), day \(.*\); drop or"):
            call(convert(extended))


def test_a_lazy_frame_is_computed(frame):
    X, y = frame
    lazy = as_polars(X).lazy()
    one, same = (tamis.rank(each, y, random_state=0) for each in (lazy, as_polars(X)))
    assert one == same
    selector = tamis.CLS(3).fit(lazy, y)
    expected = tamis.CLS(3).fit(X, y)
    np.testing.assert_array_equal(selector.transform(lazy), expected.transform(X))
    assert selector.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()


def test_rows_of_a_frame_are_called_by_its_index(frame):
    X = frame[0].set_index(pd.Index([f"s{i}" for i in range(90)]))
    contradiction = tamis.Constraints([("s1", "s2"), ("s2", "s3")], [("s1", "s3")])
    with pytest.raises(ValueError, match=r"1 \(s1\)"):
        tamis.rank(X, constraints=contradiction)
