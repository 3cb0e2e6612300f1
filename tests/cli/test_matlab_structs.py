"""Tables in the fields of MATLAB's structures."""

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse


def write_level_5(path, fields, **options):
    scipy.io.savemat(path, {"s": fields, "k": 3.0}, **options)


def write_level_73(path, fields, **_):
    with h5py.File(path, "w", userblock_size=512) as file:
        group = file.create_group("s")
        group.attrs["MATLAB_class"] = np.bytes_("struct")
        for name in ("x", "y"):
            array = np.atleast_2d(fields[name]).astype(float)
            group.create_dataset(name, data=array.T).attrs["MATLAB_class"] = np.bytes_("double")
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + bytes([0, 2]) + b"IM")


@pytest.fixture
def fields(matrix):
    x, labels = matrix
    return {"note": "measured", "y": np.asarray(labels, float), "x": x}


WAYS = [(write_level_5, False), (write_level_5, True), (write_level_73, False)]


@pytest.mark.parametrize(("write_file", "is_compressed"), WAYS)
def test_fields_are_variables(tamis, refused, tmp_path, fields, write_file, is_compressed):
    write_file(tmp_path / "t.mat", fields, do_compression=is_compressed)
    plain = {"X": fields["x"], "Y": fields["y"]}
    scipy.io.savemat(tmp_path / "plain.mat", plain)
    words = ("--method", "fisher_score", "--json")
    found = tamis("rank", "t.mat", "--table", "s.x", "--matlab-labels", "s.y", *words).json
    assert found["scores"] == tamis("rank", "plain.mat", *words).json["scores"]
    message = refused("rank", "t.mat", code=3)
    assert "has no variable X; it holds " in message and "s (1 x 1 struct)" in message
    assert "s.x (30 x 6 double)" in message and "s.y (1 x 30 double)" in message
    assert message.endswith("choose the table with --table NAME")


def test_sparse_fields_stay_sparse(tamis, tmp_path, fields):
    write_level_5(tmp_path / "t.mat", {"x": scipy.sparse.csc_matrix(np.eye(4))})
    info = tamis("info", "t.mat", "--table", "s.x", "--json").json
    assert info["sparse"] and (info["rows"], info["features"]) == (4, 4)


def test_other_structures_are_listed_as_they_are(refused, tmp_path):
    several = np.zeros((2,), dtype=[("x", "f8"), ("y", "f8")])
    content = {"several": several, "empty": {}, "deep": {"a": {"b": np.eye(3)}}}
    scipy.io.savemat(tmp_path / "t.mat", content)
    message = refused("rank", "t.mat", code=3)
    assert "deep.a (1 x 1 struct)" in message and "several (1 x 2 struct)" in message


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("tenth", range(1, 10))
def test_a_cut_structure_is_refused(refused, tmp_path, fields, is_compressed, tenth):
    write_level_5(tmp_path / "t.mat", fields, do_compression=is_compressed)
    content = (tmp_path / "t.mat").read_bytes()
    (tmp_path / "cut.mat").write_bytes(content[: len(content) * tenth // 10])
    refused("rank", "cut.mat", "--table", "s.x", "--matlab-labels", "s.y", code=3)
