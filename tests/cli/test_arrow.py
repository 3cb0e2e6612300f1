"""Parquet, Feather and Arrow IPC files as pandas, polars and pyarrow write them."""

import datetime
import decimal
import os

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse
from program import FAULTS, PROGRAM, run_program

USAGE, DATA = 2, 3
WORDS = ("--method", "fisher_score", "--json")


def is_built_in(folder):
    """Whether the program has Arrow's libraries."""
    pq.write_table(pa.table({"a": [1.0, 2.0]}), folder / "probe.parquet")
    return "is without Arrow" not in run_program("info", folder / "probe.parquet").err


@pytest.fixture(autouse=True)
def _needs_arrow(request, tmp_path_factory):
    if "without" not in request.node.name and not is_built_in(tmp_path_factory.mktemp("probe")):
        pytest.skip(f"{PROGRAM} is without Arrow")


@pytest.fixture
def frame(matrix):
    x, labels = matrix
    return pd.DataFrame(x).add_prefix("f").assign(label=[f"c{label}" for label in labels])


@pytest.fixture
def expected(tamis, tmp_path, frame):
    """The ranking of the same numbers from a file of NumPy."""
    np.savez(
        tmp_path / "t.npz",
        X=frame.filter(regex="^f").to_numpy(),
        y=frame["label"].to_numpy(dtype=str),
        feature_names=[f"f{r}" for r in range(6)],
    )
    return ranked(tamis, "t.npz")


def ranked(tamis, name, *words):
    result = tamis("rank", name, *WORDS, *words)
    assert result.code == 0, result.err
    return {key: result.json[key] for key in ("names", "scores", "order")}


def write_stream(frame, path):
    table = pa.Table.from_pandas(frame)
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table, max_chunksize=7)


def with_ids(frame):
    return frame.set_index(pd.Index([f"s{i}" for i in range(len(frame))]))


WRITERS = {
    "pandas.parquet": lambda frame, path: frame.to_parquet(path),
    "groups.parquet": lambda frame, path: frame.to_parquet(path, row_group_size=7),
    "plain.parquet": lambda frame, path: frame.to_parquet(path, compression=None),
    "gzip.parquet": lambda frame, path: frame.to_parquet(path, compression="gzip"),
    "brotli.parquet": lambda frame, path: frame.to_parquet(path, compression="brotli"),
    "zstd.parquet": lambda frame, path: frame.to_parquet(path, compression="zstd"),
    "pages_2.parquet": lambda frame, path: frame.to_parquet(path, data_page_version="2.0"),
    "ids.parquet": lambda frame, path: with_ids(frame).to_parquet(path),
    "named_ids.parquet": lambda frame, path: with_ids(frame).rename_axis("who").to_parquet(path),
    "categories.parquet": lambda frame, path: frame.astype({"label": "category"}).to_parquet(path),
    "polars.parquet": lambda frame, path: pl.from_pandas(frame).write_parquet(path),
    "pandas.feather": lambda frame, path: frame.to_feather(path),
    "ids.feather": lambda frame, path: with_ids(frame).to_feather(path),
    "plain.feather": lambda frame, path: frame.to_feather(path, compression="uncompressed"),
    "categories.feather": lambda frame, path: frame.astype({"label": "category"}).to_feather(path),
    "polars.arrow": lambda frame, path: pl.from_pandas(frame).write_ipc(path),
    "polars_lz4.arrow": lambda frame, path: pl.from_pandas(frame).write_ipc(
        path, compression="lz4"
    ),
    "polars.arrows": lambda frame, path: pl.from_pandas(frame).write_ipc_stream(path),
    "pyarrow.arrows": write_stream,
}


@pytest.mark.parametrize("name", WRITERS)
def test_any_file_gives_the_same_ranking(tamis, tmp_path, frame, expected, name):
    WRITERS[name](frame, tmp_path / name)
    assert ranked(tamis, name) == expected
    data = tamis("info", name, "--json").json
    assert data["format"] == ("parquet" if name.endswith("parquet") else "arrow")
    if "ids" in name:
        assert "s0 to s29" in tamis("info", name).out


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_float32_stays_float32(tamis, tmp_path, frame, name):
    single = frame.astype({f"f{r}": np.float32 for r in range(6)})
    WRITERS[f"pandas.{name.split('.')[1]}"](single, tmp_path / name)
    features = single.filter(regex="^f").to_numpy()
    np.savez(tmp_path / "s.npz", X=features, y=single["label"].to_numpy(dtype=str))
    assert ranked(tamis, name)["scores"] == ranked(tamis, "s.npz")["scores"]
    assert tamis("info", name, "--json").json["precision"] == "single"


