"""Methods that scikit-learn has parts of: the same numbers."""

import numpy as np
import pytest
from sklearn.linear_model import MultiTaskLasso, lars_path
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


def unit_columns(x):
    centred = x - x.mean(axis=0)
    return centred / np.linalg.norm(centred, axis=0)


def class_targets(labels):
    """Y with YY' = the doubly centred similarities of rows of one class."""
    same = (labels[:, None] == labels) / np.bincount(labels)[labels]
    centre = np.eye(len(labels)) - 1 / len(labels)
    values, vectors = np.linalg.eigh(centre @ same @ centre)
    kept = values > 1e-10 * values.max()
    return vectors[:, kept] * np.sqrt(values[kept])


def test_spfs_of_two_classes_is_least_angle_regression(tamis, tmp_path):
    x, labels = labeled_table(2, 2)
    write(tmp_path, x, labels, 30)
    flags = ("--method", "spfs", "--solver", "lar", "--json")
    path = tamis("rank", "t.csv", *flags).json["path"]
    target = class_targets(labels[:30])
    assert target.shape[1] == 1
    alphas, active, _ = lars_path(unit_columns(x[:30]), target[:, 0], method="lar")
    assert path["features"] == list(active)
    assert path["criterion"] == pytest.approx(30 * alphas[: len(active)], abs=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("regularization", [0.1, 0.5])
def test_spfs_nes_is_a_lasso_of_several_tasks(tamis, tmp_path, classes, regularization):
    x, labels = labeled_table(3, classes)
    write(tmp_path, x, labels, 32)
    flags = ("--solver", "nes", "--regularization", str(regularization), "--json")
    result = tamis("rank", "t.csv", "--method", "spfs", *flags).json
    f, y = unit_columns(x[:32]), class_targets(labels[:32])
    penalty = regularization * np.linalg.norm(f.T @ y, axis=1).max()
    lasso = MultiTaskLasso(alpha=penalty / 32, fit_intercept=False, tol=1e-10, max_iter=100000)
    norms = np.linalg.norm(lasso.fit(f, y).coef_, axis=0)
    assert result["diagnostics"]["figures"]["lambda"] == pytest.approx(penalty)
    assert np.maximum(result["scores"], 0) == pytest.approx(norms, abs=2e-4)
