"""What users write passes type checkers in their strictest mode."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
EXAMPLES = Path(__file__).parent / "typing"


@pytest.mark.parametrize("example", EXAMPLES.glob("*.py"), ids=lambda path: path.stem)
def test_mypy_has_no_complaints(example, tmp_path):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, example]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
