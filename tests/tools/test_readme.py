"""Every command of the README works as printed. Expects the release build that ./test has made."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
COMMANDS = [line for line in "".join(BLOCKS).splitlines() if line.startswith("tamis ")]


@pytest.fixture
def folder(tmp_path):
    """What the examples speak of: a table of cells with a few labels, and pairs of its rows."""
    table = ["size,depth,noise,class"]
    for row in range(60):
        label = ("round", "flat")[row % 2] if row < 8 else ""
        table.append(f"{row % 2 + row / 100},{3 * (row % 2) + row % 5},{row * 7 % 11},{label}")
    (tmp_path / "cells.csv").write_text("\n".join(table) + "\n")
    (tmp_path / "pairs.csv").write_text("a,b,kind\n0,2,must\n0,1,cannot\n")
    return tmp_path


def test_the_readme_has_commands():
    assert len(COMMANDS) > 4


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_works(command, folder):
    path = f"{ROOT / 'build/release'}:{os.environ['PATH']}"
    run = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
