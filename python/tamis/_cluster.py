"""Conversations with tables that many machines read: what any engine needs to lead them.

Workers read their own runs of rows; only questions and answers travel. Answers are merged here in
the order of rows, so that whatever workers do, and how often they die, the bits are the same.
"""

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from tamis import _core

# A dead worker costs what it was doing, so runs are several for each; a run is read faster than its
# answer travels, if it is a few times as large.
_RUNS_PER_WORKER = 4
_TIMES_ANSWER = 4
# Of a worker's limit; engines pause workers that hold more.
_SHARE_OF_LIMIT = 0.8


class Worker(NamedTuple):
    """A process that answers."""

    threads: int
    memory_limit: int  # bytes; 0: none
    held: int  # bytes that it holds now


class Engine(Protocol):
    """What runs functions on other machines, and runs them again where machines are lost."""

    def workers(self) -> dict[Any, Worker]:
        """Those that are there now, by what the engine calls them."""

    def publish(self, key: str, value: Any) -> Any:
        """What `submit` takes as an argument in place of the value, which no loss destroys."""

    def submit(self, key: str, worker: Any, function: Any, *args: Any) -> Any:
        """Begins function(*args) on a worker, or on another one if that is lost.

        None: where what it needs is held. Arguments may be, or be lists of, what is held.
        """

    def wait(self, tasks: list[Any]) -> set[Any]:
        """Those of the tasks that are done, as soon as one is."""

    def result(self, task: Any) -> Any:
        """What its function returned; raises what it raised."""


class Question(NamedTuple):
    """A pass, as it travels: an array is not copied on its way."""

    kind: str
    broadcast: np.ndarray

    def core(self):
        return _core.Pass(self.kind, self.broadcast)


_one_at_a_time = threading.Lock()


def answer(version, question, source, held, first, count, rows_at_once, threads):
    """What a run of rows answers, as bytes.

    Runs on a worker: one at a time in a process, with all its threads.
    """
    if version != _core.__version__:
        raise RuntimeError(
            f"this worker has tamis {_core.__version__}, but the client {version}: install the same"
        )
    with _one_at_a_time:
        state = _core.read_run(
            question.core(), source.holding(held).core(), first, count, rows_at_once, threads
        )
        return state.bytes()


