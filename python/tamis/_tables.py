"""Tables of other libraries: their names, their ids, their numbers in one array."""

from collections.abc import Iterator, Mapping
from numbers import Number

import numpy as np

_SHOWN_COLUMNS = 10


def is_pandas(x):
    return hasattr(x, "iloc") and hasattr(x, "columns")


def is_arrow(x):
    """Polars, pyarrow, DuckDB and others that hand out the Arrow C stream; pandas stays pandas."""
    return hasattr(x, "__arrow_c_stream__") and not is_pandas(x)


def is_polars(x):
    return is_arrow(x) and hasattr(x, "to_numpy")


def is_bare_arrow(x):
    """Tables of which scikit-learn knows nothing."""
    return is_arrow(x) and not is_polars(x)


def read_once(x):
    """A table that can be looked at twice: a stream is read into pyarrow's table, a lazy frame of
    polars is computed, masked values become NaN; anything else is what it was.

    Raises
    ------
    TypeError
        For what people take for a table, saying what to pass instead.
    """
    _refuse_other_things(x)
    if np.ma.isMaskedArray(x):
        return x.astype(np.float64).filled(np.nan) if np.ma.is_masked(x) else x.data
    if _is_lazy(x):
        return x.collect()
    if not is_bare_arrow(x):
        return x
    import pyarrow as pa

    return pa.table(x)


def _is_lazy(x):
    """A frame of polars that is yet to be computed."""
    return hasattr(x, "collect") and hasattr(x, "collect_schema") and not is_arrow(x)


def _refuse_other_things(x):
    if hasattr(x, "obs") and hasattr(x, "var") and hasattr(x, "X"):
        raise TypeError(
            "X is an AnnData object: call tamis.pp.select_features(adata, labels_key=...), or pass "
            "adata.X as X and a column of adata.obs as y"
        )
    if hasattr(x, "compute") and hasattr(x, "dask"):
        raise TypeError(
            f"X is a {type(x).__name__} of dask, which is not computed yet: pass X.compute()"
        )
    if hasattr(x, "to_frame") and len(getattr(x, "shape", ())) == 1:
        raise TypeError("X is a Series, which is one column: pass X.to_frame(), or a whole table")
    if x is None or (isinstance(x, (Mapping, Iterator)) and not is_arrow(x)):
        raise TypeError(
            f"X is a {type(x).__name__}, not a table: pass an array, a sparse matrix or a data "
            "frame, rows being samples"
        )


def column_names(x):
    """The names of the columns as the table has them, or None if it has none."""
    names = getattr(x, "column_names", None)  # pyarrow's .columns are the values
    if names is None:
        names = getattr(x, "columns", None)
    return None if names is None else list(names)


def refuse_other_columns(estimator, names):
    """Raises ValueError unless a table with these columns is like the one that was fitted."""
    fitted = getattr(estimator, "feature_names_in_", None)
    expected = estimator.n_features_in_
    if len(names) != expected:
        raise ValueError(
            f"X has {len(names)} features, but {type(estimator).__name__} is expecting {expected} "
            "features as input"
        )
    for column, name in enumerate(names if fitted is not None else ()):
        if name != fitted[column]:
            raise ValueError(
                f"column {column} of X is called {name!r}, but it was {fitted[column]!r} in fit: "
                "pass the same columns in the same order"
            )


def refuse_other_rows(x, y):
    """Raises ValueError if y is the name of a column, or pandas says that it is of other rows."""
    if isinstance(y, str):
        raise ValueError(
            f"y = {y!r} is a text, and columns are found by their names in files alone: pass "
            f"X[{y!r}] as y, and X without that column"
        )
    rows, of_y = getattr(x, "index", None), getattr(y, "index", None)
    if not (is_pandas(x) and hasattr(of_y, "equals")) or rows.equals(of_y):
        return
    if len(rows) == len(of_y) and rows.is_unique and rows.difference(of_y).empty:
        raise ValueError(
            "y has the rows of X in another order, by its index: pass y.loc[X.index], or "
            "y.to_numpy() if they are in the order of X after all"
        )


