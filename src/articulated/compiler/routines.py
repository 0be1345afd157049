"""A routine (a program with loops) as a function of NumPy arrays: machine code where that can be made, else NumPy."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .passes.loops import Routine
from .runtime import engine
from .runtime.engine import Code
from .runtime.object_files import Modules, ObjectFiles
from .runtime.threads import processors, together

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, *[ctypes.c_void_p] * 5)
#: the arrays of a routine begin at multiples of this many bytes, the widest vector
_ALIGNMENT = 64


@dataclass(frozen=True, eq=False)
class RoutineSource:
    """What a routine is made from; `build` is called only if it is not in the cache."""

    name: str
    build: Callable[[], Routine]
    identity: Callable[[], str | None] = lambda: None
    dtype: np.dtype = np.dtype(float)
    result: type | None = None


class RoutineKernel:
    """`kernel(arrays, counts, tables, threads)` fills the outputs among the arrays, each (states, rows, size).

    An input without the first axis is the same for every state.
    """

    def __init__(self, source: RoutineSource):
        self.source = source
        self._files = ObjectFiles(source, _modules, _sincos_text)
        self._routine: Routine | None = None  # if it runs through NumPy
        self._blocks: Any = None  # of it, as Python functions
        self._functions: dict[str, Any] = {}  # by entry point; made once, and never replaced
        self._memory: dict[str, dict[str, Any]] = {}  # by entry point

    @property
    def memory(self) -> dict[str, Any]:
        """Its parameters (name, size, rows, role), the sizes of its own arrays, the names of counts and tables."""
        if not self._memory:
            self.ready("one")
        return self._memory.get("one") or self._memory["batch"]

    def __call__(
        self,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int] = {},
        tables: Mapping[str, np.ndarray] = {},
        threads: int = 1,
    ) -> None:
        """Run it once for every state."""
        states, entry = _states(arrays)
        function = self.ready(entry)
        self._check(arrays, counts, tables, states)
        if function is None:
            from .emit import numpy_routine

            assert self._routine is not None
            whole = {
                name: np.broadcast_to(x, (states, *x.shape[-2:])) if x.ndim == 2 else x for name, x in arrays.items()
            }
            self._blocks = self._blocks or numpy_routine.compiled(self._routine)
            numpy_routine.run(self._routine, whole, counts, tables, states, self._blocks)
            return
        lanes = engine.host().lanes(self.source.dtype.name) if states > 1 else 1
        workers = max(1, min(threads, processors(), states // lanes))
        share = -(-states // (workers * lanes)) * lanes
        left = iter(range(0, states, share))

        def work() -> None:
            workspace = _Workspace(self._memory[entry]["locals"], counts, lanes * self.source.dtype.itemsize)
            for first in left:
                self._run(function, arrays, counts, tables, workspace, first, min(share, states - first))

        together(work, workers)

    def _run(
        self,
        function: Any,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int],
        tables: Mapping[str, np.ndarray],
        workspace: "_Workspace",
        first: int,
        states: int,
    ) -> None:
        memory = self.memory
        ordered = [arrays[name] for name, *_ in memory["parameters"]]
        strides = _strides(ordered)
        pointers = [_address(x) + first * step for x, step in zip(ordered, strides, strict=True)]
        function(
            states,
            _words(pointers),
            _words(strides),
            _words([counts[name] for name in memory["counts"]]),
            _words([_address(tables[name]) for name in memory["tables"]]),
            _words(workspace.pointers),
        )

    def bound(self, arrays: Mapping[str, np.ndarray], counts: Mapping[str, int]) -> "Bound":
        """The routine with arrays that stay, for many short calls."""
        return Bound(self, arrays, counts)

    def ready(self, entry: str) -> Any:
        """The function of an entry point, which keeps its code mapped; None if there is no machine code."""
        if entry not in self._functions and self._routine is None:
            with engine.LOCK:  # another thread may have made it meanwhile
                if entry not in self._functions and self._routine is None:
                    self._make(entry)
        return self._functions.get(entry)

    def _make(self, entry: str) -> None:
        if engine.reason() is None:
            about, code, _ = self._files.entry(entry)
            self._memory[entry], self._functions[entry] = about["memory"], _function(code, entry)
            return
        from . import pipeline

        routine = self.source.build()
        self._memory[entry] = pipeline.memory_of(routine)
        self._routine = routine  # last: from now on other threads take it as ready

    def _check(
        self, arrays: Mapping[str, Any], counts: Mapping[str, int], tables: Mapping[str, np.ndarray], states: int
    ) -> None:
        """Machine code trusts its caller: every shape, type and stride is looked at here."""
        for name, size, rows, role in self.memory["parameters"]:
            x, number = arrays[name], counts[rows] if isinstance(rows, str) else rows
            good = x.dtype == self.source.dtype and x.shape[-2:] == (number, size) and x[..., :, :].flags.aligned
            plain = not x.size or (x.strides[-1] == x.itemsize and (number == 1 or x.strides[-2] == size * x.itemsize))
            each = x.ndim == 3 and len(x) == states
            if not (good and plain and (each or (x.ndim == 2 and role == "in"))):
                raise ValueError(
                    f"{self.source.name}: {name} is {x.dtype} {x.shape} with strides {x.strides}, "
                    f"not rows of {self.source.dtype} ({states}, {number}, {size})"
                )
            if role == "out" and not x.flags.writeable:
                raise ValueError(f"{self.source.name}: {name} is read-only")
        for name in self.memory["tables"]:
            if tables[name].dtype != np.int64 or not tables[name].flags.c_contiguous:
                raise ValueError(f"{self.source.name}: the table {name} needs whole numbers of 64 bits")


class Bound:
    """`bound(counts)` runs a routine on its own arrays: they are looked at once, and a call takes microseconds.

    One call at a time: the arrays, and the workspace, are the same every time.  For routines without tables, whose own
    arrays have the same sizes whatever the counts are.
    """

    def __init__(self, kernel: RoutineKernel, arrays: Mapping[str, np.ndarray], counts: Mapping[str, int]):
        self.kernel, self.arrays = kernel, arrays
        states, entry = _states(arrays)
        self._function = kernel.ready(entry)
        kernel._check(arrays, counts, {}, states)
        if self._function is None:
            return
        memory, dtype = kernel._memory[entry], kernel.source.dtype
        assert not memory["tables"] and not any(isinstance(rows, str) for _, rows in memory["locals"])
        lanes = engine.host().lanes(dtype.name) if states > 1 else 1
        ordered = [arrays[name] for name, *_ in memory["parameters"]]
        self._workspace = _Workspace(memory["locals"], counts, lanes * dtype.itemsize)
        self._names, self._counts = memory["counts"], _words([counts[name] for name in memory["counts"]])
        strides = _words(_strides(ordered))
        pointers, own = _words(list(map(_address, ordered))), _words(self._workspace.pointers)
        self._given = states, pointers, strides, self._counts, _words([]), own

    def __call__(self, counts: Mapping[str, int]) -> None:
        """Run it once for every state."""
        if self._function is None:
            return self.kernel(self.arrays, counts)
        for k, name in enumerate(self._names):
            self._counts[k] = counts[name]
        self._function(*self._given)


class _Workspace:
    """Memory for the arrays of a routine's own."""

    def __init__(self, arrays: list[list[Any]], counts: Mapping[str, int], vector: int):
        ends = list(_ends(arrays, counts, vector))
        self.memory = np.empty(ends[-1] + _ALIGNMENT if ends else _ALIGNMENT, np.uint8)
        address = _address(self.memory)
        start = address + -address % _ALIGNMENT
        self.pointers = [start + end for end in [0, *ends][:-1]]


