"""What users write, for type checkers in their strictest mode: nothing here is run."""

from typing import Any, assert_type

import numpy as np
import tamis
from numpy.typing import NDArray
from tamis import Constraints, Evaluation, LabeledOnly, Ranking, SemiSupervisedSplit


def ranks(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    ranking = tamis.rank(X, y, method="cls", top=5, n_neighbors=3)
    assert_type(ranking, Ranking)
    assert_type(ranking.scores, NDArray[np.float64])
    assert_type(ranking.order, NDArray[np.int64])
    assert_type(ranking.top(3), list[Any])
    assert_type(ranking[:3], list[Any])
    assert_type(len(ranking), int)
    assert_type(ranking.to_json(), str)
    assert_type(tamis.report(ranking), str)
    assert_type(tamis.methods(), list[dict[str, Any]])


def selects(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    known = Constraints.by_row([(0, 1)], [(1, 2, 0.5)], n_rows=len(X))
    selector = tamis.CLS(n_features_to_select=5, n_neighbors=3).fit(X, y, constraints=known)
    assert_type(selector, tamis.CLS)
    assert_type(selector.scores_, NDArray[np.float64])
    assert_type(selector.result_, Ranking)
    assert_type(tamis.RidgeOMP.paper(), tamis.RidgeOMP)
    found = tamis.cluster.MPCKMeans(3, restarts=5).fit(X, constraints=known)
    assert_type(found.labels_, NDArray[np.int64])
    assert_type(found.predict(X), NDArray[np.int64])
    assert_type(tamis.projections.PCAProjection(2).fit(X).components_, NDArray[np.float64])


def knows(y: list[str]) -> None:
    known = Constraints.from_labels(y).closure()
    assert_type(known, Constraints)
    assert_type(known.must_link, list[tuple[Any, Any]])
    assert_type(known.check(), Constraints)


def compares(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    found = tamis.evaluate({"mine": (X, y)}, ["cls", tamis.LSDF()], runs=2)
    assert_type(found, Evaluation)
    assert_type(found.failures, list[dict[str, Any]])
    for train, _ in SemiSupervisedSplit(3).split(X, y):
        assert_type(train, NDArray[np.int64])
    assert_type(LabeledOnly(None).fit(X, y), LabeledOnly)


def annotates(adata: object) -> None:
    tamis.pp.select_features(adata, labels_key="cell_type", n_top_genes=100, subset=True)
    X, y = tamis.datasets.make_wave(100, random_state=0, n_labeled_per_class=3)
    assert_type(y, NDArray[np.int64])
    selects(X, y)


def uses_a_cluster(path: str) -> None:
    from tamis import dask

    assert_type(dask.rank(path, method="variance"), Ranking)
    assert_type(dask.fit(tamis.CLS(5), path), tamis.CLS)
