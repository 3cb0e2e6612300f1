"""Tables of other libraries: their names, their ids, their numbers in one array."""

import numpy as np


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
    """Tables of which scikit-learn knows nothing, read into pyarrow's; anything else as it is.

    A stream may have no names but its own, and may be gone after reading.
    """
    if not is_bare_arrow(x):
        return x
    import pyarrow as pa

    return pa.table(x)


def column_names(x):
    """The names of the columns as texts, or None if the table has none."""
    names = getattr(x, "column_names", None)  # pyarrow's .columns are the values
    if names is None:
        names = getattr(x, "columns", None)
    return None if names is None else [str(name) for name in names]


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


def row_ids(x):
    """What a pandas frame calls its rows; None if there is no index."""
    return x.index.tolist() if is_pandas(x) else None


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
        if pa.types.is_decimal(chunks.type):  # as DuckDB has them
            chunks = chunks.cast(pa.float64())
        _fill(values[:, column], table.column_names[column], chunks)
    return values


def _fill(out, name, chunks):
    start = 0
    for chunk in chunks.chunks:
        part = chunk.to_numpy(zero_copy_only=False)
        if part.dtype.kind not in "fiub":
            raise ValueError(
                f"column {name} of X holds {chunk.type}, not numbers: drop or encode it"
            )
        out[start : start + len(part)] = part
        start += len(part)
