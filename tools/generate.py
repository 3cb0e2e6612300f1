#!/usr/bin/env python3
"""Rewrites what the documentation takes from the program: option tables and the table of methods.

Generated text stands between <!-- options --> and <!-- /options --> on the page of a method, and
between <!-- methods --> and <!-- /methods --> in README.md and docs/methods/README.md.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Problem(Exception):
    """Something that a person has to mend."""


def ask(program, *arguments):
    """What the program prints."""
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Problem(f"{program} is missing: build it first (./quickstart)") from None
    if run.returncode != 0:
        raise Problem(f"tamis {' '.join(arguments)}: {run.stderr.strip()}")
    return run.stdout


def method_table(methods, folder):
    rows = ["| Method | What it is | Kind | Needs |", "|---|---|---|---|"]
    for method in methods:
        link = f"[`{method['name']}`]({folder}{method['name']}.md)"
        rows.append(f"| {link} | {method['title']} | {method['kind']} | {method['needs']} |")
    return "\n".join(rows) + "\n"


def replaced(path, root, name, content):
    """The text of the page with new content between its marks."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    if not path.exists():
        raise Problem(f"{path.relative_to(root)} is missing")
    text = path.read_text()
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise Problem(f"{path.relative_to(root)} needs {begin.strip()} and {end}, each once")
    before, after = text.split(begin)[0], text.split(end)[1]
    return before + begin + content + end + after


def generated_pages(root, program):
    """The text that each page should have, by path."""
    methods = json.loads(ask(program, "methods", "--json"))["methods"]
    pages = {}
    for path, folder in (
        (root / "README.md", "docs/methods/"),
        (root / "docs/methods/README.md", ""),
    ):
        pages[path] = replaced(path, root, "methods", method_table(methods, folder))
    for name in (method["name"] for method in methods):
        path = root / "docs/methods" / f"{name}.md"
        pages[path] = replaced(path, root, "options", ask(program, "methods", name, "--markdown"))
    return pages


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a page is stale"
    )
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    parser.add_argument("--root", type=Path, default=ROOT)
    arguments = parser.parse_args()
    try:
        pages = generated_pages(arguments.root, arguments.program)
    except Problem as problem:
        sys.exit(f"generate.py: {problem}")
    stale = [path for path, text in pages.items() if path.read_text() != text]
    for path in stale:
        if not arguments.check:
            path.write_text(pages[path])
        state = "is stale: run tools/generate.py" if arguments.check else "rewritten"
        print(f"{path.relative_to(arguments.root)} {state}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
