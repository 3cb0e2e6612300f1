"""What tamis.rank returns."""

import html
import json
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from tamis import _core

_SHOWN_ROWS = 10


@dataclass(frozen=True, repr=False, eq=False)
class Ranking(Sequence[Any]):
    """The features of a table, best first: a sequence of their names.

    ``len(ranking)`` counts the features, ``ranking[0]`` is the best of them, ``ranking[:10]`` a
    list of the ten best. Two rankings are equal if the same run of the same table gave the same
    scores and the same order; the time that it took does not count.

    Attributes
    ----------
    scores : ndarray of float
        One per column; NaN where the method has no value for it.
    order : ndarray of int
        Columns, best first; undefined ones last, ties by column.
    names : list
        Of the columns: texts, or as a pandas frame has them (numbers, tuples of a MultiIndex).
    better : {'lower', 'higher'}
        Which scores are good.
    selected : list of int or None
        The columns that `top` asked for, best first, or else the subset.
    subset : list of int or None
        The columns that a method keeps which chooses a subset.
    method, options, bagging, diversify, seed
        What was run: the method, every option with its value, what went around it, the seed.
    diagnostics : dict
        What the method noticed: undefined columns, convergence, warnings.
    committee, redundancy, relevance, path, diversity : dict or None
        What the members of an ensemble said; why features were left out; how sure features are
        (p, q and part by column) and how many are worth it (n_backed, n_relevant); the features
        that were chosen one by one and the criterion after each choice; why features stand where
        `diversify` put them (gain, nearest and correlation by column).
    terms, iterations : list of dict or None
        The parts of which scores are made (name and values by column); what each iteration of the
        best run did (objective, changed rows, violations).
    plane : dict or None
        Where rows lie along the two best features, and their pairs, as the page shows them.
    data : dict
        What the problem was: rows, features, labeled, classes, pairs.
    class_counts : dict of str to int
        The labeled rows of each class.
    hash : str
        Of the table and its classes, as reports and results files have it.
    seconds : float
        Of the method alone.
    """

    _held: "_core.Ranking"
    _labels: list[Any] | None = None  # what a frame calls its columns, if those are no texts
    scores: NDArray[np.float64] = field(init=False)
    order: NDArray[np.int64] = field(init=False)
    names: list[Any] = field(init=False)
    better: Literal["lower", "higher"] = field(init=False)
    selected: list[int] | None = field(init=False)
    subset: list[int] | None = field(init=False)
    method: str = field(init=False)
    options: dict[str, Any] = field(init=False)
    bagging: dict[str, Any] | None = field(init=False)
    diversify: dict[str, Any] | None = field(init=False)
    seed: int = field(init=False)
    diagnostics: dict[str, Any] = field(init=False)
    # These are None unless the method tells them, which whoever chose it knows: by "or Any" nobody
    # has to prove it.
    committee: dict[str, Any] | Any = field(init=False)
    redundancy: dict[str, Any] | Any = field(init=False)
    relevance: dict[str, Any] | Any = field(init=False)
    path: dict[str, Any] | Any = field(init=False)
    diversity: dict[str, Any] | Any = field(init=False)
    terms: list[dict[str, Any]] | Any = field(init=False)
    iterations: list[dict[str, Any]] | Any = field(init=False)
    plane: dict[str, Any] | Any = field(init=False)
    data: dict[str, Any] = field(init=False)
    class_counts: dict[str, int] = field(init=False)
    hash: str = field(init=False)
    seconds: float = field(init=False)

    def __post_init__(self) -> None:
        if self._labels is not None:
            vars(self)["names"] = self._labels

    def __getattr__(self, name: str) -> Any:
        """What the core holds, when it is first asked for; most of it never is."""
        if name.startswith("_"):  # also where a copy is made, and nothing is held yet
            raise AttributeError(f"a Ranking has no attribute {name!r}")
        value = self._held.member(name)
        vars(self)[name] = value
        return value

    def __dir__(self) -> set[str]:
        return {*super().__dir__(), *(each.name for each in fields(self))}

    def __reduce__(self) -> Any:
        return Ranking, (self._held, self._labels)

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self.names[column] for column in self.order[place]]
        return self.names[self.order[operator.index(place)]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranking):
            return NotImplemented
        return (
            self._identity() == other._identity()
            and np.array_equal(self.order, other.order)
            and np.array_equal(self.scores, other.scores, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.hash, self.method, self.seed, len(self)))

    def _identity(self):
        """What was run, on what."""
        around = (self.bagging, self.diversify, self.selected, self.subset)
        return self.hash, self.method, self.options, self.seed, self.names, around

    @property
    def how(self) -> str:
        """The method and what went around it, in words."""
        words = [self.method]
        if self.bagging is not None:
            words.append(f"bagged {self.bagging['n_members']} times")
        if self.diversify is not None:
            words.append("diversified")
        return ", ".join(words)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The place of each column: 1 is the best."""
        ranks = np.empty(len(self.order), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return ranks

    def columns(self, k: int | None = None) -> NDArray[np.int64]:
        """The best columns; of the subset, if the method chose one.

        Parameters
        ----------
        k : int or None
            How many. None: those that were asked for, or all if no number was.

        Returns
        -------
        ndarray of int
            Best first; fewer than `k` only if there are fewer.
        """
        if k is not None and operator.index(k) < 0:
            raise ValueError(f"k = {k!r} is no number of features")
        if k is None and self.selected is not None:
            return np.asarray(self.selected, dtype=np.int64)
        best = self.order if self.subset is None else np.asarray(self.subset, dtype=np.int64)
        return best[:k]

    def top(self, k: int | None = None) -> list[Any]:
        """The names of the best features; of the subset, if the method chose one.

        Parameters
        ----------
        k : int or None
            How many. None: those that were asked for, or all if no number was.

        Returns
        -------
        list
            Best first; fewer than `k` only if there are fewer.
        """
        return [self.names[column] for column in self.columns(k)]

    def to_frame(self) -> Any:
        """A pandas table: feature, column, score, best first; the index is the rank from 1.

        Subset methods add kept, ensembles what their members said, judged features q and part.
        `diversify` adds gain (what a feature added when it was chosen), nearest (the feature above
        it that it repeats most) and correlation (the absolute correlation of their ranks).

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        columns = {
            "feature": [self.names[column] for column in self.order],
            "column": self.order,
            "score": self.scores[self.order],
        }
        if self.subset is not None:
            columns["kept"] = np.isin(self.order, self.subset)
        if self.committee is not None:
            for name in ("draws", "mean", "place", "place_low", "place_high", "best_share"):
                columns[name] = self.committee[name][self.order]
        if self.diversity is not None:
            nearest = [self.diversity["nearest"][column] for column in self.order]
            columns["gain"] = self.diversity["gain"][self.order]
            columns["nearest"] = [None if near is None else self.names[near] for near in nearest]
            columns["correlation"] = self.diversity["correlation"][self.order]
        if self.relevance is not None:
            columns["q"] = self.relevance["q"][self.order]
            columns["part"] = [self.relevance["part"][column] for column in self.order]
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(self.order) + 1, name="rank"))

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """What ``tamis rank --json`` prints, as plain Python values.

        Parameters
        ----------
        top : int or None
            How many features are listed as selected. None: those that were asked for.

        Returns
        -------
        dict
        """
        return json.loads(self.to_json(top))

    def to_json(self, top: int | None = None) -> str:
        """The content of ``tamis rank --json [--top K]`` on one line.

        Parameters
        ----------
        top : int or None
            As in `to_dict`.

        Returns
        -------
        str
        """
        selected = self.selected if top is None else self.columns(top).tolist()
        return self._held.to_json(selected).rstrip("\n")

    def plot(self, k: int = 20, ax: Any = None) -> Any:
        """Bars of the `k` best scores; needs matplotlib.

        Parameters
        ----------
        k : int, default=20
            Features to show.
        ax : matplotlib Axes or None
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from tamis._plot import plot_scores

        return plot_scores(self, k, ax)

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.top(5)))
        more = ", …" if len(self.columns()) > 5 else ""
        return (
            f"<Ranking of {len(self.names)} features by {self.how}, "
            f"{self.better} is better: {shown}{more}>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{place}</td><td>{html.escape(str(self.names[column]))}</td>"
            f"<td>{self.scores[column]:.6g}</td>{self._judged_cells(column)}</tr>"
            for place, column in enumerate(self.columns(_SHOWN_ROWS), start=1)
        )
        judged = "" if self.relevance is None else "<th>q</th><th>part</th>"
        left = len(self.columns()) - _SHOWN_ROWS
        rest = f"<p>and {left} more</p>" if left > 0 else ""
        return (
            f"<p><b>{html.escape(self.how)}</b>: {len(self.names)} features, "
            f"{self.better} is better</p><table><thead><tr><th>rank</th><th>feature</th>"
            f"<th>score</th>{judged}</tr></thead><tbody>{rows}</tbody></table>{rest}"
        )

    def _judged_cells(self, column):
        if self.relevance is None:
            return ""
        q, part = self.relevance["q"][column], self.relevance["part"][column]
        return f"<td>{q:.2g}</td><td>{part or ''}</td>"
