"""tamis.evaluate and what it returns."""

import html
import json
import os
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from sklearn.exceptions import FitFailedWarning

from tamis import _core
from tamis._base import RankingSelector
from tamis._input import (
    checked_table,
    core_table,
    knowledge,
    naming_bad_values,
    option_text,
    option_texts,
    resolve_seed,
    resolve_threads,
)
from tamis._labels import encode_labels
from tamis._own_methods import CONTROLS, checked_name, is_own, own_name, scores_by
from tamis._projection import RowProjection
from tamis._tables import column_names, read_once, row_ids
from tamis._warnings import warn

_ONLY_NAME = "data"  # of a data set that was given without one
_ESTIMATORS = (RankingSelector, RowProjection)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How well a classifier does with the best features of each method.

    Attributes
    ----------
    results : str
        Everything, as JSON lines: the content of the program's results file.
    facts : dict
        Its first line: settings, methods with the controls last, data sets, seed, version.
    runs : list of dict
        Its other lines: each method on each split.
    failures : list of dict
        The runs without a result: where they were, and why.
    """

    results: str

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The results file of an earlier `evaluate` or of ``tamis evaluate -o``.

        Parameters
        ----------
        path : path
            A file that an interrupt cut off is read up to its last whole line, with a warning.

        Returns
        -------
        Evaluation
        """
        results, is_cut = _core.read_results(os.fspath(path))
        if is_cut:
            text = (
                f"{path}: its last line is cut off and left out; the same call continues the file"
            )
            warn(text)
        return cls(results)

    @cached_property
    def facts(self) -> dict[str, Any]:
        return json.loads(self.results.partition("\n")[0])

    @cached_property
    def runs(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.results.splitlines()[1:]]

    @property
    def failures(self) -> list[dict[str, Any]]:
        places = ("data_set", "labels_per_class", "n_constraints", "run", "method", "failure")
        return [
            {name: run[name] for name in places if name in run}
            for run in self.runs
            if run["failure"] is not None
        ]

    def to_frame(self) -> Any:
        """A long pandas table: a row for each run, method, view and number of features.

        Where methods saw pairs there is a column n_constraints, and where rows were clustered there
        are kmeans_rand, kmeans_adjusted_rand and kmeans_nmi.
        """
        import pandas as pd

        names = ["data_set", "labels_per_class", "run", "method"]
        if any("n_constraints" in run for run in self.runs):
            names.insert(2, "n_constraints")
        metrics = ("rand", "adjusted_rand", "nmi") if self.facts["settings"].get("kmeans") else ()
        columns = (*names, "view", "n_features", "accuracy", "balanced_accuracy")
        rows = [
            (*(run[name] for name in names), view["view"], *numbers)
            for run in self.runs
            for view in run["views"]
            for numbers in zip(
                run["lengths"],
                view["accuracy"],
                view["balanced_accuracy"],
                *(run["kmeans"][metric] for metric in metrics),
                strict=True,
            )
        ]
        return pd.DataFrame(rows, columns=(*columns, *(f"kmeans_{m}" for m in metrics)))

    def summary(self) -> dict[str, Any]:
        """What ``tamis evaluate --json`` prints: means, curves, stability, tests of significance.

        Returns
        -------
        dict
        """
        return json.loads(self.to_json())

    def to_json(self) -> str:
        """The same on one line."""
        return _core.summary(self.results).rstrip("\n")

    def report(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """The page of `tamis.report`.

        Parameters
        ----------
        path : path or None
            Where to write the page. None: return it.

        Returns
        -------
        str or None
        """
        from tamis._report import report

        return report(self, path)

    def __repr__(self) -> str:
        methods = ", ".join(self._methods())
        data_sets = ", ".join(data["name"] for data in self.facts["data_sets"])
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"<Evaluation of {methods} on {data_sets}: {len(self.runs)} results{failed}>"

    def _methods(self):
        return [name for name in self.facts["methods"] if name not in CONTROLS]

    def _repr_html_(self):
        names = self.facts["methods"]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join(_html_row(entry, names) for entry in self.summary()["summary"])
        failed = f" {len(self.failures)} runs failed." if self.failures else ""
        return (
            f"<table><thead><tr><th>data set</th><th>labels</th><th>view</th>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table><p>Accuracy, mean ± deviation over the runs; bold: "
            f"better than random features.{failed}</p>"
        )


def _html_row(entry, names):
    """One data set, number of labels and view."""
    constraints = entry.get("n_constraints")
    known = f"{entry['labels_per_class']}" + (f", {constraints} pairs" if constraints else "")
    place = (entry["data_set"], known, entry["view"])
    cells = [html.escape(text) for text in place]
    found = {method["method"]: method for method in entry["methods"]}
    for name in names:
        method = found.get(name)
        if method is None or method["mean"] is None:
            cells.append("")
            continue
        text = f"{method['mean']:.3f} ± {method['deviation'] or 0:.3f}"
        cells.append(f"<b>{text}</b>" if method["beats_random"] else text)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def evaluate(
    data: Any,
    methods: Any,
    *,
    protocol: str = "tamis",
    unlabeled: Any = "auto",
    random_state: Any = 0,
    n_jobs: int | None = None,
    output: str | os.PathLike[str] | None = None,
    **settings: Any,
) -> Evaluation:
    """Compare methods by how well a classifier does with their best features.

    Each run splits the rows into training and test rows. Methods see the training rows and a few of
    their labels; a classifier learns with the best 1, 2, 3, ... features and predicts the test
    rows. All features, random features and `variance` are always compared, too.

    Parameters
    ----------
    data : (X, y) or dict of str to (X, y)
        Tables as `tamis.rank` takes them, with all classes that are known. The names decide over
        the random splits, so the same name gives the same ones.
    methods : list, or str
        Each one a text as in the program (``"cls:n_neighbors=5"``, ``"cls:settings=paper"`` for the
        options of its paper), a pair of a name and a dict of
        options, or a selector or projection (``tamis.CLS(n_neighbors=5)``), of which only the
        method and its options count; components count as features. A str is the program's
        ``--methods``: several of them with commas between.

        Or a method of your own, alone or in a pair with its name. An estimator with ``scores_``,
        ``feature_importances_`` or ``ranking_`` (1 is the best) is cloned, and fitted to the
        labeled training rows of each run; its ``random_state``, if None, is the seed of the run. A
        function of ``X`` and ``y`` gets all training rows, with -1 in ``y`` where the class is not
        known, and returns a score for each column, the higher the better.
    protocol : str, default='tamis'
        Where the settings come from: ours, or that of a published experiment.
    unlabeled : default='auto'
        Another value of y for "not known", or None if -1 is a class.
    random_state : int, RandomState, Generator or None, default=0
        An int is the program's ``--seed``. Only an int lets another call continue `output`.
    n_jobs : int or None
        Threads. None or -1: all cores. Results do not depend on it.
    output : path or None
        A file for the results as they come. The same call continues a file that an interrupt left
        behind, as does the program; a file of another experiment is refused. Of your own methods
        the names are compared, nothing else.
    **settings
        Of the protocol, where they should differ from it: ``labels_per_class=(3, 5)``, ``runs=20``,
        ``top="1:20"``. Lists are as good as texts.

    Returns
    -------
    Evaluation

    Warns
    -----
    FitFailedWarning
        If a method failed in some run. The others go on; `Evaluation.failures` lists them.
    UserWarning
        What methods noticed, and if there were fewer labels than asked for.

    Examples
    --------
    >>> import tamis
    >>> data = tamis.datasets.make_wave(90, random_state=0)
    >>> found = tamis.evaluate(data, ["cls"], runs=2, labels_per_class=3, top="1:5")
    >>> found
    <Evaluation of cls on data: 8 results>
    """
    calls, own = _calls(methods)
    seed = resolve_seed(random_state)
    texts = {name: _setting_text(name, value) for name, value in settings.items()}
    experiment = _core.Experiment(calls, own, protocol, texts, seed)
    for name, pair in _named_pairs(data):
        _add(experiment, name, pair, unlabeled)
    command = _command(calls, {"protocol": protocol, "random_state": seed, **texts})
    path = "" if output is None else os.fspath(output)
    results, notes, failures = experiment.run(command, path, resolve_threads(n_jobs))
    for note in notes:
        warn(note)
    if failures is not None:
        warn(failures, FitFailedWarning)
    return Evaluation(results)


def _calls(methods):
    """The methods as texts, and the functions behind those that are the user's own."""
    if isinstance(methods, str):
        return _core.method_calls(methods.split(",")), {}
    calls, own = [], {}
    for method in _as_list(methods):
        name, function = _own(method)
        calls.append(_call(method) if function is None else name)
        if function is not None:
            _refuse_twice(name, own)
            own[name] = function
    if not calls:
        raise ValueError("methods is empty: pass some, as in ['cls', 'fisher_score']")
    return calls, own


def _refuse_twice(name, own):
    if name in own:
        raise ValueError(f"methods has {name} twice: name them apart, as in [('mine', ...)]")


def _as_list(methods):
    """One pair, one estimator or one function need no list around them."""
    is_pair = isinstance(methods, tuple) and len(methods) == 2 and not isinstance(methods[1], str)
    is_named = is_pair and (isinstance(methods[1], Mapping) or _own(methods)[1] is not None)
    is_one = isinstance(methods, _ESTIMATORS) or is_own(methods)
    return [methods] if is_named or is_one else list(methods)


def _own(method):
    """Name and function of a method that is the user's own; of another one, twice None."""
    is_pair = isinstance(method, tuple) and len(method) == 2 and isinstance(method[0], str)
    name, one = method if is_pair else (None, method)
    if isinstance(one, _ESTIMATORS) or not is_own(one):
        return None, None
    return checked_name(name or own_name(one)), scores_by(one)


def _call(method):
    if isinstance(method, str):
        return method
    if isinstance(method, _ESTIMATORS):
        name, options = method._method, method._changed_options()
    elif isinstance(method, tuple) and len(method) == 2:
        name, options = method
    else:
        raise TypeError(
            f"methods holds {method!r}, which is neither a text such as 'cls:n_neighbors=5', nor a "
            "pair of a name and a dict of options, nor an object with fit, nor a function"
        )
    texts = option_texts(options)
    return ":".join([name, *filter(None, [",".join(f"{k}={v}" for k, v in texts.items())])])


def _setting_text(name, value):
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return ",".join(option_text(name, each) for each in value)
    return option_text(name, value)


def _named_pairs(data):
    pairs = data if isinstance(data, Mapping) else {_ONLY_NAME: data}
    for name, pair in pairs.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(
                "data must be a pair (X, y) or a dict of names to such pairs, and "
                f"{'it' if pair is data else repr(name)} is a {type(pair).__name__}"
            )
        yield str(name), pair


def _add(experiment, name, pair, unlabeled):
    X, y = pair
    with _naming(name):
        X = read_once(X)
        names = [str(name) for name in column_names(X) or []]
        table = checked_table(X)
        labels = encode_labels(y, table.shape[0], unlabeled)
        if labels.n_labeled == 0:
            raise ValueError("y has no class, and features are judged by telling classes apart")
        known = knowledge(names, row_ids(X), labels, None, table.shape[0])
        with naming_bad_values(table, names):
            experiment.add(name, core_table(table), known, labels.names)


@contextmanager
def _naming(name):
    """Says which data set a message is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _command(calls, arguments):
    words = [f"{name}={value!r}" for name, value in arguments.items()]
    return f"tamis.evaluate({', '.join(['data', repr(calls), *words])})"
