"""What users write passes type checkers in their strictest mode."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from examples import pages_with_examples, sources_of  # noqa: E402

# Packages without types, which examples use beside ours.
UNTYPED = (
    "--disable-error-code=import-untyped",
    "--untyped-calls-exclude=dask",
    "--untyped-calls-exclude=distributed",
)
# What pyright says of these, or of examples that show values and change what they have.
OF_EXAMPLES = (
    "reportConstantRedefinition",
    "reportMissingTypeStubs",
    "reportPossiblyUnboundVariable",
    "reportUnknownArgumentType",
    "reportUnknownMemberType",
    "reportUnknownParameterType",
    "reportUnknownVariableType",
    "reportUnusedExpression",
)
# Every estimator is one of scikit-learn's, which has no types.
OF_SCIKIT_LEARN = ("Type of base class", "Type of metaclass")
EXAMPLES = sorted((Path(__file__).parent / "typing").glob("*.py"))
PYRIGHT = ROOT / "tests/browser/node_modules/pyright/index.js"

needs_pyright = pytest.mark.skipif(not PYRIGHT.exists(), reason="tools/setup test installs pyright")
every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


def check_passes(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@every_example
def test_mypy_has_no_complaints(example, tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, example]
    check_passes(command, tmp_path)


def check_by_pyright(folder, **settings):
    """How many files of a folder it looked at, if it has no complaints."""
    settings = {"include": ["*.py"], "typeCheckingMode": "strict", **settings}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["node", PYRIGHT, "--project", folder, "--pythonpath", sys.executable]
    said = check_passes([*command, "--outputjson"], folder)
    return json.loads(said)["summary"]["filesAnalyzed"]


@needs_pyright
@every_example
def test_pyright_has_no_complaints(example, tmp_path):
    shutil.copy(example, tmp_path)
    assert check_by_pyright(tmp_path) == 1


@pytest.fixture
def pages(tmp_path):
    """The examples of all pages, as most of the time is for reading other packages."""
    files = []
    for number, page in enumerate(pages_with_examples()):
        files.append(tmp_path / f"page{number}_{page.stem.lower()}.py")
        files[-1].write_text(sources_of(page))
    return files


def test_mypy_has_no_complaints_about_pages(pages, tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    check_passes([*command, *UNTYPED, *pages], tmp_path)


@needs_pyright
def test_pyright_has_no_complaints_about_pages(pages, tmp_path):
    """What it guesses of packages without types is not asked for."""
    ignored = dict.fromkeys((*OF_EXAMPLES, "useLibraryCodeForTypes"), False)
    assert check_by_pyright(tmp_path, **ignored) == len(pages)


@needs_pyright
def test_all_public_names_have_types(tmp_path):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["node", PYRIGHT, "--verifytypes", "tamis", "--ignoreexternal", "--outputjson"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    assert any(symbol["name"] == "tamis.CLS" for symbol in symbols)
    unknown = {
        f"{symbol['name']}: {each['message']}"
        for symbol in symbols
        if not symbol["isTypeKnown"]
        for each in symbol["diagnostics"]
        if not each["message"].startswith(OF_SCIKIT_LEARN)
    }
    assert unknown == set()
