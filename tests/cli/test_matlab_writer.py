"""The MATLAB files that the program writes, read by SciPy; and disks that are full."""

import os
import resource
import subprocess

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from program import PROGRAM, csv_text

TEXTS = "id,größe,b,c,class\nr1,1,0,2.5,a\nr2,3,4,0,ω\nr3,0,6,7,\n"


def texts(cells):
    return ["".join(cell) for cell in cells.ravel()]


def test_scipy_loads_table_labels_names_and_ids(tamis, write, tmp_path):
    write("t.csv", TEXTS)
    assert tamis("select", "t.csv", "--method", "variance", "--top", "3", "-o", "t.mat").code == 0
    found = scipy.io.loadmat(tmp_path / "t.mat")
    names = texts(found["feature_names"])
    assert found["feature_names"].shape == (1, 3) and sorted(names) == ["b", "c", "größe"]
    columns = {"größe": [1, 3, 0], "b": [0, 4, 6], "c": [2.5, 0, 7]}
    np.testing.assert_array_equal(found["X"], np.transpose([columns[name] for name in names]))
    assert found["X"].dtype == np.float64
    assert found["Y"].shape == (3, 1) and texts(found["Y"]) == ["a", "ω", ""]
    assert found["sample_ids"].shape == (3, 1) and texts(found["sample_ids"]) == ["r1", "r2", "r3"]


def test_scipy_loads_single_sparse_and_numeric_labels(tamis, write, tmp_path, matrix):
    x = np.where(matrix[0] > 0, matrix[0], 0)
    write("t.csv", csv_text(x, matrix[1]))
    scipy.io.savemat(tmp_path / "s.mat", {"X": scipy.sparse.csc_matrix(x), "Y": matrix[1]})
    words = ("--method", "variance", "--top", "6", "-o", "out.mat")
    for source, *flags in (("t.csv", "--precision", "single"), ("s.mat",)):
        assert tamis("select", source, *flags, *words).code == 0
        found = scipy.io.loadmat(tmp_path / "out.mat")
        order = [int(name[1:]) for name in texts(found["feature_names"])]
        if source == "s.mat":
            assert scipy.sparse.issparse(found["X"])
            np.testing.assert_array_equal(found["X"].toarray(), x[:, order])
        else:
            assert found["X"].dtype == np.float32
            np.testing.assert_array_equal(found["X"], x[:, order].astype(np.float32))
        np.testing.assert_array_equal(found["Y"].ravel(), matrix[1])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_full_device_is_an_error(refused, tmp_path):
    (tmp_path / "full.mat").symlink_to("/dev/full")
    message = refused("generate", "blobs", "-q", "-o", "full.mat", code=4)
    assert "full.mat: cannot be written: No space left on device" in message


def test_a_file_that_cannot_grow_is_an_error_and_leaves_nothing(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [PROGRAM, "generate", "blobs", "--rows", "1000", "-q", "-o", "t.mat"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        restore_signals=False,  # SIGXFSZ stays ignored: writing fails as on a full disk
        check=False,
    )
    assert done.returncode == 4, done
    assert done.stderr == "tamis: t.mat: cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []
