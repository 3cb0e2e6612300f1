"""What is installed for the project is known to the byte: hashes, versions, a bill of materials."""

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import lock  # noqa: E402
import sbom  # noqa: E402

SCRIPTS = ["test", "tools/setup", "bench/run"]
DIGEST = "a1" * 32


@pytest.mark.parametrize("path", sbom.PYTHON_LISTS)
def test_every_python_package_has_a_version_and_hashes(path):
    lines = (ROOT / path).read_text().replace("\\\n", " ").splitlines()
    packages = [line for line in lines if line and not line.startswith("#")]
    assert packages
    for line in packages:
        assert re.fullmatch(r"[\w.-]+==\S+( +--hash=sha256:[0-9a-f]{64})+", line), line


@pytest.mark.parametrize("path", SCRIPTS)
def test_packages_are_installed_by_their_hashes_alone(path):
    text = (ROOT / path).read_text().replace("\\\n", " ")
    installs = re.findall(r"(?m)^.*pip[^#\n]* install\b.*$|^ *\"\$\{install\[@\]\}\".*$", text)
    for line in installs:
        is_prefix = line.endswith(")")
        assert is_prefix or "--require-hashes" in line or "--no-index" in line, line
    assert not re.search(r"npm (install|i)\b", text)


def test_every_node_package_has_a_hash():
    packages = json.loads((ROOT / "tests/browser/package-lock.json").read_text())["packages"]
    assert all(package["integrity"] for path, package in packages.items() if path)


def test_every_debian_package_has_a_tested_version():
    tested = sbom.tested_versions()
    for name, _ in sbom.debian_packages():
        assert name in tested or name == "npm", f"{name}: run tools/sbom.py --record-packages"


def test_the_bill_of_materials_lists_everything_once():
    bill = sbom.bill_of_materials()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    references = [component["bom-ref"] for component in bill["components"]]
    assert len(references) == len(set(references))
    kinds = {reference.split("/")[0] for reference in references}
    assert kinds == {"pkg:deb", "pkg:pypi", "pkg:npm"}
    by_name = {component["name"]: component for component in bill["components"]}
    assert by_name["libhdf5-dev"]["scope"] == "required"
    assert by_name["numpy"]["hashes"] and by_name["numpy"]["scope"] == "excluded"
    assert len(by_name["playwright-core"]["hashes"][0]["content"]) == 128


def test_a_wheel_says_what_was_compiled_into_it(tmp_path):
    """The bill is that of the program here, which is made of the same headers and libraries."""
    wheel = tmp_path / "tamis-1.0-cp312-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tamis-1.0.dist-info/RECORD", "")
    sbom.put_into(wheel, ROOT / "build/release")
    with zipfile.ZipFile(wheel) as archive:
        bill = json.loads(archive.read("tamis-1.0.dist-info/sboms/tamis.cdx.json"))
    inside = {component["name"]: component for component in bill["components"]}
    tested = sbom.tested_versions()
    # Of these wheels have no file of Debian: functions of OpenBLAS, all of Expat, headers.
    for name in ("libopenblas-pthread-dev", "libexpat1-dev", "libeigen3-dev", "libspectra-dev"):
        assert inside[name]["version"] == tested[name]
        assert inside[name]["scope"] == "required"


def test_headers_of_python_packages_are_told_by_their_folders(tmp_path):
    (tmp_path / "site-packages/nanobind-3.1.0.dist-info").mkdir(parents=True)
    header = f"{tmp_path}/site-packages/nanobind/include/nanobind/nanobind.h"
    assert sbom.packages_of_python([header, "/usr/include/stdio.h"]) == {("nanobind", "3.1.0")}


def link(file):
    return f'<a href="https://files.example/{file}#sha256={DIGEST}">{file}</a>'


@pytest.mark.parametrize(
    ("file", "is_taken"),
    [
        ("some_thing-1.2.tar.gz", True),
        ("some_thing-1.2-py3-none-any.whl", True),
        ("some_thing-1.2-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", True),
        ("some_thing-1.2-cp312-abi3-manylinux_2_28_aarch64.whl", True),
        ("some_thing-1.2-py2.py3-none-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl", True),
        ("some_thing-1.2-cp311-cp311-win_amd64.whl", False),
        ("some_thing-1.2-cp313-cp313t-manylinux_2_28_x86_64.whl", False),
        ("some_thing-1.2.1.tar.gz", False),
        ("some_thing_else-1.2.tar.gz", False),
    ],
)
def test_the_lock_takes_the_files_that_pip_may_install(file, is_taken):
    assert lock.hashes_in(link(file), "Some.thing", "1.2") == ([DIGEST] if is_taken else [])


def test_the_lock_replaces_hashes_and_keeps_the_rest():
    page = link("thing-2.0.tar.gz")
    text = "# why\nthing==2.0 \\\n    --hash=sha256:old \\\n    --hash=sha256:older\n"
    expected = f"# why\nthing==2.0 \\\n    --hash=sha256:{DIGEST}\n"
    assert lock.locked(text, lambda name: page) == expected
    assert lock.locked(expected, lambda name: page) == expected


def test_the_lock_refuses_a_version_that_there_is_not():
    with pytest.raises(SystemExit, match=r"has no files of thing==3\.0"):
        lock.locked("thing==3.0\n", lambda name: "")
