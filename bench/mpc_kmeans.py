#!/usr/bin/env python3
"""How far MPCKMeans gets down its objective, beside a package that people use for it.

bench/mpc_kmeans.py [FIRST_SEED]   needs the Python package, and
                                   pip install --no-deps active-semi-supervised-clustering==0.0.1

Iris and wine, eight draws of 100 pairs each: the objective of our labels and of theirs, both with
the centroids and weights that are best for them.
"""

import sys
from pathlib import Path

import numpy as np
from active_semi_clustering.semi_supervised.pairwise_constraints import MPCKMeans as Other
from sklearn.datasets import load_iris, load_wine
from tamis import Constraints
from tamis.cluster import MPCKMeans

sys.path.insert(0, str(Path(__file__).parents[1] / "python/tests"))

from naive_mpc_kmeans import objective


def pairs_of(y, count, seed):
    """Random pairs, of the kind that the classes say, and all that follow."""
    random = np.random.default_rng(seed)
    rows = [random.choice(len(y), 2, replace=False).tolist() for _ in range(count)]
    kinds = ["must" if y[a] == y[b] else "cannot" for a, b in rows]
    pairs = [(*pair, kind) for pair, kind in zip(rows, kinds, strict=True)]
    return Constraints.from_pairs(pairs, n_rows=len(y)).closure()


def labels_of_other(X, known, seed):
    np.random.seed(seed)  # it draws from there
    with np.errstate(all="ignore"):
        other = Other(3, max_iter=20)
        return other.fit(X, ml=known.must_link, cl=known.cannot_link).labels_


def main():
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    problems = [(load, seed) for load in (load_iris, load_wine) for seed in range(first, first + 8)]
    at_most = 0
    for load, seed in problems:
        X, y = load(return_X_y=True)
        known = pairs_of(y, 100, seed)
        ours = MPCKMeans(3, random_state=seed).fit(X, constraints=known).labels_
        mine, theirs = (
            objective(X, labels, known) for labels in (ours, labels_of_other(X, known, seed))
        )
        at_most += mine <= theirs or np.isclose(mine, theirs, rtol=1e-12)  # the same labels
        print(f"{load.__name__[5:]:5} {seed:4} {mine:12.4f} {theirs:12.4f}")
    print(f"ours is at most theirs in {at_most} of {len(problems)} problems")


if __name__ == "__main__":
    main()
