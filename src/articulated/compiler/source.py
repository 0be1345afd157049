"""What a kernel is made from, and the program that comes of it."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .simplify import simplify
from .trace import Program, trace

#: traced operations that LLVM compiles in about ten seconds; NumPy is ready for a longer program in a tenth of that
MOST_OPERATIONS = 100_000


class TooLong(Exception):
    """The program is not worth the time to compile it."""


@dataclass(frozen=True, eq=False)
class Source:
    """What a kernel is made from."""

    name: str
    function: Callable[..., Any]  # of keyword arguments, each a vector of scalars
    others: tuple[Callable[..., Any], ...] = field(default=(), kw_only=True)  # the same quantity in other words
    sizes: Mapping[str, int]
    check: Callable[[Sequence[Any], Mapping[str, Any]], list[np.ndarray]]  # arguments to arrays (…, size), or an error
    result: type | None = None  # the NamedTuple it returns, if it does
    dtype: np.dtype = np.dtype(float)
    identity: Callable[[], str | None] = lambda: None  # the same for the same numbers: found without a trace
    doc: str = ""
    remake: tuple[Any, ...] | None = None  # how another process makes this kernel, for pickle
    example: Mapping[str, np.ndarray] | None = None  # a valid state, if the function is too long to be traced

    def traced(self) -> Program:
        """The definition itself."""
        return trace(self.function, self.sizes)

    def program(self) -> Program:
        """Of the shorter formulations, if there are any, the one with the fewest operations; simplified."""
        with _uncollected():
            programs = [trace(text, self.sizes) for text in self.others or (self.function,)]
            if not (short := [program for program in programs if len(program) <= MOST_OPERATIONS]):
                raise TooLong
            return simplify(min(short, key=len))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: a graph is many objects and no cycle, and would be looked through time and again."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()
