"""What users write passes type checkers in their strictest mode."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
