"""From a source to the text of its code: trace, simplify, lower, emit.

Only text is made here; the runtime compiles it.  Imported when the first kernel has to be compiled: one that comes
from the cache needs none of it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .abi import Module, Run, Target
from .emit import numpy as numpy_emitter
from .emit.llvm.module import ir, takes_sincos
from .emit.llvm.routine import routine_ir
from .passes.loops import TILE, Routine
from .passes.lower import lower
from .passes.simplify import shortest
from .passes.trace import Program, trace
from .source import Source


def definition(source: Source) -> Program:
    """The algorithm as it is defined, not simplified."""
    return trace(source.function, source.sizes)


def program(source: Source) -> Program:
    """The shortest of the formulations, or the algorithm itself if it has none; simplified."""
    return shortest(source.formulations() or (source.function,), source.sizes)


def lowered(source: Source) -> Program:
    """The program in operations that processors have."""
    return lower(program(source))


class Modules:
    """The entry points of one kernel as text, traced and lowered once for all of them."""

    def __init__(self, source: Source, target: Target):
        self._program: Program | Routine = source.build().mapped(lower) if source.build else lowered(source)
        self._target, self._precision = target, source.dtype.name

    def entry(self, name: str) -> Module:
        """The entry point `name`."""
        program = self._program
        if isinstance(program, Routine):
            return self._looped(program.staged() if name == "batch" else program, name)
        return Module(
            text=ir(program, self._target, self._precision, (name,)),
            shapes=tuple(output.shape for output in program.outputs),
            operations=len(program) + sum(len(output.entries) for output in program.outputs),
            sincos=takes_sincos(program),
            result=program.result,
        )

    def _looped(self, routine: Routine, name: str) -> Module:
        programs = [block.program for block in routine.blocks()]
        return Module(
            text=routine_ir(routine, self._target, self._precision, name),
            shapes=(),
            operations=sum(map(len, programs)),
            sincos=any(map(takes_sincos, programs)),
            result=None,
            memory=memory_of(routine),
        )


def memory_of(routine: Routine) -> dict[str, Any]:
    """The arrays, counts and tables of a program with loops, for its callers."""
    return {
        "parameters": [[m.name, m.size, m.rows, m.role] for m in routine.parameters],
        "locals": [[m.size, -(-m.rows // TILE) * TILE if m.tiled else m.rows] for m in routine.locals],  # type: ignore[operator]
        "counts": list(routine.counts),
        "tables": list(routine.tables),
    }


def numpy_run(program: Program) -> Run:
    """The program as a function that fills outputs (n, size) from inputs (n, size) by NumPy calls."""
    run = numpy_emitter.on_rows(program)

    def filled(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        with np.errstate(all="ignore"):
            run([np.ascontiguousarray(x.T) for x in inputs], [x.T for x in outputs])

    return filled


def numpy_loops(routine: Routine) -> tuple[Callable[..., None], dict[str, Any]]:
    """A program with loops as a function of arrays, counts, tables and a number of states; and its memory."""
    return partial(numpy_emitter.run_loops, routine, numpy_emitter.compiled_blocks(routine)), memory_of(routine)
