"""The shortest of several formulations of one algorithm, as a program."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...housekeeping import uncollected
from ..source import TooLong
from .simplify import simplify
from .trace import Program, trace

#: operations up to which a program is compiled, in some seconds; NumPy source is ready in a tenth of that
MOST_OPERATIONS = 120_000
#: operations that a trace may record, dead code included, for each one that the program may have
RECORDED = 2


def shortest(functions: Sequence[Callable[..., Any]], sizes: Mapping[str, int]) -> Program:
    """The shortest of the functions of vectors, simplified; `TooLong` if none is short enough to be compiled."""
    traced: list[Program] = []
    most = MOST_OPERATIONS
    with uncollected():
        for function in functions:
            try:
                traced.append(trace(function, sizes, RECORDED * most))
            except TooLong:
                continue
            most = min(most, len(traced[-1]))
        if not (short := [program for program in traced if len(program) <= MOST_OPERATIONS]):
            raise TooLong
        return simplify(min(short, key=len))
