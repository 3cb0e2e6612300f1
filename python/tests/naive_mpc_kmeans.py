"""The objective of MPCK-means by its definition, for labels from anywhere."""

import numpy as np


def objective(X, labels, constraints, variance_floor=1e-3):
    """What the best centroids and weights of columns make of the labels.

    `constraints` are closed, and by row.
    """
    return sum(
        _of_cluster(X, labels, constraints, cluster, variance_floor)
        for cluster in np.unique(labels)
    )


def _of_cluster(X, labels, constraints, cluster, variance_floor):
    rows = X[labels == cluster]
    spread = ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)
    for a, b in constraints.must_link:
        if labels[a] != labels[b] and cluster in (labels[a], labels[b]):
            spread += (X[a] - X[b]) ** 2 / 2
    for a, b in constraints.cannot_link:
        if labels[a] == labels[b] == cluster:
            spread += np.ptp(X, axis=0) ** 2 - (X[a] - X[b]) ** 2
    variance = np.maximum(spread / len(rows), variance_floor * X.var(axis=0))
    return (spread / variance + len(rows) * np.log(variance)).sum()
