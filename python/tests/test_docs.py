"""Every example in the documentation of the package runs and shows what it says."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "clustering.md", *sorted((DOCS / "python").glob("*.md"))]
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages(page):
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.M | re.S)
    assert blocks
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
