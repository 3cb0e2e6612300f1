"""The same table in every format gives the same scores."""

import bz2
import gzip
import io
import json
import lzma
import shutil
import subprocess
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.io
import scipy.io.arff
import scipy.sparse
from program import PROGRAM, ROOT, csv_text

WORDS = ("--method", "cls", "--n-neighbors", "4", "--json")


def libsvm_text(x, labels):
    lines = []
    for row, label in zip(x, labels, strict=True):
        cells = [f"{r + 1}:{float(value)!r}" for r, value in enumerate(row) if value != 0]
        lines.append(" ".join([str(label), *cells]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def expected(tamis, write, matrix):
    write("reference.csv", csv_text(*matrix))
    return tamis("rank", "reference.csv", *WORDS).json


def check(result, expected, rtol=0.0):
    assert result["data"]["rows"] == 30 and result["data"]["labeled"] == 30
    np.testing.assert_allclose(result["scores"], expected["scores"], rtol=rtol)


def test_csv_variants(tamis, write, matrix, expected):
    text = csv_text(*matrix)
    variants = {
        "crlf.csv": text.replace("\n", "\r\n"),
        "tabs.tsv": text.replace(",", "\t"),
        "tabs_under_another_name.csv": text.replace(",", "\t"),
        "bom.csv": "\ufeff" + text,
        "packed.csv.gz": gzip.compress(text.encode()),
        "packed_under_another_name": gzip.compress(text.encode()),
    }
    for name, content in variants.items():
        write(name, content)
        check(tamis("rank", name, *WORDS).json, expected)


def test_a_table_without_header_takes_a_numbered_label_column(tamis, write, matrix, expected):
    text = csv_text(*matrix).split("\n", 1)[1]
    write("t.csv", text)
    check(tamis("rank", "t.csv", "--label-column", "6", *WORDS).json, expected)
    check(tamis("rank", "t.csv", "--label-column", "6", "--no-header", *WORDS).json, expected)


def test_standard_input(tamis, matrix, expected):
    check(tamis("rank", "-", *WORDS, stdin=csv_text(*matrix)).json, expected)


def test_libsvm_stays_sparse(tamis, write, matrix, expected):
    write("t.svm", libsvm_text(*matrix))
    result = tamis("rank", "t.svm", *WORDS).json
    assert result["data"]["sparse"] and result["data"]["format"] == "libsvm"
    check(result, expected, rtol=1e-9)


@pytest.mark.parametrize("compressed", [False, True])
def test_matlab_dense_and_sparse(tamis, tmp_path, matrix, expected, compressed):
    x, labels = matrix
    for content, is_sparse in ((x, False), (scipy.sparse.csc_matrix(x), True)):
        scipy.io.savemat(
            tmp_path / "t.mat", {"X": content, "Y": labels + 1}, do_compression=compressed
        )
        result = tamis("rank", "t.mat", *WORDS).json
        assert result["data"]["sparse"] == is_sparse and result["data"]["format"] == "matlab"
        check(result, expected, rtol=1e-9)


def test_matlab_variables_are_chosen_by_name(tamis, tmp_path, matrix, expected):
    scipy.io.savemat(tmp_path / "t.mat", {"data": matrix[0], "target": matrix[1].astype(np.int32)})
    words = ("--matlab-table", "data", "--matlab-labels", "target")
    check(tamis("rank", "t.mat", *words, *WORDS).json, expected)
    words = ("--table", "data", "--matlab-labels", "target")
    check(tamis("rank", "t.mat", *words, *WORDS).json, expected)


@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_in_both_orders_and_precisions(tamis, tmp_path, write, matrix, expected, order):
    write("labels.txt", "\n".join(map(str, matrix[1])) + "\n")
    for dtype, rtol in ((np.float64, 0.0), (np.float32, 1e-4)):
        np.save(tmp_path / "t.npy", np.asarray(matrix[0], dtype=dtype, order=order))
        result = tamis("rank", "t.npy", "--labels", "labels.txt", *WORDS).json
        assert result["data"]["precision"] == ("double" if dtype == np.float64 else "single")
        check(result, expected, rtol=rtol)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_with_labels_and_names(tamis, tmp_path, matrix, expected, save):
    x, labels = matrix
    names = np.array([f"column {r}" for r in range(x.shape[1])])
    save(tmp_path / "t.npz", X=x, y=labels, feature_names=names)
    result = tamis("rank", "t.npz", *WORDS).json
    assert result["data"]["format"] == "npz" and not result["data"]["sparse"]
    assert result["names"] == list(names)
    check(result, expected)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("wrap", [scipy.sparse.coo_array, scipy.sparse.coo_matrix])
def test_npz_as_scipy_writes_it(tamis, tmp_path, write, matrix, expected, kind, wrap):
    scipy.sparse.save_npz(tmp_path / "t.npz", wrap(matrix[0]).asformat(kind))
    write("labels.txt", "\n".join(map(str, matrix[1])) + "\n")
    result = tamis("rank", "t.npz", "--labels", "labels.txt", *WORDS).json
    assert result["data"]["sparse"]
    check(result, expected, rtol=1e-9)


def test_npz_that_numpy_and_scipy_read(tamis, tmp_path, write, matrix):
    x, labels = matrix
    write("t.csv", csv_text(x, labels))
    tamis("convert", "t.csv", "-o", "dense.npz")
    with np.load(tmp_path / "dense.npz", allow_pickle=False) as arrays:
        assert np.array_equal(arrays["X"], x) and np.array_equal(arrays["y"], labels)
        assert list(arrays["feature_names"]) == [f"f{r}" for r in range(x.shape[1])]
    write("t.svm", libsvm_text(x, labels))
    tamis("convert", "t.svm", "-o", "sparse.npz")
    read = scipy.sparse.load_npz(tmp_path / "sparse.npz")
    assert read.format == "csr" and np.array_equal(read.toarray(), x)


@pytest.mark.parametrize("content", ["dense", "sparse"])
def test_matrix_market_as_scipy_writes_it(tamis, tmp_path, write, matrix, expected, content):
    x = matrix[0] if content == "dense" else scipy.sparse.coo_array(matrix[0])
    scipy.io.mmwrite(tmp_path / "t.mtx", x, precision=17)
    write("labels.txt", "\n".join(map(str, matrix[1])) + "\n")
    result = tamis("rank", "t.mtx", "--labels", "labels.txt", *WORDS).json
    assert result["data"]["sparse"] == (content == "sparse")
    check(result, expected, rtol=0.0 if content == "dense" else 1e-9)


def zipped(content):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("folder/table.csv", content)
    return archive.getvalue()


COMPRESSIONS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
    "zip": zipped,
}


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_every_compression_gives_the_same_bits(tamis, write, matrix, expected, compression):
    text = csv_text(*matrix)
    packed = COMPRESSIONS[compression](text.encode())
    for name in (f"packed.csv.{compression}", "packed_under_another_name"):
        write(name, packed)
        check(tamis("rank", name, *WORDS).json, expected)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_a_compressed_file_that_is_cut_is_refused(refused, write, matrix, compression):
    packed = COMPRESSIONS[compression](csv_text(*matrix).encode())
    for tenth in range(1, 10):
        write("cut.csv", packed[: len(packed) * tenth // 10])
        assert "damaged or cut off" in refused("rank", "cut.csv", code=3)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.mat", "t.npy", "t.arff", "t.mtx", "t.h5ad"])
def test_what_is_written_gives_the_same_bits(tamis, write, matrix, expected, name):
    write("reference.csv", csv_text(*matrix))
    write("labels.txt", "\n".join(map(str, matrix[1])) + "\n")
    words = ("select", "reference.csv", "--method", "variance", "--top", "all", "-o", name)
    assert tamis(*words).code == 0
    holds_no_labels = name in ("t.npy", "t.mtx")
    labels = ("--labels", "labels.txt") if holds_no_labels else ()
    check(tamis("rank", name, *labels, *WORDS).json, expected)


@pytest.mark.parametrize("orient", ["records", "columns", "split", "table", "lines"])
def test_json_as_pandas_writes_it(tamis, write, matrix, expected, orient):
    frame = pd.DataFrame(matrix[0], columns=[f"f{r}" for r in range(matrix[0].shape[1])])
    frame["class"] = matrix[1]
    options = {"orient": "records", "lines": True} if orient == "lines" else {"orient": orient}
    write("t.json", frame.to_json(double_precision=15, **options))
    result = tamis("rank", "t.json", *WORDS).json
    assert result["data"]["format"] == "json"
    check(result, expected, rtol=1e-9)


def test_json_gives_the_same_bits(tamis, write, matrix, expected):
    names = [f"f{r}" for r in range(matrix[0].shape[1])] + ["class"]
    rows = [[*map(float, row), int(label)] for row, label in zip(*matrix, strict=True)]
    write("t.json", json.dumps([dict(zip(names, row, strict=True)) for row in rows]))
    check(tamis("rank", "t.json", *WORDS).json, expected)


def test_scipy_reads_the_arff_that_is_written(tamis, write, tmp_path, matrix):
    write("t.csv", csv_text(*matrix))
    assert (
        tamis("select", "t.csv", "--method", "variance", "--top", "all", "-o", "t.arff").code == 0
    )
    data, _ = scipy.io.arff.loadarff(tmp_path / "t.arff")
    np.testing.assert_array_equal([list(row)[:-1] for row in data.tolist()], matrix[0])
    assert [int(row["class"]) for row in data] == list(matrix[1])


MADE = ROOT / "tests" / "data" / "formats"  # make_files.py there says how


def made_scores(tamis, *words):
    result = tamis("rank", *words, "--method", "fisher_score", "--json").json
    return result["names"], result["scores"], result["data"]["labeled"]


@pytest.mark.parametrize("name", ["pandas.xlsx", "dense.h5ad", "csr.h5ad", "csc.h5ad"])
def test_files_of_other_tools_give_the_same_bits(tamis, name):
    assert made_scores(tamis, MADE / name) == made_scores(tamis, MADE / "table.csv")


def test_a_sheet_and_a_layer_are_chosen(tamis, refused):
    drop = ("--drop", "day,ok,twice,broken")
    assert made_scores(tamis, MADE / "openpyxl.xlsx", "--sheet", "table", *drop) == made_scores(
        tamis, MADE / "table.csv"
    )
    assert (
        made_scores(tamis, MADE / "csr.h5ad", "--layer", "doubled")[1]
        == (
            made_scores(tamis, MADE / "table.csv")[1]  # Fisher's score knows no unit
        )
    )
    assert "no sheet 'nine'" in refused("rank", MADE / "pandas.xlsx", "--sheet", "nine", code=2)
    assert "no layer nine" in refused("rank", MADE / "csr.h5ad", "--layer", "nine", code=2)


@pytest.mark.parametrize("name", ["pandas.xlsx", "csr.h5ad", "10x.h5"])
def test_a_file_that_is_cut_at_any_tenth_is_refused(refused, write, name):
    whole = (MADE / name).read_bytes()
    for tenth in range(1, 10):
        write("cut", whole[: len(whole) * tenth // 10])
        refused("rank", "cut", "--method", "variance", code=3)


def test_10x_folders(tamis, refused, write, tmp_path, matrix):
    folder = tmp_path / "filtered"
    folder.mkdir()
    scipy.io.mmwrite(folder / "matrix.mtx", scipy.sparse.coo_array(matrix[0].T), precision=17)
    genes = "".join(f"ENSG{r}\tgene{r}\tGene Expression\n" for r in range(matrix[0].shape[1]))
    (folder / "features.tsv").write_text(genes)
    (folder / "barcodes.tsv").write_text("".join(f"cell{i}\n" for i in range(len(matrix[1]))))
    write("t.csv", csv_text(matrix[0]))
    words = ("--method", "variance", "--json")
    result = tamis("rank", "filtered", *words).json
    assert result["names"][0] == "gene0" and result["data"]["format"] == "10x"
    np.testing.assert_allclose(
        result["scores"], tamis("rank", "t.csv", *words).json["scores"], rtol=1e-9
    )
    for path in sorted(folder.iterdir()):
        kept = path.rename(tmp_path / "away")
        assert f"without {path.name}" in refused("rank", "filtered", *words[:2], code=4)
        shutil.move(kept, path)


@pytest.fixture(scope="module")
def long_text():
    """Of several MiB: it stays in its file, compressed or not."""
    rng = np.random.default_rng(4)
    x = rng.standard_normal((4000, 60))
    labels = rng.integers(3, size=len(x))
    x[:, 7] += labels
    return csv_text(x, labels)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_long_compressed_text_gives_the_same_bits(tamis, write, long_text, compression):
    write("t.csv", long_text)
    write("t.packed", COMPRESSIONS[compression](long_text.encode()))
    words = ("--method", "fisher_score", "--json")
    plain, packed = (tamis("rank", name, *words).json for name in ("t.csv", "t.packed"))
    for member in ("names", "scores", "order"):
        assert packed[member] == plain[member]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("1,2,3", "3 fields found, 61 expected (as in line 1)"),
        (",".join(["word"] + ["1"] * 60), ""),
    ],
)
def test_a_bad_row_in_long_compressed_text_is_named(refused, write, long_text, row, what):
    lines = long_text.splitlines()
    lines[3210] = row
    text = "\n".join(lines) + "\n"
    write("t.csv", text)
    write("t.csv.gz", gzip.compress(text.encode()))
    plain, packed = (refused("rank", name, code=3) for name in ("t.csv", "t.csv.gz"))
    assert packed == plain.replace("t.csv", "t.csv.gz") and ":3211: " in packed and what in packed


def test_long_compressed_text_that_is_cut_is_refused(refused, write, long_text):
    packed = gzip.compress(long_text.encode())
    write("t.csv.gz", packed[: len(packed) * 2 // 3])
    assert "the gzip-compressed content is damaged or cut off" in refused(
        "rank", "t.csv.gz", code=3
    )


def test_hdf5_brings_no_libraries_for_networks():
    """They would take memory in every run; of HDF5's archive only what is used is linked."""
    needed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    loaded = {line.split(".so")[0].strip() for line in needed.splitlines()}
    assert "libz" in loaded
    assert not loaded & {"libcurl", "libgnutls", "libkrb5", "libldap-2", "libssl", "libhdf5_serial"}
