#!/usr/bin/env python3
"""Writes into lists of Python packages the hashes of the files that pip may install.

tools/lock.py FILE...   asks PyPI for the files of every package==version in each list and rewrites
                        it; to update a package, change its version and run this

Lists are installed with --require-hashes, so that nothing but these very files gets in. They hold
the hashes of source archives, and of wheels for CPython 3.11 to 3.14 on Linux or on any machine.
"""

import argparse
import re
import sys
import urllib.request
from pathlib import Path

INDEX = "https://pypi.org/simple"
PACKAGE = re.compile(r"^([A-Za-z0-9._-]+)==([^\s\\;]+)")
LINK = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')
WHEEL = re.compile(
    r"-(?:(?:py2\.)?py3-none-any"
    r"|(?:cp311-cp311|cp312-cp312|cp313-cp313|cp314-cp314|cp3\d+-abi3|(?:py2\.)?py3-none)"
    r"-[^-]*manylinux[^-]*_(?:x86_64|aarch64))\.whl$"
)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def is_file_of(file, name, version):
    """Whether it is a source archive or a fitting wheel of that version."""
    stem = re.sub(r"\.(tar\.gz|zip)$", "", file)
    if stem != file:
        found, _, its_version = stem.rpartition("-")
        return normal(found) == normal(name) and its_version == version
    parts = file.split("-")
    return normal(parts[0]) == normal(name) and parts[1] == version and WHEEL.search(file)


def hashes_in(page, name, version):
    files = {file: digest for file, digest in LINK.findall(page) if is_file_of(file, name, version)}
    return sorted(files.values())


def fetch(name):
    with urllib.request.urlopen(f"{INDEX}/{normal(name)}/", timeout=60) as answer:
        return answer.read().decode()


def locked(text, fetch_page=fetch):
    """The list with the hashes of today in place of those it had."""
    lines = []
    for line in text.splitlines():
        package = PACKAGE.match(line)
        if package is None:
            if not line.lstrip().startswith("--hash="):
                lines.append(line)
            continue
        hashes = hashes_in(fetch_page(package[1]), package[1], package[2])
        if not hashes:
            sys.exit(f"tools/lock.py: {INDEX} has no files of {package[0]}")
        pieces = [package[0], *(f"    --hash=sha256:{digest}" for digest in hashes)]
        lines += " \\\n".join(pieces).splitlines()
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    for file in parser.parse_args().files:
        file.write_text(locked(file.read_text()))


if __name__ == "__main__":
    main()
