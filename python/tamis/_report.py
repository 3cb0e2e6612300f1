"""tamis.report: results as a page to look at."""

import os
from typing import overload

from tamis import _core
from tamis._evaluation import Evaluation
from tamis._result import Ranking


@overload
def report(what: Ranking | Evaluation | str | os.PathLike[str], path: None = None) -> str: ...
@overload
def report(
    what: Ranking | Evaluation | str | os.PathLike[str], path: str | os.PathLike[str]
) -> None: ...
def report(
    what: Ranking | Evaluation | str | os.PathLike[str], path: str | os.PathLike[str] | None = None
) -> str | None:
    """A ranking or an experiment as one HTML page, which needs no network.

    Parameters
    ----------
    what : Ranking, Evaluation or path
        What `tamis.rank` or `tamis.evaluate` returned, or a results file.
    path : path or None
        Where to write the page, whole or not at all. None: return it.

    Returns
    -------
    str or None
        The page if there is no path.

    Notes
    -----
    The pages are those of ``tamis rank --report`` and ``tamis report``.

    Examples
    --------
    >>> import tamis
    >>> X, y = tamis.datasets.make_wave(90, random_state=0, n_labeled_per_class=3)
    >>> tamis.report(tamis.rank(X, y))[:15]
    '<!DOCTYPE html>'
    """
    if path is not None:
        _refuse_replacing(what, path)
    page = _page(what)
    if path is None:
        return page
    _core.write_whole(os.fspath(path), page)
    return None


def _refuse_replacing(what, path):
    is_file = isinstance(what, (str, os.PathLike)) and os.path.exists(what)
    if is_file and os.path.exists(path) and os.path.samefile(what, path):
        raise ValueError(f"path {path} is the results file itself: choose another name")


def _page(what):
    if isinstance(what, Ranking):
        return what._held.page(_command(what))
    if isinstance(what, (str, os.PathLike)):
        evaluation = Evaluation.read(what)
        if not evaluation.runs:
            raise ValueError(f"{what}: there is no finished run yet, so there is nothing to report")
        return _core.experiment_page(evaluation.results)
    if isinstance(what, Evaluation):
        return _core.experiment_page(what.results)
    raise TypeError(
        f"what must be a Ranking, an Evaluation or the path of a results file, "
        f"not {type(what).__name__}"
    )


def _command(ranking):
    info = next(each for each in _core.methods() if each["name"] == ranking.method)
    defaults = {option["name"]: option["default"] for option in info["options"]}
    words = ["X", "y"] if ranking.data["labeled"] else ["X"]
    words += [f"method={ranking.method!r}", f"random_state={ranking.seed}"]
    words += [f"{k}={v!r}" for k, v in ranking.options.items() if v != defaults[k]]
    if ranking.bagging:
        words.append(f"bagging={ranking.bagging!r}")
    if ranking.diversify:
        words.append(f"diversify={ranking.diversify['n_candidates']}")
    return f"tamis.rank({', '.join(words)})"
