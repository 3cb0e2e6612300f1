"""tamis.rank."""

from collections.abc import Callable
from typing import Any, Literal

from sklearn.exceptions import ConvergenceWarning

from tamis import _core
from tamis._encoding import EncodeWord, check_encode, with_encoded_texts
from tamis._input import (
    checked_table,
    core_table,
    knowledge,
    naming_bad_values,
    resolve_seed,
    resolve_threads,
)
from tamis._labels import encode_target
from tamis._missing import MissingWord, preparation_of
from tamis._plan import named_method, ranking_plan
from tamis._result import Ranking as Ranking
from tamis._sources import ArrayRows, row_source
from tamis._streaming import begin_conversation, converse, is_streamed, resumable_seed, room_for
from tamis._tables import (
    column_names,
    read_once,
    refuse_other_rows,
    row_ids,
)
from tamis._warnings import warn
from tamis.constraints import Constraints, checked_constraints


def methods() -> list[dict[str, Any]]:
    """Every method: its name, title, kind, needs, reference and options.

    Returns
    -------
    list of dict
        As ``tamis methods --json`` has it, alphabetical.
    """
    return _core.methods()


def rank(
    X: Any,
    y: Any = None,
    method: Any = "auto",
    *,
    top: int | str | None = None,
    bagging: int | dict[str, Any] | None = None,
    diversify: bool | int = False,
    settings: Literal["default", "paper"] = "default",
    constraints: Constraints | None = None,
    feature_names: Any = None,
    sample_ids: Any = None,
    unlabeled: Any = "auto",
    missing: MissingWord = "refuse",
    encode: EncodeWord = "refuse",
    random_state: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    checkpoint: Any = None,
    spill: Any = None,
    trusted: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> Ranking:
    """Rank the features of a table, best first.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n_samples, n_features), or a larger table
        float32 and float64 in C order are used in place; other numbers are converted.
        A path, a memory map, an array of h5py or Zarr, a dataset or file of pyarrow, a backed
        AnnData, or a function that begins a stream of Arrow batches anew is read in runs of rows
        if it does not fit into memory. Paths of Parquet, Feather and Arrow IPC need pyarrow.
    y : sequence of length n_samples, str or None
        Classes, numbers or texts. -1, NaN, None and empty texts mean that the class is not known.
        Or numbers to predict, for the methods whose ``takes_values`` in `tamis.methods` is true:
        fractions, or more than 20 whole numbers that hardly ever come twice. NaN and None are not
        known then.
        With the path of an Arrow file, also the name of a column. None: the labels that a file
        has, in Arrow files those of a column named class, label, target or y.
    method : str or selector, default='auto'
        A name of `tamis.methods`; 'auto' is 'ridge_omp'. Or a selector such as
        ``tamis.CLS(n_neighbors=5)``, of which only the method and its options count.
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
        What `constraints` call the rows. None: the index of a pandas frame; pairs that are
        `Constraints.by_row` need none.
    unlabeled : default='auto'
        Another value of y for "not known", or None if -1 is a class.
    missing : {'refuse', 'median', 'mean', 'nearest', 'rows', 'columns'}
        What to do about values of X that are missing (NaN, null, masked): refuse them; fill them in
        with the median or the mean of the column, or its mean over the 5 nearest rows; or leave out
        the rows or the columns that have some. Columns that are left out have no score and come
        last. `Ranking.diagnostics` says what was done, and a warning does.
    encode : {'refuse', 'onehot', 'ordinal', 'drop'}
        What becomes of columns of a data frame that hold texts: an error; for each category a
        column of 0 and 1, which are ranked and selected as one feature; one column that numbers the
        categories in order; or nothing. Dates become days since 1970-01-01. The ranking is of a
        table that has the columns of numbers first, and then these: `Ranking.names` tells them.
    random_state : int, RandomState, Generator or None
        An int is the program's ``--seed``. None: drawn from NumPy's global generator, unless
        chance decides nothing (``draws`` in `tamis.methods`, without `bagging` and `diversify`).
    n_jobs : int or None
        Threads. None or -1: all cores. The result does not depend on it.
    memory : int, str or None
        Read X in runs of rows, with so many bytes for this process, such as '4G'. None: only if X
        does not fit into 80 % of the memory that is there.
    checkpoint : path or None
        A folder in which what was read is kept meanwhile: the same call goes on from there after an
        interruption. X is then read in runs of rows, and `random_state` must be an integer if
        chance decides anything.
    spill : path or None
        A folder for temporary files, which are gone at the end. If X is a path of delimited text,
        or of something compressed, that does not fit into memory, or if `memory` or `checkpoint` is
        given, its numbers are put there in one reading, and read in runs of rows. So is what else a
        method may keep on disk where memory is short.
    trusted : bool
        Whether you know where the file X comes from. If not, content far beyond what the file could
        be worth is refused, and an HDF5 file (MATLAB 7.3, h5ad, 10x) is first read by a process of
        its own, as the HDF5 library crashes on some damaged ones.
    progress : function or None
        Called with a stage, what is done of it, and how much it is.
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
    method, options = named_method(method, options)
    plan = ranking_plan(method, options, top, bagging, diversify, settings)
    preparation = preparation_of(missing)
    feature_names = None if feature_names is None else list(feature_names)
    room = room_for(memory, checkpoint, spill)
    source = row_source(X, y, trusted, room)
    in_runs = is_streamed(source, room)
    check_encode(encode, source is None and not in_runs)
    if source is None:
        X = read_once(X)
        refuse_other_rows(X, y)
        names, called = feature_names or column_names(X), X
        table, names, preparation.core.groups = with_encoded_texts(X, names, encode, checked_table)
        table = ArrayRows(table) if in_runs else table
    else:
        names, called = feature_names or source.feature_names, source
        y = source.labels if y is None or isinstance(y, str) else y
        table = source if in_runs else checked_table(source.whole())
    ids = row_ids(called) if sample_ids is None else list(sample_ids)
    pairs = None
    if checked_constraints(constraints) is not None:
        pairs = constraints.rows(called, sample_ids, table.shape[0])
    labels = encode_target(y, table.shape[0], unlabeled)
    if in_runs:
        refuse_missing_of_runs(preparation)
        seed = resumable_seed(random_state, checkpoint, plan.draws_in_runs)
        conversation = begin_conversation(table, texts_of(names), ids, labels, pairs, plan, seed)
        held = converse(conversation, table, room, checkpoint, progress, n_jobs)
        ranking = noted(held, names)
    else:
        ranking = rank_table(
            table, names, ids, labels, pairs, plan, preparation, random_state, n_jobs, progress
        )
    warn_of_none(ranking, top)
    return ranking


def warn_of_none(ranking, top):
    """If no feature is selected."""
    if ranking.selected == []:
        warn(f"top = {top!r}: {why_none(ranking)}, none is selected")


def why_none(ranking):
    """Why no feature is selected."""
    if ranking.relevance is None:
        return f"{ranking.method} keeps no feature"
    return "no feature stands out from chance"


def refuse_missing_of_runs(preparation):
    """Raises ValueError if missing values are to be treated of a table read in runs of rows."""
    if preparation.takes_missing:
        raise ValueError(
            "missing needs a look at all rows before the first is ranked, and X is read in runs of "
            "rows: leave out memory and checkpoint, or rank a sample of the rows"
        )


def rank_table(
    table, names, ids, labels, pairs, plan, preparation, random_state, n_jobs, progress=None
):
    """Ranks a validated array; `names` and `ids` may be None, `pairs` are rows or None."""
    seed = resolve_seed(random_state, plan.draws)
    texts = texts_of(names)
    known = knowledge(texts, ids, labels, pairs, table.shape[0])
    threads = resolve_threads(n_jobs)
    with naming_bad_values(table, texts, preparation.remedy, preparation.takes_missing):
        held = _core.rank(
            plan,
            core_table(table),
            known,
            labels.names,
            preparation.core,
            seed,
            threads,
            progress,
        )
    return noted(held, names)


def texts_of(names):
    """Names of columns as the core takes them."""
    return None if names is None else [str(name) for name in names]


def noted(held, names):
    """The ranking that the core holds, its columns called as the user does, after its warnings."""
    ranking = Ranking(held, None if texts_of(names) == names else list(names))
    diagnostics = ranking.diagnostics
    for text in diagnostics["warnings"]:
        warn(text)
    if not diagnostics["converged"]:
        text = f"{ranking.method}: not converged after {diagnostics['iterations']} iterations"
        warn(text, ConvergenceWarning)
    return ranking
