"""Ranks by levels beside exact ranks on public tables: the same features, nearly the same gains."""

import os
import pathlib

import pytest
from program import ROOT

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
