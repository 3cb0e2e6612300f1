"""Tables of which a run of rows is in memory at a time: files, and what gives rows by number."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

from tamis import _core
from tamis._files import arrow_dataset, feature_columns, is_arrow_path, label_column
from tamis._input import core_table
from tamis._rehearsal import try_first
from tamis._tables import as_array, refuse_other_fields_than_numbers

# Row offsets of a stored sparse table that are looked at together.
_OFFSETS_AT_ONCE = 1_000_000


class RowSource:
    """A table that is read in runs of rows, as often as a method needs.

    Subclasses have `take`; they set what is not so by default.

    Attributes
    ----------
    shape : (int, int)
    dtype : numpy dtype
        float32 or float64: what rows are read as.
    is_sparse : bool
        Whether `take` gives CSR matrices.
    feature_names, sample_ids, labels : list of str or None
        What the table says of its columns and rows.
    bytes_per_row, reading_bytes_per_row : int
        Memory for a row, at most, and besides while it is read.
    rows_at_once : int
        Runs that begin at multiples of it are read with the least effort.
    travels : bool
        Whether a copy in another process reads the same rows.
    """

    is_sparse = False
    feature_names = None
    sample_ids = None
    labels = None
    rows_at_once = 1
    reading_bytes_per_row = 0
    travels = True

    def __init__(self, shape, dtype):
        self.shape = tuple(int(extent) for extent in shape)
        self.dtype = _float_type(dtype)
        self.bytes_per_row = self.shape[1] * self.dtype.itemsize

    @property
    def is_single(self):
        return self.dtype == np.float32

    def take(self, first, end):
        """The rows from `first` to before `end`: an array or a CSR matrix."""
        raise NotImplementedError

    def read(self, first, count):
        """A run of rows as the core takes it."""
        block = self.take(first, first + count)
        if sparse.issparse(block):
            return core_table(sparse.csr_matrix(block, dtype=self.dtype))
        return core_table(np.ascontiguousarray(block, dtype=self.dtype))

    def whole(self):
        """All of it."""
        return self.take(0, self.shape[0])

    def cut(self, row):
        """The first row from here on at which a run had better begin."""
        return min(-(-row // self.rows_at_once) * self.rows_at_once, self.shape[0])

    def part(self, first, count):
        """What must travel so that these rows can be read elsewhere.

        That is a source, and a list of what a cluster holds already, for its `holding`.
        """
        return self, []

    def holding(self, values):
        """The source with what was held."""
        return self

    def fingerprint(self):
        """What tells this table from another one, as far as that can be seen."""
        return f"{type(self).__name__} of {self.shape[0]} x {self.shape[1]}, {self.dtype}"

    def core(self):
        """The same for the core."""
        return _core.RowSource(self)


def _float_type(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind not in "fiub":
        raise ValueError(f"X holds {dtype}, not numbers: drop or encode such columns")
    return np.dtype(np.float32 if dtype == np.float32 else np.float64)


class FileRows(RowSource):
    """A file that the program reads in runs of rows, too."""

    def __init__(self, path, is_trusted, opened=None, is_read_whole=False):
        self.path = os.fspath(path)
        self.travels = not is_read_whole
        self._is_trusted = is_trusted
        self._core = _core.open_rows(self.path, is_trusted) if opened is None else opened
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


class PartRows(RowSource):
    """A table whose rows come in parts, of which the last one that was read is kept.

    Subclasses have `load`, which gives the rows of a part.
    """

    def __init__(self, counts, cols, dtype):
        self.offsets = np.concatenate([[0], np.cumsum(np.asarray(counts, dtype=np.int64))])
        super().__init__((self.offsets[-1], cols), dtype)
        self.rows_at_once = max([1, *counts])
        self.reading_bytes_per_row = self.bytes_per_row
        self._kept = None

    def load(self, number):
        raise NotImplementedError

    def __getstate__(self):
        return {**vars(self), "_kept": None}

    def _part(self, number):
        if self._kept is None or self._kept[0] != number:
            self._kept = None  # before the next one is there
            self._kept = number, self.load(number)
        return self._kept[1]

    def take(self, first, end):
        number = int(np.searchsorted(self.offsets, first, side="right")) - 1
        found = []
        while first < end:
            start, stop = self.offsets[number], min(self.offsets[number + 1], end)
            if first < stop:
                found.append(self._part(number)[first - start : stop - start])
            first, number = max(first, stop), number + 1
        if len(found) == 1:
            return found[0]
        return sparse.vstack(found, format="csr") if self.is_sparse else np.concatenate(found)

    def cut(self, row):
        return int(self.offsets[np.searchsorted(self.offsets, row)])


class ArrowRows(PartRows):
    """A dataset of Arrow: Parquet by row groups, other files one by one."""

    def __init__(self, dataset, label=None):
        self._pieces = [
            piece
            for fragment in dataset.get_fragments()
            for piece in getattr(fragment, "split_by_row_group", lambda whole=fragment: [whole])()
        ]
        self._schema = dataset.schema
        self.feature_names = feature_columns(dataset.schema.names, label)
        fields = [dataset.schema.field(name) for name in self.feature_names]
        counts = [_count(piece) for piece in self._pieces]
        super().__init__(counts, len(fields), _arrow_type(fields))
        if label is not None:
            self.labels = dataset.to_table(columns=[label]).column(label).to_pandas().to_numpy()

    def load(self, number):
        piece = self._pieces[number]
        return as_array(piece.to_table(schema=self._schema, columns=self.feature_names))

    def fingerprint(self):
        """Of local files; others are known by their names."""
        seen = sorted({_piece_fingerprint(piece) for piece in self._pieces})
        if len(seen) == 1:
            return seen[0]
        return f"{len(seen)} files, {hashlib.sha256(repr(seen).encode()).hexdigest()[:16]}"


def _count(piece):
    """The rows of a piece; count_rows() of one row group tells those of its file."""
    groups = getattr(piece, "row_groups", None)
    return piece.count_rows() if groups is None else sum(group.num_rows for group in groups)


def _piece_fingerprint(piece):
    path = getattr(piece, "path", None)
    if path is None or piece.filesystem.type_name != "local":
        return f"{path} of {_count(piece)} rows"
    return _core.file_fingerprint(path)


class ParquetRows(PartRows):
    """An open file of Parquet, by row groups."""

    travels = False

    def __init__(self, file):
        self._file = file
        counts = [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]
        super().__init__(counts, len(file.schema_arrow), _arrow_type(file.schema_arrow))
        self.feature_names = list(file.schema_arrow.names)

    def load(self, number):
        return as_array(self._file.read_row_group(number))


class StreamRows(RowSource):
    """Batches of Arrow, from the first one again for each pass; counted once at the start."""

    travels = False

    def __init__(self, begin: Callable):
        self._begin = begin
        reader = self._reader()
        self._batches, self._row, self._left = iter(()), 0, None
        rows = sum(batch.num_rows for batch in reader)
        super().__init__((rows, len(reader.schema)), _arrow_type(reader.schema))
        self.feature_names = list(reader.schema.names)
        self.reading_bytes_per_row = self.bytes_per_row
        self._row = rows  # nothing is left

    def _reader(self):
        import pyarrow as pa

        return pa.RecordBatchReader.from_stream(self._begin())

    def take(self, first, end):
        import pyarrow as pa

        if first < self._row:
            self._batches, self._row, self._left = iter(self._reader()), 0, None
        found = []
        while self._row < end:
            batch = next(self._batches, None) if self._left is None else self._left
            if batch is None:
                raise OSError(
                    f"X ended after {self._row} rows, but had {self.shape[0]} when they were "
                    "counted: it must give the same rows each time"
                )
            skipped = min(max(first - self._row, 0), batch.num_rows)
            taken = min(end - self._row, batch.num_rows)
            found.append(batch.slice(skipped, taken - skipped))
            self._left = batch.slice(taken) if taken < batch.num_rows else None
            self._row += taken
        return as_array(pa.Table.from_batches(found))


def _arrow_type(schema):
    import pyarrow as pa

    refuse_other_fields_than_numbers(schema)
    return np.float32 if all(field.type == pa.float32() for field in schema) else np.float64


def row_source(x, y=None, is_trusted=False):
    """X as a table that is read in runs of rows, or None if it is one in memory.

    `y` may name the column of an Arrow file that holds the classes. A file that is not trusted is
    read within limits that fit its size, and first by another process if it is of HDF5.
    """
    if isinstance(x, (str, os.PathLike)):
        return _path_rows(os.fspath(x), y, is_trusted)
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


def _path_rows(path, y, is_trusted):
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: No such file or directory")
    if any((Path(path) / name).exists() for name in ("zarr.json", ".zarray", ".zgroup")):
        import zarr

        return StoredRows(zarr.open(path, mode="r"))
    if is_arrow_path(path):
        dataset = arrow_dataset(path)
        return ArrowRows(dataset, label_column(path, dataset.schema.names, y))
    if not is_trusted:
        try_first(path)
    opened = _core.open_rows(path, is_trusted)
    table = opened or _core.read_rows(path, is_trusted)
    return FileRows(path, is_trusted, table, is_read_whole=opened is None)
