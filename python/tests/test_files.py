import numpy as np
import pandas as pd
import pytest
import tamis

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def table():
    return tamis.datasets.make_wave(90, random_state=0, n_labeled_per_class=5, as_frame=True)


def write_stream(frame, path):
    arrow = pyarrow.Table.from_pandas(frame)
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_stream(file, arrow.schema) as out:
        out.write_table(arrow)


WRITERS = {
    "parquet": lambda frame, path: frame.to_parquet(path),
    "gzip": lambda frame, path: frame.to_parquet(path, compression="gzip"),
    "feather": lambda frame, path: frame.to_feather(path),
    "arrow": write_stream,
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_files_rank_like_their_tables(kind, dtype, table, tmp_path):
    X, y = table[0].astype(dtype), table[1]
    WRITERS[kind](X.assign(species=y), tmp_path / "t")
    ranking = tamis.rank(tmp_path / "t", y="species", random_state=0)
    expected = tamis.rank(X, y, random_state=0)
    np.testing.assert_array_equal(ranking.scores, expected.scores)
    assert ranking.names == expected.names


def test_a_column_named_like_labels_holds_them(table, tmp_path):
    X, y = table
    path = tmp_path / "t.parquet"
    X.assign(Class=y).to_parquet(path, index=False)
    with pytest.warns(UserWarning, match="column 'Class' is taken as the classes"):
        ranking = tamis.rank(str(path), method="fisher_score")
    np.testing.assert_array_equal(ranking.scores, tamis.rank(X, y, "fisher_score").scores)
    X.to_parquet(path)
    assert "Class" not in tamis.rank(path, y, method="fisher_score").names


@pytest.mark.parametrize("name", [None, "who", "class"])
@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_the_index_names_rows_and_is_no_feature(table, tmp_path, name, kind):
    X = table[0]
    ids = pd.Index([f"s{i}" for i in range(len(X))], name=name)
    WRITERS[kind](X.set_index(ids), tmp_path / "t")
    pairs = tamis.Constraints([("s1", "s2")], [("s0", "s5")])
    ranking = tamis.rank(tmp_path / "t", method="constraint_score", constraints=pairs)
    assert ranking.names == list(X)
    expected = tamis.rank(X.set_index(ids), method="constraint_score", constraints=pairs)
    np.testing.assert_array_equal(ranking.scores, expected.scores)


def test_what_is_no_such_file_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match=r"t\.parquet: "):
        tamis.rank(path)
    with pytest.raises(FileNotFoundError):
        tamis.rank(tmp_path / "none.parquet")
    pd.DataFrame({"a": [1.0, 2.0]}).to_parquet(path)
    with pytest.raises(ValueError, match="has no column 'b' for the classes; it has a"):
        tamis.rank(path, "b")
