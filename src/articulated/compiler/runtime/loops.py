"""A program with loops on arrays of rows: shapes are checked, its own arrays set up, the states shared by threads."""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..abi import ENTRY_POINTS
from . import call, engine
from .engine import Code
from .threads import processors, together

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, *[ctypes.c_void_p] * 5)
#: the arrays of a program's own begin at multiples of this many bytes, the widest vector
_ALIGNMENT = 64

Arrays = Mapping[str, np.ndarray]
Counts = Mapping[str, int]


class Looped:
    """`looped(arrays, counts, tables, threads)` fills the outputs among the arrays, each (states, rows, size).

    An input without the first axis is the same for every state.  `run(arrays, counts, tables, states)` is the program
    by NumPy, where there is no machine code, and `memory` its arrays.  `alone`: one state after the other.
    """

    def __init__(
        self, name: str, dtype: np.dtype, run: Callable[..., None] | None = None, memory: Any = None,
        alone: bool = False,
    ):  # fmt: skip
        self.name, self.dtype, self.run, self.alone = name, dtype, run, alone
        self.functions: dict[str, Any] = {}  # by entry point; made once, and never replaced
        # by entry point: parameters (name, size, rows, role), the sizes of its own arrays, names of counts and tables
        self.memory: dict[str, dict[str, Any]] = dict.fromkeys(ENTRY_POINTS, memory) if run else {}

    def add(self, entry: str, memory: dict[str, Any], code: Code) -> None:
        """An entry point in machine code; its function keeps a reference to the code."""
        function: Any = _ENTRY(code[f"articulated_{entry}"])
        function.code = code
        self.memory[entry] = memory
        self.functions[entry] = function  # last: from now on other threads take it as ready

    def has(self, entry: str) -> bool:
        """True if this entry point is there."""
        return self.run is not None or entry in self.functions

    def __call__(self, arrays: Arrays, counts: Counts, tables: Arrays, threads: int = 1) -> None:
        """Run it once for every state."""
        states = states_of(arrays)
        self.check(arrays, counts, tables)
        if self.run is not None:
            whole = {
                name: np.broadcast_to(x, (states, *x.shape[-2:])) if x.ndim == 2 else x for name, x in arrays.items()
            }
            each = 1 if self.alone else states
            for k in range(0, states, each):
                self.run({name: x[k : k + each] for name, x in whole.items()}, counts, tables, each)
            return
        lanes = self.lanes(states)
        workers = max(1, min(threads, processors(), states // lanes))
        share = -(-states // (workers * lanes)) * lanes
        left = iter(range(0, states, share))

        def work() -> None:
            call = Call(self, arrays, counts, tables)
            for first in left:
                call(first, min(share, states - first))

        together(work, workers)

    def lanes(self, states: int) -> int:
        """States that are computed at a time."""
        return engine.host().lanes(self.dtype.name) if entry_for(states, self.alone) == "batch" else 1

    def check(self, arrays: Arrays, counts: Counts, tables: Arrays) -> None:
        """Machine code trusts its caller: every shape, type and stride is looked at here."""
        states = states_of(arrays)
        memory = self.memory[entry_for(states, self.alone)]
        for name, size, rows, role in memory["parameters"]:
            x, number = arrays[name], counts[rows] if isinstance(rows, str) else rows
            good = x.dtype == self.dtype and x.shape[-2:] == (number, size) and x[..., :, :].flags.aligned
            plain = not x.size or (x.strides[-1] == x.itemsize and (number == 1 or x.strides[-2] == size * x.itemsize))
            each = x.ndim == 3 and len(x) == states
            if not (good and plain and (each or (x.ndim == 2 and role == "in"))):
                raise ValueError(
                    f"{self.name}: {name} is {x.dtype} {x.shape} with strides {x.strides}, "
                    f"not rows of {self.dtype} ({states}, {number}, {size})"
                )
            if role == "out" and not x.flags.writeable:
                raise ValueError(f"{self.name}: {name} is read-only")
        for name in memory["tables"]:
            if tables[name].dtype != np.int64 or not tables[name].flags.c_contiguous:
                raise ValueError(f"{self.name}: the table {name} needs whole numbers of 64 bits")


class Call:
    """The arguments of an entry point for these arrays, with a workspace: for one thread at a time."""

    def __init__(self, looped: Looped, arrays: Arrays, counts: Counts, tables: Arrays):
        entry = entry_for(states_of(arrays), looped.alone)
        memory, vector = looped.memory[entry], looped.lanes(states_of(arrays)) * looped.dtype.itemsize
        self._function, self._workspace = looped.functions[entry], _Workspace(memory["locals"], counts, vector)
        self._index = {name: k for k, (name, *_) in enumerate(memory["parameters"])}
        self._sizes, rows = ([each[k] for each in memory["parameters"]] for k in (1, 2))
        # of each array: where it is, bytes from one state to the next (none where it is the same for all), and from one
        # row that is counted to the next
        self._addresses, self._steps = (np.zeros(len(rows), np.int64) for _ in range(2))
        self._rows = {name: np.zeros(len(rows), np.int64) for name in rows if isinstance(name, str)}
        self._counted = [self._rows.get(name) for name in rows]
        for name in self._index:
            self.give(name, arrays[name])
        self._names, self._counts = memory["counts"], np.array([counts[name] for name in memory["counts"]], np.int64)
        self._pointers = self._addresses.copy()
        words = [
            self._pointers, self._steps, self._counts,
            np.array([address(tables[name]) for name in memory["tables"]], np.int64),
            np.array(self._workspace.pointers, np.int64),
        ]  # fmt: skip
        self._words, self._given = words, list(map(address, words))  # numbers are passed in the shortest time
        self._last: Counts = dict(counts)

    def give(self, name: str, x: np.ndarray) -> None:
        """An array from now on, (states, rows, size) or (rows, size)."""
        k, self._moved = self._index[name], True
        self._addresses[k], self._steps[k] = address(x), x.strides[0] if x.ndim == 3 else 0
        if (rows := self._counted[k]) is not None:
            rows[k] = x.strides[-2]

    def move(self, names: Iterable[str], by: int) -> None:
        """Arrays lie so many bytes further from now on."""
        self._addresses[[self._index[name] for name in names]] += by
        self._moved = True

    def __call__(self, first: int, states: int) -> None:
        """Run it for these states."""
        np.add(self._addresses, first * self._steps, out=self._pointers)
        self._function(states, *self._given)

    def again(self, counts: Counts, states: int, first: Counts = {}) -> None:
        """Run it for the first states with other counts, from other rows on."""
        if counts is not self._last:
            self._last = counts
            self._counts[:] = [counts[name] for name in self._names]
        if first or self._moved:
            self._pointers[:], self._moved = self._addresses, bool(first)
            for name, row in first.items():
                if row and name in self._rows:
                    np.add(self._pointers, row * self._rows[name], out=self._pointers)
        self._function(states, *self._given)

    def function(
        self, name: str, counts: Counts, calls: np.ndarray, fallback: Callable[..., Any], title: str, doc: str
    ) -> Callable[..., Any]:
        """A function of the numbers of the array `name`, one row, that runs it with these counts."""
        self._pointers[:], self._moved = self._addresses, False
        own, k = np.array([counts[x] for x in self._names], np.int64), self._index[name]
        given = [*self._given[:2], address(own), *self._given[3:]]
        code = ctypes.cast(self._function, ctypes.c_void_p).value
        words = np.array([code, *given, self._addresses[k], address(calls)], np.int64)
        return call.looped(words, self._sizes[k], (self, own, calls), fallback, title, doc)


class Bound:
    """`bound(counts)` runs a program on its own arrays: they are looked at once, and a call takes microseconds.

    One call at a time: the arrays, and the workspace, are the same every time.  Other counts than the first are for
    programs whose own arrays have the same sizes whatever the counts are.
    """

    def __init__(self, looped: Looped, arrays: Arrays, counts: Counts, tables: Arrays):
        self.arrays, self._tables, self._looped, self._states = dict(arrays), tables, looped, states_of(arrays)
        looped.check(arrays, counts, tables)
        self._call = None if looped.run else Call(looped, arrays, counts, tables)

    def give(self, name: str, x: np.ndarray) -> None:
        """An array in the place of another of the same type and size, whose rows are one after the other."""
        self.arrays[name] = x
        if self._call:
            self._call.give(name, x)

    def move(self, arrays: Arrays, by: int) -> None:
        """Arrays in the place of others as these, which all began so many bytes before them."""
        self.arrays |= arrays
        if self._call:
            self._call.move(arrays, by)

    def function(self, name: str, *given: Any) -> Callable[..., Any]:
        """A function of the numbers of one array that runs it for one state, as `Call.function`; or the fallback."""
        *_, fallback, _, _ = given
        return self._call.function(name, *given) if self._call and self._states == 1 else fallback

    def __call__(self, counts: Counts, first: Counts = {}, threads: int = 1) -> None:
        """Run it once for every state; rows that are counted begin at number `first` of theirs."""
        if self._call and threads == 1:
            self._call.again(counts, self._states, first)
            return
        arrays = dict(self.arrays)
        for name, _, rows, _ in self._looped.memory[entry_for(self._states, self._looped.alone)]["parameters"]:
            if isinstance(rows, str):
                begin = first.get(rows, 0)
                arrays[name] = arrays[name][..., begin : begin + counts[rows], :]
        self._looped(arrays, counts, self._tables, threads)


class _Workspace:
    """Memory for the arrays of a program's own."""

    def __init__(self, arrays: list[list[Any]], counts: Counts, vector: int):
        ends = list(ends_of(arrays, counts, vector))
        self.memory = np.zeros(ends[-1] + _ALIGNMENT if ends else _ALIGNMENT, np.uint8)
        begin = address(self.memory)
        start = begin + -begin % _ALIGNMENT
        self.pointers = [start + end for end in [0, *ends][:-1]]


def ends_of(arrays: list[list[Any]], counts: Counts, vector: int) -> Iterator[int]:
    """Ends of the arrays of a program's own, in bytes."""
    at = 0
    for size, rows in arrays:
        number = counts[rows] if isinstance(rows, str) else rows
        at += -(-size * number * vector // _ALIGNMENT) * _ALIGNMENT
        yield at


def states_of(arrays: Arrays) -> int:
    """The number of states the arrays hold."""
    return max((len(x) for x in arrays.values() if x.ndim == 3), default=1)


def entry_for(states: int, alone: bool = False) -> str:
    """The entry point for so many states."""
    return "one" if states == 1 or alone else "batch"


def address(x: np.ndarray) -> int:
    """Address of the first number of an array."""
    return x.__array_interface__["data"][0]  # in a fraction of the time of x.ctypes.data
