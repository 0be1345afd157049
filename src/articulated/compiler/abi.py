"""The binary interface of kernels: names of functions, the description for callers, and the processor they are for."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

#: fills outputs (n, count) from inputs (n, size); says whether an argument is not finite, or None if it does not know
Run = Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], bool | None]
#: the two entry points of a kernel, `articulated_one` and `articulated_batch`
ENTRY_POINTS = ("one", "batch")
#: the function both call for sines and cosines, the same for every kernel
SINCOS_SYMBOL = "articulated_sincos"
#: what that one calls for huge angles: functions of the C library
LIBM_SYMBOLS = {"articulated_sin": "sin", "articulated_cos": "cos"}
#: and those that routines have memory from
MEMORY_SYMBOLS = {"articulated_allocate": "malloc", "articulated_free": "free"}


@dataclass(frozen=True)
class Module:
    """One entry point of a kernel as text for LLVM, and its description for callers."""

    text: str
    shapes: tuple[tuple[int, ...], ...]  # of the results for one state
    operations: int  # how long it takes, roughly
    sincos: bool  # whether it calls `SINCOS_SYMBOL`
    result: Any  # the NamedTuple it returns, or None
    memory: Any = None  # of a routine: its arrays, as plain lists


#: bytes of the widest vector register by feature; the first feature the processor has counts
_WIDTHS = (("avx512f", 64), ("avx2", 32), ("", 16))
_SIZES = {"float64": 8, "float32": 4}


@dataclass(frozen=True)
class Target:
    """A processor: the width of its vectors, and whether it is x86."""

    width: int  # bytes of a vector register
    x86: bool = False  # whether it runs 64-bit x86 instructions

    def lanes(self, precision: str = "float64") -> int:
        """States that are evaluated together, one per lane of a vector; at least two."""
        return max(self.width // _SIZES[precision], 2)


def vector_width(features: Set[str]) -> int:
    """Bytes of the widest vector register of a processor with these features."""
    return next(width for name, width in _WIDTHS if not name or name in features)
