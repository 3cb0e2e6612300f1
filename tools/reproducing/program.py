"""Runs the program in a folder of its own, where every table is found by its plain name."""

import csv
import json
import os
import subprocess
from pathlib import Path

METHOD_FAILED = 1  # what `tamis evaluate` exits with then


class Problem(Exception):
    """Something that a person has to mend."""


def data_folder(root):
    """Where the public tables are: TAMIS_DATA, else beside the project."""
    folder = Path(os.environ.get("TAMIS_DATA", root.parent / "shared/data"))
    if not folder.is_dir():
        raise Problem(f"{folder} is missing: TAMIS_DATA should name the folder of the tables")
    return folder.resolve()


class Program:
    """The program, its working folder, and the commands that one experiment gave."""

    def __init__(self, path, folder, tables, threads=1):
        self.path, self.folder, self.tables, self.threads = path.resolve(), folder, tables, threads
        self.commands = []
        if not self.path.exists():
            raise Problem(f"{path} is missing: build it first (./quickstart)")
        folder.mkdir(parents=True, exist_ok=True)
        for table in sorted(tables.glob("*.csv")) + sorted(tables.glob("*.mat")):
            link = folder / table.name
            if not link.exists():
                link.symlink_to(table)
        self._name_columns_apart("vehicle.csv")

    def _name_columns_apart(self, name):
        """A copy of a table in which no two columns have the same name."""
        lines = (self.tables / name).read_text().splitlines()
        seen, names = {}, []
        for column in next(csv.reader(lines[:1])):
            seen[column] = seen.get(column, 0) + 1
            names.append(column if seen[column] == 1 else f"{column}_{seen[column]}")
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_text("\n".join([",".join(names), *lines[1:]]) + "\n")

    def version(self):
        return self._run(["--version"]).stdout.split()[-1]

    def note(self, command):
        """The number of a command in the record; a new one is added."""
        if command not in self.commands:
            self.commands.append(command)
        return self.commands.index(command)

    def ask(self, arguments, hidden=(), noted=None, may_fail=False):
        """What the program prints, and the number of the command in the record.

        `hidden` arguments are left out there; `noted` stands for a whole family of commands.
        `may_fail`: a method may, while others are compared.
        """
        arguments = [str(argument) for argument in arguments]
        number = self.note(noted or "tamis " + " ".join(arguments))
        hidden = [*map(str, hidden), "--quiet"]
        if arguments[0] not in ("methods", "report"):
            hidden += ["--threads", str(self.threads)]
        run = self._run([*arguments, *hidden])
        if run.returncode not in ((0, METHOD_FAILED) if may_fail else (0,)):
            raise Problem(f"tamis {' '.join(arguments)}: {run.stderr.strip()}")
        return run.stdout, number

    def ask_json(self, arguments, hidden=(), noted=None):
        """The object that the program prints with --json."""
        text, number = self.ask(arguments, (*hidden, "--json"), noted)
        return json.loads(text), number

    def _run(self, arguments):
        return subprocess.run(
            [self.path, *arguments], cwd=self.folder, capture_output=True, text=True, check=False
        )
