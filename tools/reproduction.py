#!/usr/bin/env python3
"""Repeats the published experiments and compares them with what the papers say.

`run` records results in docs/reproduction/NAME.jsonl; `write` makes docs/reproduction.md from the
records and from docs/reproduction/published.json. The program is quiet and takes one core: give the
command to `nice` where others work on the same machine.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from reproducing.experiments import NAMES, records_of
from reproducing.page import page_of
from reproducing.program import Problem, Program, data_folder

ROOT = Path(__file__).parents[1]
PAGE = Path("docs/reproduction.md")
RECORDS = Path("docs/reproduction")


def read_published(root):
    path = root / RECORDS / "published.json"
    if not path.exists():
        raise Problem(f"{RECORDS / 'published.json'} is missing")
    return json.loads(path.read_text())


def read_records(root):
    """The lines of every record, by its name."""
    return {
        path.stem: [json.loads(line) for line in path.read_text().splitlines()]
        for path in sorted((root / RECORDS).glob("*.jsonl"))
    }


def reproduction_page(root):
    """The text that the page should have."""
    return page_of(read_published(root), read_records(root))


def run(arguments):
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown:
        raise Problem(f"unknown experiment '{unknown[0]}'; there are {', '.join(NAMES)}")
    root = arguments.root
    folder = root / "build/reproduction"
    program = Program(arguments.program, folder, data_folder(root), arguments.threads)
    published = read_published(root)
    for name in arguments.names or NAMES:
        started = time.monotonic()
        text = records_of(name, program, published)
        (root / RECORDS / f"{name}.jsonl").write_text(text)
        print(f"{name}: {time.monotonic() - started:.0f} s", flush=True)
    return 0


def write(arguments):
    text, path = reproduction_page(arguments.root), arguments.root / PAGE
    if path.exists() and path.read_text() == text:
        return 0
    if arguments.check:
        print(f"{PAGE} is stale: run tools/reproduction.py write")
        return 1
    path.write_text(text)
    print(f"{PAGE} rewritten")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    commands = parser.add_subparsers(required=True)
    runs = commands.add_parser("run", help="run experiments (all, if none is named)")
    runs.add_argument("names", nargs="*", metavar="NAME")
    runs.add_argument("--program", type=Path, default=ROOT / "build/release/tamis")
    runs.add_argument("--threads", type=int, default=1)
    runs.set_defaults(action=run)
    writes = commands.add_parser("write", help="make the page from the records")
    writes.add_argument("--check", action="store_true", help="write nothing; fail if it is stale")
    writes.set_defaults(action=write)
    arguments = parser.parse_args()
    try:
        return arguments.action(arguments)
    except Problem as problem:
        sys.exit(f"reproduction.py: {problem}")


if __name__ == "__main__":
    sys.exit(main())
