#!/usr/bin/env python3
"""Checks that modules use only the modules that tools/layers.txt allows them.

Looks at the #include lines of include/tamis/<module> and src/<module>, which name a module's header
as "tamis/<module>/x.hpp" (for users) or "<module>/x.hpp" (for us), and at the DEPENDS of
tamis_module() in CMakeLists.txt. A header for users includes only such headers. The program and the
bindings, on top, may use everything.
"""

import argparse
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
MODULE_CALL = re.compile(r"tamis_module\(\s*(\w+)([^)]*)\)")


def read_layers(path):
    """The modules that each module may use, itself among them."""
    allowed = {}
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        module, colon, names = line.partition(":")
        if not colon:
            raise ValueError(f"layers.txt:{number}: no colon in '{line}'")
        for name in names.split():
            if name not in allowed:
                raise ValueError(f"layers.txt:{number}: {name} is not declared above {module}")
        allowed[module] = {module, *names.split()}
    return allowed


def source_files(root, module):
    for folder in (root / "include" / "tamis" / module, root / "src" / module):
        yield from sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp"))


def quoted_includes(text):
    """(line number, parts of the path) of each include in quotes."""
    for number, line in enumerate(text.splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, Path(match[1]).parts


def included_modules(text):
    """(line number, module) of each include of a module; a path with .. counts as module '..'."""
    for number, parts in quoted_includes(text):
        folders = [part for part in parts[:-1] if part != "tamis"]
        if ".." in parts:
            yield number, ".."
        elif folders:
            yield number, folders[0]


def undeclared_modules(root, allowed):
    for parent in (root / "include" / "tamis", root / "src"):
        for folder in sorted(p for p in parent.glob("*") if p.is_dir()):
            if folder.name not in allowed:
                yield f"{folder.relative_to(root)}: module {folder.name} is not in tools/layers.txt"


def wrong_includes(root, allowed):
    for module, usable in allowed.items():
        for path in source_files(root, module):
            for number, used in included_modules(path.read_text()):
                if used not in usable:
                    yield f"{path.relative_to(root)}:{number}: {module} may not include {used}"


def inner_includes(root):
    """Headers for users must not need those that are not installed."""
    for path in sorted((root / "include").rglob("*.hpp")):
        for number, parts in quoted_includes(path.read_text()):
            if parts[0] != "tamis":
                yield f"{path.relative_to(root)}:{number}: {'/'.join(parts)} is not for users"


def wrong_dependencies(root, allowed):
    for module, arguments in MODULE_CALL.findall((root / "CMakeLists.txt").read_text()):
        depends = re.search(r"DEPENDS([^A-Z)]*)", arguments)
        for used in depends[1].split() if depends else []:
            if used not in allowed.get(module, ()):
                yield f"CMakeLists.txt: {module} may not depend on {used}"


def problems(root):
    allowed = read_layers(root / "tools" / "layers.txt")
    yield from undeclared_modules(root, allowed)
    yield from wrong_includes(root, allowed)
    yield from inner_includes(root)
    yield from wrong_dependencies(root, allowed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[1])
    try:
        found = list(problems(parser.parse_args().root))
    except ValueError as error:
        found = [error]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
