"""What is known about pairs of samples."""

import csv
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from tamis import _core
from tamis._input import RowPairs, core_table
from tamis._labels import encode_labels
from tamis._pairs import (
    joined,
    plain_id,
    refuse_other_than_pair,
    refuse_repeated,
    row_number,
    weighted_pairs,
)
from tamis._tables import as_array, row_ids

_KINDS = ("must", "cannot")


class Coherence(NamedTuple):
    """Fractions of pairs of the other kind that do not contradict, from 0 to 1.

    Parameters
    ----------
    of_set : float
        Of all pairs.
    must_link, cannot_link : ndarray of float
        Of each pair, in the order of `Constraints`.
    standard_error : float or None
        Of `of_set`, if it was measured on a sample.
    """

    of_set: float
    must_link: NDArray[np.float64]
    cannot_link: NDArray[np.float64]
    standard_error: float | None = None


class Constraints:
    """Pairs of samples that must, or cannot, be of one class.

    Samples are called by their ids, not by their places: cross-validation cuts tables into folds,
    in which places change and ids do not. For the same reason this is neither a sequence nor an
    array: scikit-learn passes it on whole, and an estimator keeps the pairs inside its fold.

    A table has ids if it is a pandas frame (its index) or comes with `sample_ids`; for one that has
    none, `Constraints.by_row` makes pairs of row numbers.

    Parameters
    ----------
    must_link, cannot_link : iterable of pairs of ids, or of triples (a, b, weight); or a frame
        Each unordered pair counts once. Weights are positive; a pair without one weighs 1.

    Examples
    --------
    >>> known = Constraints(must_link=[("a", "b")], cannot_link=[("b", "c")])
    >>> known.closure()
    Constraints(must_link=[('a', 'b')], cannot_link=[('a', 'c'), ('b', 'c')])
    >>> Constraints(must_link=[("a", "b", 0.5)])
    Constraints(must_link=[('a', 'b', 0.5)], cannot_link=[])
    """

    __slots__ = ("_cannot_link", "_must_link", "_n_rows")

    def __init__(
        self, must_link: Iterable[tuple[Any, ...]] = (), cannot_link: Iterable[tuple[Any, ...]] = ()
    ) -> None:
        self._must_link = weighted_pairs(must_link)
        self._cannot_link = weighted_pairs(cannot_link)
        self._n_rows = None  # of the table that pairs of row numbers were made for

    @classmethod
    def by_row(
        cls,
        must_link: Iterable[tuple[Any, ...]] = (),
        cannot_link: Iterable[tuple[Any, ...]] = (),
        *,
        n_rows: int,
    ) -> Self:
        """Pairs of rows of one table, called by their numbers from 0.

        They fit tables of `n_rows` rows alone: where a fold or a filter took rows away, the numbers
        of those that are left have to come with it as `sample_ids`.

        Parameters
        ----------
        must_link, cannot_link : iterable of pairs of row numbers, or of triples (a, b, weight)
        n_rows : int
            Of that table.

        Returns
        -------
        Constraints

        Examples
        --------
        >>> Constraints.by_row([(0, 1)], n_rows=90)
        Constraints.by_row(must_link=[(0, 1)], cannot_link=[], n_rows=90)
        """
        return cls(must_link, cannot_link)._of_rows(n_rows)

    @classmethod
    def from_pairs(
        cls, pairs: Any, weights: Iterable[float] | None = None, *, n_rows: int | None = None
    ) -> Self:
        """From one list of pairs of both kinds.

        Parameters
        ----------
        pairs : iterable or frame of (a, b, kind) or (a, b, kind, weight)
            kind is 'must' or 'cannot'.
        weights : iterable of float or None
            One for each pair, if they come apart.
        n_rows : int or None
            If given, ids are row numbers as in `by_row`.

        Returns
        -------
        Constraints
        """
        if hasattr(pairs, "itertuples"):
            pairs = pairs.itertuples(index=False, name=None)
        pairs = list(pairs)
        if weights is not None:
            pairs = joined(pairs, list(weights))
        by_kind = {kind: [] for kind in _KINDS}
        for pair in pairs:
            refuse_other_than_pair(pair, (3, 4), "[('a', 'b', 'must'), ('a', 'c', 'cannot')]")
            a, b, kind, *weight = pair
            if kind not in by_kind:
                raise ValueError(f"pair ({a!r}, {b!r}): '{kind}' is no kind; use must or cannot")
            by_kind[kind].append((a, b, *weight))
        return cls(by_kind["must"], by_kind["cannot"])._of_rows(n_rows)

    @classmethod
    def from_labels(cls, y: Any, ids: Sequence[Any] | None = None, unlabeled: Any = "auto") -> Self:
        """All pairs that labels imply: must-link within a class, cannot-link between classes.

        Parameters
        ----------
        y : sequence
            Classes; rows of which it is not known are in no pair.
        ids : sequence or None
            What to call the rows. None: by the index of a pandas Series; of other labels the pairs
            are `by_row`.
        unlabeled : default='auto'
            As in `tamis.rank`.

        Returns
        -------
        Constraints
        """
        if ids is None and hasattr(y, "iloc"):
            ids = y.index
        n_rows = len(y) if ids is None else None
        ids = range(len(y)) if ids is None else ids
        labels = encode_labels(y, len(ids), unlabeled)
        known = [(i, c) for i, c in zip(ids, labels.codes.tolist(), strict=True) if c >= 0]
        must_link, cannot_link = [], []
        for place, (i, class_of_i) in enumerate(known):
            for j, class_of_j in known[place + 1 :]:
                (must_link if class_of_i == class_of_j else cannot_link).append((i, j))
        return cls(must_link, cannot_link)._of_rows(n_rows)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], *, n_rows: int | None = None) -> Self:
        """From a file of the program: ``a,b,kind[,weight]``, with or without that header.

        Parameters
        ----------
        path : path
        n_rows : int or None
            If given, ids are row numbers as in `by_row`; else they are texts.

        Returns
        -------
        Constraints
        """
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
        if rows and rows[0][:3] == ["a", "b", "kind"]:
            rows = rows[1:]
        pairs = [(*row[:3], *filter(None, row[3:])) for row in rows]
        if n_rows is not None:
            pairs = [(row_number(a, n_rows), row_number(b, n_rows), *rest) for a, b, *rest in pairs]
        return cls.from_pairs(pairs, n_rows=n_rows)

    def _of_rows(self, n_rows):
        """These pairs as those of row numbers, if there is a number of rows."""
        if n_rows is not None:
            for each in self.ids:
                row_number(each, n_rows)
            self._n_rows = int(n_rows)
        return self

    @property
    def must_link(self) -> list[tuple[Any, Any]]:
        """Pairs of ids, as a list."""
        return [(a, b) for a, b, _ in self._must_link]

    @property
    def cannot_link(self) -> list[tuple[Any, Any]]:
        """Pairs of ids, as a list."""
        return [(a, b) for a, b, _ in self._cannot_link]

    @property
    def must_link_weights(self) -> list[float]:
        """Of `must_link`, in the same order."""
        return [weight for *_, weight in self._must_link]

    @property
    def cannot_link_weights(self) -> list[float]:
        """Of `cannot_link`, in the same order."""
        return [weight for *_, weight in self._cannot_link]

    @property
    def ids(self) -> list[Any]:
        """The ids that are in a pair, in order of appearance."""
        pairs = self._must_link + self._cannot_link
        return list(dict.fromkeys(each for a, b, _ in pairs for each in (a, b)))

    def within(self, ids: Iterable[Any]) -> "Constraints":
        """The pairs of which both samples are among some.

        Parameters
        ----------
        ids : iterable
            Of those samples.

        Returns
        -------
        Constraints
        """
        ids = set(ids)
        return Constraints(
            *(
                [pair for pair in pairs if pair[0] in ids and pair[1] in ids]
                for pairs in (self._must_link, self._cannot_link)
            )
        )._of_rows(self._n_rows)

    def closure(self) -> "Constraints":
        """With all pairs that follow: must-link is transitive and carries cannot-links along.

        A pair that follows from others weighs as much as the lightest of them; where it follows in
        several ways, the way whose lightest pair is heaviest counts.

        Returns
        -------
        Constraints

        Raises
        ------
        ValueError
            If a cannot-link joins samples that must-links put together, naming both.
        """
        ids = self.ids
        closed = _core.close_pairs([str(each) for each in ids], *self._places(ids))
        named = ([(ids[i], ids[j], w) for i, j, w in pairs] for pairs in closed)
        return Constraints(*named)._of_rows(self._n_rows)

    def check(self) -> Self:
        """Returns self if nothing contradicts, and raises ValueError like `closure` otherwise."""
        self.closure()
        return self

    def coherence(
        self, X: Any, ids: Any = None, *, max_pairs: int = 2000, random_state: int = 0
    ) -> Coherence:
        """How far must-links and cannot-links point in different directions of the table X.

        Of more than `max_pairs` pairs of a kind, as many are drawn by chance, with the seed
        `random_state`: the set is measured on them, and each pair on those of the other kind.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        ids : sequence of length n_samples or None
            What the pairs call the rows. None: as in `tamis.rank`.
        max_pairs : int, default=2000
        random_state : int, default=0

        Returns
        -------
        Coherence

        References
        ----------
        Davidson, Wagstaff, Basu, Measuring constraint-set utility for partitional clustering
        algorithms, PKDD 2006.
        """
        table = check_array(
            as_array(X), accept_sparse="csr", dtype=(np.float64, np.float32), order="C"
        )
        weighted = next(
            (pair for pair in self._must_link + self._cannot_link if pair[2] != 1), None
        )
        if weighted is not None:
            raise ValueError(
                "coherence takes pairs without weights, and that of {!r} and {!r} weighs {}".format(
                    *weighted
                )
            )
        pairs = self.rows(X, ids, table.shape[0])
        found = _core.coherence(
            core_table(table), pairs.must_link, pairs.cannot_link, max_pairs, random_state
        )
        return Coherence(*found)

    def rows(self, X: Any, sample_ids: Any, n_rows: int, *, inside_only: bool = False) -> RowPairs:
        """The pairs as rows of a table, and their weights.

        Parameters
        ----------
        X : table
            Of which only the ids are asked for.
        sample_ids : sequence or None
            What its rows are called. None: by the index of a pandas frame, or by their numbers if
            these are pairs `by_row`.
        n_rows : int
            Of that table.
        inside_only : bool, default=False
            Leave out pairs with a sample that X does not have.

        Returns
        -------
        RowPairs
            must_link and cannot_link, arrays of shape (n_pairs, 2), and their weights.

        Raises
        ------
        ValueError
            If X has no ids, or is of another length than the table whose rows are numbered; for an
            id that X does not have, unless only pairs inside it are asked for; for an id that two
            rows have.
        """
        ids = self._ids_of(X, sample_ids, n_rows)
        if len(set(ids)) != n_rows:
            refuse_repeated(ids, n_rows)
        kept = self.within(ids) if inside_only else self
        known = set(ids)
        unknown = next((each for each in kept.ids if each not in known), None)
        if unknown is not None:
            raise ValueError(
                f"constraints name sample {unknown!r}, which X does not have: pass the ids of its "
                "rows as sample_ids, or a data frame with them as its index"
            )
        return kept._places(ids)

    def _ids_of(self, X, sample_ids, n_rows):
        if sample_ids is not None:
            if self._n_rows is None:
                return [plain_id(each) for each in sample_ids]
            return [row_number(each, self._n_rows) for each in sample_ids]
        ids = row_ids(X) if self._n_rows is None else range(n_rows)
        if ids is None and self:
            raise ValueError(
                f"constraints call samples by id, {self.ids[0]!r} among them, and X has no ids: "
                "pass those of its rows as sample_ids; if X was a data frame before a step of the "
                'pipeline, call set_output(transform="pandas") on the pipeline; if these are row '
                "numbers, say so with Constraints.by_row"
            )
        if self._n_rows not in (None, n_rows):
            raise ValueError(
                f"constraints by row are of a table with {self._n_rows} rows, and X has {n_rows}: "
                "pass the row numbers that X has in that table as sample_ids, or make constraints "
                "with ids"
            )
        return range(n_rows) if ids is None else ids

    def _places(self, ids):
        """The pairs as places in `ids`, which has all of theirs."""
        place = {each: row for row, each in enumerate(ids)}
        kinds = (self._must_link, self._cannot_link)
        rows = ([(place[a], place[b]) for a, b, _ in pairs] for pairs in kinds)
        weights = ([weight for *_, weight in pairs] for pairs in kinds)
        return RowPairs(
            *(np.array(each, dtype=np.int64).reshape(-1, 2) for each in rows),
            *(np.array(each, dtype=np.float64) for each in weights),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraints):
            return NotImplemented
        return _as_sets(self) == _as_sets(other)

    def __hash__(self) -> int:
        return hash(_as_sets(self))

    def __bool__(self) -> bool:
        return bool(self._must_link or self._cannot_link)

    def __repr__(self) -> str:
        if len(self._must_link) + len(self._cannot_link) > 10:
            return (
                f"<Constraints: {len(self._must_link)} must-links, "
                f"{len(self._cannot_link)} cannot-links>"
            )
        must_link, cannot_link = (
            [(a, b) if weight == 1 else (a, b, weight) for a, b, weight in pairs]
            for pairs in (self._must_link, self._cannot_link)
        )
        maker, rows = "", ""
        if self._n_rows is not None:
            maker, rows = ".by_row", f", n_rows={self._n_rows}"
        return f"Constraints{maker}(must_link={must_link}, cannot_link={cannot_link}{rows})"


def checked_constraints(constraints: Constraints | None) -> Constraints | None:
    """Those of a user, or None."""
    if constraints is None or isinstance(constraints, Constraints):
        return constraints
    raise TypeError(
        f"constraints must be tamis.Constraints, not {type(constraints).__name__}: make them with "
        "Constraints(must_link, cannot_link) of sample ids, or Constraints.by_row of row numbers"
    )


def _weight_of(pairs):
    return {frozenset((a, b)): weight for a, b, weight in pairs}


def _as_sets(constraints):
    kinds = (constraints._must_link, constraints._cannot_link)
    return (constraints._n_rows, *(frozenset(_weight_of(pairs).items()) for pairs in kinds))
