"""tamis.rank and what it returns."""

import html
import json
import warnings
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array

from tamis import _core
from tamis._input import (
    core_table,
    knowledge,
    naming_bad_values,
    option_text,
    option_texts,
    resolve_seed,
    resolve_threads,
)
from tamis._labels import encode_labels
from tamis._tables import as_array, column_names, read_once, row_ids

_FLOATS = (np.float64, np.float32)
_SHOWN_ROWS = 10


def methods():
    """Every method: its name, title, kind, needs, reference and options.

    Returns
    -------
    list of dict
        As ``tamis methods --json`` has it, alphabetical.
    """
    return _core.methods()


@dataclass(frozen=True, repr=False, eq=False)
class Ranking:
    """The features of a table, best first.

    Attributes
    ----------
    scores : ndarray of float
        One per column; NaN where the method has no value for it.
    order : ndarray of int
        Columns, best first; undefined ones last, ties by column.
    names : list of str
        Of the columns.
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

    _held: _core.Ranking

    def __post_init__(self):
        vars(self).update(self._held.members())

    def __reduce__(self):
        return Ranking, (self._held,)

    @property
    def ranks(self):
        """The place of each column: 1 is the best."""
        ranks = np.empty(len(self.order), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        return ranks

    def columns(self, k=None):
        """The `k` best columns; of the subset, if the method chose one.

        None: those that were asked for, or all if no number was.
        """
        if k is None and self.selected is not None:
            return np.asarray(self.selected, dtype=np.int64)
        best = self.order if self.subset is None else np.asarray(self.subset, dtype=np.int64)
        return best[:k]

    def top(self, k=None):
        """The names of exactly the `k` best features (fewer only if there are fewer).

        None: those that were asked for, or all if no number was.
        """
        return [self.names[column] for column in self.columns(k)]

    def to_frame(self):
        """A pandas table: feature, column, score, best first; the index is the rank from 1.

        Subset methods add kept, ensembles what their members said, judged features q and part.
        `diversify` adds gain (what a feature added when it was chosen), nearest (the feature above
        it that it repeats most) and correlation (the absolute correlation of their ranks).
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

    def to_dict(self, top=None):
        """What ``tamis rank --json`` prints, as plain Python values."""
        return json.loads(self.to_json(top))

    def to_json(self, top=None):
        """The content of ``tamis rank --json [--top K]`` on one line."""
        selected = self.selected if top is None else self.columns(top).tolist()
        return self._held.to_json(selected).rstrip("\n")

    def plot(self, k=20, ax=None):
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

    def __repr__(self):
        shown = ", ".join(self.top(5))
        more = ", …" if len(self.columns()) > 5 else ""
        return (
            f"<Ranking of {len(self.names)} features by {self.method}, "
            f"{self.better} is better: {shown}{more}>"
        )

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{place}</td><td>{html.escape(str(self.names[column]))}</td>"
            f"<td>{self.scores[column]:.6g}</td>{self._judged_cells(column)}</tr>"
            for place, column in enumerate(self.columns(_SHOWN_ROWS), start=1)
        )
        judged = "" if self.relevance is None else "<th>q</th><th>part</th>"
        left = len(self.columns()) - _SHOWN_ROWS
        rest = f"<p>and {left} more</p>" if left > 0 else ""
        return (
            f"<p><b>{html.escape(self.method)}</b>: {len(self.names)} features, "
            f"{self.better} is better</p><table><thead><tr><th>rank</th><th>feature</th>"
            f"<th>score</th>{judged}</tr></thead><tbody>{rows}</tbody></table>{rest}"
        )

    def _judged_cells(self, column):
        if self.relevance is None:
            return ""
        q, part = self.relevance["q"][column], self.relevance["part"][column]
        return f"<td>{q:.2g}</td><td>{part or ''}</td>"


