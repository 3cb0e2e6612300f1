"""What the Python package says of itself, and what it takes to build it."""

import os
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = (ROOT / "tools/packages.txt").read_text()
LOWEST = ROOT / "tools/requirements-lowest.txt"


def imported(source):
    """The packages of other people that a source imports, at its head or inside a function."""
    found = re.findall(r"^ *(?:from|import) ([a-z_]\w*)", source.read_text(), re.M)
    return set(found) - set(__import__("sys").stdlib_module_names) - {"tamis"}


def test_every_import_is_declared():
    names = {"sklearn": "scikit-learn"}
    needed = set()
    for source in (ROOT / "python/tamis").glob("*.py"):
        needed |= {names.get(name, name) for name in imported(source)}
    extras = [text for texts in PROJECT["optional-dependencies"].values() for text in texts]
    declared = {re.match(r"[\w-]+", text)[0] for text in (*PROJECT["dependencies"], *extras)}
    assert needed <= declared
    assert declared - needed == {"anndata", "tamis"}  # the users' own objects, and `all`


def test_all_is_all():
    extras = PROJECT["optional-dependencies"]
    named = re.fullmatch(r"tamis\[(.*)\]", extras["all"][0])[1].split(",")
    assert set(named) == set(extras) - {"all"}


def test_there_is_one_version():
    version = re.search(r"^  VERSION (\S+)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    for path, pattern in (
        ("CITATION.cff", r"^version: (\S+)$"),
        ("packaging/conda/recipe.yaml", r'^  version: "(\S+)"$'),
        ("docs/scale.md", r'"registry.example/tamis:(\S+)"'),
    ):
        assert re.findall(pattern, (ROOT / path).read_text(), re.M) == [version], path


def test_the_lowest_versions_are_tried():
    """Those of PROJECT, of which some say 2.2 for 2.2.0."""
    extras = [text for texts in PROJECT["optional-dependencies"].values() for text in texts]
    lowest = dict(
        re.match(r"([\w-]+)(?:\[.*\])?>=([\d.]+)", text).groups()
        for text in (*PROJECT["dependencies"], *extras)
        if not text.startswith("tamis")
    )
    tried = dict(re.findall(r"^([\w-]+)==(\S+)", LOWEST.read_text(), re.M))
    for name, version in lowest.items():
        assert re.fullmatch(rf"{re.escape(version)}(\.0)*", tried[name]), name


def test_conda_needs_what_pip_needs():
    recipe = (ROOT / "packaging/conda/recipe.yaml").read_text()
    listed = set(re.findall(r"^    - (.*)$", recipe, re.M))
    assert {re.sub(r">=", " >=", text) for text in PROJECT["dependencies"]} <= listed
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {re.sub(r">=", " >=", text) for text in build} <= listed


def test_docker_installs_what_the_program_is_linked_to():
    """What Debian itself cannot do without is there already."""
    program = ROOT / "build/release/tamis"
    said = subprocess.run(["objdump", "-p", program], check=True, capture_output=True, text=True)
    needed = set(re.findall(r"NEEDED +(\S+)", said.stdout))
    said = subprocess.run(["ldd", program], check=True, capture_output=True, text=True)
    files = [path for name, path in re.findall(r"(\S+) => (\S+)", said.stdout) if name in needed]
    files = [os.path.realpath(file) for file in files]
    command = ["dpkg-query", "--search", *(file.removeprefix("/usr") for file in files), *files]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    packages = set(re.findall(r"^([\w.+-]+):\S* /", said.stdout, re.M))
    assert len(packages) > 10
    text = (ROOT / "packaging/Dockerfile").read_text()
    installed = re.search(r"--no-install-recommends([^&]*)", text)[1].replace("\\\n", " ").split()
    assert packages - {"libc6", "libgcc-s1", "libstdc++6"} <= set(installed)


def test_missing_libraries_are_named_at_once(tmp_path):
    hidden = ("fmt", "nlohmann_json", "TBB", "Spectra")
    words = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in hidden]
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", *words],
        env={**os.environ, "PKG_CONFIG_LIBDIR": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    packages = (
        "libfmt-dev nlohmann-json3-dev libtbb-dev libspectra-dev libhdf5-dev "
        "libopenblas-pthread-dev libzstd-dev libzip-dev"
    )
    message = " ".join(done.stderr.split())
    assert f"Debian and Ubuntu call them: {packages} `tools/setup build` installs them" in message
    for package in packages.split():
        assert re.search(rf"^build {package}\b", PACKAGES, re.M)


def test_cmake_looks_for_what_setup_installs():
    text = (ROOT / "cmake/CheckDependencies.cmake").read_text()
    looked_for = set(re.findall(r"^ *tamis_look_for_\w+\((\S+) ", text, re.M))
    listed = set(re.findall(r"^build (\S+)", PACKAGES, re.M))
    assert looked_for == listed - {"build-essential", "cmake", "ninja-build"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """The names of the files in the source archive."""
    folder = tmp_path_factory.mktemp("sdist")
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(folder)!r})"
    subprocess.run(
        [ROOT / ".venv/bin/python", "-c", code], cwd=ROOT, check=True, capture_output=True
    )
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as file:
        return path, {name.partition("/")[2] for name in file.getnames()}


def test_the_source_archive_has_sources_and_no_records(archive):
    path, names = archive
    built_from = (
        "src",
        "include",
        "cli",
        "cmake",
        "python/tamis",
        "python/bindings.cpp",
        "tools/setup",
    )
    listed = subprocess.run(
        ["git", "ls-files", *built_from], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert set(listed.stdout.split()) <= names
    assert {"CMakeLists.txt", "LICENSE", "python/README.md", "docs/stability.md"} <= names
    assert not [name for name in names if name.endswith((".jsonl", ".jsonl.gz", ".png"))]
    assert not [name for name in names if name.startswith(("bench/", "tests/", ".", "build/"))]
    assert path.stat().st_size < 2_000_000


def test_wheels_name_what_a_python_lacks(tmp_path):
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    done = subprocess.run(
        [ROOT / "tools/wheels", bare], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"tools/wheels: {bare} cannot build wheels: run {bare} -m pip install "
        "joblib nanobind numpy scikit-build-core scikit-learn scipy\n"
    )