def _ends(arrays: list[list[Any]], counts: Mapping[str, int], vector: int) -> Iterator[int]:
    at = 0
    for size, rows in arrays:
        number = counts[rows] if isinstance(rows, str) else rows
        at += -(-size * number * vector // _ALIGNMENT) * _ALIGNMENT
        yield at


def _function(code: Code, entry: str) -> Any:
    """An entry point of some code; whoever holds the function holds the code."""
    found = _ENTRY(code[f"articulated_{entry}"])
    found.code = code
    return found


def _states(arrays: Mapping[str, np.ndarray]) -> tuple[int, str]:
    """How many there are, and which entry point is for so many."""
    states = max((len(x) for x in arrays.values() if x.ndim == 3), default=1)
    return states, "one" if states == 1 else "batch"


def _strides(arrays: list[np.ndarray]) -> list[int]:
    """Bytes from one state to the next; none where it is the same for all."""
    return [x.strides[0] if x.ndim == 3 else 0 for x in arrays]


def _address(x: np.ndarray) -> int:
    return x.__array_interface__["data"][0]  # in a fraction of the time of x.ctypes.data


def _words(values: list[int]) -> Any:
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def _modules(source: RoutineSource) -> Modules:
    from . import pipeline

    return pipeline.RoutineModules(source.build(), engine.host(), source.dtype.name)


def _sincos_text(precision: str) -> str:
    from . import pipeline

    return pipeline.sincos_text(engine.host(), precision)
