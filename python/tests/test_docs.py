"""Every example in the documentation of the package runs and shows what it says."""

import doctest
import importlib
import inspect
import re
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


def public_functions():
    """Each with its name, classes and their methods among them."""
    for module in ("", "cluster", "dask", "datasets", "pp", "projections"):
        place = importlib.import_module(f"tamis.{module}".rstrip("."))
        for name in place.__all__:
            one = getattr(place, name)
            if callable(one):
                yield f"{place.__name__}.{name}", one
            methods = inspect.getmembers(one, inspect.isroutine) if inspect.isclass(one) else ()
            for method, function in methods:
                is_ours = str(getattr(function, "__module__", "")).startswith("tamis")
                if is_ours and not method.startswith("_"):
                    yield f"{place.__name__}.{name}.{method}", function


def test_every_parameter_is_documented():
    """At its place among the parameters, or by its name in the text."""
    missing = set()
    for name, function in public_functions():
        documented = inspect.getdoc(function) or ""
        heads = re.findall(r"(?m)^([\w*, ]+?)(?: :.*)?$", documented.replace("\\\n", ""))
        named = {word for head in heads for word in re.split(r"[, *]+", head)}
        named |= set(re.findall(r"`(\w+)`", documented))
        for parameter in inspect.signature(function).parameters:
            if parameter not in {"self", "cls", *named} and not parameter.startswith("_"):
                missing.add(f"{name}: {parameter}")
    assert missing == set()


def test_the_package_is_the_installed_one():
    tamis = importlib.import_module("tamis")
    assert Path(__file__).parents[1] not in Path(tamis.__file__).parents
