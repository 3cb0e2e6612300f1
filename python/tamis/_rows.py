"""What a table is that is read in runs of rows."""

import numpy as np
from scipy import sparse

from tamis import _core
from tamis._input import core_table


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
