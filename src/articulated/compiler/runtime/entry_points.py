"""Entry points of the machine code of a kernel, and the general way to call it."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..abi import ENTRY_POINTS
from . import call, python_call

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
        self.callee = call.callee(self.sizes, self.shapes, self.dtype, self.result, self.most)

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
        """True if the callee takes batches and has helpers for them."""
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
