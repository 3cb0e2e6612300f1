"""tools/lean_libraries: what a wheel brings along is smaller, and does the same."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "build/release/tamis"  # linked to what the Python package is linked to
FORMATS = ROOT / "tests/data/formats"


def exported(library):
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True
    )
    return {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()}


@pytest.fixture(scope="module")
def lean(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lean")
    subprocess.run([ROOT / "tools/lean_libraries", PROGRAM, folder], check=True)
    return folder


def run(*words, libraries=""):
    return subprocess.run(
        [PROGRAM, *words],
        env={**os.environ, "LD_LIBRARY_PATH": str(libraries)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.fixture(scope="module")
def wave(tmp_path_factory):
    path = tmp_path_factory.mktemp("wave") / "wave.csv"
    run("generate", "wave", "--rows", "120", "-o", path)
    return path


def test_they_are_small_and_need_nothing(lean):
    made = {path.name: path.stat().st_size for path in lean.iterdir()}
    assert set(made) == {"libblas.so.3", "libcrypto.so.3", "libcurl.so.4", "libopenblas.so.0"}
    assert made["libopenblas.so.0"] < 28_000_000
    assert max(made[name] for name in made if name != "libopenblas.so.0") < 20_000
    needed = subprocess.run(
        ["objdump", "-p", lean / "libopenblas.so.0"], check=True, capture_output=True, text=True
    ).stdout
    assert "libgfortran" not in needed


def test_scikit_learn_can_ask_it_for_threads(lean):
    """threadpoolctl fails on an OpenBLAS that lacks one of these."""
    assert {
        "openblas_get_num_threads",
        "openblas_set_num_threads",
        "openblas_get_config",
        "openblas_get_parallel",
        "openblas_get_corename",
    } <= exported(lean / "libopenblas.so.0")


@pytest.mark.parametrize("method", ["arom_svm", "l2gfs", "ridge_omp", "spfs", "sselect"])
def test_rankings_are_the_same(method, lean, wave):
    words = ("rank", wave, "--labels-per-class", "3", "--method", method)
    assert run(*words, libraries=lean) == run(*words)


@pytest.mark.parametrize("method", ["cfld", "ssdr"])
def test_projections_are_the_same(method, lean, wave):
    words = ("project", wave, "--labels-per-class", "3", "--method", method)
    assert run(*words, libraries=lean) == run(*words)


@pytest.mark.parametrize("name", ["csr.h5ad", "pandas.xlsx"])
def test_files_are_read_the_same(name, lean):
    words = ("info", FORMATS / name)
    assert run(*words, libraries=lean) == run(*words)
