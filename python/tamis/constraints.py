"""What is known about pairs of samples."""

import csv
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_array

from tamis import _core
from tamis._input import RowPairs, core_table
from tamis._labels import encode_labels
from tamis._tables import as_array, row_ids

_KINDS = ("must", "cannot")


class Coherence(NamedTuple):
    """Fractions of pairs of the other kind that do not contradict, from 0 to 1."""

    of_set: float
    must_link: np.ndarray
    cannot_link: np.ndarray
    standard_error: float | None = None  # of `of_set`, if it was measured on a sample


class Constraints:
    """Pairs of samples that must, or cannot, be of one class.

    Samples are called by their ids, not by their places: cross-validation cuts tables into folds,
    in which places change and ids do not. For the same reason this is neither a sequence nor an
    array: scikit-learn passes it on whole, and an estimator keeps the pairs inside its fold.

    Parameters
    ----------
    must_link, cannot_link : iterable of pairs of ids, or of triples (a, b, weight)
        Each unordered pair counts once. Weights are positive; a pair without one weighs 1.

    Examples
    --------
    >>> known = Constraints(must_link=[("a", "b")], cannot_link=[("b", "c")])
    >>> known.closure()
    Constraints(must_link=[('a', 'b')], cannot_link=[('a', 'c'), ('b', 'c')])
    >>> Constraints(must_link=[("a", "b", 0.5)])
    Constraints(must_link=[('a', 'b', 0.5)], cannot_link=[])
    """

    __slots__ = ("_cannot_link", "_must_link")

    def __init__(self, must_link=(), cannot_link=()):
        self._must_link = _weighted_pairs(must_link)
        self._cannot_link = _weighted_pairs(cannot_link)

    @classmethod
    def from_pairs(cls, pairs, weights=None):
        """From (a, b, kind) or (a, b, kind, weight), kind = 'must' or 'cannot'.

        `pairs` are an iterable or a pandas frame; `weights`, one for each, may come apart.
        """
        if hasattr(pairs, "itertuples"):
            pairs = pairs.itertuples(index=False, name=None)
        pairs = list(pairs)
        if weights is not None:
            pairs = _joined(pairs, list(weights))
        by_kind = {kind: [] for kind in _KINDS}
        for a, b, kind, *weight in pairs:
            if kind not in by_kind:
                raise ValueError(f"pair ({a!r}, {b!r}): '{kind}' is no kind; use must or cannot")
            by_kind[kind].append((a, b, *weight))
        return cls(by_kind["must"], by_kind["cannot"])

    @classmethod
    def from_labels(cls, y, ids=None, unlabeled="auto"):
        """All pairs that labels imply: must-link within a class, cannot-link between classes.

        `ids` default to the index of a pandas Series, else to 0, 1, …
        """
        if ids is None:
            ids = y.index if hasattr(y, "iloc") else range(len(y))
        labels = encode_labels(y, len(ids), unlabeled)
        known = [(i, c) for i, c in zip(ids, labels.codes.tolist(), strict=True) if c >= 0]
        must_link, cannot_link = [], []
        for place, (i, class_of_i) in enumerate(known):
            for j, class_of_j in known[place + 1 :]:
                (must_link if class_of_i == class_of_j else cannot_link).append((i, j))
        return cls(must_link, cannot_link)

    @classmethod
    def from_csv(cls, path):
        """From a file of the program: ``a,b,kind[,weight]``, with or without that header."""
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
        if rows and rows[0][:3] == ["a", "b", "kind"]:
            rows = rows[1:]
        return cls.from_pairs([(*row[:3], *filter(None, row[3:])) for row in rows])

    @property
    def must_link(self):
        """Pairs of ids, as a list."""
        return [(a, b) for a, b, _ in self._must_link]

    @property
    def cannot_link(self):
        """Pairs of ids, as a list."""
        return [(a, b) for a, b, _ in self._cannot_link]

    @property
    def must_link_weights(self):
        """Of `must_link`, in the same order."""
        return [weight for *_, weight in self._must_link]

    @property
    def cannot_link_weights(self):
        """Of `cannot_link`, in the same order."""
        return [weight for *_, weight in self._cannot_link]

    @property
    def ids(self):
        """The ids that are in a pair, in order of appearance."""
        pairs = self._must_link + self._cannot_link
        return list(dict.fromkeys(each for a, b, _ in pairs for each in (a, b)))

    def within(self, ids):
        """The pairs of which both samples are among `ids`."""
        ids = set(ids)
        return Constraints(
            *(
                [pair for pair in pairs if pair[0] in ids and pair[1] in ids]
                for pairs in (self._must_link, self._cannot_link)
            )
        )

    def closure(self):
        """With all pairs that follow: must-link is transitive and carries cannot-links along.

        A pair that follows from others weighs as much as the lightest of them; where it follows in
        several ways, the way whose lightest pair is heaviest counts.

        Raises
        ------
        ValueError
            If a cannot-link joins samples that must-links put together, naming both.
        """
        ids = self.ids
        rows = self.rows(ids, len(ids))
        closed = _core.close_pairs([str(each) for each in ids], *rows)
        return Constraints(*([(ids[i], ids[j], w) for i, j, w in pairs] for pairs in closed))

    def check(self):
        """Returns self if nothing contradicts, and raises ValueError like `closure` otherwise."""
        self.closure()
        return self

    def coherence(self, X, ids=None, *, max_pairs=2000, random_state=0):
        """How far must-links and cannot-links point in different directions of the table X.

        Of more than `max_pairs` pairs of a kind, as many are drawn by chance, with the seed
        `random_state`: the set is measured on them, and each pair on those of the other kind.

        Davidson, Wagstaff, Basu, Measuring constraint-set utility for partitional clustering
        algorithms, PKDD 2006.
        """
        if ids is None:
            ids = row_ids(X)
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
        pairs = self.rows(ids, table.shape[0])
        found = _core.coherence(
            core_table(table), pairs.must_link, pairs.cannot_link, max_pairs, random_state
        )
        return Coherence(*found)

    def rows(self, ids, n_rows, *, inside_only=False):
        """The pairs as rows of a table whose rows are called `ids` (None: 0, 1, …), with weights.

        Raises
        ------
        ValueError
            For an id that the table does not have, unless only pairs inside it are asked for; for
            an id that two rows have.
        """
        ids = range(n_rows) if ids is None else ids
        place = {each: row for row, each in enumerate(ids)}
        if len(place) != n_rows:
            _refuse_repeated(ids, n_rows)
        kept = self.within(place) if inside_only else self
        unknown = next((each for each in kept.ids if each not in place), None)
        if unknown is not None:
            raise ValueError(
                f"constraints name sample {unknown!r}, which X does not have: pass the ids of its "
                "rows as sample_ids, or a data frame with them as its index"
            )
        kinds = (kept._must_link, kept._cannot_link)
        rows = ([(place[a], place[b]) for a, b, _ in pairs] for pairs in kinds)
        weights = ([weight for *_, weight in pairs] for pairs in kinds)
        return RowPairs(
            *(np.array(each, dtype=np.int64).reshape(-1, 2) for each in rows),
            *(np.array(each, dtype=np.float64) for each in weights),
        )

    def __eq__(self, other):
        if not isinstance(other, Constraints):
            return NotImplemented
        return _as_sets(self) == _as_sets(other)

    def __hash__(self):
        return hash(_as_sets(self))

    def __bool__(self):
        return bool(self._must_link or self._cannot_link)

    def __repr__(self):
        if len(self._must_link) + len(self._cannot_link) > 10:
            return (
                f"<Constraints: {len(self._must_link)} must-links, "
                f"{len(self._cannot_link)} cannot-links>"
            )
        shown = (
            [(a, b) if weight == 1 else (a, b, weight) for a, b, weight in pairs]
            for pairs in (self._must_link, self._cannot_link)
        )
        return "Constraints(must_link={}, cannot_link={})".format(*shown)


