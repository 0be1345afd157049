"""From a source to the text of its code: trace, simplify, lower, emit.

Only text is made here; the runtime compiles it.  Imported when the first kernel has to be compiled: one that comes
from the cache needs none of it.
"""

from collections.abc import Sequence

import numpy as np

from ..housekeeping import uncollected
from .abi import Module, Run
from .emit import numpy as numpy_emitter
from .emit.emitters import chosen
from .emit.llvm.module import ir, sincos_ir, takes_sincos
from .emit.llvm.types import Lanes
from .passes.lower import lower
from .passes.simplify import simplify
from .passes.trace import Program, trace
from .source import Source, TooLong
from .target import Target

#: operations up to which a program is compiled, in some seconds; NumPy source is ready in a tenth of that
MOST_OPERATIONS = 100_000
#: operations that a trace may record, dead code included, for each one that the program may have
RECORDED = 2


def definition(source: Source) -> Program:
    """The algorithm as it is defined, not simplified."""
    return trace(source.function, source.sizes)


def program(source: Source) -> Program:
    """The shortest of the formulations, or the algorithm itself if it has none; simplified."""
    traced: list[Program] = []
    most = MOST_OPERATIONS
    with uncollected():
        for formulation in source.formulations or (source.function,):
            try:
                traced.append(trace(formulation, source.sizes, RECORDED * most))
            except TooLong:
                continue
            most = min(most, len(traced[-1]))
        if not (short := [program for program in traced if len(program) <= MOST_OPERATIONS]):
            raise TooLong
        return simplify(min(short, key=len))


def lowered(source: Source) -> Program:
    """The program in operations that processors have."""
    return lower(program(source))


class Modules:
    """The entry points of one kernel as text, traced and lowered once for all of them."""

    def __init__(self, source: Source, target: Target):
        self._program, self._target, self._precision = lowered(source), target, source.dtype.name

    def entry(self, name: str) -> Module:
        """The entry point `name`."""
        program, target = self._program, self._target
        return Module(
            text=ir(program, target, self._precision, (name,)),
            shapes=tuple(output.shape for output in program.outputs),
            operations=len(program) + sum(len(output.entries) for output in program.outputs),
            sincos=takes_sincos(program),
            result=program.result,
        )


def sincos_text(target: Target, precision: str) -> str:
    """The function for sines and cosines that every kernel calls."""
    return sincos_ir(target, precision)


def emitter_name(target: Target, entry: str) -> str:
    """Which emitter writes the straight-line code of an entry point."""
    return chosen(target, Lanes(1 if entry == "one" else target.lanes())).name


def numpy_run(program: Program) -> Run:
    """The program as a function that fills outputs (n, size) from inputs (n, size) by NumPy calls."""
    run = numpy_emitter.compiled(program)
    constants = [[0.0 if isinstance(entry, tuple) else entry for entry in o.entries] for o in program.outputs]

    def filled(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for output, row in zip(outputs, constants, strict=True):
            output[:] = row
        with np.errstate(all="ignore"):
            run(*outputs, *(np.ascontiguousarray(x.T) for x in inputs))

    return filled
