"""What users write passes type checkers in their strictest mode."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from examples import pages_with_examples, sources_of  # noqa: E402

# What concerns the author of an example, or packages without types, rather than us.
OF_EXAMPLES = ("import-untyped", "index", "no-untyped-call", "no-untyped-def", "var-annotated")
EXAMPLES = sorted((Path(__file__).parent / "typing").glob("*.py"))
PYRIGHT = ROOT / "tests/browser/node_modules/pyright/index.js"

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


@pytest.mark.skipif(not PYRIGHT.exists(), reason="tools/setup test installs pyright")
@every_example
def test_pyright_has_no_complaints(example, tmp_path):
    shutil.copy(example, tmp_path)
    settings = {"include": [example.name], "typeCheckingMode": "strict"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["node", PYRIGHT, "--project", tmp_path, "--pythonpath", sys.executable]
    said = check_passes([*command, "--outputjson"], tmp_path)
    assert json.loads(said)["summary"]["filesAnalyzed"] == 1


def test_mypy_has_no_complaints_about_pages(tmp_path):
    """All at once, as most of its time is for reading other packages."""
    pytest.importorskip("mypy")
    for number, page in enumerate(pages_with_examples()):
        (tmp_path / f"page{number}_{page.stem.lower()}.py").write_text(sources_of(page))
    ignored = [f"--disable-error-code={code}" for code in OF_EXAMPLES]
    files = sorted(path.name for path in tmp_path.glob("page*.py"))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    check_passes([*command, *ignored, *files], tmp_path)
