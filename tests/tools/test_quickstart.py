"""The first thing that a newcomer sees. Expects the release build that ./test has made."""

import json
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_ends_with_the_nineteen_relevant_features_of_the_wave_data_first():
    shown = subprocess.run(ROOT / "quickstart", capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    commands = [line[2:] for line in shown.stdout.splitlines() if line.startswith("$ ")]
    rank = next(command for command in commands if " rank " in command)
    again = subprocess.run(
        [*shlex.split(rank), "--json"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    ranking = json.loads(again.stdout)
    best = {ranking["names"][column] for column in ranking["order"][:19]}
    assert best == {f"F{number}" for number in range(2, 21)}
    assert all(name in shown.stdout for name in best)
