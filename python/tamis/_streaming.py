"""Rankings and clusterings of tables of which a run of rows is in memory at a time."""

import os
from numbers import Integral

from tamis import _core
from tamis._input import knowledge, resolve_seed, resolve_threads
from tamis._sources import Room
from tamis._warnings import warn


def room_for(memory, checkpoint, spill, who="rank"):
    """What was said of memory and folders; `checkpoint`, too, wants runs of rows."""
    is_forced = memory is not None or checkpoint is not None
    return Room(memory, is_forced, None if spill is None else os.fspath(spill), who)


def is_streamed(source, room):
    """Whether a table is read in runs of rows: if that is wanted, or if it cannot be held."""
    return room.is_forced or not _fits(source)


def _fits(source):
    """Whether all of a table can be held; what is in memory already (None) does."""
    return source is None or source.core().fits(_core.usual_memory())


def begin_conversation(source, names, ids, labels, pairs, plan, seed):
    """How the plan asks a source, as `tamis._core` leads it."""
    known = knowledge(names, ids, labels, pairs, source.shape[0])
    return _core.RankingConversation(plan, source.core(), known, labels.names, seed)


def resumable_seed(random_state, checkpoint, draws=True):
    """The seed; one that is drawn anew each time is of no use to whoever goes on."""
    if draws and checkpoint is not None and not isinstance(random_state, Integral):
        raise ValueError(
            "checkpoint goes on with the same seed only: pass random_state=0, or another integer"
        )
    return resolve_seed(random_state, draws)


def open_checkpoint(conversation, source, folder):
    """The folder in which answers are kept, or None."""
    return None if folder is None else conversation.checkpoint(os.fspath(folder), source.core())


def converse(conversation, source, room, checkpoint, progress, n_jobs):
    """Leads it in this process. A table that should be held and cannot is warned of."""
    core = source.core()
    rows_at_once = conversation.rows_at_once(
        core, room.limit(), checkpoint is not None, room.folder
    )
    if not room.is_forced:
        times = len(conversation.passes())
        often = "once" if times == 1 else f"{times} times"
        more = " or more" if conversation.is_open_ended else ""
        warn(f"X does not fit into memory: it is read {often}{more}, {rows_at_once} rows at a time")
    kept = open_checkpoint(conversation, source, checkpoint)
    held = conversation.converse(core, rows_at_once, kept, progress, resolve_threads(n_jobs))
    if kept is not None:
        kept.remove()
    return held
