"""The entry points of a kernel in machine code, and the plain way to call them."""

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..abi import FORMS
from .engine import Code

#: results of single states kept for use again
RING = 2
ONE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
#: of the number of states, pointers and strides; not zero if an argument is not finite
BATCH = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(eq=False)
class Native:
    """A kernel in machine code: its entry points, as far as they are compiled, and the arrays it takes and gives."""

    sizes: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    result: type | None
    dtype: np.dtype
    most: int = 1 << 40  # states in one call; more are split in Python, where Ctrl-C is heard
    counts: tuple[int, ...] = field(init=False)
    entries: Any = field(
        init=False
    )  # addresses by form, 0 for none: every builtin looks here, so that all see a new one
    code: dict[str, Any] = field(init=False, default_factory=dict)
    ring: list[Any] = field(init=False)  # the last results of single states, for use again once nobody holds them

    def __post_init__(self) -> None:
        self.counts = tuple(map(math.prod, self.shapes))
        self.ring = [None] * RING
        self.entries = (ctypes.c_int64 * len(FORMS))()

    def add(self, form: str, code: Mapping[str, int] | Code) -> None:
        """One of its entry points."""
        self.code[form] = code
        self.entries[FORMS.index(form)] = code[f"articulated_{form}"]

    def has(self, form: str) -> bool:
        """Whether this entry point is there."""
        return form in self.code

    def withdraw(self) -> None:
        """No entry point from now on; the code stays in memory for calls under way."""
        self.entries[:] = [0] * len(FORMS)

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Fill outputs (n, count) from inputs (n, size); rows contiguous, any row stride."""
        arrays, states = [*(_rows(x) for x in inputs), *outputs], len(outputs[0])
        words = ctypes.c_int64 * len(arrays)
        pointers, strides = words(*(x.ctypes.data for x in arrays)), words(*(x.strides[0] for x in arrays))
        one, batch = self.entries
        if states == 1 and one:
            ONE(one)(pointers)
        elif states:
            BATCH(batch)(states, pointers, strides)


def _rows(x: np.ndarray) -> np.ndarray:
    """`x` or a copy with contiguous, aligned rows."""
    dense = x.shape[1] <= 1 or x.strides[1] == x.itemsize
    return x if dense and x.flags.aligned else np.ascontiguousarray(x)
