"""tools/setup on a pretended system: lists of its own, and stand-ins for the commands it calls."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class System:
    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "log"
        (folder / "bin").mkdir()
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/setup", folder / "tools")
        (folder / "tools/packages.txt").write_text(
            "# what is needed\nbuild cmake\nbuild libfmt-dev  # text\ntest shellcheck\n"
        )
        (folder / "tools/requirements.txt").write_text("numpy==2.4.6\n")
        (folder / "tests/browser/node_modules").mkdir(parents=True)
        (folder / "tests/browser/package-lock.json").write_text("{}\n")
        self.command("apt-get", f'echo "apt-get $*" >> {self.log}')
        create = f"mkdir -p .venv/bin; cp -n {folder}/bin/python3 .venv/bin/python"
        self.command("python3", f'echo "python3 $*" >> {self.log}; {create}')
        self.command("npm", f'echo "npm $*" >> {self.log}')
        self.has_packages("cmake")
        self.user_id(0)

    def command(self, name, body):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def has_packages(self, *packages):
        pattern = "|".join(packages)
        self.command(
            "dpkg-query", f'for p; do :; done; case "$p" in {pattern}) printf installed;; esac'
        )

    def user_id(self, number):
        self.command("id", f"echo {number}")

    def setup(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        self.log.write_text("")
        return subprocess.run(
            [self.folder / "tools/setup", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )

    def done(self):
        return self.log.read_text().splitlines()


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_installs_the_missing_packages_as_root(system):
    run = system.setup("build")
    assert run.returncode == 0, run.stderr
    assert system.done() == [
        "apt-get update -qq",
        "apt-get install -y -qq --no-install-recommends libfmt-dev",
    ]


def test_prints_the_one_command_to_run_without_root(system):
    system.user_id(1000)
    run = system.setup("test")
    assert run.returncode == 2
    assert "  sudo apt-get update && sudo apt-get install -y libfmt-dev shellcheck\n" in run.stderr
    assert system.done() == []


def test_does_nothing_when_nothing_is_missing(system):
    system.has_packages("cmake", "libfmt-dev")
    run = system.setup("build")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert system.done() == []


def test_installs_python_packages_only_when_their_list_changed(system):
    system.has_packages("cmake", "libfmt-dev", "shellcheck")
    assert system.setup("test").returncode == 0
    assert any("pip install" in line and "--require-hashes" in line for line in system.done())
    assert system.setup("test").returncode == 0
    assert system.done() == []
    (system.folder / "tools/requirements.txt").write_text("numpy==2.5.0\n")
    assert system.setup("test").returncode == 0
    assert any("pip install" in line for line in system.done())


def test_installs_node_packages_only_when_their_list_changed(system):
    system.has_packages("cmake", "libfmt-dev", "shellcheck")
    assert system.setup("test").returncode == 0
    assert any(line.startswith("npm ci --prefix tests/browser") for line in system.done())
    assert system.setup("test").returncode == 0
    assert system.done() == []
    (system.folder / "tests/browser/package-lock.json").write_text('{"new": true}\n')
    assert system.setup("test").returncode == 0
    assert any(line.startswith("npm ci") for line in system.done())


def test_takes_the_npm_that_another_package_brought(system):
    (system.folder / "tools/packages.txt").write_text("test npm\n")
    assert system.setup("test").returncode == 0
    assert not any(line.startswith("apt-get") for line in system.done())


def test_refuses_an_unknown_purpose(system):
    run = system.setup("everything")
    assert (run.returncode, run.stderr) == (2, "usage: tools/setup build|test\n")
