"""Any table, written in a format and read again, is the same table."""

import csv
import io
import pathlib
import tempfile
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from program import ARROW, run_program
from test_formats import COMPRESSIONS

# What formats have a place for besides numbers.
KEEPS = {
    "csv": {"names", "ids", "labels"},
    "tsv": {"names", "ids", "labels"},
    "csv.gz": {"names", "ids", "labels"},
    "svm": {"labels"},
    "arff": {"names", "ids", "labels"},
    "mtx": set(),
    "mat": {"names", "ids", "labels"},
    "npy": set(),
    "npz": {"names", "ids", "labels"},
    "h5ad": {"names", "ids", "labels"},
}
if ARROW.exists():
    KEEPS["parquet"] = {"names", "ids", "labels"}


@dataclass
class Sheet:
    names: list
    ids: list
    labels: list
    values: np.ndarray

    def text(self):
        """As CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["id", *self.names, "class"])
        for name, row, label in zip(self.ids, self.values.tolist(), self.labels, strict=True):
            cells = ["" if value != value else repr(value) for value in row]
            writer.writerow([name, *cells, label])
        return out.getvalue()


def sheet_of(text):
    """A sheet of the program, ids and labels of which may be missing."""
    header, *rows = csv.reader(io.StringIO(text))
    first, last = int(header[0] == "id"), len(header) - int(header[-1].lower() in ("class", "y"))
    cells = [[float(cell or "nan") for cell in row[first:last]] for row in rows]
    ids = [row[0] for row in rows] if first else []
    labels = [row[-1] for row in rows] if last < len(header) else []
    return Sheet(header[first:last], ids, labels, np.array(cells))


# Whatever is printed, and letters of other scripts; blanks only inside.
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=5)
NUMBERS = st.one_of(
    st.sampled_from([0.0, float("nan")]),
    st.floats(-1e140, 1e140, allow_nan=False),
    st.floats(width=16, allow_nan=False, allow_infinity=False),
)


@st.composite
def sheets(draw):
    rows, cols = draw(st.integers(3, 6)), draw(st.integers(2, 4))
    values = np.array(draw(st.lists(NUMBERS, min_size=rows * cols, max_size=rows * cols)))
    values = values.reshape(rows, cols)
    values[0] = 1.5  # no column is empty: LIBSVM does not say how wide a table is
    # Distinct, and no names of labels or ids.
    names = [f"F{draw(WORDS)} {column}" for column in range(cols)]
    ids = [f"s{draw(WORDS)} {row}" for row in range(rows)]
    labels = ["x", "y", *draw(st.lists(st.sampled_from(["x", "y", ""]), min_size=rows - 2,
                                       max_size=rows - 2))]  # fmt: skip
    return Sheet(names, ids, labels, values)


def convert(source, target, *words):
    outcome = run_program("convert", source, "-q", "-o", target, *words)
    assert outcome.code == 0, outcome.err


def check_same(found, sheet, keeps):
    np.testing.assert_array_equal(found.values, sheet.values)
    for part in sorted(keeps):
        assert getattr(found, part) == getattr(sheet, part)


@pytest.mark.parametrize("extension", KEEPS)
@given(sheet=sheets())
@settings(max_examples=5, deadline=None, database=None)
def test_every_format_gives_the_table_back(extension, sheet):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "given.csv").write_text(sheet.text())
        convert(folder / "given.csv", folder / f"t.{extension}", "--id-column", "id")
        convert(folder / f"t.{extension}", folder / "back.csv")
        check_same(sheet_of((folder / "back.csv").read_text()), sheet, KEEPS[extension])


@pytest.mark.parametrize("compression", ["gz", "zst", "bz2", "xz"])
@given(sheet=sheets())
@settings(max_examples=5, deadline=None, database=None)
def test_every_compression_gives_the_table_back(compression, sheet):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "packed").write_bytes(COMPRESSIONS[compression](sheet.text().encode()))
        convert(folder / "packed", folder / "back.csv")
        check_same(sheet_of((folder / "back.csv").read_text()), sheet, KEEPS["csv"])
