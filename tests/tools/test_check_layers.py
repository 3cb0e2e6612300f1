import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = "core:\nio:      core\nmethods: core  # no files\n"


@pytest.fixture
def tree(tmp_path):
    """A source tree with core and io that respects its layers."""
    write(tmp_path / "tools/layers.txt", LAYERS)
    write(tmp_path / "include/tamis/core/index.hpp", "#include <vector>\n")
    write(tmp_path / "include/tamis/io/csv.hpp", '#include "tamis/core/index.hpp"\n')
    write(tmp_path / "src/io/csv.cpp", '#include "tamis/io/csv.hpp"\n#include "text.hpp"\n')
    write(
        tmp_path / "CMakeLists.txt",
        "tamis_module(core USES fmt::fmt)\ntamis_module(io DEPENDS core USES ZLIB::ZLIB)\n",
    )
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def check(root):
    command = [sys.executable, ROOT / "tools/check_layers.py", root]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode, run.stderr


def test_accepts_a_tree_that_respects_its_layers(tree):
    assert check(tree) == (0, "")


def test_accepts_this_project():
    assert check(ROOT) == (0, "")


def test_names_the_line_of_an_include_from_a_higher_layer(tree):
    write(tree / "src/core/index.cpp", '#include <a>\n#include "tamis/io/csv.hpp"\n')
    assert check(tree) == (1, "src/core/index.cpp:2: core may not include io\n")


def test_refuses_a_detour_through_the_parent_directory(tree):
    write(tree / "src/core/index.cpp", '#include "../io/csv.hpp"\n')
    assert check(tree) == (1, "src/core/index.cpp:1: core may not include ..\n")


def test_refuses_a_link_dependency_that_is_not_declared(tree):
    write(
        tree / "CMakeLists.txt", "tamis_module(\n  io\n  DEPENDS core methods\n  USES fmt::fmt)\n"
    )
    assert check(tree) == (1, "CMakeLists.txt: io may not depend on methods\n")


def test_refuses_a_module_that_is_not_declared(tree):
    write(tree / "include/tamis/plots/svg.hpp", "")
    code, message = check(tree)
    assert code == 1
    assert "include/tamis/plots: module plots is not in tools/layers.txt" in message


def test_refuses_layers_that_name_a_module_below(tree):
    write(tree / "tools/layers.txt", "core: io\nio: core\n")
    assert check(tree) == (1, "layers.txt:1: io is not declared above core\n")
