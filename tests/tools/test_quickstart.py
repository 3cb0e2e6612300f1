"""The first thing that a newcomer sees. Expects the release build that ./test has made."""

import json
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_ends_with_one_gene_of_each_group_first():
    shown = subprocess.run(ROOT / "quickstart", capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    commands = [line[2:] for line in shown.stdout.splitlines() if line.startswith("$ ")]
    generate, rank = (shlex.split(command) for command in commands)
    truth, ranking = (
        json.loads(subprocess.run([*command, "--json"], capture_output=True, cwd=ROOT).stdout)
        for command in (generate, rank)
    )
    best = ranking["order"][:6]
    assert sorted(truth["groups"][column] for column in best) == list(range(6))
    assert all(ranking["names"][column] in shown.stdout for column in best)