@dataclass(frozen=True)
class ClusterPlan:
    """How rows are cut: into runs for workers, and into blocks within them."""

    rows_at_once: int
    bytes_per_row: int

    @staticmethod
    def of(conversation, source, workers):
        """Raises ValueError if a worker has too little memory for a pass."""
        per_row = 3 * source.bytes_per_row + source.reading_bytes_per_row
        unit = max(1, min(source.rows_at_once, source.shape[0]))
        fitting = max(unit, source.shape[0])
        for worker in workers.values():
            if worker.memory_limit:
                fitting = min(fitting, _rows_that_fit(conversation, worker, per_row, unit))
        return ClusterPlan(
            conversation.rows_of_blocks(source.core(), fitting), source.bytes_per_row
        )

    def run_rows(self, rows, answer_bytes, n_workers):
        """Rows of a run: several runs for each worker, unless answers are as large as they are."""
        wanted = max(
            rows // (_RUNS_PER_WORKER * n_workers),
            _TIMES_ANSWER * answer_bytes // self.bytes_per_row,
        )
        return max(1, min(wanted, -(-rows // n_workers)))


def fit_workers(conversation, source, workers):
    """Has the conversation divide questions whose answers do not fit workers: more passes."""
    per_row = 3 * source.bytes_per_row + source.reading_bytes_per_row
    rows = max(1, min(source.rows_at_once, source.shape[0])) * per_row
    left = [
        int(_SHARE_OF_LIMIT * worker.memory_limit) - worker.held - rows
        for worker in workers.values()
        if worker.memory_limit
    ]
    if left:
        conversation.fit_workers(min(left) // 2)


def _rows_that_fit(conversation, worker, bytes_per_row, unit):
    kind, most = max(conversation.passes(), key=lambda planned: planned[1])
    answers = 2 * most  # as it grows, and as it travels
    left = int(_SHARE_OF_LIMIT * worker.memory_limit) - worker.held - answers
    if left >= unit * bytes_per_row:
        return left // bytes_per_row
    need = worker.held + answers + unit * bytes_per_row
    text = _core.bytes_text
    raise ValueError(
        f"pass {kind!r} needs {text(need)} on a worker: it holds {text(worker.held)}, the answer "
        f"takes {text(answers)}, {unit} rows at once {text(unit * bytes_per_row)}; but its memory "
        f"limit is {text(worker.memory_limit)}, of which {_SHARE_OF_LIMIT:.0%} may be used: give "
        "workers more memory (fewer of them on a machine), or X in smaller chunks of rows"
    )


def converse(conversation, source, engine, name, threads, checkpoint=None, progress=None):
    """Leads a conversation with the workers of an engine.

    Parameters
    ----------
    name : str
        What tells the keys of this conversation from those of others.
    threads : int
        Of this process, for what is computed from all answers.
    checkpoint : _core.Checkpoint or None
    progress : function of (stage, done, total) or None

    Returns
    -------
    _core.Ranking, or what a clustering found
    """
    plan = ClusterPlan.of(conversation, source, engine.workers())
    fingerprint = source.fingerprint()
    number = 0
    conversation.report_to(progress)
    while (asked := conversation.next_pass()) is not None:
        number += 1
        passes = conversation.passes()
        more = " or more" if conversation.is_open_ended else ""
        stage = f"pass {number} of {len(passes)}{more} ({asked.kind})"
        state, done = (
            (_core.state_of(asked), 0) if checkpoint is None else checkpoint.answer(number, asked)
        )
        rows = plan.run_rows(source.shape[0], passes[number - 1][1], len(engine.workers()))
        question = Question(asked.kind, asked.broadcast)
        runs = cut_runs(source, done, rows)
        for run, answered in answers(engine, question, source, runs, plan.rows_at_once, name):
            part = _core.state_of(asked, answered)
            if run.first == 0:  # the first of all: an answer may be large, and nothing is there yet
                state = part
            else:
                state.merge(part)
            if checkpoint is not None:
                checkpoint.keep_if_due(number, run.end, state)
            if progress is not None:
                progress(stage, run.end, source.shape[0])
        refuse_changed(source, fingerprint)
        if checkpoint is not None and runs:
            checkpoint.keep(number, source.shape[0], state)
        conversation.accept(state)
    if checkpoint is not None:
        checkpoint.remove()
    return conversation.result(threads, progress)


def refuse_changed(source, fingerprint):
    now = source.fingerprint()
    if now != fingerprint:
        raise OSError(
            f"the table was changed while it was read: it was {fingerprint}, and is {now}"
        )


class Run(NamedTuple):
    """Rows that one task reads."""

    first: int
    end: int


def cut_runs(source, first, rows):
    """All rows from the first on in runs of about so many."""
    runs = []
    while first < source.shape[0]:
        end = max(source.cut(min(first + rows, source.shape[0])), first + 1)
        runs.append(Run(first, end))
        first = end
    return runs


def answers(engine, question, source, runs, rows_at_once, name):
    """Yields each run with its answer, in the order of rows; each worker has one at a time."""
    key = "-".join(["tamis", *question.kind.split(" + ")])  # dashboards group by words
    asked = engine.publish(f"{key}-question-{name}", question)
    left, begun, busy = deque(runs), deque(), {}

    def begin(run, worker, threads):
        count = run.end - run.first
        part, held = source.part(run.first, count)
        task = engine.submit(
            f"{key}-{name}-{run.first}", None if held else worker, answer, _core.__version__,
            asked, part, held, run.first, count, rows_at_once, threads,
        )  # fmt: skip
        begun.append((run, task))
        busy[task] = worker

    while left or begun:
        workers = engine.workers()
        for free in [each for each in workers if each not in busy.values()][: len(left)]:
            begin(left.popleft(), free, workers[free].threads)
        for task in engine.wait(list(busy)):
            del busy[task]
        while begun and begun[0][1] not in busy:
            run, task = begun.popleft()
            yield run, engine.result(task)
