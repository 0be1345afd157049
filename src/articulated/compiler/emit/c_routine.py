"""A routine as one C99 file: loops in C around blocks of straight-line code."""

from collections.abc import Sequence

from ..passes.loops import Block, Copy, Loop, Memory, Routine, Row, Statement
from .c import body_lines


def source(routine: Routine, name: str) -> str:
    """`void name(long n, counts…, tables…, arrays…, workspace)`: n states one after the other.

    Arrays hold (n, rows, size) numbers; `workspace` has room for the routine's own arrays, as the comment says.
    """
    blocks = {id(block.program): block.program for block in routine.blocks()}
    numbers = {key: k for k, key in enumerate(blocks)}
    parts = [f"/* {name}: {_described(routine)} */", "#include <math.h>", "#include <string.h>", ""]
    for key, program in blocks.items():
        inputs = [f"const double *restrict {title}" for title, _ in program.inputs]
        outputs = [f"double *restrict out{k}" for k in range(len(program.outputs))]
        parts.append(f"static void {name}_block{numbers[key]}({', '.join([*inputs, *outputs]) or 'void'})")
        parts += ["{", *body_lines(program, [f"out{k}" for k in range(len(program.outputs))]), "}", ""]
    parts += [f"{_head(routine, name)};", "", _head(routine, name), "{", "    long state;"]
    offset = "0"
    for k, m in enumerate(routine.locals):
        parts.append(f"    double *const local{k} = workspace + {offset};")
        offset = f"{offset} + {m.size} * {_count(m.rows)}"
    steps = "".join(f", {_name(routine, m)} += {m.size} * {_count(m.rows)}" for m in routine.parameters)
    parts.append(f"    for (state = 0; state < n; ++state{steps}) {{")
    parts += _statements(routine, name, numbers, routine.body, 2)
    return "\n".join([*parts, "    }", "}", ""])


def _described(routine: Routine) -> str:
    arrays = ", ".join(f"{_name(routine, m)} = {m.name} ({m.rows} x {m.size})" for m in routine.parameters)
    room = " + ".join(f"{m.size} * {m.rows}" for m in routine.locals) or "0"
    return f"n states; {arrays}; workspace of {room} numbers"


def _head(routine: Routine, name: str) -> str:
    counts = [f"long {_count(c)}" for c in routine.counts]
    tables = [f"const long long *table_{t}" for t in routine.tables]
    arrays = [f"{'const ' * (m.role == 'in')}double *{_name(routine, m)}" for m in routine.parameters]
    return f"void {name}({', '.join(['long n', *counts, *tables, *arrays, 'double *workspace'])})"


def _statements(
    routine: Routine, name: str, numbers: dict[int, int], body: Sequence[Statement], depth: int
) -> list[str]:
    indent, lines = "    " * depth, []
    for statement in body:
        if isinstance(statement, Block):
            rows = ", ".join(_pointer(routine, row) for row in (*statement.reads, *statement.writes))
            lines.append(f"{indent}{name}_block{numbers[id(statement.program)]}({rows});")
        elif isinstance(statement, Copy):
            source, target = _pointer(routine, statement.source), _pointer(routine, statement.target)
            lines.append(f"{indent}memcpy({target}, {source}, {statement.source.size} * sizeof(double));")
        else:
            lines += _loop(routine, name, numbers, statement, depth)
    return lines


def _loop(routine: Routine, name: str, numbers: dict[int, int], loop: Loop, depth: int) -> list[str]:
    indent, k, count = "    " * depth, f"k_{loop.counter}", _count(loop.count)
    order = f"{k} = {count} - 1; {k} >= 0; --{k}" if loop.reverse else f"{k} = 0; {k} < {count}; ++{k}"
    end = [f"{indent}    if (*({_pointer(routine, loop.until)}) != 0) break;"] if loop.until else []
    inside = _statements(routine, name, numbers, loop.body, depth + 1)
    ordered = [*end, *inside] if loop.ahead else [*inside, *end]
    return [f"{indent}for (long {order}) {{", *ordered, f"{indent}}}"]


def _pointer(routine: Routine, row: Row) -> str:
    index = " + ".join(f"k_{counter} * {_count(step)}" for counter, step in row.counters) or "0"
    if row.table is not None:
        index = f"table_{row.table}[{index}]"
    return f"{_name(routine, row.memory)} + ({index} + {row.offset}) * {row.memory.size}"


def _name(routine: Routine, memory: Memory) -> str:
    """Arrays are numbered: their names may be anything."""
    family = routine.locals if memory.role == "local" else routine.parameters
    number = next(k for k, m in enumerate(family) if m is memory)
    return f"{'local' if memory.role == 'local' else 'array'}{number}"


def _count(count: int | str) -> str:
    return str(count) if isinstance(count, int) else f"count_{count}"
