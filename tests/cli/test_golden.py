"""Values of an independent reference, through the program: options map one to one to flags."""

import json
import math

import pytest
from program import ROOT, run_program

GOLDEN = ROOT / "tests" / "data" / "golden"
GREEDY = ("fcbf", "mrmr", "sbcs", "spfs")


def cases(member):
    for path in sorted(GOLDEN.glob("*.json")):
        for number, entry in enumerate(json.loads(path.read_text())[member]):
            name = f"{path.stem}-{number}-{entry['method']}"
            yield pytest.param(path.with_suffix(".csv"), entry, id=name)


def ranked(table, entry):
    flags = [
        f"--{name.replace('_', '-')}={str(value).lower()}"
        for name, value in entry["options"].items()
    ]
    return run_program("rank", table, "--method", entry["method"], *flags, "--json").json


@pytest.mark.parametrize("member", ["scores", "greedy"])
def test_there_are_golden_values(member):
    assert list(cases(member))


@pytest.mark.parametrize(
    ("table", "entry"), [case for case in cases("greedy") if case.values[1]["method"] in GREEDY]
)
def test_paths_agree_with_the_reference(table, entry):
    result = ranked(table, entry)
    assert result["better"] == "lower" and result["scores"] == entry["places"]
    assert result["path"]["features"] == entry["path"]
    assert result["path"]["criterion"] == pytest.approx(entry["criterion"], abs=1e-9)
    assert result["selected"] == entry["selected"]


@pytest.mark.parametrize(("table", "entry"), list(cases("scores")))
def test_scores_agree_with_the_reference(table, entry):
    result = ranked(table, entry)
    assert result["better"] == entry["better"]
    tolerance = 1e-6 if "condense" in entry["options"] else 1e-9
    if entry["options"].get("solver") == "nes":
        tolerance = 2e-3
    largest = max(abs(score) for score in entry["scores"] if isinstance(score, float))
    for ours, theirs in zip(result["scores"], entry["scores"], strict=True):
        if isinstance(theirs, float):
            assert math.isclose(ours, theirs, rel_tol=0, abs_tol=tolerance * largest)
        else:
            assert ours == theirs


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def traced(folder, *words):
    run_program("rank", *words, "--trace", folder / "trace.jsonl", "--json")
    return [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["plain", "integers", "nasty"])
def test_rounds_of_arom_svm_agree_with_the_reference(tmp_path, name):
    entry = golden(name)["arom_svm"]
    words = ("--method", "arom_svm", "--n-rounds", len(entry["z"]))
    events = traced(tmp_path, GOLDEN / f"{name}.csv", *map(str, words))
    rounds = [event for event in events if event["event"] == "round"]
    assert [event["round"] for event in rounds] == [1, 2, 3]
    for event, z in zip(rounds, entry["z"], strict=True):
        for ours, theirs in zip(event["z"], z, strict=True):
            assert ours is theirs or ours == pytest.approx(theirs, abs=entry["tolerance"])


@pytest.mark.parametrize("name", ["plain", "integers", "nasty"])
def test_optima_of_fs_manifold_agree_with_the_reference(tmp_path, name):
    entry = golden(name)["fs_manifold"]
    flags = [f"--{key.replace('_', '-')}={entry[key]}" for key in ("n_features", "n_neighbors")]
    flags += ["--max-iter=1000"]
    events = traced(tmp_path, GOLDEN / f"{name}.csv", "--method", "fs_manifold", *flags)
    found = {event["class"]: event for event in events if event["event"] == "task"}
    for number, theirs in enumerate(entry["tasks"]):
        ours = found[f"c{number}"]
        assert ours["objective"] == pytest.approx(theirs["objective"], rel=entry["tolerance"])
        assert sum(p for p in ours["p"] if p is not None) == pytest.approx(entry["n_features"])
