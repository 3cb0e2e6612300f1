#!/usr/bin/env python3
"""The Python examples of the documentation's pages, run as doctests in the order of the page.

tools/examples.py PAGE...         runs them with what is installed here, but for packages that the
                                  page does not say it needs: those are hidden
tools/examples.py --fresh WHEEL   runs those of all pages in new environments, one for each set of
                                  extras: the wheel, and what pip installs with it from PyPI

A page needs `tamis` alone, or says "examples need `tamis[pandas,plot]`".
"""

import argparse
import contextlib
import doctest
import importlib.abc
import importlib.metadata
import os
import re
import subprocess
import sys
import tempfile
import time
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", flags=re.M | re.S)
NEEDS = re.compile(r"examples need `tamis\[([\w,]+)\]`")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def has_examples(page):
    return BLOCK.search(page.read_text()) is not None


def pages_with_examples():
    pages = (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "python/README.md")
    return [page for page in pages if has_examples(page)]


def extras_of(page):
    """What the page says that its examples need besides the package."""
    stated = NEEDS.search(page.read_text())
    return tuple(sorted(stated[1].split(","))) if stated else ()


def sources_of(page):
    """The examples without what they show, as a module."""
    text = "\n".join(BLOCK.findall(page.read_text()))
    return "".join(each.source for each in doctest.DocTestParser().get_examples(text))


def run_examples(page):
    """What went wrong, as text: nothing if every example shows what it says.

    They run in the current folder, and what they write stays there.
    """
    blocks = BLOCK.findall(page.read_text())
    for block in blocks:
        if not block.startswith(">>> "):
            return f"{page}: what is not an example is not run:\n{block}"
    parser = doctest.DocTestParser()
    examples = parser.get_doctest("\n".join(blocks), {}, page.name, str(page), lineno=0)
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=failures.append)
    return "".join(failures)


class Hidden(importlib.abc.MetaPathFinder):
    """As if some packages were not installed."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def brought_by(name, extras=()):
    """The distributions that pip installs for one, itself included."""
    from packaging.requirements import Requirement

    found = {}

    def add(name, extras):
        name = re.sub(r"[-_.]+", "-", name).lower()
        if set(extras) <= found.get(name, set()) and name in found:
            return
        found.setdefault(name, set()).update(extras)
        for text in importlib.metadata.requires(name) or ():
            needed = Requirement(text)
            contexts = [{"extra": extra} for extra in ("", *extras)]
            if needed.marker is None or any(map(needed.marker.evaluate, contexts)):
                add(needed.name, needed.extras)

    add(name, extras)
    return set(found)


def hide_all_but(extras):
    """Hides what tamis with these extras does not bring."""
    kept = brought_by("tamis", extras)
    by_module = importlib.metadata.packages_distributions()
    names = {
        module
        for module, distributions in by_module.items()
        if not any(re.sub(r"[-_.]+", "-", each).lower() in kept for each in distributions)
    }
    sys.meta_path.insert(0, Hidden(names))


def run_here(pages, hides):
    """What went wrong on any of the pages, which need the same."""
    if hides:
        hide_all_but(extras_of(pages[0]))
    failures = ""
    for page in pages:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            failures += run_examples(page)
    return failures


def run_fresh(wheel, python):
    """Whether all pages are right, each in an environment with what it says that it needs."""
    all_right = True
    for extras, group in groupby(sorted(pages_with_examples(), key=extras_of), key=extras_of):
        pages = list(group)
        named = f"tamis[{','.join(extras)}]" if extras else "tamis"
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as env:
            subprocess.run([python, "-m", "venv", env], check=True)
            pip = [f"{env}/bin/pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, f"{named} @ file://{wheel}"], check=True)
            installed = time.monotonic()
            done = subprocess.run(
                [f"{env}/bin/python", __file__, "--all-there", *pages], check=False
            )
        all_right &= done.returncode == 0
        took = f"{installed - started:.0f} + {time.monotonic() - installed:.0f} s"
        names = ", ".join(str(page.relative_to(ROOT)) for page in pages)
        print(f"{named}: {'right' if done.returncode == 0 else 'WRONG'}, {took}: {names}")
    return all_right


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", metavar="PAGE", nargs="*", type=Path)
    parser.add_argument("--fresh", metavar="WHEEL", type=Path)
    parser.add_argument("--python", default=sys.executable, help="of the new environments")
    parser.add_argument("--all-there", action="store_true", help="hide nothing")
    words = parser.parse_args()
    if words.fresh:
        return 0 if run_fresh(words.fresh.resolve(), words.python) else 1
    os.environ["MPLBACKEND"] = "agg"
    failures = run_here([page.resolve() for page in words.pages], not words.all_there)
    print(failures, end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
