"""Files that pyarrow reads: Parquet, Feather and Arrow IPC."""

import json
import os
from pathlib import Path

from tamis._warnings import warn

_LABEL_NAMES = ("class", "label", "target", "y")  # as the program takes them
_MAGIC = (b"PAR1", b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")


def is_arrow_path(path):
    """By the first bytes of a file; a folder by what is in it."""
    if os.path.isdir(path):
        return any(Path(path).rglob("*.parquet"))
    with open(path, "rb") as file:
        return file.read(8).startswith(_MAGIC)


def arrow_dataset(path):
    """What such a file or folder holds; streams and the first edition of Feather are read whole."""
    try:
        import pyarrow as pa
        import pyarrow.dataset
        import pyarrow.feather
    except ImportError:
        raise ImportError(f"{path}: pyarrow reads such files: pip install pyarrow") from None
    try:
        if os.path.isdir(path):
            return pa.dataset.dataset(path, format="parquet")
        with open(path, "rb") as file:
            start = file.read(8)
        if start.startswith(b"PAR1"):
            return pa.dataset.dataset(path, format="parquet")
        if start.startswith(b"ARROW1"):
            return pa.dataset.dataset(path, format="ipc")
        if start.startswith(b"FEA1"):
            return pa.dataset.dataset(pa.feather.read_table(path))
        with pa.OSFile(path) as file:
            return pa.dataset.dataset(pa.ipc.open_stream(file).read_all())
    except pa.ArrowException as error:
        raise ValueError(f"{path}: {error}") from None


def index_columns(schema):
    """The columns that pandas calls the index of a frame, as the program takes them."""
    try:
        frame = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))
        given = frame.get("index_columns", [])
    except (ValueError, AttributeError):  # written by somebody else
        return []
    # What is no name describes a range: 0, 1, ...
    return [name for name in schema.names if name in [one for one in given if isinstance(one, str)]]


def feature_columns(schema, label):
    """The columns that are features: neither the classes nor pandas' index."""
    others = {label, *index_columns(schema)}
    return [name for name in schema.names if name not in others]


def label_column(path, schema, y):
    """The column that holds the classes, or None.

    That is the one `y` names. None: a column named class, label, target or y, which is said in a
    warning.
    """
    if isinstance(y, str):
        if y not in schema.names:
            known = ", ".join(feature_columns(schema, None))
            raise ValueError(f"{path}: has no column {y!r} for the classes; it has {known}")
        return y
    if y is not None:
        return None
    for wanted in _LABEL_NAMES:
        for name in feature_columns(schema, None):
            if name.lower() == wanted:
                warn(f"{path}: column {name!r} is taken as the classes; pass y={name!r}")
                return name
    return None
