"""Candidates timed in turn within one run, so that whatever else the machine does meets all of them alike."""

import time
import timeit
from typing import Any, NamedTuple

import numpy as np

#: seconds one sample takes at least; shorter ones measure the clock
SAMPLE = 2e-3


class Call(NamedTuple):
    """A statement as a user would write it, and the names it knows."""

    statement: str
    scope: dict[str, Any]


def interleaved(calls: dict[str, Call], rounds: int, wall: bool = False) -> dict[str, np.ndarray]:
    """Seconds per call of every candidate, one number a round.

    CPU time of this thread, or with `wall` the time on the clock, for candidates that use several threads.  By the
    clock, an untimed call comes first: an array may lie in the cache of a processor that the one before used.
    """
    clock = time.perf_counter if wall else time.thread_time
    timers = {name: timeit.Timer(call.statement, timer=clock, globals=call.scope) for name, call in calls.items()}
    repeats = {name: _repeats(timer) for name, timer in timers.items()}
    found = {name: np.empty(rounds) for name in calls}
    for k in range(rounds):
        for name, timer in timers.items():
            if wall:
                timer.timeit(1)
            found[name][k] = timer.timeit(repeats[name]) / repeats[name]
    return found


def _repeats(timer: timeit.Timer) -> int:
    """Calls that take one sample; finding out is the warm-up."""
    timer.timeit(1)  # compiles, if there is something to compile
    repeats, taken = 1, timer.timeit(1)
    while taken < SAMPLE:
        repeats = max(2 * repeats, int(1.1 * SAMPLE * repeats / max(taken, 1e-7)))
        taken = timer.timeit(repeats)
    return repeats


def ratio(peer: np.ndarray, ours: np.ndarray) -> float:
    """How many times longer the peer takes: the median over the rounds."""
    return float(np.median(peer / ours))
