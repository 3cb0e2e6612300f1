"""The same work done with what a user would pick instead: NumPy, SciPy, scikit-learn, pandas."""

import fastcluster
import numpy as np
import pandas as pd
import somoclu
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors, kneighbors_graph

K = 10


def nearest_neighbors(x):
    """scikit-learn's brute force, its default for wide tables."""
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(x).kneighbors()


def heat_graph(x):
    """The symmetric neighbour graph with weights exp(-d^2/t), t = mean squared distance."""
    graph = kneighbors_graph(x, K, mode="distance")
    t = 2 * x.var(axis=0, ddof=1).sum()
    graph.data = np.exp(-(graph.data**2) / t)
    return graph.maximum(graph.T)


def scoring(x, graph):
    """f~'Lf~ / f~'Df~ of every column."""
    degrees = np.asarray(graph.sum(axis=1)).ravel()
    centred = x - (degrees @ x) / degrees.sum()
    spread = degrees @ (centred * centred)
    return (spread - (centred * (graph @ centred)).sum(axis=0)) / spread


def laplacian_score(x):
    return scoring(x, heat_graph(x))


def sparse_nearest_neighbors(x):
    """SciPy's sparse product and a partition of the distances."""
    norms = np.asarray(x.multiply(x).sum(axis=1)).ravel()
    distances = norms[:, None] + norms[None, :] - 2 * (x @ x.T).toarray()
    np.fill_diagonal(distances, np.inf)
    nearest = np.argpartition(distances, K, axis=1)[:, :K]
    order = np.argsort(np.take_along_axis(distances, nearest, axis=1), axis=1)
    return np.take_along_axis(nearest, order, axis=1)


def read_csv(path):
    return pd.read_csv(path, engine="c")


def ward(x):
    """fastcluster's routine for vectors: like ours, it keeps no matrix of all distances."""
    return fastcluster.linkage_vector(x, "ward")


def som(x, sheet_rows, sheet_cols, epochs):
    """somoclu's dense kernel on a hexagonal sheet."""
    som = somoclu.Somoclu(sheet_cols, sheet_rows, gridtype="hexagonal", compactsupport=False)
    som.train(x, epochs=epochs)


def nearest_neighbor_prefixes(x, longest):
    """A classifier for every prefix; even rows train, odd rows are predicted."""
    train, test = x[::2], x[1::2]
    labels = np.arange(len(train)) % 10
    for length in range(1, longest + 1):
        KNeighborsClassifier(1).fit(train[:, :length], labels).predict(test[:, :length])


def kmeans(x, n_clusters, iterations):
    """Lloyd's algorithm of scikit-learn from the first rows."""
    start = x[:n_clusters]
    KMeans(n_clusters, init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd").fit(x)
