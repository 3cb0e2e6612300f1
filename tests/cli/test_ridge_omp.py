"""ridge_omp through the program, against a plain NumPy version on random problems."""

import numpy as np
import pytest
from program import csv_text


def ranks(column):
    _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return ((last - counts + 1 + last) / 2)[inverse]


def levels(column):
    """The level, of 4,095, of each average rank."""
    centred = 2 * ranks(column) - 1 - len(column)
    return np.sign(centred) * np.floor(4095 * np.abs(centred) / (2 * len(column)) + 0.5)


def unit_rows(target):
    if not target.size:
        return target
    return target / np.sqrt((target**2).sum(axis=1).mean())


class NumpyRidgeOmp:
    """The formulas of the method's page up to the choice among all columns."""

    def __init__(self, x, has_levels=False):
        self.has_levels = has_levels
        z = np.apply_along_axis(levels if has_levels else ranks, 0, x)
        z -= z.mean(axis=0)
        self.varies = x.max(axis=0) > x.min(axis=0)
        self.z = z / np.where(self.varies, z.std(axis=0), 1)
        self.g = np.abs(self.z - np.median(self.z, axis=0)).mean(axis=0) ** 2

    def ridge(self, rows, y):
        centred = self.z - self.z[rows].mean(axis=0)
        kernel = (centred[rows] * self.g) @ centred[rows].T
        kernel += 0.3 * np.trace(kernel) / len(rows) * np.eye(len(rows))
        spread = (centred * self.g) @ centred[rows].T @ np.linalg.solve(kernel, y)
        return spread - spread.mean(axis=0)

    def components(self):
        left, singular, _ = np.linalg.svd(self.z * np.sqrt(self.g), full_matrices=False)
        return unit_rows((left * singular)[:, :10])

    def from_labels(self, labels):
        rows = np.flatnonzero(labels >= 0)
        one_hot = (labels[rows, None] == np.unique(labels[rows])).astype(float)
        n_labels, n_classes = one_hot.shape
        sizes = one_hot.sum(axis=0)
        y = one_hot * (n_labels / n_classes) / sizes
        scores = self.ridge(rows, y - y.mean(axis=0))
        shares = np.exp(4 * scores / scores.std(axis=0))
        shares /= shares.sum(axis=1, keepdims=True)
        if self.has_levels:
            shares = np.round(shares * 2**20) / 2**20
        mean = shares.mean(axis=0)
        target = unit_rows((shares - mean) / np.sqrt(mean))
        z = self.z[rows]
        means = (one_hot.T @ z) / sizes[:, None]
        between = sizes @ (means - z.mean(axis=0)) ** 2
        within = ((z - one_hot @ means) ** 2).sum(axis=0)
        free = n_labels - n_classes
        denominator = self.g @ within / free if free else self.g.sum()
        ratio = self.g @ between / (n_classes - 1) / denominator
        return target, np.clip(1 - 1 / ratio, 0, 1), between / n_labels

    def from_pairs(self, must, cannot):
        rows = np.unique(np.array([*must, *cannot]))
        links = np.eye(len(rows))
        for pairs, value in ((must, 1), (cannot, -1)):
            for pair in pairs:
                a, b = np.searchsorted(rows, pair)
                links[a, b] = links[b, a] = value
        links -= links.mean(axis=0)
        links -= links.mean(axis=1, keepdims=True)
        values, vectors = np.linalg.eigh((links + links.T) / 2)
        positive = values > 1e-9
        target = self.ridge(rows, vectors[:, positive] * np.sqrt(values[positive]))

        def half_mean(pairs):
            squares = [(self.z[a] - self.z[b]) ** 2 for a, b in pairs]
            return np.mean(squares, axis=0) / 2 if pairs else np.ones(len(self.g))

        together, apart = half_mean(must), half_mean(cannot)
        reliability = np.clip(1 - self.g @ together / (self.g @ apart), 0, 1)
        return unit_rows(target), reliability, apart / (1 + together)

    def order(self, known=None, n_greedy=50):
        return self.choices(known, n_greedy)[0]

    def choices(self, known=None, n_greedy=50):
        """All columns, best first, and the gains of those that were chosen one by one."""
        target, weights, nugget = self.components(), self.g, 0
        if known and known[0].size:  # one must-link says nothing
            spread, reliability, merit = known
            share = (1 + reliability) / 2
            target = np.hstack([np.sqrt(share) * spread, np.sqrt(1 - share) * target])
            mean = (self.g * merit).sum() / self.g.sum()
            weights = self.g * np.sqrt(reliability * merit + (1 - reliability) * mean)
            nugget = 1
        products = self.z.T @ target / np.sqrt(len(self.z))
        covariance = self.z.T @ self.z / len(self.z)
        first = weights * (products**2).sum(axis=1)
        chosen, gained = [], []
        while len(chosen) < n_greedy:
            readings = covariance[np.ix_(chosen, chosen)] + nugget * np.eye(len(chosen))
            shares = np.linalg.solve(readings, covariance[chosen])
            left = np.diag(covariance) - (shares * covariance[chosen]).sum(axis=0)
            free = left > 1e-6
            free[chosen] = False
            told = products - shares.T @ products[chosen]
            gains = np.where(free, weights * (told**2).sum(axis=1) / (left + nugget + ~free), 0)
            if gains.max() <= 1e-12 * first.max():
                break
            chosen.append(int(np.argmax(gains)))
            gained.append(gains.max())
        rest = [int(r) for r in np.argsort(-first, kind="stable") if r not in chosen]
        varying = [r for r in rest if self.varies[r]]
        return chosen + varying + [r for r in rest if not self.varies[r]], gained


