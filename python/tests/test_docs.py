"""Every example in the documentation of the package runs and shows what it says."""

import doctest
import importlib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from examples import FLAGS, has_examples, run_examples  # noqa: E402

PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
    if has_examples(page)
]
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
    assert {"README.md", "docs/clustering.md", "docs/gallery/text.md"} <= {
        str(page.relative_to(ROOT)) for page in PAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where some save pictures
    monkeypatch.setenv("MPLBACKEND", "agg")
    failures = run_examples(page)
    assert not failures, failures


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    tested = doctest.testmod(importlib.import_module(f"tamis.{module}"), optionflags=FLAGS)
    assert tested.failed == 0


def test_the_package_is_the_installed_one():
    tamis = importlib.import_module("tamis")
    assert Path(__file__).parents[1] not in Path(tamis.__file__).parents
