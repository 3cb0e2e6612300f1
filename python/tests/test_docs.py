"""Every example in the documentation of the package runs and shows what it says."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from examples import FLAGS, extras_of, pages_with_examples  # noqa: E402

PAGES = pages_with_examples()
MODULES = (
    "_clusterings",
    "_estimators",
    "_evaluation",
    "_ranking",
    "_report",
    "constraints",
    "datasets",
    "splits",
)


def test_the_pages_are_found():
    assert {"README.md", "python/README.md", "docs/clustering.md", "docs/gallery/text.md"} <= {
        str(page.relative_to(ROOT)) for page in PAGES
    }


def test_pages_say_what_they_need():
    assert extras_of(ROOT / "docs/gallery/single_cell.md") == ("pandas", "plot")
    assert extras_of(ROOT / "docs/clustering.md") == ()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page, tmp_path):
    """With what the page says that it needs; anything else is hidden."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools/examples.py", page],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_page_does_not_name_is_hidden(tmp_path):
    page = tmp_path / "page.md"
    for stated, outcome in (("", 1), ("The examples need `tamis[pandas]`.\n", 0)):
        page.write_text(f"{stated}```python\n>>> import tamis, pandas\n```\n")
        done = subprocess.run(
            [sys.executable, ROOT / "tools/examples.py", page],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == outcome
        assert ("No module named 'pandas'" in done.stdout) == (outcome == 1)


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    tested = doctest.testmod(importlib.import_module(f"tamis.{module}"), optionflags=FLAGS)
    assert tested.failed == 0


def test_the_package_is_the_installed_one():
    tamis = importlib.import_module("tamis")
    assert Path(__file__).parents[1] not in Path(tamis.__file__).parents
