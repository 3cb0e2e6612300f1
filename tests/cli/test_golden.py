"""Values of an independent reference, through the program: options map one to one to flags."""

import json
import math

import pytest
from program import ROOT, run_program

GOLDEN = ROOT / "tests" / "data" / "golden"


def cases():
    for path in sorted(GOLDEN.glob("*.json")):
        for number, entry in enumerate(json.loads(path.read_text())["scores"]):
            name = f"{path.stem}-{number}-{entry['method']}"
            yield pytest.param(path.with_suffix(".csv"), entry, id=name)


def test_there_are_golden_values():
    assert list(cases())


@pytest.mark.parametrize(("table", "entry"), list(cases()))
def test_scores_agree_with_the_reference(table, entry):
    flags = [
        f"--{name.replace('_', '-')}={str(value).lower()}"
        for name, value in entry["options"].items()
    ]
    result = run_program("rank", table, "--method", entry["method"], *flags, "--json").json
    assert result["better"] == entry["better"]
    tolerance = 1e-6 if "condense" in entry["options"] else 1e-9
    largest = max(abs(score) for score in entry["scores"] if isinstance(score, float))
    for ours, theirs in zip(result["scores"], entry["scores"], strict=True):
        if isinstance(theirs, float):
            assert math.isclose(ours, theirs, rel_tol=0, abs_tol=tolerance * largest)
        else:
            assert ours == theirs
