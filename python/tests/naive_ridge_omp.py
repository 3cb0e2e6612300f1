"""ridge_omp straight from its formulas (docs/methods/ridge_omp.md), no column judged."""

import numpy as np
from scipy.stats import rankdata

LEFT = 1e-6  # of a column's squared length, below which it is out of the race
NOTHING = 1e-12  # of the first gain, below which nothing is left to explain


def ridge_omp(x, labels=None, must_link=(), cannot_link=(), n_greedy=50):
    """Columns, best first; constant ones last."""
    return matching(x, labels, must_link, cannot_link, n_greedy)[0]


def matching(x, labels, must_link=(), cannot_link=(), n_greedy=50, ranks=rankdata, share=None):
    """The same, and the gains of the choices; `share`: what shares of classes are multiples of."""
    z = np.column_stack([ranks(column) for column in x.T])
    varies = z.std(axis=0) > 0
    z = z[:, varies]
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    g = np.mean(np.abs(z - np.median(z, axis=0)), axis=0) ** 2
    target, weights, nugget = target_and_weights(z, g, labels, must_link, cannot_link, share)
    columns = np.flatnonzero(varies)
    order, gains = matched(z, weights, target, nugget, n_greedy)
    return [*columns[order], *np.flatnonzero(~varies)], gains


def levels(column):
    """Average ranks rounded to 4,095 levels about 0, halves away from it."""
    n = len(column)
    twice = 2 * rankdata(column).astype(float) - 1 - n
    return np.sign(twice) * ((np.abs(twice) * 4095 + n) // (2 * n))


def on_levels(x, labels, n_greedy=50):
    """With ranks = levels, of at most 2,048 rows: there every value has a level of its own."""
    return matching(x, labels, n_greedy=n_greedy, ranks=levels, share=2.0**-20)


def target_and_weights(z, g, labels, must_link, cannot_link, share):
    components = unit(principal_components(z * np.sqrt(g)))
    known = [] if labels is None else np.flatnonzero(labels >= 0)
    if len(known) and len(np.unique(labels[known])) > 1:
        spread, merit, reliability = by_labels(z, g, known, labels[known], share)
    elif len(must_link) + len(cannot_link):
        spread, merit, reliability = by_pairs(z, g, must_link, cannot_link)
    else:
        return components, g, 0
    if not spread.size:  # rows that must all be alike say nothing
        return components, g, 0
    share = (1 + reliability) / 2
    mean_merit = np.average(merit, weights=g)
    weights = g * np.sqrt(reliability * merit + (1 - reliability) * mean_merit)
    return np.hstack([np.sqrt(share) * spread, np.sqrt(1 - share) * components]), weights, 1


def by_labels(z, g, rows, classes, smallest_share):
    n_labels, names = len(rows), np.unique(classes)
    one_hot = np.array([[float(label == name) for name in names] for label in classes])
    y = one_hot * (n_labels / len(names)) / one_hot.sum(axis=0)
    s = spread_to_all(z, g, rows, y - y.mean(axis=0))
    s = (s - s.mean(axis=0)) / s.std(axis=0)
    p = np.exp(4 * s) / np.exp(4 * s).sum(axis=1, keepdims=True)
    if smallest_share:
        p = np.rint(p / smallest_share) * smallest_share
    share = p.mean(axis=0)
    overall = z[rows].mean(axis=0)
    between, within = np.zeros(z.shape[1]), np.zeros(z.shape[1])
    for name in names:
        members = z[rows[classes == name]]
        between += len(members) * (members.mean(axis=0) - overall) ** 2
        within += ((members - members.mean(axis=0)) ** 2).sum(axis=0)
    spare = n_labels - len(names)
    noise = g.sum() if spare == 0 else (g * within).sum() / spare
    f = (g * between).sum() / (len(names) - 1) / noise
    reliability = np.clip(1 - 1 / f, 0, 1)
    return unit((p - share) / np.sqrt(share)), between / n_labels, reliability


def by_pairs(z, g, must_link, cannot_link):
    pairs = [*must_link, *cannot_link]
    rows = np.unique(pairs)
    h = np.eye(len(rows))
    for sign, links in ((1, must_link), (-1, cannot_link)):
        for a, b in np.searchsorted(rows, np.reshape(links, (-1, 2)).astype(int)):
            h[a, b] = h[b, a] = sign
    h = h - h.mean(axis=0)
    h = h - h.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(h)
    kept = values > 1e-9
    s = spread_to_all(z, g, rows, vectors[:, kept] * np.sqrt(values[kept]))
    within, apart = half_differences(z, must_link), half_differences(z, cannot_link)
    reliability = np.clip(1 - (g * within).sum() / (g * apart).sum(), 0, 1)
    return unit(s - s.mean(axis=0)), apart / (1 + within), reliability


def half_differences(z, links):
    if not len(links):
        return np.ones(z.shape[1])
    return np.mean([(z[a] - z[b]) ** 2 / 2 for a, b in links], axis=0)


def spread_to_all(z, g, rows, y):
    centred = z - z[rows].mean(axis=0)
    kernel = centred[rows] @ np.diag(g) @ centred[rows].T
    ridge = 0.3 * np.trace(kernel) / len(rows) * np.eye(len(rows))
    return centred @ np.diag(g) @ centred[rows].T @ np.linalg.inv(kernel + ridge) @ y


def principal_components(a):
    left, singular, _ = np.linalg.svd(a - a.mean(axis=0), full_matrices=False)
    return left[:, :10] * singular[:10]


def unit(rows):
    """Scaled to mean squared row length 1."""
    return rows if not rows.size else rows / np.sqrt((rows**2).sum(axis=1).mean())


def matched(z, weights, target, nugget, n_greedy):
    """Each time takes away anew what readings of the chosen columns with noise tell."""
    z = z / np.linalg.norm(z, axis=0)
    first = weights * ((z.T @ target) ** 2).sum(axis=1)
    chosen, gained = [], []
    while len(chosen) < min(n_greedy, z.shape[1]):
        read = z[:, chosen]
        told = np.linalg.solve(read.T @ read + nugget * np.eye(len(chosen)), read.T)
        left = 1 - np.einsum("ij,ji->i", z.T @ read, told @ z)
        products = z.T @ target - z.T @ read @ (told @ target)
        gains = weights * (products**2).sum(axis=1) / (np.maximum(left, LEFT) + nugget)
        gains[left <= LEFT] = 0
        gains[chosen] = 0
        best = np.flatnonzero(gains >= gains.max() * (1 - 1e-10))[0]
        if gains[best] <= NOTHING * first.max():
            break
        chosen.append(best)
        gained.append(gains[best])
    others = [r for r in np.argsort(-first, kind="stable") if r not in chosen]
    return np.array([*chosen, *others]), gained
