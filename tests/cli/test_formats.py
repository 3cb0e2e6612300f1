"""The same table in every format gives the same scores."""

import gzip

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from program import csv_text

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


@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_in_both_orders_and_precisions(tamis, tmp_path, write, matrix, expected, order):
    write("labels.txt", "\n".join(map(str, matrix[1])) + "\n")
    for dtype, rtol in ((np.float64, 0.0), (np.float32, 1e-4)):
        np.save(tmp_path / "t.npy", np.asarray(matrix[0], dtype=dtype, order=order))
        result = tamis("rank", "t.npy", "--labels", "labels.txt", *WORDS).json
        assert result["data"]["precision"] == ("double" if dtype == np.float64 else "single")
        check(result, expected, rtol=rtol)
