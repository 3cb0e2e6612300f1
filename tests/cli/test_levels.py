"""Ranks by levels: against their formulas, and beside exact ranks on public tables."""

import os
import pathlib
import sys

import numpy as np
import pytest
from program import ROOT

sys.path.append(str(ROOT / "python" / "tests"))
import naive_ridge_omp

SETS = ["madelon.mat", "warpPIE10P.mat", "colon.mat", "libras.csv", "sonar.csv", "PCMAC.mat"]
TOP = 50


def find(name):
    folder = pathlib.Path(os.environ.get("TAMIS_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / name).exists():
        pytest.skip(f"{name} is not there; TAMIS_DATA may name its folder")
    return folder / name


@pytest.mark.parametrize("name", SETS)
def test_top_features_and_gains_are_those_of_exact_ranks(tamis, name):
    words = ("rank", find(name), "--method", "ridge_omp", "--fdr", "1", "--json")
    few = ("--labels-per-class", "3", "--seed", "1")
    exact, levels = (tamis(*words, *few, "--ranks", how).json for how in ("exact", "levels"))
    top = min(TOP, len(exact["order"]))
    assert len(set(exact["order"][:top]) & set(levels["order"][:top])) >= top - 1
    best = max(score for score in exact["scores"] if score is not None)
    for column in set(exact["order"][:top]) & set(levels["order"][:top]):
        assert abs(exact["scores"][column] - levels["scores"][column]) <= 2e-3 * best


def mixed_table(rows, cols, seed):
    """Numbers, counts, few values, and one constant; three classes that some of them tell apart."""
    random = np.random.default_rng(seed)
    mix = np.eye(cols) + random.normal(size=(cols, cols)) / 4
    x = random.normal(size=(rows, cols)) @ mix
    classes = np.arange(rows) % 3
    x[:, :5] += classes[:, None]
    x[:, 5::4] = np.floor(np.maximum(x[:, 5::4] - 0.5, 0) * 2)
    x[:, 6::4] = np.round(x[:, 6::4])
    x[:, cols // 2] = 1.0
    return x, classes


@pytest.mark.parametrize("how", [(), ("--memory", "1G")])
@pytest.mark.parametrize(("rows", "cols"), [(300, 40), (1500, 25), (90, 120)])
def test_order_and_gains_are_those_of_the_formulas_on_codes(tamis, tmp_path, rows, cols, how):
    x, classes = mixed_table(rows, cols, seed=rows)
    labels = np.full(rows, -1)
    labels[: 9 * 7 : 7] = classes[: 9 * 7 : 7]
    np.save(tmp_path / "x.npy", x)
    texts = ["" if label < 0 else str(label) for label in labels]
    (tmp_path / "y.csv").write_text("label\n" + "\n".join(texts) + "\n")
    words = ("rank", "x.npy", "--labels", "y.csv", "-m", "ridge_omp", "--ranks", "levels", "-q")
    found = tamis(*words, "--fdr", "1", "--n-greedy", "12", "--json", *how).json
    order, gains = naive_ridge_omp.on_levels(x, labels, n_greedy=12)
    assert found["order"][:12] == [int(column) for column in order[:12]]
    assert np.isclose([found["scores"][c] for c in order[:12]], gains, rtol=1e-9, atol=0).all()


def test_one_column_of_many_that_varies(tamis, tmp_path):
    x = np.zeros((100, 400))
    x[-1, -1] = 1.0
    np.save(tmp_path / "x.npy", x)
    words = ("rank", "x.npy", "-m", "ridge_omp", "--json", "-q", "--ranks")
    found, exact = (tamis(*words, how).json for how in ("levels", "exact"))
    assert found["order"][0] == 399
    assert found["scores"][399] == pytest.approx(exact["scores"][399], rel=2e-3)
