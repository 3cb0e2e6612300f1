"""Runs of rows that answer apart from each other."""

import itertools

from hypothesis import strategies as st
from tamis import _core


def bytes_of_random_runs(data, asked, source):
    """What all rows answer to a pass, cut at random and merged in random order."""
    rows = source.shape[0]
    ends = sorted({0, rows, *data.draw(st.lists(st.integers(0, rows), max_size=6))})
    runs = data.draw(st.permutations(list(itertools.pairwise(ends))))
    states = [
        _core.read_run(asked, source.core(), first, end - first, 11, 1).bytes()
        for first, end in runs
    ]
    while len(states) > 1:
        left = _core.state_of(asked, states.pop(data.draw(st.integers(0, len(states) - 1))))
        left.merge(_core.state_of(asked, states.pop()))
        states.append(left.bytes())
    return states[0].tobytes()
