"""Tables that the benchmarks and their peers share, made from fixed seeds."""

import os
from pathlib import Path

import h5py
import numpy as np
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file, make_blobs

BLOBS = ((2000, 1000), (10000, 100), (10000, 1000), (20000, 500), (20000, 2000), (100000, 200))
MEMBERS = ((171, 5748), (2600, 500), (1993, 4862))
LEVELS = ((12500, 2000), (100000, 2000), (100000, 5000))
NOISE = ((100000, 100), (100, 100000), (100000, 200), (200000, 100), *LEVELS)
LABELED = (500, 5000)  # rows of two classes in turn
TEXT_SHAPE, TEXT_DENSITY = (1993, 4862), 0.0139  # the shape and density of BASEHOCK
COUNTS_SHAPE = (1943, 3289)  # the shape of PCMAC


def make_text(rng, shape=TEXT_SHAPE):
    """Word counts: few frequent words, many rare ones (Zipf), a handful of each in a document."""
    cols = shape[1]
    share = 1.0 / np.arange(1, cols + 1)
    for _ in range(20):  # the most frequent words are not in every document
        share = np.minimum(0.7, share * (TEXT_DENSITY * cols / share.sum()))
    present = rng.random(shape) < share[rng.permutation(cols)]
    return scipy.sparse.csr_matrix(present * rng.geometric(0.6, shape), dtype=np.float64)


def make_counts():
    return make_text(np.random.default_rng(3), COUNTS_SHAPE)


def make_labeled():
    """One column in ten tells the classes apart, less and less from the first to the last."""
    rows, cols = LABELED
    x = np.random.default_rng(4).standard_normal(LABELED)
    shift = np.where(np.arange(cols) % 10 == 0, np.linspace(1.5, 0, cols), 0)
    return x + np.outer(labels_of(rows), shift)


def labels_of(rows):
    return np.arange(rows) % 2


def find_basehock():
    """The public text set of that name, where TAMIS_DATA or ../shared/data has it."""
    root = Path(__file__).resolve().parents[2]
    file = Path(os.environ.get("TAMIS_DATA", root.parent / "shared" / "data")) / "BASEHOCK.mat"
    return (
        scipy.sparse.csr_matrix(scipy.io.loadmat(file)["X"], dtype=float) if file.exists() else None
    )


def write_blobs(folder, sizes):
    for rows, cols in sizes:
        x, _ = make_blobs(rows, cols, centers=10, random_state=0)
        np.save(folder / f"blobs-{rows}x{cols}.npy", x.astype(np.float32))


def write_labeled(folder):
    np.save(folder / f"labeled-{LABELED[0]}x{LABELED[1]}.npy", make_labeled())


def write_noise(folder, sizes):
    for rows, cols in sizes:
        x = np.random.default_rng(1).standard_normal((rows, cols), dtype=np.float32)
        np.save(folder / f"noise-{rows}x{cols}.npy", x)


def write_dense(folder, blobs, noise):
    write_blobs(folder, blobs)
    write_noise(folder, noise)
    for rows, cols in MEMBERS:
        x = np.random.default_rng(2).standard_normal((rows, cols))
        np.save(folder / f"members-{rows}x{cols}.npy", x)


def write_csv(file, values, header, fmt="%.6f"):
    np.savetxt(file, values, fmt=fmt, delimiter=",", header=",".join(header), comments="")


def write_fully_labeled(folder, rows=20000, cols=40):
    """Three classes that overlap in the first columns, as a text with a column of labels."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, rows)
    x = rng.standard_normal((rows, cols))
    for column in range(8):
        x[:, column] += 1.2 * (classes == column % 3)
    header = [*(f"f{r}" for r in range(cols)), "class"]
    file = folder / f"labeled-{rows}x{cols}.csv"
    write_csv(file, np.column_stack([x, classes]), header, ["%.6f"] * cols + ["%d"])


def write_sparse(folder, tables):
    for name, x in tables.items():
        dump_svmlight_file(x, np.zeros(x.shape[0]), str(folder / f"{name}.svm"), zero_based=False)


def write_names(file, shape):
    """The names of rows and columns in an h5ad file, as anndata writes them."""
    for axis, count in zip(("obs", "var"), shape, strict=True):
        frame = file.create_group(axis)
        frame.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0"})
        frame.attrs["_index"] = "_index"
        frame.attrs["column-order"] = np.array([], dtype=h5py.string_dtype())
        names = frame.create_dataset("_index", data=[f"{axis}{i}" for i in range(count)])
        names.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})


def write_h5ad(file, rows=100_000, cols=2_000, per_row=100):
    """Counts by rows, as anndata writes them."""
    rng = np.random.default_rng(0)
    apart = cols // per_row  # one entry in each so many columns
    indices = rng.integers(0, apart, (rows, per_row)) + np.arange(0, cols, apart)
    with h5py.File(file, "w") as out:
        out.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        x = out.create_group("X")
        x.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0"})
        x.attrs["shape"] = (rows, cols)
        x["data"] = rng.integers(1, 9, rows * per_row).astype(np.float32)
        x["indices"] = indices.ravel().astype(np.int32)
        x["indptr"] = np.arange(0, rows * per_row + 1, per_row, dtype=np.int64)
        write_names(out, (rows, cols))


def write_for_reading(folder):
    """Files and a table with holes, of which formats and filling in are measured."""
    rng = np.random.default_rng(1)
    write_csv(
        folder / "wide.csv", rng.standard_normal((60, 50000)), [f"f{r}" for r in range(50000)]
    )
    write_h5ad(folder / "counts.h5ad")
    holes = rng.standard_normal((2000, 200))
    holes[rng.random(holes.shape) < 0.01] = np.nan
    np.save(folder / "holes.npy", holes)


def write_small(folder):
    """Writes what a quick run needs and returns the table of words."""
    write_dense(folder, BLOBS[:1], NOISE[:1])
    text = make_text(np.random.default_rng(0))
    write_sparse(folder, {"text": text, "counts": make_counts()})
    return text


def write_for_selectors(folder):
    write_labeled(folder)
    write_blobs(folder, ((2000, 1000), (10000, 1000)))


def write_for_levels(folder):
    write_noise(folder, LEVELS)


def write_all(folder):
    """Writes every table into the folder and returns the sparse ones by name."""
    write_dense(folder, BLOBS, NOISE)
    write_labeled(folder)
    rng = np.random.default_rng(0)
    write_csv(
        folder / "table.csv", rng.standard_normal((20000, 200)), [f"f{r}" for r in range(200)]
    )
    write_for_reading(folder)
    write_fully_labeled(folder)
    sparse = {"text": make_text(rng), "basehock": find_basehock()}
    sparse = {name: x for name, x in sparse.items() if x is not None}
    write_sparse(folder, {**sparse, "counts": make_counts()})
    return sparse