def test_every_type_of_numbers_is_read(tamis, tmp_path):
    rows = 6
    numbers = [0, 1, 2, 3, 4, None]
    kinds = [pa.int8, pa.uint8, pa.int16, pa.uint16, pa.int32, pa.uint32, pa.int64, pa.uint64]
    kinds += [pa.float16, pa.float32, pa.float64]
    table = {str(kind()): pa.array(numbers, kind()) for kind in kinds}
    table["bool"] = pa.array([False, True, False, True, True, None])
    table["decimal"] = pa.array([decimal.Decimal(f"{i}.25") for i in range(rows)])
    table["dictionary"] = pa.array([7, 5, 7, 5, None, 7]).dictionary_encode()
    table["text"] = pa.array(["1.5", "2", "", "1e3", None, "-4"])
    table["null"] = pa.nulls(rows)
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    assert tamis("convert", "t.parquet", "-o", "t.csv").code == 0
    found = pd.read_csv(tmp_path / "t.csv")
    assert list(found) == list(table)
    for kind in kinds:
        np.testing.assert_array_equal(found[str(kind())], [0, 1, 2, 3, 4, np.nan])
    np.testing.assert_array_equal(found["bool"], [0, 1, 0, 1, 1, np.nan])
    np.testing.assert_array_equal(found["decimal"], np.arange(rows) + 0.25)
    np.testing.assert_array_equal(found["dictionary"], [7, 5, 7, 5, np.nan, 7])
    np.testing.assert_array_equal(found["text"], [1.5, 2, np.nan, 1000, np.nan, -4])
    assert found["null"].isna().all()


