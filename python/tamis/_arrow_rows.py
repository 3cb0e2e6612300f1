"""Tables of Arrow that are read in runs of rows: datasets, files of Parquet, streams of batches."""

import hashlib
from collections.abc import Callable

import numpy as np

from tamis import _core
from tamis._files import feature_columns, index_columns
from tamis._rows import PartRows, RowSource
from tamis._tables import as_array, refuse_other_fields_than_numbers


class ArrowRows(PartRows):
    """A dataset of Arrow: Parquet by row groups, other files one by one."""

    def __init__(self, dataset, label=None):
        self._pieces = [
            piece
            for fragment in dataset.get_fragments()
            for piece in getattr(fragment, "split_by_row_group", lambda whole=fragment: [whole])()
        ]
        self._schema = dataset.schema
        self.feature_names = feature_columns(dataset.schema, label)
        fields = [dataset.schema.field(name) for name in self.feature_names]
        counts = [_count(piece) for piece in self._pieces]
        super().__init__(counts, len(fields), _arrow_type(fields))
        if label is not None:
            self.labels = dataset.to_table(columns=[label]).column(label).to_pandas().to_numpy()
        for index in index_columns(dataset.schema)[:1]:
            self.sample_ids = dataset.to_table(columns=[index]).column(index).to_pylist()

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