def rank(
    X,
    y=None,
    method="auto",
    *,
    top=None,
    bagging=None,
    diversify=False,
    settings="default",
    constraints=None,
    feature_names=None,
    sample_ids=None,
    unlabeled="auto",
    random_state=None,
    n_jobs=None,
    **options,
):
    """Rank the features of a table, best first.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features)
        float32 and float64 in C order are used in place; other numbers are converted.
    y : sequence of length n_samples or None
        Classes, numbers or texts. -1, NaN, None and empty texts mean that the class is not known.
    method : str, default='auto'
        A name of `tamis.methods`; 'auto' is 'ridge_omp'.
    top : int, '5%', 'auto', 'relevant' or None
        How many features you want: `Ranking.selected` holds them. '5%', or any other share of the
        features, is rounded up. 'auto': as many as add what
        chance would not; 'relevant': all that have to do with what is known, at the level of the
        option fdr. Both maybe none, and for 'ridge_omp' or with `diversify`.
    bagging : int, dict or None
        Run the method that many times on resampled labels and pairs, and combine the scores. A dict
        has n_members, subspace_size and combine.
    diversify : bool or int, default=False
        Put the best features in the order of what each adds to those before it; an int says how
        many, True the best 200.
    settings : {'default', 'paper'}
        Where options come from that are not given: our defaults, or the paper of the method, which
        ``tamis.methods`` tells. Most papers leave our defaults as they are.
    constraints : Constraints or None
        Pairs that must or cannot be of one class, besides those of y.
    feature_names : sequence of str or None
        None: those of a data frame, else f0, f1, …
    sample_ids : sequence or None
        What `constraints` call the rows. None: the index of a pandas frame, else 0, 1, …
    unlabeled : default='auto'
        Another value of y for "not known", or None if -1 is a class.
    random_state : int, RandomState or None
        An int is the program's ``--seed``. None: drawn from NumPy's global generator.
    n_jobs : int or None
        Threads. None or -1: all cores. The result does not depend on it.
    **options
        Of the method: ``tamis.methods`` and the pages of the methods list them.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> import tamis
    >>> X, y = tamis.datasets.make_wave(300, random_state=0, n_labeled_per_class=3)
    >>> len(tamis.rank(X, y).top(5))
    5
    >>> tamis.rank(X, y, method="cls", top=3, diversify=True).top()
    ['f6', 'f14', 'f10']
    """
    X = read_once(X)
    names = column_names(X) if feature_names is None else [str(name) for name in feature_names]
    ids = row_ids(X) if sample_ids is None else list(sample_ids)
    table = checked_table(X)
    pairs = None if constraints is None else constraints.rows(ids, table.shape[0])
    labels = encode_labels(y, table.shape[0], unlabeled)
    plan = ranking_plan(method, options, top, bagging, diversify, settings)
    ranking = rank_table(table, names, ids, labels, pairs, plan, random_state, n_jobs)
    if ranking.selected == []:
        warnings.warn(
            f"top = {top!r}: {why_none(ranking)}, none is selected",
            UserWarning,
            stacklevel=2,
        )
    return ranking


def why_none(ranking):
    """Why no feature is selected."""
    if ranking.relevance is None:
        return f"{ranking.method} keeps no feature"
    return "no feature stands out from chance"


def checked_table(X):
    """X as an array that the core takes; not copied if it is one already."""
    if _is_ready(X):
        return X
    return check_array(
        as_array(X),
        accept_sparse="csr",
        dtype=_FLOATS,
        order="C",
        ensure_all_finite=False,
        ensure_min_samples=2,
        input_name="X",
    )


def _is_ready(X):
    """Whether X passes scikit-learn's checks, which take longer than some rankings."""
    is_table = type(X) is np.ndarray and X.ndim == 2 and X.shape[0] > 1 and X.shape[1] > 0
    return is_table and X.dtype in _FLOATS and X.flags.c_contiguous and X.flags.aligned


def ranking_plan(method, options, top=None, bagging=None, diversify=False, settings="default"):
    """What is to be run, checked."""
    is_word = isinstance(top, str) and (top in ("auto", "relevant") or top.endswith("%"))
    if top is not None and not is_word and not (_is_integer(top) and top >= 1):
        raise ValueError(
            f"top = {top!r} is neither an integer from 1, nor a share such as '5%', nor 'auto', "
            "nor 'relevant', nor None"
        )
    if not isinstance(diversify, (bool, np.bool_)) and not (
        _is_integer(diversify) and diversify >= 1
    ):
        raise ValueError(f"diversify = {diversify!r} is neither a bool nor an integer from 1")
    if _is_integer(bagging):
        bagging = {"n_members": bagging}
    elif bagging is not None and not isinstance(bagging, dict):
        raise TypeError(f"bagging = {bagging!r} is neither an integer, nor a dict, nor None")
    return _core.plan(
        method,
        option_texts(options),
        int(top) if _is_integer(top) else top,
        None if bagging is None else option_texts(bagging),
        int(diversify) if _is_integer(diversify) else bool(diversify),
        option_text("settings", settings),
    )


def _is_integer(value):
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def rank_table(table, names, ids, labels, pairs, plan, random_state, n_jobs):
    """Ranks a validated array; `names` and `ids` may be None, `pairs` are rows or None."""
    seed = resolve_seed(random_state)
    known = knowledge(names, ids, labels, pairs, table.shape[0])
    with naming_bad_values(table, names):
        threads = resolve_threads(n_jobs)
        held = _core.rank(plan, core_table(table), known, labels.names, seed, threads)
    ranking = Ranking(held)
    _warn(plan.method, ranking.diagnostics)
    return ranking


def _warn(method, diagnostics):
    for text in diagnostics["warnings"]:
        warnings.warn(text, UserWarning, stacklevel=4)
    if not diagnostics["converged"]:
        text = f"{method}: not converged after {diagnostics['iterations']} iterations"
        warnings.warn(text, ConvergenceWarning, stacklevel=4)
