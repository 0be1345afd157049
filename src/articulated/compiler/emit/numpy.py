"""A program as NumPy source: the definition of every operation and of loops, and the fallback where there is no JIT."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..passes.loops import Block, Copy, Count, Gather, Loop, Memory, Part, Routine, Row, Statement
from ..passes.trace import Program

#: each operation as an expression of its operands
NUMPY = {
    "neg": "-{0}", "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}",
    "sqrt": "sqrt({0})", "sin": "sin({0})", "cos": "cos({0})", "atan2": "arctan2({0}, {1})", "sign": "sign({0})",
    "held": "{0}",
    "fma": "fma({0}, {1}, {2})", "fms": "fma({0}, {1}, -{2})", "fnma": "fma(-{0}, {1}, {2})",
    "sine": "sine({0})", "cosine": "cosine({0})",
    "less": "{0} < {1}", "select": "where({0}, {1}, {2})",
}  # fmt: skip

NAMES = {name: getattr(np, name) for name in ("sqrt", "sin", "cos", "arctan2", "sign", "where", "inf", "nan")}
#: operations of lowered programs, up to rounding
NAMES |= {"fma": lambda a, b, c: a * b + c, "sine": np.sin, "cosine": np.cos}


def source(program: Program) -> str:
    """A Python function `program(out0, …, argument, …)`: arguments (size, N), outputs (N, size)."""
    last_use = _last_uses(program)
    outputs = [f"out{k}" for k in range(len(program.outputs))]
    lines = [f"def program({', '.join([*outputs, *(name for name, _ in program.inputs)])}):"]
    lines += [f"    real = {name}.dtype.type" for name, _ in program.inputs[:1]]
    names: dict[int, str] = {}
    writes = _writes(program)
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op == "input":
            names[i] = f"{args[0]}[{args[1]}]"
        elif op == "const":
            names[i] = repr(args[0])
        else:
            names[i] = f"t{i}"
            # operations on constants alone need NumPy scalars: the right precision, and no error on division by zero
            alone = op == "select" or all(program.ops[k] == "const" for k in args)
            known = {k: f"real({names[k]})" for k in args if alone and program.ops[k] == "const"}
            lines.append(f"    t{i} = {NUMPY[op].format(*(known.get(k, names[k]) for k in args))}")
        lines += [f"    {target} = {'-' if negative else ''}{names[i]}" for target, negative in writes.get(i, ())]
        finished = [names[k] for k in last_use.get(i, ()) if names[k].startswith("t") and program.ops[k] != "input"]
        if finished:
            lines.append(f"    del {', '.join(finished)}")
    return "\n".join([*lines, "    return None"])


def compiled(program: Program) -> Callable[..., None]:
    """The function of `source(program)`."""
    names = dict(NAMES)
    exec(compile(source(program), "<articulated program>", "exec"), names)
    return names["program"]


def on_rows(program: Program) -> Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None]:
    """The program as a function of rows (size, states): those it reads, those it fills."""
    run = compiled(program)
    constants = [
        [(k, entry) for k, entry in enumerate(output.entries) if not isinstance(entry, tuple)]
        for output in program.outputs
    ]

    def filled(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for output, fixed in zip(outputs, constants, strict=True):
            for k, value in fixed:
                output[k] = value
        run(*(output.T for output in outputs), *inputs)

    return filled


def _writes(program: Program) -> dict[int, list[tuple[str, bool]]]:
    """Output columns that each operation fills, and their signs."""
    writes: dict[int, list[tuple[str, bool]]] = {}
    for k, output in enumerate(program.outputs):
        for column, entry in enumerate(output.entries):
            if isinstance(entry, tuple):
                writes.setdefault(entry[0], []).append((f"out{k}[:, {column}]", entry[1]))
    return writes


def _last_uses(program: Program) -> dict[int, list[int]]:
    """Values whose live range ends with each operation: they are deleted, to bound memory."""
    last: dict[int, int] = {}
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op not in ("input", "const"):
            last[i] = i
            for operand in args:
                last[operand] = i
    ends: dict[int, list[int]] = {}
    for operation, i in last.items():
        ends.setdefault(i, []).append(operation)
    return ends


# -- loops --------------------------------------------------------------------------------


def run_loops(
    routine: Routine,
    blocks: "Blocks",
    arrays: Mapping[str, np.ndarray],
    counts: Mapping[str, int],
    tables: Mapping[str, np.ndarray],
    states: int,
) -> None:
    """Fill the outputs among `arrays`, each (states, rows, size), from the inputs."""
    with np.errstate(all="ignore"):
        _Run(routine, arrays, counts, tables, states, blocks).statements(routine.body)


#: programs by their identity, as functions of rows (size, states) that are read and written
Blocks = dict[int, Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None]]


def compiled_blocks(routine: Routine) -> Blocks:
    """The blocks of a routine as Python functions, which takes longer than a short run of them."""
    programs = {id(block.program): block.program for block in routine.blocks()}
    return {key: on_rows(program) for key, program in programs.items()}


class _Run:
    """A program with loops as it runs, all states at once."""

    def __init__(
        self,
        routine: Routine,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int],
        tables: Mapping[str, np.ndarray],
        states: int,
        blocks: Blocks,
    ):
        self.arrays, self.counts, self.tables = arrays, counts, dict(tables)
        self.counters: dict[str, int] = {}
        self.gathered: dict[str, int] = {}
        self.own = {m.name: np.full((self.number(m.rows), m.size, states), np.nan) for m in routine.locals}
        self.compiled = blocks

    def number(self, count: Count) -> int:
        if isinstance(count, int):
            return count
        return next(x[count] for x in (self.counters, self.gathered, self.counts) if count in x)

    def statements(self, body: Sequence[Statement]) -> None:
        """Write statements one after the other."""
        for statement in body:
            if isinstance(statement, Block):
                self.compiled[id(statement.program)](
                    [self.row(row) for row in statement.reads], [self.row(row) for row in statement.writes]
                )
            elif isinstance(statement, Copy):
                self.row(statement.target)[...] = self.row(statement.source)
            elif isinstance(statement, Gather):
                self.gather(statement)
            elif isinstance(statement, Part):
                self.statements(statement.body)
            else:
                self.loop(statement)

    def loop(self, loop: Loop) -> None:
        """The body again and again, until every state has finished."""
        if isinstance(loop.start, tuple):
            counter, step, offset = loop.start
            start = self.counters[counter] * step + offset
        else:
            start = self.number(loop.start) + (loop.start in self.counters)
        count = self.number(loop.count) + (loop.count in self.counters)
        for k in reversed(range(start, count)) if loop.reverse else range(start, count):
            self.counters[loop.counter] = k
            if loop.ahead and self.finished(loop):
                break
            self.statements(loop.body)
            if not loop.ahead and self.finished(loop):
                break
        self.counters.pop(loop.counter, None)

    def gather(self, gather: Gather) -> None:
        """The rows that are flagged in some state, after those listed before."""
        first = self.number(gather.first)
        flags = self.own[gather.flags.name][first : self.number(gather.end)]
        found = first + np.flatnonzero(flags.any(axis=(1, 2)))
        start = self.gathered.get(gather.after, 0) if gather.after else 0
        self.gathered[gather.count] = start + len(found)
        known = self.tables.get(gather.table.name, np.empty(0, np.int64))[:start]
        self.tables[gather.table.name] = np.concatenate([known, found])

    def finished(self, loop: Loop) -> bool:
        """True if every state has."""
        return loop.until is not None and bool(self.row(loop.until).all())

    def row(self, row: Row) -> np.ndarray:
        """A row, (size, states)."""
        index = sum(self.number(counter) * self.number(step) for counter, step in row.counters)
        for table in row.tables:
            index = int(self.tables[table][index])
        memory: Memory = row.memory
        k = index + row.offset * (self.counts[row.step] if isinstance(row.step, str) else row.step)
        if memory.role == "local":
            return self.own[memory.name][k : k + row.span].reshape(row.size, -1)
        return self.arrays[memory.name][:, k].T
