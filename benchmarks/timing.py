"""Candidates timed in turn within one run, so that whatever else the machine does meets all of them alike."""

import time
import timeit
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: seconds one sample takes at least; shorter ones measure the clock
SAMPLE = 2e-3
#: the same where threads are timed: one that has slept waits milliseconds for a processor of its own
SAMPLE_OF_THREADS = 2e-2
#: how much longer than ever before a glance at the core may take in a calm round
CALM = 1.1
#: seconds that the rounds of one comparison wait for calm, together
PATIENCE = 0.5
#: rounds for each one asked for, at most
MORE = 2
_ever = [float("inf")]  # the shortest glance so far


class Call(NamedTuple):
    """A statement as a user would write it, and the names it knows."""

    statement: str
    scope: dict[str, Any]


def interleaved(
    calls: dict[Any, Call], rounds: int, wall: bool = False, calm: Callable[[], float] = lambda: 0.0
) -> dict[Any, np.ndarray]:
    """Seconds per call of every candidate, one number a round.

    CPU time of this thread, or with `wall` the time on the clock, for candidates that use several threads.  By the
    clock, untimed calls come first, half as many: threads have to be awake, and arrays in their processors' caches.
    `calm` is looked at before and after each round: how long something takes that is slower while others use the
    core.  A round waits for calm, PATIENCE seconds for all of them; rounds go on until enough were calm, up to MORE
    times as many, and the calmest count, for all candidates alike.
    """
    clock = time.perf_counter if wall else time.thread_time
    timers = {name: timeit.Timer(call.statement, timer=clock, globals=call.scope) for name, call in calls.items()}
    sample = SAMPLE_OF_THREADS if wall else SAMPLE
    repeats = {name: _repeats(timer, sample) for name, timer in timers.items()}
    found: dict[Any, list[float]] = {name: [] for name in calls}
    unrest: list[float] = []
    deadline = time.perf_counter() + PATIENCE
    for _ in range(MORE * rounds):
        while (before := calm()) > CALM * _calmest(before) and time.perf_counter() < deadline:
            time.sleep(0.005)
        for name, timer in timers.items():
            if wall:
                timer.timeit(-(-repeats[name] // 2))
            found[name].append(timer.timeit(repeats[name]) / repeats[name])
        unrest.append(max(before, calm()))
        if sum(x <= CALM * _calmest(min(unrest)) for x in unrest) >= rounds:
            break
    kept = np.argsort(unrest, kind="stable")[:rounds]
    return {name: np.array(taken)[kept] for name, taken in found.items()}


def _calmest(now: float) -> float:
    """The shortest glance so far, this one included."""
    _ever[0] = min(_ever[0], now)
    return _ever[0]


def _repeats(timer: timeit.Timer, sample: float) -> int:
    """Calls that take one sample; finding out is the warm-up."""
    timer.timeit(1)  # compiles, if there is something to compile
    repeats, taken = 1, timer.timeit(1)
    while taken < sample:
        repeats = max(2 * repeats, int(1.1 * sample * repeats / max(taken, 1e-7)))
        taken = timer.timeit(repeats)
    return repeats


def ratio(peer: np.ndarray, ours: np.ndarray) -> float:
    """How many times longer the peer takes: the median over the rounds."""
    return float(np.median(peer / ours))
