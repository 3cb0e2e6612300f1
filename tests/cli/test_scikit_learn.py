"""Methods that scikit-learn has parts of: the same numbers."""

import numpy as np
import pytest
from sklearn.svm import SVC


def labeled_table(seed, classes, rows=36, cols=8):
    """Rows with the class in column 0, if it is known; the first rows of it are."""
    rng = np.random.default_rng(seed)
    labels = np.arange(rows) % classes
    x = rng.normal(size=(rows, cols)) + 1.5 * np.sin(np.outer(labels, 1 + np.arange(cols)))
    return x, labels


def write(folder, x, labels, n_labeled):
    """A CSV file of which the first rows have a label."""
    names = ",".join(f"f{r}" for r in range(x.shape[1]))
    lines = [
        ",".join(map(repr, map(float, row))) + "," + (f"c{label}" if i < n_labeled else "")
        for i, (row, label) in enumerate(zip(x, labels, strict=True))
    ]
    (folder / "t.csv").write_text("\n".join([names + ",class", *lines]) + "\n")


def standardised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


@pytest.mark.parametrize("classes", [2, 3])
def test_arom_svm_trains_the_machines_of_scikit_learn(tamis, tmp_path, classes):
    x, labels = labeled_table(1, classes)
    write(tmp_path, x, labels, 24)
    flags = ("--n-rounds", "4", "--cost", "10", "--json")
    result = tamis("rank", "t.csv", "--method", "arom_svm", *flags).json
    known, y, z = standardised(x[:24]), labels[:24], np.ones(x.shape[1])
    for _ in range(4):
        machines = [
            SVC(kernel="linear", C=10, tol=1e-9).fit(known * z, y == c) for c in range(classes)
        ]
        z = z * sum(np.abs(machine.coef_[0]) for machine in machines)
        z /= z.max()
    assert result["scores"] == pytest.approx(4 + z, abs=1e-5)
