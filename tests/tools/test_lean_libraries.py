"""tools/lean_libraries: what a wheel brings along is smaller, and does the same."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "build/release/tamis"  # linked to what the package is, but for HDF5
FORMATS = ROOT / "tests/data/formats"


def exported(library):
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True
    )
    return {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()}


def made_lean(program, folder):
    subprocess.run([ROOT / "tools/lean_libraries", program, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def lean(tmp_path_factory):
    return made_lean(PROGRAM, tmp_path_factory.mktemp("lean"))


def run(*words, program=PROGRAM, libraries=""):
    return subprocess.run(
        [program, *words],
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
    assert set(made) == {"libblas.so.3", "libcrypto.so.3", "libopenblas.so.0"}
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


SIZE_OF_INDICES = """
#include <hdf5.h>
#include <stdio.h>

int main(int count, char** words) {
  hid_t file = H5Fopen(words[count - 1], H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t indices = H5Dopen2(file, "X/indices", H5P_DEFAULT);
  printf("%lld\\n", (long long)H5Sget_simple_extent_npoints(H5Dget_space(indices)));
  return 0;
}
"""


def test_the_library_of_hdf5_reads_without_curl(tmp_path):
    """The package is linked to that one, the program to what it needs of an archive."""
    (tmp_path / "reader.c").write_text(SIZE_OF_INDICES)
    reader = tmp_path / "reader"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "hdf5", "openblas"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    subprocess.run(
        ["cc", tmp_path / "reader.c", "-o", reader, "-Wl,--no-as-needed", *flags], check=True
    )
    lean = made_lean(reader, tmp_path / "lean")
    assert "libcurl.so.4" in {path.name for path in lean.iterdir()}
    table = FORMATS / "csr.h5ad"
    said = run(table, program=reader, libraries=lean)
    assert int(said) > 0
    assert said == run(table, program=reader)
