"""Large in one respect: no number of rows, columns, classes, pairs, bytes is taken for granted."""

import numpy as np
import pytest
from program import IS_SANITIZED

pytestmark = pytest.mark.skipif(IS_SANITIZED, reason="too large for the sanitized program")

RANDOM = np.random.default_rng(3)


def save(path, x):
    np.save(path, np.asarray(x, dtype=np.float32))


def test_three_million_rows(tamis, tmp_path):
    x = RANDOM.normal(size=(3_000_000, 3)) * [1, 3, 2]
    save(tmp_path / "tall.npy", x)
    report = tamis("rank", "tall.npy", "-m", "variance", "--json").json
    assert report["order"] == [1, 2, 0]
    assert report["data"]["rows"] == 3_000_000


def test_two_million_columns(tamis, tmp_path):
    x = RANDOM.normal(size=(4, 2_000_000))
    x[:, 1_999_999] = [0, 100, 200, 300]
    save(tmp_path / "wide.npy", x)
    report = tamis("rank", "wide.npy", "-m", "variance", "--top", "5", "--json").json
    assert report["order"][0] == 1_999_999


def test_twenty_thousand_classes(tamis, tmp_path, write):
    classes = np.repeat(np.arange(20_000), 2)
    x = RANDOM.normal(size=(40_000, 3))
    x[:, 2] = classes
    save(tmp_path / "t.npy", x)
    write("labels.csv", "label\n" + "".join(f"c{label}\n" for label in classes))
    report = tamis("rank", "t.npy", "--labels", "labels.csv", "-m", "fisher_score", "--json").json
    assert report["order"][0] == 2
    assert report["data"]["classes"] == 20_000


def test_a_million_pairs(tamis, tmp_path, write):
    pairs = RANDOM.permutation(2_000_000).reshape(-1, 2) % 40_000
    sides = pairs < 20_000
    kinds = np.where(sides[:, 0] == sides[:, 1], "must", "cannot")
    x = RANDOM.normal(size=(40_000, 3))
    x[:20_000, 1] += 5
    save(tmp_path / "t.npy", x)
    lines = (f"{a},{b},{kind}\n" for (a, b), kind in zip(pairs, kinds, strict=True) if a != b)
    write("pairs.csv", "".join(lines))
    words = ("--constraints", "pairs.csv", "-m", "constraint_score", "--json")
    report = tamis("rank", "t.npy", *words).json
    assert report["order"][0] == 1
    assert report["data"]["must_link"] + report["data"]["cannot_link"] > 900_000


def test_a_file_of_more_than_four_gigabytes(tamis, tmp_path):
    """Offsets beyond 32 bits. Nearly all of it is a hole in the file, which reads as zeros."""
    rows, cols = 4_300_000, 125
    table = np.lib.format.open_memmap(
        tmp_path / "holes.npy", mode="w+", dtype=np.float64, shape=(rows, cols)
    )
    table[-1, -1] = 7
    table[-2, 3] = 2
    del table
    report = tamis("rank", "holes.npy", "-m", "variance", "--memory", "1G", "--json").json
    assert report["order"][:2] == [124, 3]


@pytest.mark.parametrize("length", [1_000, 1_000_000])
def test_names_as_long_as_a_book(tamis, write, length):
    feature, sample, label = (letter * length for letter in "fsl")
    lines = [f"id,{feature},b,class", f"{sample},1,2,{label}", "t,2,1,x", f"u,5,2,{label}"]
    write("long.csv", "\n".join(lines) + "\n")
    report = tamis("rank", "long.csv", "-m", "variance", "--json").json
    assert report["names"] == [feature, "b"]
    outcome = tamis("rank", "long.csv", "-m", "fisher_score")
    assert outcome.code == 0, outcome.err
