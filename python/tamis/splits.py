"""Cross-validation with few labels."""

from collections.abc import Iterator
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils.validation import check_random_state

from tamis._input import legacy_random_state
from tamis._labels import encode_labels


class SemiSupervisedSplit:
    """Folds that test on labeled rows only and keep unlabeled rows in training.

    Stock splitters put unlabeled rows into test folds, where they count as a class called -1.

    Parameters
    ----------
    n_splits : int, default=5
        At most the number of labeled rows of the smallest class; with groups, of groups that have a
        labeled row.
    shuffle : bool, default=True
        Draw the folds; otherwise they follow the order of the rows.
    random_state : int, RandomState, Generator or None
        Of the draw.
    unlabeled : default='auto'
        As in `tamis.rank`.
    partition : bool, default=False
        Also deal the unlabeled rows out to the test folds, each to one of them, while they stay in
        training: `cross_val_predict` wants every row in one test fold. Not for scores.

    Examples
    --------
    >>> y = [0, 0, 1, 1, -1, -1]
    >>> split = SemiSupervisedSplit(2, shuffle=False)
    >>> [(train.tolist(), test.tolist()) for train, test in split.split(y, y)]
    [([1, 3, 4, 5], [0, 2]), ([0, 2, 4, 5], [1, 3])]
    >>> split
    SemiSupervisedSplit(2, shuffle=False)
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = True,
        random_state: Any = None,
        unlabeled: Any = "auto",
        partition: bool = False,
    ) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self.unlabeled = unlabeled
        self.partition = partition

    def __repr__(self) -> str:
        defaults = signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in vars(self).items()
            if name != "n_splits" and value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join([repr(self.n_splits), *changed])})"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds.

        Parameters
        ----------
        X, y, groups
            Ignored; scikit-learn passes them.

        Returns
        -------
        int
        """
        return self.n_splits

    def split(
        self, X: Any, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yields rows to train on, all unlabeled ones among them, and labeled rows to test on.

        Parameters
        ----------
        X : table of n_samples rows
            Ignored; scikit-learn passes it.
        y : sequence of length n_samples
            Classes; some of them are not known.
        groups : sequence of length n_samples or None
            No group is on both sides: unlabeled rows of one that is tested on are left out.

        Yields
        ------
        train, test : ndarray of int
            Numbers of rows, ascending.
        """
        unlabeled, folds = self._folds(y, groups)
        random = check_random_state(self._random_state() if self.shuffle else 0)
        if self.partition and groups is not None:
            raise ValueError(
                "partition = True puts unlabeled rows on both sides, which groups forbid"
            )
        dealt = np.array_split(random.permutation(unlabeled), self.n_splits)
        for fold, (rest, test) in enumerate(folds):
            others = unlabeled
            if groups is not None:
                others = unlabeled[~np.isin(_rows_of(groups, unlabeled), _rows_of(groups, test))]
            if self.partition:
                test = np.sort(np.concatenate([test, dealt[fold]]))
            yield np.sort(np.concatenate([rest, others])), test

    def split_labels(
        self, y: Any, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yields labels with one fold hidden, and its rows: for transductive evaluation.

        Every row takes part in training; of the rows to test on, only the labels are held back.

        Parameters
        ----------
        y : sequence of length n_samples
            Classes; some of them are not known.
        groups : sequence of length n_samples or None
            Labels of a group are held back together.

        Yields
        ------
        hidden : ndarray of int
            Classes as numbers from 0, -1 where they are not known or held back.
        test : ndarray of int
            The rows whose labels are.
        """
        for _, test in self._folds(y, groups)[1]:
            hidden = encode_labels(y, len(y), self.unlabeled).codes
            hidden[test] = -1
            yield hidden, test

    def _folds(self, y, groups):
        """The unlabeled rows; and for each fold, the other labeled rows and its own."""
        if y is None:
            raise ValueError("SemiSupervisedSplit needs y: it tests on labeled rows")
        codes = encode_labels(y, len(y), self.unlabeled).codes
        labeled = np.flatnonzero(codes >= 0)
        known = codes[labeled]
        seed = self._random_state() if self.shuffle else None
        if groups is None:
            self._refuse_few_rows(known)
            folds = StratifiedKFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
            parts = folds.split(labeled, known)
        else:
            if len(groups) != len(codes):
                raise ValueError(f"there are {len(groups)} groups for {len(codes)} rows")
            of_labeled = _rows_of(groups, labeled)
            self._refuse_few_groups(of_labeled)
            folds = StratifiedGroupKFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
            parts = folds.split(labeled, known, of_labeled)
        return np.flatnonzero(codes < 0), [(labeled[rest], labeled[test]) for rest, test in parts]

    def _random_state(self):
        return legacy_random_state(self.random_state)

    def _refuse_few_rows(self, known):
        smallest = np.bincount(known).min() if len(known) else 0
        if smallest < self.n_splits:
            raise ValueError(
                f"the smallest class has {smallest} labeled rows, too few for "
                f"n_splits = {self.n_splits}"
            )

    def _refuse_few_groups(self, groups):
        there = len(np.unique(groups))
        if there < self.n_splits:
            raise ValueError(
                f"{there} groups have a labeled row, too few for n_splits = {self.n_splits}"
            )


def _rows_of(groups, rows):
    return np.asarray(groups)[rows]
