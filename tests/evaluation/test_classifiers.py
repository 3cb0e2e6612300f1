"""Our decision tree and naive Bayes against scikit-learn's, through the program.

Expects the release build that ./test has made.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("TAMIS_PROGRAM", ROOT / "build" / "release" / "tamis")
CLASSES = np.arange(240) % 3
FIRST_HALF = np.arange(240) < 120


@pytest.fixture
def table():
    """Three classes that overlap, in columns of different scale."""
    random = np.random.default_rng(5)
    means = random.normal(size=(3, 6))
    x = (means[CLASSES] + random.normal(size=(240, 6))) * [1.0, 10.0, 0.1, 3.0, 1.0, 100.0]
    return x.astype(np.float32).astype(float)


def judged(folder, x, classifier, top):
    """Features, best first, and accuracies of the program's classifier in its second half."""
    lines = [
        ",".join([*map(repr, map(float, row)), f"c{label}"])
        for row, label in zip(x, CLASSES, strict=True)
    ]
    header = ",".join([*(f"f{r}" for r in range(x.shape[1])), "class"])
    (folder / "table.csv").write_text("\n".join([header, *lines]) + "\n")
    settings = {"split": "first_half", "scaling": "none", "views": "transfer", "runs": 1}
    settings |= {"classifier": classifier, "top": top, "labels-per-class": 5}
    words = [f"--{name}={value}" for name, value in settings.items()]
    command = [PROGRAM, "evaluate", "table.csv", "-q", "--methods", "variance", *words]
    subprocess.run([*command, "-o", "results.jsonl"], cwd=folder, capture_output=True, check=True)
    results = (folder / "results.jsonl").read_text().splitlines()[1:]
    result = next(r for r in map(json.loads, results) if r["method"] == "variance")
    return result["features"], result["views"][0]["accuracy"]


def test_naive_bayes_is_that_of_scikit_learn(tmp_path, table):
    features, accuracies = judged(tmp_path, table, "naive_bayes", "1:6")
    for length, accuracy in enumerate(accuracies, start=1):
        x = table[:, features[:length]]
        theirs = GaussianNB().fit(x[FIRST_HALF], CLASSES[FIRST_HALF])
        assert accuracy == theirs.score(x[~FIRST_HALF], CLASSES[~FIRST_HALF])


def test_a_tree_of_one_column_is_that_of_scikit_learn(tmp_path, table):
    # Of several columns that split alike, scikit-learn's takes any.
    for column in range(table.shape[1]):
        x = table[:, [column]]
        _, (accuracy,) = judged(tmp_path, x, "tree", "1")
        (tmp_path / "results.jsonl").unlink()
        theirs = DecisionTreeClassifier().fit(x[FIRST_HALF], CLASSES[FIRST_HALF])
        assert accuracy == theirs.score(x[~FIRST_HALF], CLASSES[~FIRST_HALF])


def test_a_tree_of_many_columns_is_as_good_as_that_of_scikit_learn(tmp_path, table):
    _, (accuracy,) = judged(tmp_path, table, "tree", "6")
    scores = []
    for seed in range(20):
        theirs = DecisionTreeClassifier(random_state=seed)
        theirs.fit(table[FIRST_HALF], CLASSES[FIRST_HALF])
        scores.append(theirs.score(table[~FIRST_HALF], CLASSES[~FIRST_HALF]))
    assert min(scores) - 0.02 <= accuracy <= max(scores) + 0.02
