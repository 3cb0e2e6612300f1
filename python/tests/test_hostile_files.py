"""Files from strangers: refused or read, but they never end the process that asks."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tamis
from tamis import _rehearsal

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "data" / "hostile"


@pytest.mark.parametrize("name", ["crashes_hdf5.mat", "takes_all_memory.mat"])
def test_a_file_on_which_hdf5_fails_is_refused(name):
    """Both were found by fuzzing; they end a process that reads them without precautions."""
    with pytest.raises(ValueError, match=r"the (HDF5|MATLAB 7.3) file is .*damaged"):
        tamis.rank(HOSTILE / name)


def test_a_trusted_hdf5_file_is_read_at_once():
    """Without a process that tries it first, which is why a damaged one may crash."""
    code = f"import tamis; tamis.rank({str(HOSTILE / 'crashes_hdf5.mat')!r}, trusted=True)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode < 0


def test_damaged_hdf5_files_are_refused_or_read(tmp_path):
    originals = sorted((ROOT / "tests/fuzz/corpus/matlab_73").iterdir())
    random = np.random.default_rng(17)
    for trial in range(24):
        content = bytearray(originals[trial % len(originals)].read_bytes())
        for place in random.integers(512, len(content), size=1 + trial % 12):
            content[place] = random.integers(256)
        (tmp_path / "damaged.mat").write_bytes(content)
        try:
            tamis.rank(tmp_path / "damaged.mat", method="variance")
        except ValueError as error:
            assert "damaged.mat" in str(error)


def test_a_sound_file_ranks_alike_trusted_or_not():
    path = ROOT / "tests" / "data" / "formats" / "csc.h5ad"
    tried = tamis.rank(path, method="variance")
    np.testing.assert_array_equal(
        tamis.rank(path, method="variance", trusted=True).scores, tried.scores
    )


def test_other_files_start_no_process(tmp_path, monkeypatch):
    np.save(tmp_path / "t.npy", np.random.default_rng(0).normal(size=(20, 4)))
    monkeypatch.setattr(_rehearsal.subprocess, "run", None)
    assert len(tamis.rank(tmp_path / "t.npy", method="variance")) == 4


def test_without_an_interpreter_the_file_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(_rehearsal.sys, "executable", "/nowhere/python")
    path = HOSTILE / "crashes_hdf5.mat"
    with pytest.raises(OSError, match=r"no process can be started.*trusted=True"):
        tamis.rank(path)


def test_content_far_beyond_its_file_is_refused_unless_the_file_is_trusted(tmp_path):
    path = tmp_path / "one.svm"
    path.write_text("1 1:1\n2 1100000:1\n1 2:1\n")
    with pytest.raises(ValueError, match=r"; trusted=True reads it all the same$"):
        tamis.rank(path, method="variance")
    assert len(tamis.rank(path, method="variance", trusted=True)) == 1_100_000
