"""Installs the release build, then builds and runs a project that finds it with find_package."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = """noise,signal,half,class
1,0,0,a
9,0,5,a
2,9,4,b
8,9,9,b
5,4,5,
"""


def run(*command, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", ROOT / "build/release", "--prefix", folder)
    return folder


def test_a_downstream_project_builds_and_ranks(prefix, tmp_path):
    readme = re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    (tmp_path / "readme.cpp").write_text(readme)
    header = (ROOT / "include/tamis/tamis.hpp").read_text()
    example = re.findall(r"^///(?:   (.*)|$)", header.split("ranks its features:")[1], re.M)
    (tmp_path / "header.cpp").write_text("\n".join(example))
    build = tmp_path / "build"
    options = (f"-DCMAKE_PREFIX_PATH={prefix}", f"-DEXAMPLES={tmp_path}")
    run("cmake", "-S", ROOT / "tests/install", "-B", build, *options)
    run("cmake", "--build", build)
    (tmp_path / "cells.csv").write_text(TABLE)
    assert run(build / "downstream", "cells.csv", cwd=tmp_path).split() == [
        "signal",
        "half",
        "noise",
    ]
    for program in ("readme", "header"):
        assert run(build / program, cwd=tmp_path) == "signal\n"


def test_the_installed_program_runs(prefix):
    assert "cls" in run(prefix / "bin/tamis", "methods")