def random_problem(seed):
    """A table with classes in it, a constant column and one of few values; some labels."""
    rng = np.random.default_rng(seed)
    rows, cols = int(rng.integers(20, 120)), int(rng.integers(5, 90))
    classes = rng.integers(0, 3, rows)
    x = rng.standard_normal((rows, cols)) + classes[:, None] * rng.standard_normal(cols) * 0.7
    x[:, 2] = 0.1
    x[:, 3] = np.round(x[:, 3])
    labels = np.full(rows, -1)
    for c in range(3):
        members = np.flatnonzero(classes == c)[: int(rng.integers(1, 6))]
        labels[members] = c
    return x, labels


def ranked(tamis, write, x, labels=None, *flags):
    texts = None if labels is None else ["" if c < 0 else f"c{c}" for c in labels]
    path = write("table.csv", csv_text(x, texts))
    return tamis("rank", path, "--method", "ridge_omp", "--fdr", "1", *flags, "--json").json


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_numpy_on_labels(tamis, write, seed):
    x, labels = random_problem(seed)
    expected = NumpyRidgeOmp(x)
    result = ranked(tamis, write, x, labels, "--n-greedy", "12")
    assert result["better"] == "higher"
    assert result["order"] == expected.order(expected.from_labels(labels), n_greedy=12)
    assert result["scores"][2] is None


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_numpy_on_levels(tamis, write, seed):
    x, labels = random_problem(seed)
    expected = NumpyRidgeOmp(x, has_levels=True)
    order, gains = expected.choices(expected.from_labels(labels), n_greedy=12)
    result = ranked(tamis, write, x, labels, "--n-greedy", "12", "--ranks", "levels")
    assert result["order"] == order
    scores = np.array([result["scores"][column] for column in order[: len(gains)]])
    assert np.abs(scores - gains).max() < 1e-9 * max(gains)


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_numpy_without_supervision(tamis, write, seed):
    x, _ = random_problem(seed)
    assert ranked(tamis, write, x)["order"] == NumpyRidgeOmp(x).order()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kinds", ["must", "cannot", "both"])
def test_agrees_with_numpy_on_pairs(tamis, write, seed, kinds):
    x, labels = random_problem(seed)
    rows = np.flatnonzero(labels >= 0)
    pairs = [(int(a), int(b)) for a, b in zip(rows, np.roll(rows, 1), strict=True)]
    must = [p for p in pairs if labels[p[0]] == labels[p[1]] and kinds != "cannot"]
    cannot = [p for p in pairs if labels[p[0]] != labels[p[1]] and kinds != "must"]
    if not must and not cannot:
        pytest.skip("no such pair among these labels")
    lines = [f"{a},{b},must" for a, b in must] + [f"{a},{b},cannot" for a, b in cannot]
    file = write("pairs.csv", "\n".join(["a,b,kind", *lines]) + "\n")
    expected = NumpyRidgeOmp(x)
    result = ranked(tamis, write, x, None, "--constraints", file)
    assert result["order"] == expected.order(expected.from_pairs(must, cannot))


def test_first_features_do_not_depend_on_how_many_are_asked(tamis, write):
    x, labels = random_problem(3)
    few, many = (ranked(tamis, write, x, labels, f"--n-greedy={k}")["order"] for k in (4, 30))
    assert few[:4] == many[:4]


def test_says_when_fewer_features_add_something(tamis, write):
    x, labels = random_problem(1)
    x = x[:, :4]
    path = write("table.csv", csv_text(x, ["" if c < 0 else f"c{c}" for c in labels]))
    outcome = tamis("rank", path, "--fdr", "1", "--n-greedy", "9")
    assert "n_greedy = 9 is cut to the 3 features that add something" in outcome.err


def test_refuses_a_table_of_constants(write, refused):
    path = write("flat.csv", "a,b\n1,2\n1,2\n1,2\n")
    assert "every column of the table is constant" in refused(
        "rank", path, "--method", "ridge_omp", code=3
    )
