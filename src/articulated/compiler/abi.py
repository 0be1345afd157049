"""The binary interface of kernels: the names of their functions, and the description their callers need."""

from collections.abc import Callable, Sequence
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
