"""The program and the package are one: the same bits from the same input."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
import tamis
from registered import METHODS
from scipy import sparse

ONLY_OF_A_FILE = ("file", "format")
OF_THE_MOMENT = ("seconds", "peak_memory_bytes")


def run(program, folder, *words):
    command = [program, "rank", *words, "--json", "--seed", "7", "-q"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return comparable(json.loads(done.stdout))


def comparable(result):
    for name in OF_THE_MOMENT:
        del result[name]
    for name in ONLY_OF_A_FILE:
        del result["data"][name]
    return result


def write_labels(folder, y):
    (folder / "y.csv").write_text("".join(f"{label}\n" for label in y))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", METHODS)
def test_dense_tables(method, dtype, program, wave, tmp_path):
    X, y = wave
    X = X.astype(dtype)
    np.save(tmp_path / "x.npy", X)
    write_labels(tmp_path, y)
    expected = run(program, tmp_path, "x.npy", "--labels", "y.csv", "--method", method)
    ranking = tamis.rank(X, y, method=method, random_state=7)
    assert comparable(json.loads(ranking.to_json())) == expected


@pytest.mark.parametrize("method", METHODS)
def test_sparse_tables(method, program, mostly_zero, tmp_path):
    x, y = mostly_zero
    lines = []
    for label, row in zip(y, x, strict=True):
        entries = " ".join(f"{c + 1}:{float(row[c])!r}" for c in np.flatnonzero(row))
        lines.append(f"{label} {entries}\n")
    (tmp_path / "x.svm").write_text("".join(lines))
    expected = run(program, tmp_path, "x.svm", "--method", method)
    ranking = tamis.rank(
        sparse.csr_array(x), y, method, random_state=7, feature_names=expected["names"]
    )
    assert comparable(json.loads(ranking.to_json())) == expected


def test_pairs_options_and_top(program, wave, tmp_path):
    X, _ = wave
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "pairs.csv").write_text("a,b,kind\n0,5,must\n5,9,cannot\n3,4,cannot\n")
    words = ("-m", "cls", "--constraints", "pairs.csv", "--n-neighbors", "4", "--form", "ensemble")
    expected = run(program, tmp_path, "x.npy", *words, "--top", "3")
    pairs = tamis.Constraints.by_row([(0, 5)], [(5, 9), (3, 4)], n_rows=120)
    options = {"n_neighbors": 4, "form": "ensemble", "random_state": 7}
    ranking = tamis.rank(X, method="cls", constraints=pairs, **options)
    assert comparable(ranking.to_dict(top=3)) == expected


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        ((), {}),
        (("--top", "auto"), {"top": "auto"}),
        (("--top", "relevant", "--fdr", "0.3"), {"top": "relevant", "fdr": 0.3}),
        (("--top", "60"), {"top": 60}),
        (("--top", "12%"), {"top": "12%"}),
        (("-m", "cls", "--diversify"), {"method": "cls", "diversify": True}),
        (
            ("-m", "fisher_score", "--diversify", "9", "--top", "auto"),
            {"method": "fisher_score", "diversify": 9, "top": "auto"},
        ),
        (("-m", "variance", "--bagging", "15"), {"method": "variance", "bagging": 15}),
        (
            ("--bagging", "4", "--subspace", "10", "--bagging-combine", "rank", "--diversify"),
            {
                "bagging": {"n_members": 4, "subspace_size": 10, "combine": "rank"},
                "diversify": True,
            },
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_goes_around_a_method(program, wave, tmp_path, words, wishes):
    X, y = wave
    np.save(tmp_path / "x.npy", X)
    write_labels(tmp_path, y)
    expected = run(program, tmp_path, "x.npy", "--labels", "y.csv", *words)
    ranking = tamis.rank(X, y, random_state=7, **wishes)
    assert comparable(ranking.to_dict()) == expected


KNOW_HARD_PAIRS_ONLY = ("csfs", "csfsr", "l2gfs")


@pytest.mark.parametrize("method", KNOW_HARD_PAIRS_ONLY)
def test_weighted_pairs_are_refused_by_name(method, wave):
    X, y = wave
    rows = np.flatnonzero(y == -1)[:2].tolist()
    pairs = tamis.Constraints.by_row([(*rows, 0.25)], n_rows=120)
    with pytest.raises(ValueError, match="weight"):
        tamis.rank(X, y, method, constraints=pairs)


@pytest.mark.parametrize("method", [name for name in METHODS if name not in KNOW_HARD_PAIRS_ONLY])
def test_weighted_pairs(method, program, wave, tmp_path):
    X, y = wave
    np.save(tmp_path / "x.npy", X)
    write_labels(tmp_path, y)
    unlabeled = np.flatnonzero(y == -1)[:5].tolist()
    a, b, c, d, e = unlabeled
    path = tmp_path / "pairs.csv"
    path.write_text(f"a,b,kind,weight\n{a},{b},must,0.25\n{b},{c},cannot\n{d},{e},must,7\n")
    words = ("--labels", "y.csv", "--constraints", "pairs.csv", "--method", method)
    pairs = tamis.Constraints.from_csv(path, n_rows=120)
    ranking = tamis.rank(X, y, method, constraints=pairs, random_state=7)
    assert comparable(ranking.to_dict()) == run(program, tmp_path, "x.npy", *words)


@pytest.mark.parametrize("name", ["wave", "blobs", "madelon"])
def test_generated_tables(name, program):
    command = [program, "generate", name, "--rows", "50", "--seed", "4", "-q"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names, *rows = [line.split(",") for line in text.splitlines()]
    X, y = getattr(tamis.datasets, f"make_{name}")(50, random_state=4, as_frame=True)
    label = names.index("class")
    assert names[:label] + names[label + 1 :] == X.columns.tolist()
    values = np.array([row[:label] + row[label + 1 :] for row in rows], dtype=float)
    np.testing.assert_array_equal(values, X.to_numpy())
    assert [int(row[label]) - 1 for row in rows] == y.tolist()


def test_generated_cells(program, tmp_path):
    command = [program, "generate", "cells", "--rows", "50", "--seed", "4", "-q", "-o", "cells.csv"]
    subprocess.run([*command, "--pairs", "pairs.csv"], cwd=tmp_path, check=True)
    table = pd.read_csv(tmp_path / "cells.csv", index_col="id")
    labels = table.pop("class")
    options = {"random_state": 4, "return_constraints": True}
    X, y, pairs = tamis.datasets.make_cells(50, **options, as_frame=True)
    pd.testing.assert_frame_equal(X, table, check_names=False, check_exact=True)
    names = ["B cell", "NK cell", "T cell", "monocyte"]
    assert [names.index(label) if isinstance(label, str) else -1 for label in labels] == y.tolist()
    assert pairs == tamis.Constraints.from_csv(tmp_path / "pairs.csv")
    places, _, numbered = tamis.datasets.make_cells(50, **options)
    np.testing.assert_array_equal(places, X)
    assert [(X.index[a], X.index[b]) for a, b in numbered.must_link] == pairs.must_link
    assert (tamis.datasets.make_cells(50, n_labeled_per_class=None)[1] >= 0).all()


def test_every_generator_of_the_program_is_there(program):
    done = subprocess.run([program, "generate", "?"], capture_output=True, text=True, check=False)
    names = done.stderr.strip().rpartition("is not one of ")[2].split(", ")
    assert names == [
        name.removeprefix("make_") for name in vars(tamis.datasets) if name.startswith("make_")
    ]


def test_options_are_refused_with_the_words_of_the_program(program, wave, tmp_path):
    np.save(tmp_path / "x.npy", wave[0])
    command = [program, "rank", "x.npy", "-m", "cls", "--n-neighbors", "0", "-q"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    with pytest.raises(ValueError) as refusal:
        tamis.rank(wave[0], method="cls", n_neighbors=0)
    assert done.stderr == f"tamis: {refusal.value}\n"
