#!/usr/bin/env python3
"""Runs clang-tidy on every source file that is not known to be clean.

A file is known to be clean if nothing was found when it, the headers of the project that it
includes, its compiler flags, .clang-tidy and the version of clang-tidy were what they are now. This
is remembered in the user's cache folder, where other clones of the project find it too.

Needs the compile commands of Clang (cmake --preset clang), as those of GCC name its precompiled
headers.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLANG_TIDY = "clang-tidy-14"
FOLDERS = ("cli", "src")  # what users run; all else is compiled by Clang with its warnings
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
INCLUDE_FOLDER = re.compile(r"-I(\S+)")


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


def tidy_settings():
    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, text=True, check=True)
    return [version.stdout, (ROOT / ".clang-tidy").read_text()]


def find_faults(path, database):
    """What clang-tidy has to say; nothing if the file is clean."""
    command = [CLANG_TIDY, "-p", str(database), "--quiet", str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout or result.stderr


def check_all(waiting, database, jobs):
    """Checks files, given with their marks in the cache, and counts those with faults."""
    faulty = 0
    with ThreadPoolExecutor(jobs) as pool:
        faults = pool.map(lambda path: find_faults(path, database), waiting)
        for mark, text in zip(waiting.values(), faults, strict=True):
            if text:
                faulty += 1
                print(text, flush=True)
            else:
                mark.touch()
    return faulty


def marks_of(commands):
    """Where the cache remembers that a file, as it is now, is clean."""
    settings = tidy_settings()
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return {
        path: folder / fingerprint(path, command, settings, ROOT)
        for path, command in commands.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    parser.add_argument("files", nargs="*", type=Path, help="these files only (default: all)")
    arguments = parser.parse_args()

    database = ROOT / "build" / "clang"
    if not (database / "compile_commands.json").exists():
        print("lint.py: build/clang is missing; run: cmake --preset clang", file=sys.stderr)
        return 2
    commands = compile_commands(database, ROOT)
    wanted = {file.resolve() for file in arguments.files} or commands.keys()
    marks = marks_of({path: commands[path] for path in commands.keys() & wanted})
    waiting = {path: mark for path, mark in sorted(marks.items()) if not mark.exists()}
    faulty = check_all(waiting, database, arguments.jobs)
    print(f"{len(marks)} files, {len(waiting)} of them checked now, {faulty} with faults")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
