"""A routine run by NumPy, all states at once: what its loops mean, and the fallback where there is no JIT."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..passes.loops import Block, Copy, Count, Loop, Memory, Routine, Row, Statement
from ..passes.trace import Program
from . import numpy as numpy_emitter


def run(
    routine: Routine,
    arrays: Mapping[str, np.ndarray],
    counts: Mapping[str, int],
    tables: Mapping[str, np.ndarray],
    states: int,
    blocks: "Blocks | None" = None,
) -> None:
    """Fill the outputs among `arrays`, each (states, rows, size), from the inputs; `blocks` as from `compiled`."""
    with np.errstate(all="ignore"):
        _Run(routine, arrays, counts, tables, states, blocks or compiled(routine)).statements(routine.body)


#: programs by their identity, as functions of rows (size, states) that are read and written
Blocks = dict[int, Callable[[list[np.ndarray], list[np.ndarray]], None]]


def compiled(routine: Routine) -> Blocks:
    """The blocks of a routine as Python functions, which takes longer than a short run of them."""
    programs = {id(block.program): block.program for block in routine.blocks()}
    return {key: _compiled(program) for key, program in programs.items()}


class _Run:
    def __init__(
        self,
        routine: Routine,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int],
        tables: Mapping[str, np.ndarray],
        states: int,
        blocks: Blocks,
    ):
        self.arrays, self.counts, self.tables = arrays, counts, tables
        self.own = {m.name: np.full((self.number(m.rows), m.size, states), np.nan) for m in routine.locals}
        self.counters: dict[str, int] = {}
        self.compiled = blocks

    def number(self, count: Count) -> int:
        return count if isinstance(count, int) else self.counts[count]

    def statements(self, body: Sequence[Statement]) -> None:
        """One after the other."""
        for statement in body:
            if isinstance(statement, Block):
                self.compiled[id(statement.program)](
                    [self.row(row) for row in statement.reads], [self.row(row) for row in statement.writes]
                )
            elif isinstance(statement, Copy):
                self.row(statement.target)[...] = self.row(statement.source)
            else:
                self.loop(statement)

    def loop(self, loop: Loop) -> None:
        """The body again and again, until every state has finished."""
        count = self.number(loop.count)
        for k in reversed(range(count)) if loop.reverse else range(count):
            self.counters[loop.counter] = k
            if loop.ahead and self.finished(loop):
                break
            self.statements(loop.body)
            if not loop.ahead and self.finished(loop):
                break

    def finished(self, loop: Loop) -> bool:
        """Whether every state has."""
        return loop.until is not None and bool(self.row(loop.until).all())

    def row(self, row: Row) -> np.ndarray:
        """A row, (size, states)."""
        index = sum(self.counters[counter] * self.number(step) for counter, step in row.counters)
        if row.table is not None:
            index = int(self.tables[row.table][index])
        memory: Memory = row.memory
        k = index + row.offset
        if memory.role == "local":
            return self.own[memory.name][k : k + row.span].reshape(row.size, -1)
        return self.arrays[memory.name][:, k].T


def _compiled(program: Program) -> Callable[[list[np.ndarray], list[np.ndarray]], None]:
    """The program on rows (size, states)."""
    run = numpy_emitter.compiled(program)
    constants = [
        [(k, entry) for k, entry in enumerate(output.entries) if not isinstance(entry, tuple)]
        for output in program.outputs
    ]

    def filled(inputs: list[np.ndarray], outputs: list[np.ndarray]) -> None:
        for output, fixed in zip(outputs, constants, strict=True):
            for k, value in fixed:
                output[k] = value
        run(*(output.T for output in outputs), *inputs)

    return filled
