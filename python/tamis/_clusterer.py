"""What all clusterings share."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from tamis import _core
from tamis._base import TableEstimator, takes_what_is_known
from tamis._input import (
    checked_table,
    core_table,
    knowledge,
    naming_bad_values,
    option_texts,
    resolve_seed,
    resolve_threads,
)
from tamis._sources import ArrayRows, row_source
from tamis._streaming import converse, is_streamed, resumable_seed, room_for
from tamis._tables import row_ids
from tamis._warnings import warn
from tamis.constraints import Constraints


class RowClusterer(ClusterMixin, TableEstimator):
    """Base of every clustering: fit() puts rows into clusters, guided by labels and pairs."""

    labels_: NDArray[np.int64]
    cluster_centers_: NDArray[np.float64]
    n_iter_: int
    objective_: float
    inertia_: float
    feature_weights_: NDArray[np.float64]
    memberships_: NDArray[np.float64]
    _learns: str

    @takes_what_is_known
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Constraints | None = None,
        sample_ids: Any = None,
        memory: int | str | None = None,
        checkpoint: Any = None,
        spill: Any = None,
        progress: Callable[[str, int, int], Any] | None = None,
    ) -> Self:
        """Cluster the rows.

        X may also be what `tamis.rank` reads in runs of rows: a path, a memory map, an array of
        h5py or Zarr, a backed AnnData, Parquet. It is read so if it does not fit into memory, or
        where `memory` (bytes for this process, such as '4G') or `checkpoint` (a folder in which
        what was read is kept meanwhile) is given; `progress` is then called with a stage, the rows
        that are done, and how many there are. `spill` is a folder for a temporary file with the
        numbers of a text or something compressed. What cannot read runs of rows refuses.
        """
        room = room_for(memory, checkpoint, spill, self._method)
        source = row_source(X, room=room)
        if is_streamed(source, room):
            if source is None:
                source = ArrayRows(checked_table(X), row_ids(X))

            def lead(conversation):
                return converse(conversation, source, room, checkpoint, progress, self.n_jobs)

            return self._fit_runs(source, y, constraints, sample_ids, checkpoint, lead)
        if source is not None:
            sample_ids = source.sample_ids if sample_ids is None else sample_ids
            y = source.labels if y is None else y
            X = source.whole()
        given = self._given(X, y, constraints, sample_ids)
        if source is not None:
            self._note_source(source)
        start, texts = self._start_and_texts()
        table, names = given.table, given.names
        known = knowledge(names, *given[2:], table.shape[0])
        seed = resolve_seed(getattr(self, "random_state", 0))
        threads = resolve_threads(self.n_jobs)
        with naming_bad_values(table, names):
            found = _core.cluster(
                self._method, texts, core_table(table), known, start, seed, threads
            )
        return self._keep(found)

    def _fit_runs(self, source, y, constraints, sample_ids, checkpoint, lead):
        """Fits to what a source says; `lead` takes a conversation to its end."""
        given = self._given(source, y, constraints, sample_ids)
        start, texts = self._start_and_texts()
        known = knowledge(*given[1:], source.shape[0])
        seed = resumable_seed(getattr(self, "random_state", 0), checkpoint)
        return self._keep(
            lead(
                _core.ClusteringConversation(self._method, texts, source.core(), known, start, seed)
            )
        )

    def _start_and_texts(self):
        """The given centres, and the options as the core takes them."""
        start, options = self._start(), self._options()
        if start is not None and options["n_clusters"] == "auto":
            options["n_clusters"] = len(start)
        return start, option_texts(options)

    def _start(self):
        """The given centres, if there are any."""
        if getattr(self, "init", None) is None:
            return None
        if isinstance(self.init, str):
            raise ValueError(
                f"init = {self.init!r} is no array of centres: leave it out, and {self._method} "
                "chooses its start"
            )
        start = np.ascontiguousarray(self.init, dtype=np.float64)
        if start.ndim != 2 or start.shape[1] != self.n_features_in_:
            raise ValueError(
                f"init has shape {start.shape}, and should have a row for each cluster and "
                f"{self.n_features_in_} columns, one for each feature"
            )
        return start

    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Constraints | None = None,
        sample_ids: Any = None,
        **runs: Any,
    ) -> NDArray[np.int64]:
        """The cluster of each row: `labels_` after `fit`.

        Parameters
        ----------
        X, y, constraints, sample_ids, **runs
            As in `fit`.

        Returns
        -------
        ndarray of int of shape (n_samples,)
        """
        return self.fit(X, y, constraints=constraints, sample_ids=sample_ids, **runs).labels_

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The cluster of each row by its distance from the centres, in the learned weights.

        Nothing is known of these rows: labels and pairs play no part.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int of shape (n_samples,)
        """
        check_is_fitted(self)
        table = self._validated(X, reset=False)
        threads = resolve_threads(self.n_jobs)
        if self._learns == "nothing":
            return _core.nearest_centers(core_table(table), self.cluster_centers_, threads)[0]
        # Weighted distances are plain ones of scaled columns.
        factors = np.broadcast_to(np.sqrt(self._distance_weights), self.cluster_centers_.shape)
        distances = np.empty((table.shape[0], len(factors)))
        for cluster, factor in enumerate(factors):
            center = self.cluster_centers_[cluster : cluster + 1] * factor
            scaled = core_table(_scaled(table, factor))
            distances[:, cluster] = _core.nearest_centers(scaled, center, threads)[1]
        return np.argmin(distances + self._offsets, axis=1)

    def _keep(self, found):
        shape = (-1, self.n_features_in_)
        self.labels_ = found["clusters"]
        self.cluster_centers_ = found["centroids"].reshape(shape)
        if found["map"] is not None:
            self.n_iter_ = found["map"].pop("epochs")
            vars(self).update({f"{name}_": value for name, value in found["map"].items()})
        else:
            self.objective_ = found["objective"]
            self.n_iter_ = len(found["iterations"])
            self._keep_weights(found, shape)
        for text in found["warnings"]:
            warn(text)
        if found["ran_out"]:
            text = f"{self._method} did not settle within {self.n_iter_} iterations: allow more "
            warn(text + f"(max_iter = {self.max_iter})", ConvergenceWarning)
        return self

    def _keep_weights(self, found, shape):
        if self._learns == "nothing":
            self.inertia_ = self.objective_
            return
        of_clusters = self._learns == "weights_of_clusters"
        self.feature_weights_ = found["weights"].reshape(shape if of_clusters else -1)
        self._distance_weights = found["distance_weights"].reshape(shape)
        self._offsets = found["offsets"] if len(found["offsets"]) else 0.0
        vars(self).pop("memberships_", None)  # of another fit; runs of rows leave none
        if len(found["memberships"]):
            self.memberships_ = found["memberships"].reshape(len(self.labels_), -1)


def _scaled(table, factors):
    """The columns times their factors."""
    if not sparse.issparse(table):
        return table * factors
    return sparse.csr_array(
        (table.data * factors[table.indices], table.indices, table.indptr), table.shape
    )
