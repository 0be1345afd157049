"""Every quantity of every robot in batches of every size; then float32, then two threads."""

import math
import sys
import time
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import NamedTuple

import numpy as np

from . import ours, processor
from .robots import Case
from .timing import Call, interleaved, ratio

SIZES = ((), 16, 256, 4096, 65536)
LARGEST = SIZES[-1]
#: a result larger than this is not measured: it would be a benchmark of the memory
MOST_BYTES = 2**28
ROUNDS = {(): 9, 16: 9, 256: 9, 4096: 7, 65536: 5}
BEGUN = time.monotonic()
AT_BEST = " at best"


class Row(NamedTuple):
    """One library in one cell of the grid."""

    robot: str
    quantity: str
    size: int  # of the batch; 0 for one state
    library: str
    seconds: float  # per state
    ratio: float  # how many times longer than ours


def progress(text: str) -> None:
    print(f"{time.monotonic() - BEGUN:4.0f} s  {text}", file=sys.stderr, flush=True)


def measured(case: Case, quantity: str, size, calls: dict[str, Call], rounds: int, wall: bool = False) -> list[Row]:
    """The candidates of one cell; the first one is ours."""
    found = interleaved(calls, rounds, wall, processor.calm)
    first = next(iter(found.values()))
    return [
        Row(case.name, quantity, size or 0, name, float(np.median(taken)) / (size or 1), ratio(taken, first))
        for name, taken in found.items()
    ]


def grid(cases: Iterable[Case], peers: list[ModuleType], scale: float) -> Iterator[Row]:
    """All quantities and sizes against the peers; `scale` the number of rounds, for a first look."""
    for case in cases:
        for size in SIZES:
            progress(f"{case.name}, {f'batches of {size}' if size else 'one state'}")
            states = case.states(size)
            theirs = {peer.NAME: peer.calls(case, states) for peer in peers if _worthwhile(peer, size)}
            for quantity in ours.QUANTITIES:
                if _bytes(case, quantity, size) > MOST_BYTES:
                    continue
                calls = {ours.NAME: ours.call(case, quantity, states)}
                calls |= {name: found[quantity] for name, found in theirs.items() if _batched(found, quantity, size)}
                yield from measured(case, quantity, size, calls, max(2, int(scale * ROUNDS[size])))


def _worthwhile(peer: ModuleType, size) -> bool:
    return size != LARGEST or hasattr(peer, "BATCH")


def _batched(found: dict[str, Call], quantity: str, size) -> bool:
    """A loop in Python costs per state what it did in a smaller batch."""
    return quantity in found and not (size == LARGEST and found[quantity].statement.startswith("for "))


def _bytes(case: Case, quantity: str, size) -> int:
    return sum(x.nbytes for x in ours.outputs(case, quantity, case.states())) * (size or 1)


def others(cases: Iterable[Case], peers: list[ModuleType], scale: float) -> tuple[list[Row], list[str]]:
    """The remaining libraries, by the clock as some use threads of their own; and which could not be measured."""
    rows, notes = [], []
    for case in cases:
        for peer in peers:
            try:
                if not peer.calls(case, case.states()):
                    continue
                progress(f"{case.name}, {peer.NAME}")
                peer.check(case)
            except Exception as problem:  # theirs, whatever it is
                notes.append(f"{peer.NAME}: {problem}")
                continue
            for size in ((), 4096):
                states = case.states(size)
                for quantity, call in peer.calls(case, states).items():
                    calls = {ours.NAME: ours.call(case, quantity, states), peer.NAME: call}
                    rows += measured(case, quantity, size, calls, max(2, int(scale * 5)), wall=True)[1:]
    return rows, notes


def single_precision(cases: Iterable[Case], scale: float) -> Iterator[Row]:
    """float32 beside float64 in batches of 4096."""
    for case in cases:
        progress(f"{case.name}, float32")
        states = case.states(4096)
        for quantity in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
            calls = {name: ours.call(case, quantity, states, dtype=kind) for name, kind in PRECISIONS.items()}
            yield from measured(case, quantity, 4096, calls, max(2, int(scale * 9)))


PRECISIONS = {"float32": np.float32, "float64": float}


def two_threads(cases: Iterable[Case], pinocchio: ModuleType, scale: float) -> Iterator[Row]:
    """Two threads and one, by the clock: ours, Pinocchio's, and a loop that shows what the machine can give.

    The ratio of a row is the gain of the second thread; those at best compare the shortest times, which are those of
    an undisturbed machine.
    """
    for case in cases:
        progress(f"{case.name}, two threads")
        states = case.states(LARGEST)
        for quantity in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
            if _bytes(case, quantity, LARGEST) > MOST_BYTES:
                continue
            calls, work = {}, {ours.NAME: 1, pinocchio.NAME: 1, processor.NAME: 2}  # in two threads over in one
            for count in (1, 2):
                calls[ours.NAME, count] = ours.call(case, quantity, states, threads=count)
                if quantity in pinocchio.BATCH:
                    calls[pinocchio.NAME, count] = pinocchio.calls(case, states, threads=count)[quantity]
                calls[processor.NAME, count] = processor.call(count)
            found = interleaved(calls, max(2, int(scale * 7)), True, processor.calm)
            for (name, count), taken in found.items():
                one, two = found[name, 1], found[name, 2]
                gain, best = work[name] * ratio(one, two), work[name] * float(one.min() / two.min())
                yield Row(case.name, quantity, count, name, float(np.median(taken)) / LARGEST, gain)
                yield Row(case.name, quantity, count, name + AT_BEST, float(taken.min()) / LARGEST, best)


def cell(rows: Iterable[Row], robot: str, quantity: str, size: int, library: str) -> Row | None:
    """One row of many."""
    wanted = (robot, quantity, size, library)
    return next((row for row in rows if row[:4] == wanted and math.isfinite(row.seconds)), None)
