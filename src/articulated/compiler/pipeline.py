"""From what a kernel is made from to something that runs: trace, simplify, lower, emit, compile.

Imported when the first kernel has to be made: one that comes from the cache needs none of it.
"""

from collections.abc import Sequence

import numpy as np

from ..housekeeping import uncollected
from .emit import numpy as numpy_emitter
from .emit.llvm.module import ir, sines_ir, takes_sines
from .passes.lower import lower
from .passes.simplify import simplify
from .passes.trace import Program, trace
from .runtime import engine
from .runtime.batch import Run
from .source import Source, TooLong

__all__ = ["definition", "lowered", "numpy_run", "object_file", "program", "sines_text", "takes_sines"]

#: traced operations that are compiled in some seconds; NumPy is ready for a longer program in a tenth of that
MOST_OPERATIONS = 100_000
#: operations that may be recorded for each one that is used: a trace that has more than that is given up
RECORDED = 2


def definition(source: Source) -> Program:
    """The definition itself."""
    return trace(source.function, source.sizes)


def program(source: Source) -> Program:
    """Of the formulations, if there are any, the one with the fewest operations; simplified."""
    found: list[Program] = []
    most = MOST_OPERATIONS
    with uncollected():
        for function in source.formulations or (source.function,):
            try:
                found.append(trace(function, source.sizes, RECORDED * most))
            except TooLong:
                continue
            most = min(most, len(found[-1]))
        if not (short := [program for program in found if len(program) <= MOST_OPERATIONS]):
            raise TooLong
        return simplify(min(short, key=len))


def lowered(source: Source) -> Program:
    """The program as machine code knows it."""
    return lower(program(source))


def object_file(program: Program, lanes: int, precision: str, form: str) -> bytes:
    """One of the functions of a lowered program in machine code."""
    return engine.compile_object(ir(program, lanes, precision, (form,), engine.assembles()))


def sines_text(lanes: int, precision: str) -> str:
    """The sines that functions call, for LLVM."""
    return sines_ir(lanes, precision, engine.assembles())


def numpy_run(program: Program) -> Run:
    """The program as NumPy calls."""
    run = numpy_emitter.compiled(program)
    constants = [[0.0 if isinstance(entry, tuple) else entry for entry in o.entries] for o in program.outputs]

    def filled(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for output, row in zip(outputs, constants, strict=True):
            output[:] = row
        with np.errstate(all="ignore"):
            run(*outputs, *(np.ascontiguousarray(x.T) for x in inputs))

    return filled
