"""tools/lint.py on a project of two files; a stand-in for clang-tidy finds the word "fault"."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
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
            "FMT_VERSION": "9",
        }
        tidy = ".venv/lib/python3/site-packages/clang_tidy/data/bin/clang-tidy"
        for name in ("bin", "build/clang", "include", "src", "tools", Path(tidy).parent):
            (folder / name).mkdir(parents=True)
        shutil.copy(ROOT / "tools/lint.py", folder / "tools")
        self.write_program(tidy, CLANG_TIDY)
        self.write_program("bin/dpkg-query", "#!/bin/sh\necho libfmt-dev $FMT_VERSION")
        self.write(".clang-tidy", "Checks: all")
        self.write("include/deep.hpp", "int deep();")
        self.write("include/direct.hpp", '#include "deep.hpp"')
        self.write("src/one.cpp", '#include "direct.hpp"\n#include <vector>')
        self.write("src/two.cpp", "int two();")
        self.compile_with("-O0")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def write_program(self, name, text):
        self.write(name, text)
        (self.folder / name).chmod(0o755)

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
        lambda project: project.environment.update(FMT_VERSION="10"),
    ],
    ids=["configuration", "flags", "version", "headers of others"],
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


def age(mark, days):
    then = time.time() - days * 24 * 3600
    os.utime(mark, (then, then))


def test_marks_of_a_month_ago_are_forgotten_unless_they_still_serve(project, tmp_path):
    folder = tmp_path / "caches/tamis/clang-tidy"
    (folder / "of another time").touch()
    for mark in folder.iterdir():
        age(mark, days=31)
    assert project.lint() == (0, "2 files, 0 of them checked now, 0 with faults\n")
    assert len(list(folder.iterdir())) == 2
    assert project.lint() == (0, "2 files, 0 of them checked now, 0 with faults\n")


def test_the_standard_headers_that_files_include_are_a_module(project):
    module = (project.folder / "build/clang/lint.modulemap").read_text()
    header = r'header "/usr/include/c\+\+/\d+/vector"'
    assert re.fullmatch(rf"module standard \[system\] \{{\s+{header}\s+export \*\s+\}}\s", module)


@pytest.mark.parametrize(
    ("folder", "remedy"),
    [
        ("build", "build/clang is missing; run: cmake --preset clang"),
        (".venv", "clang-tidy is missing; run: tools/setup test"),
    ],
)
def test_says_what_is_missing(project, folder, remedy):
    shutil.rmtree(project.folder / folder)
    assert project.lint() == (2, f"lint.py: {remedy}\n")
