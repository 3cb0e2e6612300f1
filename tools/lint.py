#!/usr/bin/env python3
"""Runs clang-tidy on every source file that is not known to be clean.

A file is known to be clean if nothing was found when it, the headers of the project that it
includes, its compiler flags, .clang-tidy, the version of clang-tidy and those of all packages of
headers were what they are now. This is remembered in the user's cache folder, where other clones of
the project find it too, until nobody asked for a month.

Needs clang-tidy from PyPI (tools/setup test), which, unlike Debian's, passes over the headers of
others, and the compile commands of Clang (cmake --preset clang), as those of GCC name its
precompiled headers. The standard library is read once for all files, as a module.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLANG_TIDY = ".venv/lib/*/site-packages/clang_tidy/data/bin/clang-tidy"  # its script costs 0.1 s
DATABASE = ROOT / "build" / "clang"
FOLDERS = ("cli", "src")  # what users run; all else is compiled by Clang with its warnings
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
INCLUDE_FOLDER = re.compile(r"-I(\S+)")
STANDARD = re.compile(r"^#include <([a-z_]+)>", re.MULTILINE)
MONTH = 30 * 24 * 3600  # in seconds


def cache_folder():
    user_caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(user_caches) / "tamis" / "clang-tidy"


def compile_commands(database, root):
    """The compiler's command line for each source file of the project."""
    commands = {}
    for entry in json.loads((database / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(root) and path.relative_to(root).parts[0] in FOLDERS:
            commands[path] = entry["command"]
    return commands


@cache
def read(path):
    return path.read_text() if path.is_file() else None


def with_headers(path, folders):
    """The file and what it includes in quotes, directly or not: files of the project alone."""
    found, waiting = set(), [path]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        for name in INCLUDE.findall(read(file)):
            candidates = [folder / name for folder in (file.parent, *folders)]
            waiting += [candidate for candidate in candidates if read(candidate) is not None][:1]
    return sorted(found)


def fingerprint(path, command, settings, root):
    """Equal for equal checks, wherever the project lies."""
    folders = [Path(folder) for folder in INCLUDE_FOLDER.findall(command)]
    files = [(str(file), read(file)) for file in with_headers(path, folders)]
    text = json.dumps([settings, command, files]).replace(str(root), ".")
    return hashlib.sha256(text.encode()).hexdigest()


def tidy_settings(tidy):
    version = subprocess.run([tidy, "--version"], capture_output=True, text=True, check=True)
    return [version.stdout, (ROOT / ".clang-tidy").read_text(), packages_of_headers()]


def packages_of_headers():
    """What is installed of other projects' headers, with versions, where dpkg knows."""
    try:
        command = ["dpkg-query", "-W", "*-dev"]
        return subprocess.run(command, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""


def standard_modules(paths):
    """Flags by which the standard headers that the files include are one module."""
    installed = sorted(Path("/usr/include/c++").glob("*"), key=lambda path: int(path.name))
    if not installed:
        return []
    names = {name for path in paths for name in STANDARD.findall(read(path))} - {"cassert"}
    headers = [file for name in sorted(names) if (file := installed[-1] / name).is_file()]
    lines = "".join(f'  header "{file}"\n' for file in headers)
    module_map = DATABASE / "lint.modulemap"
    module_map.write_text(f"module standard [system] {{\n{lines}  export *\n}}\n")
    flags = ["-fmodules", "-fno-implicit-module-maps", f"-fmodule-map-file={module_map}"]
    return [*flags, f"-fmodules-cache-path={cache_folder() / 'modules'}"]


def find_faults(tidy, flags, path):
    """What clang-tidy has to say; nothing if the file is clean."""
    extra = [f"--extra-arg={flag}" for flag in flags]
    command = [tidy, "-p", str(DATABASE), "--quiet", *extra, str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout or result.stderr


def check_all(waiting, find, jobs):
    """Checks files, given with their marks in the cache, and counts those with faults."""
    faulty = 0
    with ThreadPoolExecutor(jobs) as pool:
        for mark, text in zip(waiting.values(), pool.map(find, waiting), strict=True):
            if text:
                faulty += 1
                print(text, flush=True)
            else:
                mark.touch()
    return faulty


def marks_of(commands, settings):
    """Where the cache remembers that a file, as it is now, is clean."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return {
        path: folder / fingerprint(path, command, settings, ROOT)
        for path, command in commands.items()
    }


def without_known(marks):
    """The files that are not known to be clean; marks that nobody needs any more go."""
    waiting = {path: mark for path, mark in sorted(marks.items()) if not mark.exists()}
    for mark in set(marks.values()) - set(waiting.values()):
        mark.touch()
    for mark in cache_folder().iterdir():
        if mark.is_file() and mark.stat().st_mtime < time.time() - MONTH:
            mark.unlink(missing_ok=True)
    return waiting


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    parser.add_argument("files", nargs="*", type=Path, help="these files only (default: all)")
    arguments = parser.parse_args()

    tidy = next(ROOT.glob(CLANG_TIDY), None)
    if tidy is None:
        print("lint.py: clang-tidy is missing; run: tools/setup test", file=sys.stderr)
        return 2
    if not (DATABASE / "compile_commands.json").exists():
        print("lint.py: build/clang is missing; run: cmake --preset clang", file=sys.stderr)
        return 2
    all_commands = compile_commands(DATABASE, ROOT)
    wanted = {file.resolve() for file in arguments.files} or all_commands.keys()
    commands = {path: all_commands[path] for path in all_commands.keys() & wanted}
    marks = marks_of(commands, tidy_settings(tidy))
    waiting = without_known(marks)
    flags = ["-w", *standard_modules(all_commands)]  # the compiler itself warns
    faulty = check_all(waiting, lambda path: find_faults(tidy, flags, path), arguments.jobs)
    print(f"{len(marks)} files, {len(waiting)} of them checked now, {faulty} with faults")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
