"""Cross-validation with few labels."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from tamis._labels import encode_labels


class SemiSupervisedSplit:
    """Folds that test on labeled rows only and keep unlabeled rows in training.

    Stock splitters put unlabeled rows into test folds, where they count as a class called -1.

    Parameters
    ----------
    n_splits : int, default=5
        At most the number of labeled rows of the smallest class.
    shuffle : bool, default=True
        Draw the folds; otherwise they follow the order of the rows.
    random_state : int, RandomState or None
        Of the draw.
    unlabeled : default='auto'
        As in `tamis.rank`.

    Examples
    --------
    >>> y = [0, 0, 1, 1, -1, -1]
    >>> split = SemiSupervisedSplit(2, shuffle=False)
    >>> [(train.tolist(), test.tolist()) for train, test in split.split(y, y)]
    [([1, 3, 4, 5], [0, 2]), ([0, 2, 4, 5], [1, 3])]
    """

    def __init__(self, n_splits=5, *, shuffle=True, random_state=None, unlabeled="auto"):
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state
        self.unlabeled = unlabeled

    def get_n_splits(self, X=None, y=None, groups=None):
        """The number of folds."""
        return self.n_splits

    def split(self, X, y, groups=None):
        """Yields rows to train on, all unlabeled ones among them, and labeled rows to test on."""
        unlabeled, folds = self._folds(y)
        for rest, test in folds:
            yield np.sort(np.concatenate([rest, unlabeled])), test

    def split_labels(self, y):
        """Yields labels with one fold hidden, and its rows: for transductive evaluation.

        Every row takes part in training; of the rows to test on, only the labels are held back.
        """
        for _, test in self._folds(y)[1]:
            hidden = encode_labels(y, len(y), self.unlabeled).codes
            hidden[test] = -1
            yield hidden, test

    def _folds(self, y):
        """The unlabeled rows; and for each fold, the other labeled rows and its own."""
        if y is None:
            raise ValueError("SemiSupervisedSplit needs y: it tests on labeled rows")
        codes = encode_labels(y, len(y), self.unlabeled).codes
        labeled = np.flatnonzero(codes >= 0)
        smallest = np.bincount(codes[labeled]).min() if len(labeled) else 0
        if smallest < self.n_splits:
            raise ValueError(
                f"the smallest class has {smallest} labeled rows, too few for "
                f"n_splits = {self.n_splits}"
            )
        seed = self.random_state if self.shuffle else None
        folds = StratifiedKFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
        return np.flatnonzero(codes < 0), [
            (labeled[rest], labeled[test]) for rest, test in folds.split(labeled, codes[labeled])
        ]
