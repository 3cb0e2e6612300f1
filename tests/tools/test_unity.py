"""cmake/TamisUnity.cmake on small sources: which are compiled as one."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
include({ROOT}/cmake/TamisUnity.cmake)
file(GLOB sources ${{PROJECT_SOURCE_DIR}}/*.cpp)
add_library(small STATIC ${{sources}})
tamis_unity(small ${{sources}})
"""


def source(private="", public=""):
    return f"namespace tamis {{\nnamespace {{\n\n{private}\n\n}}  // namespace\n\n{public}\n}}\n"


@pytest.fixture
def groups(tmp_path):
    """Configures a project of sources, given by name, and returns those of each group."""

    def configure(**sources):
        (tmp_path / "CMakeLists.txt").write_text(PROJECT)
        for name, text in sources.items():
            (tmp_path / f"{name}.cpp").write_text(text)
        command = ["cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build"]
        subprocess.run(command, check=True, capture_output=True)
        files = (tmp_path / "build/groups").glob("small_*.cpp")
        found = [re.findall(r"(\w+)\.cpp\"", file.read_text()) for file in files]
        return sorted(found)

    return configure


@pytest.mark.parametrize(
    "declaration",
    [
        "int total(int a) { return a; }",
        "[[noreturn]] void total() { throw 1; }",
        "template <class T>\nstd::vector<T> total(const T& first) {}",
        "struct total {};",
        "enum class total { one };",
        "using total = int;",
        "constexpr double total = 1.0;",
        "constexpr std::array<int, 2> total{1, 2};",
        "const char* const total = nullptr;",
    ],
)
def test_sources_that_keep_one_name_to_themselves_are_apart(groups, declaration):
    other = "long total(long, long);"
    found = groups(a=source(declaration), b=source("int b;"), c=source(other))
    assert found == [["a", "b"], ["c"]]


@pytest.mark.parametrize("mention", ["int use() { return total(1); }", "int use(int total);"])
def test_nobody_is_beside_a_name_that_it_would_mean(groups, mention):
    private = source("int total(int a) { return a; }")
    assert groups(a=private, b=source(public=mention)) == [["a"], ["b"]]
    assert groups(a=source(public=mention), b=private) == [["a"], ["b"]]


def test_comments_strings_and_public_names_separate_nobody(groups):
    private = source("int total(int a) { return a; }", "int known(int a) { return total(a); }")
    speaks = source("// total\nint own();", 'const char* text() { return "total"; }')
    assert groups(a=private, b=speaks, c=source(public="int c = known(1);")) == [["a", "b", "c"]]


def test_groups_have_a_size(groups):
    sources = {f"s{number}": source(f"int own_{number}();") for number in range(9)}
    assert [len(group) for group in groups(**sources)] == [8, 1]
