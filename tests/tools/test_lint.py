"""tools/lint.py on a project of two files; a stand-in for clang-tidy finds the word "fault"."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLANG_TIDY = """#!/bin/sh
for file; do :; done
case $file in
  --version) echo "version $TIDY_VERSION" ;;
  *) ! grep -H fault "$file" ;;
esac
"""


class Project:
    def __init__(self, folder, caches):
        self.folder = folder
        self.environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(caches),
            "TIDY_VERSION": "14",
        }
        for name in ("bin", "build/clang", "include", "src", "tools"):
            (folder / name).mkdir(parents=True)
        shutil.copy(ROOT / "tools/lint.py", folder / "tools")
        self.write("bin/clang-tidy-14", CLANG_TIDY)
        (folder / "bin/clang-tidy-14").chmod(0o755)
        self.write(".clang-tidy", "Checks: all")
        self.write("include/deep.hpp", "int deep();")
        self.write("include/direct.hpp", '#include "deep.hpp"')
        self.write("src/one.cpp", '#include "direct.hpp"\n#include <vector>')
        self.write("src/two.cpp", "int two();")
        self.compile_with("-O0")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def compile_with(self, flag):
        files = ["src/one.cpp", "src/two.cpp", ".venv/lib/foreign.cpp"]
        entries = [
            {
                "file": f"{self.folder}/{file}",
                "command": f"clang++ -I{self.folder}/include {flag} -c {self.folder}/{file}",
            }
            for file in files
        ]
        self.write("build/clang/compile_commands.json", json.dumps(entries))

    def lint(self):
        """The exit code, and what was printed."""
        command = [sys.executable, self.folder / "tools/lint.py"]
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


@pytest.fixture
def project(tmp_path):
    """A project whose files are known to be clean."""
    project = Project(tmp_path / "project", tmp_path / "caches")
    assert project.lint() == (0, "2 files, 2 of them checked now, 0 with faults\n")
    return project


def test_checks_no_file_twice(project):
    assert project.lint() == (0, "2 files, 0 of them checked now, 0 with faults\n")


def test_other_clones_profit(project, tmp_path):
    clone = Project(tmp_path / "clone", tmp_path / "caches")
    assert clone.lint() == (0, "2 files, 0 of them checked now, 0 with faults\n")


def test_a_changed_header_concerns_those_that_include_it(project):
    project.write("include/deep.hpp", "long deep();")
    assert project.lint() == (0, "2 files, 1 of them checked now, 0 with faults\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda project: project.write(".clang-tidy", "Checks: some"),
        lambda project: project.compile_with("-O1"),
        lambda project: project.environment.update(TIDY_VERSION="15"),
    ],
    ids=["configuration", "flags", "version"],
)
def test_other_settings_concern_all_files(project, change):
    change(project)
    assert project.lint() == (0, "2 files, 2 of them checked now, 0 with faults\n")


def test_faults_are_shown_until_they_are_gone(project):
    project.write("src/two.cpp", "fault")
    shown = f"{project.folder}/src/two.cpp:fault\n\n2 files, 1 of them checked now, 1 with faults\n"
    assert project.lint() == (1, shown)
    assert project.lint() == (1, shown)
    project.write("src/two.cpp", "int two();")
    assert project.lint() == (0, "2 files, 0 of them checked now, 0 with faults\n")


def test_says_what_is_missing(project):
    shutil.rmtree(project.folder / "build")
    shown = "lint.py: build/clang is missing; run: cmake --preset clang\n"
    assert project.lint() == (2, shown)