def _weighted_pairs(pairs: Iterable) -> tuple:
    """Each unordered pair once, in order of appearance, with its weight."""
    unique = {}
    for pair in pairs:
        a, b = _plain_id(pair[0]), _plain_id(pair[1])
        if a == b:
            raise ValueError(f"sample {a!r} is paired with itself: remove that pair")
        weight = _checked_weight(a, b, *pair[2:])
        _, _, known = unique.setdefault(frozenset((a, b)), (a, b, weight))
        if known != weight:
            raise ValueError(
                f"pair ({a!r}, {b!r}) has two weights, {known} and {weight}: keep one of them"
            )
    return tuple(unique.values())


def _checked_weight(a, b, weight=1.0):
    try:
        number = float(weight)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise ValueError(f"pair ({a!r}, {b!r}): weight {weight!r} is not a positive number")
    return number


def _joined(pairs, weights):
    if len(weights) != len(pairs):
        raise ValueError(f"there are {len(weights)} weights for {len(pairs)} pairs")
    return [(*pair[:3], weight) for pair, weight in zip(pairs, weights, strict=True)]


def _weight_of(pairs):
    return {frozenset((a, b)): weight for a, b, weight in pairs}


def _plain_id(value):
    return value.item() if isinstance(value, np.generic) else value


def _as_sets(constraints):
    return tuple(
        frozenset(_weight_of(pairs).items())
        for pairs in (constraints._must_link, constraints._cannot_link)
    )


def _refuse_repeated(ids, n_rows):
    ids = list(ids)
    if len(ids) != n_rows:
        raise ValueError(f"there are {len(ids)} sample ids for {n_rows} rows")
    seen = set()
    twice = next(each for each in ids if each in seen or seen.add(each))
    raise ValueError(f"two rows are called {twice!r}: constraints need ids that differ")
