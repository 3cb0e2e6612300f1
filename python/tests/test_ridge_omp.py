"""Our default against its formulas in NumPy, which share no code with the library."""

import numpy as np
import pytest
import tamis
from naive_ridge_omp import ridge_omp
from scipy import sparse


def table(seed, rows, columns, kind="numbers"):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns)) @ (
        np.eye(columns) + rng.normal(size=(columns, columns)) / 4
    )
    if kind == "counts":
        return np.floor(np.maximum(x - 0.5, 0) * 2)
    if kind == "few values":
        return np.round(x)
    return x


def few_labels(seed, rows, classes, of_each):
    labels = np.full(rows, -1)
    known = np.random.default_rng(seed).permutation(rows)[: classes * of_each]
    labels[known] = np.arange(len(known)) % classes
    return labels


def order(x, y=None, pairs=None, **options):
    ranking = tamis.rank(x, y, method="ridge_omp", constraints=pairs, fdr=1, **options)
    return ranking.order.tolist()


def same(found, expected, n_greedy):
    """The greedy choices are alike; what follows by its first gain may differ where it ties."""
    assert found[:n_greedy] == [int(column) for column in expected[:n_greedy]]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("kind", ["numbers", "counts", "few values"])
@pytest.mark.parametrize(("rows", "columns"), [(30, 12), (25, 60), (120, 90)])
@pytest.mark.parametrize("seed", range(3))
def test_labels(seed, rows, columns, kind):
    x = table(seed, rows, columns, kind)
    y = few_labels(seed, rows, classes=3, of_each=3)
    expected = ridge_omp(x, y, n_greedy=10)
    same(order(x, y, n_greedy=10), expected, 10)
    same(order(sparse.csr_array(x), y, n_greedy=10), expected, 10)


@pytest.mark.parametrize("seed", range(3))
def test_one_label_of_each_class(seed):
    x, y = table(seed, 40, 20), few_labels(seed, 40, classes=4, of_each=1)
    same(order(x, y), ridge_omp(x, y), 20)


def test_all_labels():
    x = table(5, 60, 25)
    y = np.arange(60) % 3
    same(order(x, y), ridge_omp(x, y), 25)


@pytest.mark.filterwarnings("ignore:ridge_omp got neither")
@pytest.mark.parametrize("seed", range(3))
def test_no_supervision(seed):
    x = table(seed, 50, 30)
    same(order(x, n_greedy=12), ridge_omp(x, n_greedy=12), 12)


@pytest.mark.parametrize(
    ("must_link", "cannot_link"),
    [
        ([(0, 1), (2, 3), (4, 5)], [(0, 2), (3, 5)]),
        ([(0, 1), (2, 9)], []),
        ([], [(0, 1), (1, 2), (7, 11)]),
    ],
    ids=["both", "must-links", "cannot-links"],
)
def test_pairs(must_link, cannot_link):
    x = table(8, 45, 22)
    found = order(x, pairs=tamis.Constraints.by_row(must_link, cannot_link, n_rows=45), n_greedy=12)
    same(found, ridge_omp(x, None, must_link, cannot_link, n_greedy=12), 12)


@pytest.mark.filterwarnings("ignore:ridge_omp")
def test_one_class_is_must_linked():
    x = table(9, 40, 15)
    y = np.where(np.arange(40) < 3, 2, -1)
    same(order(x, y, n_greedy=8), ridge_omp(x, None, [(0, 1), (0, 2), (1, 2)], n_greedy=8), 8)


def test_constant_columns_are_last():
    x = table(10, 30, 8)
    x[:, [2, 5]] = 4.0
    y = few_labels(10, 30, classes=2, of_each=3)
    found = order(x, y)
    assert found[-2:] == [2, 5]
    same(found, ridge_omp(x, y), 6)


def test_three_rows():
    x = table(11, 3, 6)
    y = np.array([0, 1, -1])
    assert order(x, y)[0] == ridge_omp(x, y)[0]


def test_increasing_transforms_and_other_orders_of_rows_change_nothing():
    x, y = table(12, 60, 20), few_labels(12, 60, classes=2, of_each=4)
    expected = order(x, y)
    bent = x.copy()
    bent[:, ::2] = np.exp(bent[:, ::2])
    bent[:, 1::2] = bent[:, 1::2] ** 3
    assert order(bent, y) == expected
    shuffled = np.random.default_rng(0).permutation(60)
    assert order(x[shuffled], y[shuffled]) == expected


def test_pairs_that_contradict_labels_are_refused():
    x, y = table(13, 20, 5), np.array([0, 1] + [-1] * 18)
    with pytest.raises(ValueError, match="0"):
        order(x, y, tamis.Constraints.by_row([(0, 1)], n_rows=20))
