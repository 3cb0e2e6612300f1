"""Every example in the documentation of the package runs and shows what it says."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", flags=re.M | re.S)
PAGES = [
    page
    for page in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
    if BLOCK.search(page.read_text())
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
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_the_pages_are_found():
    assert {"README.md", "docs/clustering.md", "docs/python/tutorial.md"} <= {
        str(page.relative_to(ROOT)) for page in PAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page):
    blocks = BLOCK.findall(page.read_text())
    assert all(block.startswith(">>> ") for block in blocks), "what is not an example is not run"
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {}, page.name, str(page), lineno=0
    )
    assert examples.examples
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    tested = doctest.testmod(importlib.import_module(f"tamis.{module}"), optionflags=FLAGS)
    assert tested.failed == 0


def test_the_package_is_the_installed_one():
    tamis = importlib.import_module("tamis")
    assert Path(__file__).parents[1] not in Path(tamis.__file__).parents
