#!/usr/bin/env python3
"""Rewrites what is taken from the program and from records: tables, pages, Python estimators.

Generated text stands between <!-- options --> and <!-- /options --> on the page of a method,
between <!-- methods --> and <!-- /methods --> in README.md and docs/methods/README.md, and between
<!-- options NAME --> and <!-- /options NAME --> in docs/clustering.md for each clustering that has
no page among the methods, and likewise in docs/projections.md. docs/python/README.md has the tables
of estimators, of clusterings and of projections in the same way, docs/benchmark.md and
docs/choosing.md those of what was recorded, docs/speed.md that of what bench/run measured,
docs/cpp.md an example and what headers declare;
include/tamis/tamis.hpp includes the header of every method and projection;
python/tamis/_estimators.py, _clusterings.py, _projections.py and docs/reproduction.md are written
as a whole.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from benchmark import benchmark_pages
from estimators import (
    clustering_table,
    clusterings_module,
    estimator_table,
    estimators_module,
    projection_table,
    projections_module,
)
from headers import example, header_table, with_everything
from reproducing.program import Problem
from reproduction import PAGE, reproduction_page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import history  # noqa: E402


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


def chance_sentence(methods):
    drawing = ", ".join(f"`{method['name']}`" for method in methods if method["draws"])
    return (
        f"Chance decides something, by the seed, in {drawing or 'none of them'}. The others rank "
        "the same for any seed, unless bagged or diversified.\n"
    )


def option_table(options):
    rows = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in options:
        cells = (f"`{option['name']}`", option["values"], option["default"], option["help"])
        rows.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def replaced(path, root, contents):
    """The text of the page with new content between its marks, by their names."""
    if not path.exists():
        raise Problem(f"{path.relative_to(root)} is missing")
    text = path.read_text()
    for name, content in contents.items():
        text = replaced_in(text, path.relative_to(root), name, content)
    return text


def replaced_in(text, page, name, content):
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise Problem(f"{page} needs {begin.strip()} and {end}, each once")
    before, after = text.split(begin)[0], text.split(end)[1]
    return before + begin + content + end + after


def generated_pages(root, program):
    """The text that each page should have, by path."""
    known = json.loads(ask(program, "methods", "--json"))
    methods, clusterings = known["methods"], known["clusterings"]
    projections = known["projections"]
    pages = {}
    path = root / "README.md"
    pages[path] = replaced(path, root, {"methods": method_table(methods, "docs/methods/")})
    path = root / "docs/methods/README.md"
    contents = {"methods": method_table(methods, ""), "chance": chance_sentence(methods)}
    pages[path] = replaced(path, root, contents)
    names = [method["name"] for method in methods]
    for name in names:
        path = root / "docs/methods" / f"{name}.md"
        table = ask(program, "methods", name, "--markdown")
        pages[path] = replaced(path, root, {"options": table})
    path = root / "docs/clustering.md"
    tables = {
        f"options {clustering['name']}": option_table(clustering["options"])
        for clustering in clusterings
        if clustering["name"] not in names
    }
    pages[path] = replaced(path, root, tables)
    path = root / "docs/projections.md"
    tables = {f"options {each['name']}": option_table(each["options"]) for each in projections}
    pages[path] = replaced(path, root, tables)
    path = root / "docs/python/README.md"
    tables = {
        "estimators": estimator_table(methods),
        "clusterings": clustering_table(clusterings, methods),
        "projections": projection_table(projections),
    }
    pages[path] = replaced(path, root, tables)
    pages[root / "python/tamis/_estimators.py"] = estimators_module(methods)
    pages[root / "python/tamis/_clusterings.py"] = clusterings_module(clusterings)
    pages[root / "python/tamis/_projections.py"] = projections_module(projections)
    pages[root / PAGE] = reproduction_page(root)
    path = root / "include/tamis/tamis.hpp"
    registered = {"methods": methods, "projections": projections}
    pages[path] = with_everything(path.read_text(), registered)
    path = root / "docs/cpp.md"
    pages[path] = replaced(path, root, {"example": example(root), "headers": header_table(root)})
    path = root / "docs/speed.md"
    measured = history.read(root / "bench/history.jsonl")
    pages[path] = replaced(path, root, {"ratios": history.table(measured)})
    if (root / "docs/benchmark").exists():
        pages |= benchmark_pages(root, lambda *words: ask(program, *words), replaced)
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
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if not arguments.check:
            path.write_text(pages[path])
        state = "is stale: run tools/generate.py" if arguments.check else "rewritten"
        print(f"{path.relative_to(arguments.root)} {state}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