def test_dates_and_categories_are_texts(tamis, refused, tmp_path):
    days = [datetime.date(2024, 5, 1 + i) for i in range(4)]
    table = pa.table(
        {
            "x": [1.0, 2.0, 4.0, 3.0],
            "day": days,
            "moment": [datetime.datetime(2024, 5, 1 + i, 13, 5) for i in range(4)],
            "colour": pa.array(["red", "blue", "red", "blue"]).dictionary_encode(),
            "class": ["a", "b", "a", "b"],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    message = refused("rank", "t.parquet", code=DATA)
    assert message.startswith("tamis: t.parquet: 3 columns hold text: 1 (day: dates, '2024-05-01'")
    words = ("convert", "t.parquet", "--encode", "onehot", "-o", "t.csv")
    assert tamis(*words).code == 0
    found = pd.read_csv(tmp_path / "t.csv")
    assert found["day"].tolist() == [19844, 19845, 19846, 19847]
    np.testing.assert_allclose(found["moment"], found["day"] + (13 * 60 + 5) / 1440)
    assert found["colour=red"].tolist() == [1, 0, 1, 0]


def test_labels_of_any_type_are_known(tamis, tmp_path):
    columns = {
        "whole": [1, 1, 2, 2],
        "double": [1.0, 1.0, 2.0, None],
        "truth": [True, True, False, False],
        "text": pa.array(["01", "01", None, "2"], pa.large_string()),
        "x": [1.5, 2.5, 4.5, 3.5],
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    names = {"whole": ["1", "2"], "double": ["1", "2"], "truth": ["false", "true"]}
    for column, classes in {**names, "text": ["01", "2"]}.items():
        others = ",".join(sorted({*columns} - {column, "x"}))
        words = ("info", "t.parquet", "--label-column", column, "--drop", others, "--json")
        assert sorted(tamis(*words).json["classes"]) == classes


def test_lists_are_refused_by_name(tamis, refused, tmp_path):
    pq.write_table(pa.table({"x": [1.0, 2.0], "l": [[1], [2, 3]]}), tmp_path / "t.parquet")
    assert refused("rank", "t.parquet", code=DATA).startswith(
        "tamis: t.parquet: column 'l' holds neither numbers nor texts (Arrow calls its type '+l')"
    )
    assert tamis("rank", "t.parquet", "--drop", "l", "-m", "variance").code == 0


def test_an_index_of_several_columns_names_rows_by_the_first(tamis, tmp_path, frame):
    index = pd.MultiIndex.from_arrays([[f"s{i}" for i in range(30)], np.arange(30) % 7])
    frame.set_index(index).to_parquet(tmp_path / "t.parquet")
    outcome = tamis("info", "t.parquet")
    assert "30 rows x 6 features" in outcome.out and "s0 to s29" in outcome.out
    assert "the index has 2 columns, of which the first names the rows" in outcome.err


@pytest.mark.parametrize("name", ["pandas.parquet", "pandas.feather", "pyarrow.arrows"])
@pytest.mark.parametrize("tenth", range(1, 10))
def test_a_file_that_is_cut_is_refused(refused, tmp_path, frame, name, tenth):
    WRITERS[name](frame, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    (tmp_path / "cut").write_bytes(content[: len(content) * tenth // 10])
    assert refused("rank", "cut", code=DATA).startswith("tamis: cut: ")


@pytest.mark.parametrize("name", ["plain.parquet", "plain.feather", "pyarrow.arrows"])
def test_a_file_that_lies_is_refused_or_read(tamis, tmp_path, frame, name):
    """Whatever bytes say, there is an answer or one message."""
    WRITERS[name](frame, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    random = np.random.default_rng(5)
    for _ in range(40):
        bad = bytearray(content)
        for place in random.integers(8, len(bad), size=3):
            bad[place] = random.choice([0, 255, 127, 128, 1])
        (tmp_path / "bad").write_bytes(bad)
        assert tamis("rank", "bad", "-q").code in (0, DATA)


def test_what_claims_far_more_than_it_holds_is_refused(tamis, refused, tmp_path):
    rows = 10_000_000
    pq.write_table(pa.table({"x": np.zeros(rows)}), tmp_path / "t.parquet")
    message = refused("info", "t.parquet", code=DATA)
    assert "its content takes more than 67108864 bytes, the file" in message
    assert "--trusted" in message
    assert tamis("info", "t.parquet", "--trusted", "--json").json["rows"] == rows


def test_it_cannot_come_through_a_pipe(refused, tmp_path, frame):
    frame.to_parquet(tmp_path / "t.parquet")
    os.system(f"gzip -k {tmp_path / 't.parquet'}")
    assert refused("rank", "t.parquet.gz", code=DATA) == (
        "tamis: t.parquet.gz: a Parquet file can be read neither from a pipe nor compressed; make "
        "a plain file of it by gunzip -k t.parquet.gz"
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_written_is_read_by_others_and_again(tamis, tmp_path, frame, dtype):
    features = frame.filter(regex="^f").astype(dtype)
    features.iloc[3, 2] = np.nan
    labels = frame["label"].where(np.arange(len(frame)) % 3 > 0, None)
    with_ids(features.assign(label=labels)).to_feather(tmp_path / "t.feather")
    assert tamis("convert", "t.feather", "-o", "t.parquet").code == 0
    found = pd.read_parquet(tmp_path / "t.parquet")
    assert list(found) == ["id", *features, "label"]
    assert found["id"].tolist() == [f"s{i}" for i in range(len(frame))]
    np.testing.assert_array_equal(found[[*features]].to_numpy(), features.to_numpy())
    assert (found[[*features]].dtypes == dtype).all()
    assert found["label"].isna().tolist() == labels.isna().tolist()
    assert found["label"].dropna().tolist() == labels.dropna().tolist()
    words = ("--missing", "median")
    assert ranked(tamis, "t.parquet", *words) == ranked(tamis, "t.feather", *words)


def test_sparse_tables_and_many_row_groups_are_written(tamis, tmp_path):
    rows, cols = 9000, 1000  # of which 4,194 make a group
    x = np.zeros((rows, cols))
    x[np.arange(rows), np.arange(rows) * 7 % cols] = np.arange(rows) + 0.5
    scipy.sparse.save_npz(tmp_path / "t.npz", scipy.sparse.csr_matrix(x))
    assert tamis("convert", "t.npz", "-o", "t.parquet").code == 0
    assert pq.ParquetFile(tmp_path / "t.parquet").num_row_groups == 3
    np.testing.assert_array_equal(pd.read_parquet(tmp_path / "t.parquet").to_numpy(), x)


def test_without_arrow_none_is_written(refused, tmp_path, frame):
    other = tmp_path / "lib"
    other.mkdir()
    (other / "libtamis_arrow.so").symlink_to(FAULTS)
    frame.to_csv(tmp_path / "t.csv", index=False)
    words = ("convert", "t.csv", "-o", "t.parquet")
    assert refused(*words, code=USAGE, env={"LD_LIBRARY_PATH": str(other)}) == (
        "tamis: this program is without Arrow (libtamis_arrow.so), which writes Parquet; write "
        'CSV, and in Python pandas.read_csv("table.csv").to_parquet("table.parquet") makes '
        "Parquet of it"
    )


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("pandas.parquet", 'pandas.read_parquet("pandas.parquet")'),
        ("pandas.feather", 'pandas.read_feather("pandas.feather")'),
        ("pyarrow.arrows", 'pyarrow.ipc.open_stream("pyarrow.arrows").read_pandas()'),
    ],
)
def test_without_arrow_the_way_leads_through_python(refused, tmp_path, frame, name, reader):
    other = tmp_path / "lib"
    other.mkdir()
    (other / "libtamis_arrow.so").symlink_to(FAULTS)  # a library, but not that one
    WRITERS[name](frame, tmp_path / name)
    message = refused("rank", name, code=DATA, env={"LD_LIBRARY_PATH": str(other)})
    kinds = {"parquet": "a Parquet file", "feather": "an Arrow IPC file (Feather)"}
    what = kinds.get(name.split(".")[1], "an Arrow IPC stream")
    assert message == (
        f"tamis: {name}: is {what}, and this program "
        f'is without Arrow (libtamis_arrow.so), which reads them; in Python, tamis.rank("{name}") '
        f'reads it, and {reader}.to_csv("table.csv", index=False) makes CSV of it'
    )