def row_ids(x):
    """What a pandas frame, or a source of rows, calls its rows; None if it does not."""
    return x.index.tolist() if is_pandas(x) else getattr(x, "sample_ids", None)


def refuse_other_columns_than_numbers(x):
    """Raises ValueError that names every column of a data frame which does not hold numbers.

    Also for an array of dates, among which NumPy would make a missing one a number.
    """
    if getattr(getattr(x, "dtype", None), "kind", "") in ("m", "M"):
        raise ValueError(f"X holds {x.dtype}, not numbers: subtract a date and divide by a unit")
    names = column_names(x)
    others = {names[place]: kind for place, kind in other_columns(x).items()}
    _refuse_columns(others, "drop or encode them, as encode='onehot' of tamis.rank does")


def other_columns(x):
    """What the columns of a data frame hold that do not hold numbers, by their places."""
    if is_pandas(x):
        return {
            place: x.dtypes.iloc[place]
            for place in range(x.shape[1])
            if not _holds_numbers(x.iloc[:, place])
        }
    if is_polars(x):
        kinds = enumerate(x.schema.values())
        return {place: kind for place, kind in kinds if not _is_polars_number(kind)}
    if is_bare_arrow(x):
        fields = enumerate(read_once(x).schema)
        return {place: field.type for place, field in fields if not _is_arrow_number(field.type)}
    return {}


def column_texts(x, place):
    """What stands in a column of a data frame, row by row; empty where it is missing."""
    if is_pandas(x):
        column = x.iloc[:, place]
        values = column.astype(object).where(column.notna(), None)
    elif is_polars(x):
        values = x.to_series(place).to_list()
    else:
        values = x.column(place).to_pylist()
    return ["" if value is None else str(value) for value in values]


def some_columns(x, places):
    """A data frame of these columns of another one."""
    if is_pandas(x):
        return x.iloc[:, places]
    return x[:, places] if is_polars(x) else x.select(places)


def refuse_other_fields_than_numbers(schema):
    """The same of the fields of Arrow."""
    others = {f.name: f.type for f in schema if not _is_arrow_number(f.type)}
    _refuse_columns(others, "drop or encode them")


def _refuse_columns(kinds, remedy):
    if kinds:
        shown = ", ".join(f"{name} ({kind})" for name, kind in list(kinds.items())[:_SHOWN_COLUMNS])
        more = len(kinds) - _SHOWN_COLUMNS
        raise ValueError(
            f"columns of X that do not hold numbers: {shown}{f' and {more} more' * (more > 0)}; "
            f"{remedy}"
        )


def as_array(x):
    """An Arrow table as one array in C order, each number copied once; anything else as it is."""
    if not is_arrow(x):
        return x
    if is_polars(x):
        return x.to_numpy(order="c")
    import pyarrow as pa

    table = read_once(x)
    is_single = all(field.type == pa.float32() for field in table.schema)
    values = np.empty(table.shape, dtype=np.float32 if is_single else np.float64)
    for column, chunks in enumerate(table.itercolumns()):
        if not (pa.types.is_floating(chunks.type) or pa.types.is_integer(chunks.type)):
            chunks = chunks.cast(pa.float64())  # decimals, as DuckDB has them, bools, nulls
        _fill(values[:, column], chunks)
    return values


def _holds_numbers(column):
    """Whether a column of pandas does, objects among them that are numbers each."""
    kind = getattr(column.dtype, "kind", "O")
    if kind != "O":
        return kind in "fiub"
    return all(isinstance(each, Number) or each is None for each in column)


def _is_polars_number(kind):
    return kind.is_numeric() or str(kind) in ("Boolean", "Null")


def _is_arrow_number(kind):
    from pyarrow import types

    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean, types.is_null)
    return any(test(kind) for test in tests)


def _fill(out, chunks):
    start = 0
    for chunk in chunks.chunks:
        part = chunk.to_numpy(zero_copy_only=False)
        out[start : start + len(part)] = part
        start += len(part)
