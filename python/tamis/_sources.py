"""Tables of which a run of rows is in memory at a time: files, and what gives rows by number."""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

from tamis import _core
from tamis._arrow_rows import ArrowRows, ParquetRows, StreamRows
from tamis._files import arrow_dataset, is_arrow_path, label_column
from tamis._rehearsal import try_first
from tamis._rows import RowSource

# Row offsets of a stored sparse table that are looked at together.
_OFFSETS_AT_ONCE = 1_000_000


class FileRows(RowSource):
    """A file that the program reads in runs of rows, too."""

    def __init__(self, path, is_trusted, opened=None):
        self.path = os.fspath(path)
        self._is_trusted = is_trusted
        self._core = _core.open_rows(self.path, is_trusted) if opened is None else opened
        self.travels = self._core.travels
        super().__init__(self._core.shape, np.float32 if self._core.is_single else np.float64)
        self.is_sparse = self._core.is_sparse
        self.bytes_per_row = self._core.bytes_per_row
        self.reading_bytes_per_row = self._core.reading_bytes_per_row
        self.rows_at_once = self._core.rows_at_once
        self.feature_names = self._core.feature_names
        self.sample_ids = self._core.sample_ids or None
        self.labels = self._core.label_texts or None

    def __reduce__(self):
        return FileRows, (self.path, self._is_trusted)

    def take(self, first, end):
        arrays = self._core.read(first, end - first)
        if not self.is_sparse:
            return arrays[0]
        offsets, columns, values = arrays
        return sparse.csr_matrix((values, columns, offsets), shape=(end - first, self.shape[1]))

    def fingerprint(self):
        return self._core.fingerprint()

    def core(self):
        return self._core


class ArrayRows(RowSource):
    """An array or CSR matrix of this process, or a map of a file."""

    travels = False

    def __init__(self, array, sample_ids=None):
        if array.ndim != 2:
            raise ValueError(f"X must have rows and columns, but has {array.ndim} dimensions")
        super().__init__(array.shape, array.dtype)
        self.sample_ids = sample_ids
        self._array = array
        self.is_sparse = sparse.issparse(array)
        if self.is_sparse:
            stored = self.dtype.itemsize + np.dtype(np.int32).itemsize
            self.bytes_per_row = int(np.diff(array.indptr).max(initial=1)) * stored

    def take(self, first, end):
        return self._array[first:end]

    def whole(self):
        return self._array

    def fingerprint(self):
        path = getattr(self._array, "filename", None)
        return super().fingerprint() if path is None else _core.file_fingerprint(os.fspath(path))


class StoredRows(RowSource):
    """An array of HDF5 or Zarr, or a group of arrays that is a CSR matrix, as AnnData writes it."""

    def __init__(self, node):
        self._node = node
        self.is_sparse = not hasattr(node, "shape")
        if not self.is_sparse:
            if len(node.shape) != 2:
                raise ValueError(f"{node.name} must have rows and columns: it is {node.shape}")
            super().__init__(node.shape, node.dtype)
            self.rows_at_once = node.chunks[0] if node.chunks else 1
            return
        kind = node.attrs.get("encoding-type")
        if kind != "csr_matrix":
            raise ValueError(
                f"{node.name} is stored as {kind}, not by rows: read in runs of rows are arrays "
                "and CSR matrices; convert it with adata.X = adata.X.tocsr()"
            )
        super().__init__(node.attrs["shape"], node["data"].dtype)
        stored = self.dtype.itemsize + np.dtype(np.int32).itemsize
        self.bytes_per_row = max(1, self._longest_row()) * stored

    def _longest_row(self):
        offsets, rows = self._node["indptr"], self.shape[0]
        return max(
            int(np.diff(offsets[start : start + _OFFSETS_AT_ONCE + 1]).max(initial=0))
            for start in range(0, max(rows, 1), _OFFSETS_AT_ONCE)
        )

    def __reduce__(self):
        file = getattr(self._node, "file", None)
        if file is None:  # Zarr's travel by themselves
            return StoredRows, (self._node,)
        return _hdf5_rows, (file.filename, self._node.name)

    def take(self, first, end):
        node = self._node
        if not self.is_sparse:
            return node[first:end]
        offsets = np.asarray(node["indptr"][first : end + 1], dtype=np.int64)
        stored = slice(int(offsets[0]), int(offsets[-1]))
        columns = np.asarray(node["indices"][stored])
        return sparse.csr_matrix(
            (node["data"][stored], columns, offsets - offsets[0]),
            shape=(end - first, self.shape[1]),
        )

    def fingerprint(self):
        file = getattr(self._node, "file", None)
        if file is not None:
            return f"{_core.file_fingerprint(file.filename)} {self._node.name}"
        return f"{super().fingerprint()} at {self._node.store_path}"


def _hdf5_rows(file, name):
    import h5py

    return StoredRows(h5py.File(file, "r")[name])


class Room(NamedTuple):
    """Where a table, and what is made of it, may be."""

    memory: int | str | None = None  # bytes for this process, or such as '4G'; None: the usual
    is_forced: bool = False  # whether runs of rows are wanted even if all of it fits
    folder: str | None = None  # for temporary files
    who: str = "rank"  # that complains of it

    def limit(self):
        """Bytes that this process may hold."""
        if self.memory is None:
            return _core.usual_memory()
        return _core.parse_bytes(self.who, "memory", str(self.memory))


_USUAL_ROOM = Room()


def row_source(x, y=None, is_trusted=False, room=_USUAL_ROOM):
    """X as a table that is read in runs of rows, or None if it is one in memory.

    `y` may name the column of an Arrow file that holds the classes. A file that is not trusted is
    read within limits that fit its size, and first by another process if it is of HDF5.
    """
    if isinstance(x, (str, os.PathLike)):
        return _path_rows(os.fspath(x), y, is_trusted, room)
    if isinstance(x, np.memmap):
        return ArrayRows(x)
    if getattr(x, "isbacked", False) is True:
        return _annotated_rows(x)
    library = type(x).__module__.partition(".")[0]
    if library in ("h5py", "zarr"):
        return StoredRows(x)
    if library == "anndata" and hasattr(x, "group"):
        return StoredRows(x.group)
    if library == "pyarrow" and hasattr(x, "get_fragments"):
        return ArrowRows(x)
    if library == "pyarrow" and hasattr(x, "read_row_group"):
        return ParquetRows(x)
    if callable(x):
        return StreamRows(x)
    return None


def _annotated_rows(adata):
    source = row_source(adata.X)
    if source is not None:  # a view holds its rows
        source.feature_names = [str(name) for name in adata.var_names]
        source.sample_ids = [str(name) for name in adata.obs_names]
    return source


def _path_rows(path, y, is_trusted, room):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: No such file or directory")
    if any((Path(path) / name).exists() for name in ("zarr.json", ".zarray", ".zgroup")):
        import zarr

        return StoredRows(zarr.open(path, mode="r"))
    if is_arrow_path(path):
        dataset = arrow_dataset(path)
        return ArrowRows(dataset, label_column(path, dataset.schema, y))
    if not is_trusted:
        try_first(path)
    opened = _core.open_file(path, is_trusted, room.limit(), room.is_forced, room.folder)
    return FileRows(path, is_trusted, opened)
