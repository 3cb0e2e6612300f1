"""tamis.evaluate: the program's experiments on tables that Python holds."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars
import pytest
import tamis
from scipy import sparse
from sklearn.exceptions import FitFailedWarning

QUICK = {"runs": 3, "labels_per_class": 3, "top": "1:4"}
QUICK_WORDS = ("--runs", "3", "--labels-per-class", "3", "--top", "1:4")


def blobs(seed):
    """Three classes that the first columns tell apart; some rows have no class."""
    X, y = tamis.datasets.make_blobs(60, random_state=seed)
    y[::10] = -1
    return X, y


@pytest.fixture(scope="module")
def data():
    return {"one": blobs(1), "two": blobs(2)}


@pytest.fixture(scope="module")
def found(data):
    return tamis.evaluate(data, ["cls", "fisher_score"], **QUICK)


def untimed(text):
    """The lines of a results file without what differs from run to run."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        for name in ("command", "wall_seconds", "cpu_seconds", "peak_memory_bytes"):
            line.pop(name, None)
    return lines


def run_program(program, folder, data, *words):
    """The program on the same tables, in files without an extension: they have the same names."""
    for name, (X, y) in data.items():
        lines = [
            ",".join([*(repr(float(value)) for value in row), str(label)])
            for row, label in zip(X, y, strict=True)
        ]
        names = [f"f{column}" for column in range(X.shape[1])]
        (folder / name).write_text("\n".join([",".join([*names, "class"]), *lines]) + "\n")
    command = [program, "evaluate", *data, "-q", *QUICK_WORDS, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_results_file_is_that_of_the_program(program, data, tmp_path):
    words = ("--methods", "cls:n_neighbors=5,ens_cls", "--seed", "4", "-o", "program.jsonl")
    done = run_program(program, tmp_path, data, *words)
    assert done.returncode == 0, done.stderr
    tamis.evaluate(
        data,
        ["cls:n_neighbors=5", "ens_cls"],
        random_state=4,
        output=tmp_path / "python.jsonl",
        **QUICK,
    )
    texts = [(tmp_path / f"{name}.jsonl").read_text() for name in ("program", "python")]
    assert untimed(texts[0]) == untimed(texts[1])
    command = json.loads(texts[1].splitlines()[0])["command"]
    assert command.startswith("tamis.evaluate(data, ['cls:n_neighbors=5', 'ens_cls'], ")


def test_the_program_continues_what_python_began(program, data, tmp_path):
    file = tmp_path / "r.jsonl"
    whole = tamis.evaluate(data, "cls", output=file, **QUICK).results
    file.write_text("".join(whole.splitlines(keepends=True)[:5]))
    done = run_program(program, tmp_path, data, "--methods", "cls", "-o", "r.jsonl")
    assert done.returncode == 0, done.stderr
    assert untimed(file.read_text()) == untimed(whole)


def test_the_summary_is_that_of_the_program(program, data, found, tmp_path):
    done = run_program(program, tmp_path, data, "--methods", "cls,fisher_score", "--json")
    expected, summary = json.loads(done.stdout), found.summary()
    assert json.loads(found.to_json()) == summary
    for result in (expected, summary):
        del result["command"]
        for entry in result["summary"]:
            for method in entry["methods"]:
                del method["cpu_seconds"], method["peak_memory_bytes"]
    assert summary == expected


def test_a_frame_has_a_row_for_each_number_of_features(found):
    frame = found.to_frame()
    assert list(frame.columns) == [
        "data_set",
        "labels_per_class",
        "run",
        "method",
        "view",
        "n_features",
        "accuracy",
        "balanced_accuracy",
    ]
    assert len(frame) == 2 * 3 * 2 * (4 * 4 + 1)  # `all` has one number of features
    means = frame[(frame["view"] == "transfer") & (frame["data_set"] == "one")]
    mean = means[means["method"] == "cls"]["accuracy"].mean()
    assert mean == pytest.approx(found.summary()["summary"][0]["methods"][0]["mean"])


@pytest.mark.parametrize("kept", ["first line", "cut line", "all"])
def test_the_same_call_continues_a_file(data, found, kept, tmp_path):
    lines = found.results.splitlines(keepends=True)
    texts = {"first line": lines[0], "cut line": "".join(lines[:7]) + lines[7][:40]}
    file = tmp_path / "r.jsonl"
    file.write_text(texts.get(kept, found.results))
    resumed = tamis.evaluate(data, ["cls", "fisher_score"], output=file, n_jobs=1, **QUICK)
    assert untimed(resumed.results) == untimed(found.results)
    assert file.read_text() == resumed.results


def test_a_file_of_another_experiment_is_not_touched(data, tmp_path):
    file = tmp_path / "r.jsonl"
    tamis.evaluate(data, "cls", output=file, **QUICK)
    before = file.read_text()
    with pytest.raises(ValueError) as refusal:
        tamis.evaluate(data, "cls", output=file, random_state=1, **QUICK)
    assert str(refusal.value) == (
        f"{file}: this file holds results of another experiment: its seed is 0, not 1. Continue "
        "with what it was made with, or pass another output"
    )
    assert file.read_text() == before
    tamis.evaluate(data, "cls", output=str(file), **QUICK)


def test_tables_of_other_libraries_give_the_same_results(data):
    X, y = data["one"]
    names = [f"f{column}" for column in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    expected = untimed(tamis.evaluate((X, y), "cls", **QUICK).results)
    for same in (frame, polars.from_pandas(frame), sparse.csr_array(X)):
        result = untimed(tamis.evaluate((same, y), "cls", **QUICK).results)
        assert result[0] == expected[0]
        for one, other in zip(result[1:], expected[1:], strict=True):
            assert one["views"] == other["views"]


def test_methods_are_texts_pairs_or_selectors(data):
    for methods in (
        ["cls:cut_cannot_links=false,n_neighbors=5", "variance", "lsdf"],
        "cls:cut_cannot_links=false,n_neighbors=5,lsdf",
        [("cls", {"cut_cannot_links": False, "n_neighbors": 5}), ("lsdf", {})],
        [tamis.CLS(7, n_neighbors=5, cut_cannot_links=False, random_state=3), tamis.LSDF()],
    ):
        evaluation = tamis.evaluate(data, methods, **{**QUICK, "runs": 1})
        assert evaluation.facts["methods"] == [
            "cls:cut_cannot_links=false,n_neighbors=5",
            "lsdf",
            "variance",
            "random",
            "all",
        ]
    assert tamis.evaluate(data, tamis.CLS(), **{**QUICK, "runs": 1}).facts["methods"][0] == "cls"


def test_methods_follow_their_papers_if_asked(data):
    methods = ["cls:settings=paper", ("cls", {"settings": "paper", "bandwidth": 1}),
               tamis.CLS.paper(), "bcs:n_bags=5,settings=paper"]  # fmt: skip
    found = tamis.evaluate(data["one"], methods, **QUICK)
    options = [entry["options"] for entry in found.facts["options"]]
    assert [each["bandwidth"] for each in options[:3]] == [0.1, 1, 0.1]
    assert all(each["condense"] == "som" for each in options[:3])
    assert options[3]["vote"] is True
    means = [method["mean"] for method in found.summary()["summary"][0]["methods"]]
    assert means[0] == means[2]


def test_the_frame_tells_constraints_and_clusters(data):
    settings = {**QUICK, "top": 2, "n_constraints": (4, 8), "kmeans": True, "views": "transfer"}
    frame = tamis.evaluate(data["one"], ["constraint_score"], **settings).to_frame()
    assert sorted(frame["n_constraints"].unique()) == [4, 8]
    assert frame["kmeans_rand"].between(0, 1).all()
    assert frame["kmeans_adjusted_rand"].between(-1, 1).all()
    assert frame["kmeans_nmi"].between(0, 1).all()
    assert len(frame) == 2 * 3 * 4


def test_settings_are_texts_or_lists(data):
    evaluation = tamis.evaluate(
        data,
        ["fisher_score"],
        protocol="ens-cls-2013",
        runs=1,
        labels_per_class=(2, 4),
        top=[1, 2, "4:6"],
        classifier="nearest_neighbor",
        scaled_ranking=True,
        scaling="minmax",
    )
    settings = evaluation.facts["settings"]
    assert settings["labels_per_class"] == "2,4" and settings["top"] == "1,2,4:6"
    assert settings["scaled_ranking"] is True
    assert evaluation.facts["protocol"] == "ens-cls-2013"
    assert evaluation.runs[0]["lengths"] == [1, 2, 4, 5, 6]


LONE = (np.arange(12.0).reshape(6, 2) % 5, ["a", "a", "b", "b", "b", "c"])
PAIR = (np.arange(12.0).reshape(6, 2) % 5, ["a", "a", "a", "b", "b", "b"])
REFUSALS = [
    ((PAIR, ["clz"]), {}, ValueError, "there is no method 'clz'; did you mean 'cls'?"),
    ((PAIR, []), {}, ValueError, "methods is empty: pass some, as in ['cls', 'fisher_score']"),
    (
        (PAIR, [3]),
        {},
        TypeError,
        "methods holds 3, which is neither a text such as 'cls:n_neighbors=5', nor a pair of a "
        "name and a dict of options, nor an object with fit, nor a function",
    ),
    ((PAIR, ["cls", "cls"]), {}, ValueError, "evaluate: method 'cls' is there twice"),
    ((PAIR, ["cls"]), {"runs": 0}, ValueError, "evaluate: runs = 0 must be >= 1"),
    (
        (PAIR, ["cls"]),
        {"runs": None},
        TypeError,
        "option runs must be a bool, a number or a str, not NoneType",
    ),
    (
        (PAIR, ["cls"]),
        {"folds": 3},
        ValueError,
        "evaluate: folds has no effect without split = k_fold",
    ),
    (({}, ["cls"]), {}, ValueError, "evaluate: there is no data set"),
    (
        (PAIR[0], ["cls"]),
        {},
        TypeError,
        "data must be a pair (X, y) or a dict of names to such pairs, and it is a ndarray",
    ),
    (
        ({"iris": PAIR[0]}, ["cls"]),
        {},
        TypeError,
        "data must be a pair (X, y) or a dict of names to such pairs, and 'iris' is a ndarray",
    ),
    (
        ({"iris": (PAIR[0], None)}, ["cls"]),
        {},
        ValueError,
        "iris: y has no class, and features are judged by telling classes apart",
    ),
    (
        ({"iris": (PAIR[0], [1, 2])}, ["cls"]),
        {},
        ValueError,
        "iris: y has 2 labels, but X has 6 rows",
    ),
    (
        ({"iris": LONE}, ["cls"]),
        {},
        ValueError,
        "iris: class c has one labeled row, which cannot be both among the training and among the "
        "test rows: leave the class out or label more of its rows",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "settings", "kind", "message"), REFUSALS, ids=[each[-1] for each in REFUSALS]
)
def test_refusals(arguments, settings, kind, message):
    with pytest.raises(kind) as refusal:
        tamis.evaluate(*arguments, **settings)
    assert str(refusal.value) == message


def test_unknown_settings_and_protocols_suggest_near_ones():
    with pytest.raises(ValueError, match=r"evaluate.*'runz'.*did you mean 'runs'"):
        tamis.evaluate(PAIR, ["cls"], runz=3)
    with pytest.raises(ValueError, match=r"evaluate.*protocol.*'tamiz'"):
        tamis.evaluate(PAIR, ["cls"], protocol="tamiz")


def test_a_value_that_is_not_finite_is_named_by_data_set_and_place():
    X = PAIR[0].copy()
    X[2, 1] = np.nan
    with pytest.raises(ValueError, match=r"^iris: Input X contains NaN.*row 2, column 1"):
        tamis.evaluate({"iris": (X, PAIR[1])}, ["cls"])


def test_a_method_that_fails_is_warned_about_and_listed(data):
    call = "ens_cls:subspace_size=99"
    with pytest.warns(FitFailedWarning) as warned:
        evaluation = tamis.evaluate(data, [call], **QUICK)
    failures = evaluation.failures
    assert len(failures) == 6 and {failure["method"] for failure in failures} == {call}
    assert str(warned[-1].message) == (
        f"6 of 24 runs failed; the first: {call} on one with 3 labels per class, run 0: "
        + failures[0]["failure"]
    )
    assert "6 failed" in repr(evaluation) and "6 runs failed" in evaluation._repr_html_()
    assert set(evaluation.to_frame()["method"]) == {"variance", "random", "all"}


def test_too_few_labels_are_warned_about(data):
    with pytest.warns(UserWarning, match="^one: "):
        tamis.evaluate(data, "fisher_score", runs=1, labels_per_class=40, top="1:2")


def test_notebooks_show_names_as_text(data):
    evaluation = tamis.evaluate({"<b>": data["one"]}, "cls", **QUICK)
    shown = evaluation._repr_html_()
    assert "&lt;b&gt;" in shown and "<td><b></td>" not in shown
    assert repr(evaluation) == "<Evaluation of cls on <b>: 12 results>"


def test_an_evaluation_can_be_pickled_and_read_again(found, tmp_path):
    assert pickle.loads(pickle.dumps(found)) == found
    file = tmp_path / "r.jsonl"
    file.write_text(found.results)
    assert tamis.Evaluation.read(file) == found
    file.write_text(found.results[:-5])
    with pytest.warns(UserWarning, match="its last line is cut off"):
        assert len(tamis.Evaluation.read(file).runs) == len(found.runs) - 1


def test_an_interrupt_leaves_a_file_that_can_be_continued(tmp_path):
    code = """
import tamis
data = tamis.datasets.make_wave(1500, random_state=0)
print("ready", flush=True)
tamis.evaluate(data, ["cls", "laplacian_score"], runs=2000, output="r.jsonl")
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    child.stdout.readline()
    file = tmp_path / "r.jsonl"
    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_bytes().count(b"\n") > 10):
        assert time.monotonic() < deadline and child.poll() is None
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGINT)
    start = time.monotonic()
    _, errors = child.communicate(timeout=30)
    assert time.monotonic() - start < 5
    assert "KeyboardInterrupt" in errors
    assert file.read_text().endswith("}\n")
    assert len(tamis.Evaluation.read(file).runs) >= 10
