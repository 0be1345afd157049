"""A kernel as a function of arrays that is as short as this installation allows: in C, or through Python.

`_call.c` is an extension that is built when the package is installed with a C compiler; `python_call.py` does the same
for one state.  Both have a `Callee` with entry points, which gives the result for plain arrays, else None.
"""

import ctypes
import importlib
import math
import os
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from ..abi import ENTRY_POINTS
from . import python_call


def reason() -> str | None:
    """Reason why kernels are called through Python; None if they are called in C."""
    if os.environ.get("ARTICULATED_EXTENSION", "").lower() in ("off", "0", "no"):
        return "switched off by ARTICULATED_EXTENSION"
    return _loaded()[1]


@cache
def _loaded() -> tuple[Any, str | None]:
    """The extension, or None and why."""
    try:
        extension = importlib.import_module("._call", __package__)
    except ImportError as problem:
        if os.environ.get("ARTICULATED_EXTENSION", "").lower() == "required":
            raise
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return None, "there is no call in C for a free-threaded Python"
        missing = isinstance(problem, ModuleNotFoundError) and problem.name == f"{__package__}._call"
        return None, "installed without a C compiler" if missing else f"the call in C does not load: {problem}"
    return extension, None


def empty(count: int) -> np.ndarray:
    """Array of so many numbers, none of them set; a large one in memory of results that are gone, where C keeps it."""
    return _allocator()(count)


@cache  # to look into the environment takes longer than to allocate
def _allocator() -> Callable[[int], np.ndarray]:
    return np.empty if reason() else _loaded()[0].empty


def callee(
    sizes: tuple[int, ...],
    shapes: tuple[tuple[int, ...], ...],
    dtype: np.dtype,
    result: type | None,
    most: int,
) -> Any:
    """The callee that serves plain arrays, in C or in Python; None if one of them is empty."""
    if not sizes or 0 in (*sizes, *map(math.prod, shapes)):
        return None
    extension = None if reason() else _loaded()[0]
    arrays, axes = len(sizes) + len(shapes), max(map(len, shapes))
    fits = extension and arrays <= extension.MOST_ARRAYS and axes <= extension.MOST_AXES
    way: Any = extension if fits else python_call
    return way.Callee(sizes, shapes, dtype, result, most)


def function(
    entry_points: "EntryPoints | None", fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any] | None:
    """`name(*arrays, out=None)` for a kernel, with a fallback for anything out of the ordinary.

    `doc` may begin with a signature, as the text of a builtin does.  None if there is no machine code.
    """
    found = entry_points and entry_points.callee
    return found.function(fallback, name, doc) if found else None


def method(
    table: dict[str | None, Any], inputs: int, by_frame: bool, fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any]:
    """`name(*arrays, out=None)`, or `name(*arrays, frame, out=None)`, by callees in a table that fills.

    The key of a callee is the name of its frame, or None.  What the table cannot answer goes to the fallback.
    """
    extension = None if reason() else _loaded()[0]
    way: Any = extension or python_call
    return way.method(table, inputs, by_frame, fallback, name, doc)


def looped(
    words: np.ndarray, inputs: int, kept: Any, fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any]:
    """`name(array=zeros)` that runs a program with loops on one state, or the fallback where there is no C.

    The words are addresses: of the code, its five arguments, the numbers that a call fills, and the count of calls;
    `kept` is what they point at.
    """
    return fallback if reason() else _loaded()[0].looped(words, inputs, kept, fallback, name, doc)


ONE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
#: of the number of states, pointers and strides; not zero if an argument is not finite
BATCH = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(eq=False)
class EntryPoints:
    """The entry points of a kernel, as far as they are compiled, and the arrays it takes and gives."""

    sizes: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    result: type | None
    dtype: np.dtype
    most: int = 1 << 40  # states in one call; more are split in Python, where Ctrl-C is heard
    callee: Any = field(init=False)  # what serves plain arrays; every function of this kernel goes through it
    _code: dict[str, Any] = field(init=False, default_factory=dict)  # kept for calls under way
    _addresses: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.callee = callee(self.sizes, self.shapes, self.dtype, self.result, self.most)

    def add(self, entry: str, code: Any) -> None:
        """One of its entry points, "one" or "batch"."""
        self._code[entry], self._addresses[entry] = code, code[f"articulated_{entry}"]
        if self.callee:
            self.callee.add(ENTRY_POINTS.index(entry), self._addresses[entry], code)

    def has(self, entry: str) -> bool:
        """True if this entry point is there."""
        return entry in self._addresses

    def address(self, entry: str) -> int:
        """Address of an entry point."""
        return self._addresses[entry]

    def withdraw(self) -> None:
        """No plain array is served from now on; the code stays in memory for calls under way."""
        if self.callee:
            self.callee.withdraw()

    @property
    def in_c(self) -> bool:
        """True if the callee takes batches."""
        return self.callee is not None and not isinstance(self.callee, python_call.Callee)

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> bool | None:
        """Fill outputs (n, count) from inputs (n, size); says whether a state is unusual, or None for a single one."""
        arrays, states = [*(_rows(x) for x in inputs), *outputs], len(outputs[0])
        words = ctypes.c_int64 * len(arrays)
        pointers, strides = words(*(x.ctypes.data for x in arrays)), words(*(x.strides[0] for x in arrays))
        if states == 1 and "one" in self._addresses:
            ONE(self._addresses["one"])(pointers)
            return None
        return bool(states and BATCH(self._addresses["batch"])(states, pointers, strides))


def _rows(x: np.ndarray) -> np.ndarray:
    """`x` or a copy with contiguous, aligned rows."""
    contiguous = x.shape[1] <= 1 or x.strides[1] == x.itemsize
    return x if contiguous and x.flags.aligned else np.ascontiguousarray(x)
