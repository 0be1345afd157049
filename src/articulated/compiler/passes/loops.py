"""Programs that repeat: straight-line blocks on rows of arrays, and loops around them.

A `Routine` has arrays of its caller (parameters) and arrays of its own (locals), each a number of rows.  Its statements
run a block, copy a row, or repeat other statements.  Time, iterations and bodies are all loops of this kind: a step is
a block that reads row k of the torques and writes row k + 1 of the motion; a solver repeats a sweep until every lane
has finished; a long chain runs one block for each body, with the body's data in row k.

A block must not write a row that it reads: its operations read and write in an order of their own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from .shortest import shortest
from .trace import Program

#: how often something is repeated, or how many rows there are: a number, or the name of one that the caller gives
Count = int | str
#: a row of an array: its number, the counter of a loop, or counters with their steps
Index = int | str | Mapping[str, Count]


@dataclass(frozen=True)
class Memory:
    """An array: `rows` rows of `size` numbers for every state."""

    name: str
    size: int
    rows: Count = 1
    role: str = "local"  # or "in", "out": of the caller

    def row(self, index: "Index" = 0, offset: int = 0, table: "str | None" = None) -> "Row":
        """Row `index` plus `offset`; or the row that `table` names at `index`, plus `offset`.

        An index is a number, the counter of a loop, or counters with the step that each is multiplied by.
        """
        if isinstance(index, int):
            return Row(self, (), index + offset, table)
        steps = {index: 1} if isinstance(index, str) else index
        return Row(self, tuple(steps.items()), offset, table)

    def whole(self) -> "Row":
        """All rows of an array of known size, as one long row."""
        assert isinstance(self.rows, int)
        return Row(self, (), span=self.rows)


@dataclass(frozen=True)
class Row:
    """A row of an array, or several in a row; `table` is an array of whole numbers, looked up at the index."""

    memory: Memory
    counters: tuple[tuple[str, Count], ...] = ()  # each with its step
    offset: int = 0
    table: str | None = None
    span: int = 1  # rows

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.span * self.memory.size


Place = Memory | Row


@dataclass(frozen=True)
class Block:
    """Straight-line code: each input of the program is read from a row, each output written to one."""

    program: Program
    reads: tuple[Row, ...]
    writes: tuple[Row, ...]


@dataclass(frozen=True)
class Copy:
    """A row as it is, between the caller's arrays and the routine's own, or among these."""

    source: Row
    target: Row


@dataclass(frozen=True)
class Loop:
    """The body `count` times, the counter from 0 upwards or, in reverse, down to 0.

    It ends early when the number at `until` is not zero in any lane: the body itself has to leave the
    results of lanes that have finished as they are.  That number is looked at after each pass or, `ahead`, before it.
    """

    counter: str
    count: Count
    body: tuple["Statement", ...]
    until: Row | None = None
    reverse: bool = False
    ahead: bool = False


Statement = Block | Copy | Loop


@dataclass(frozen=True)
class Routine:
    """What is run for every state of a batch."""

    memories: tuple[Memory, ...]  # the caller's first
    counts: tuple[str, ...]
    tables: tuple[str, ...]
    body: tuple[Statement, ...]

    @property
    def parameters(self) -> tuple[Memory, ...]:
        """The arrays of the caller."""
        return tuple(m for m in self.memories if m.role != "local")

    @property
    def locals(self) -> tuple[Memory, ...]:
        """The arrays of its own."""
        return tuple(m for m in self.memories if m.role == "local")

    def blocks(self) -> list[Block]:
        """Every block of it, in order."""
        return [x for x in _within(self.body) if isinstance(x, Block)]

    def mapped(self, change: Callable[[Program], Program]) -> "Routine":
        """The same with every program changed; a program that is run in several places is changed once."""
        known: dict[int, Program] = {}

        def changed(statement: Statement) -> Statement:
            if isinstance(statement, Loop):
                return replace(statement, body=tuple(map(changed, statement.body)))
            if isinstance(statement, Copy):
                return statement
            old = statement.program
            if id(old) not in known:
                known[id(old)] = change(old)
            return Block(known[id(old)], statement.reads, statement.writes)

        return Routine(self.memories, self.counts, self.tables, tuple(map(changed, self.body)))

    def staged(self) -> "Routine":
        """The same with blocks that work on the routine's own arrays alone: copies to and from the caller's are
        statements, which transpose where a vector holds several states."""
        spare: dict[str, Memory] = {}

        def own(row: Row) -> Row:
            if row.memory.role == "local":
                return row
            name = f"{row.memory.name} here"
            while name in {m.name for m in self.memories}:
                name += "."
            return spare.setdefault(name, Memory(name, row.size)).row()

        def changed(statement: Statement) -> tuple[Statement, ...]:
            if isinstance(statement, Loop):
                body = tuple(x for one in statement.body for x in changed(one))
                return (replace(statement, body=body),)
            if isinstance(statement, Copy):
                return (statement,)
            block = Block(statement.program, tuple(map(own, statement.reads)), tuple(map(own, statement.writes)))
            before = [Copy(a, b) for a, b in zip(statement.reads, block.reads, strict=True) if a is not b]
            after = [Copy(b, a) for a, b in zip(statement.writes, block.writes, strict=True) if a is not b]
            return (*before, block, *after)

        body = tuple(x for one in self.body for x in changed(one))
        return Routine((*self.memories, *spare.values()), self.counts, self.tables, body)


def _within(body: Sequence[Statement]) -> Iterator[Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, Loop):
            yield from _within(statement.body)


@dataclass
class Builder:
    """Writes a routine statement by statement, and checks each as it comes.

    >>> r = Builder()
    >>> x0, x = r.input("x0", 2), r.local("x", 2)
    >>> path = r.output("path", 2, rows="samples")
    >>> r.copy(x0, x)
    >>> with r.loop("k", "samples"):
    ...     r.copy(x, path.row("k"))
    ...     r.run(lambda x: x * 0.5, {"x": x}, [x])
    >>> [m.name for m in r.routine().parameters]
    ['x0', 'path']
    """

    _memories: dict[str, Memory] = field(default_factory=dict)
    _tables: dict[str, None] = field(default_factory=dict)
    _counters: list[str] = field(default_factory=list)
    _bodies: list[list[Statement]] = field(default_factory=lambda: [[]])
    _known: dict[Any, Program] = field(default_factory=dict)
    _steps: list[Count] = field(default_factory=list)  # of counters in rows
    _spare: int = 0

    def input(self, name: str, size: int, rows: Count = 1) -> Memory:
        """An array that the caller gives."""
        return self._add(Memory(name, size, rows, "in"))

    def output(self, name: str, size: int, rows: Count = 1) -> Memory:
        """An array that the caller gets."""
        return self._add(Memory(name, size, rows, "out"))

    def local(self, name: str, size: int, rows: Count = 1) -> Memory:
        """An array of the routine; what it holds at first is not defined."""
        return self._add(Memory(name, size, rows))

    def table(self, name: str) -> str:
        """Whole numbers that the caller gives, the same for every state: rows to be looked up."""
        self._tables[name] = None
        return name

    def copy(self, source: Place, target: Place) -> None:
        """A row, or the only row of an array, to another."""
        here, there = _row(source), _row(target)
        if here.size != there.size:
            raise ValueError(f"{here.memory.name} has {here.size} numbers, {there.memory.name} has {there.size}")
        self._checked(here)
        self._checked(there)
        if there.memory.role == "in" or here.memory.role == "out":
            raise ValueError(f"{here.memory.name} cannot be copied to {there.memory.name}")
        self._bodies[-1].append(Copy(here, there))

    def run(
        self,
        functions: Callable[..., Any] | Sequence[Callable[..., Any]],
        reads: Mapping[str, Place],
        writes: Sequence[Place],
        apart: bool = False,
    ) -> None:
        """The shortest of some functions of vectors; equal functions on vectors of equal sizes are traced once.

        What is written to an array that is also read goes through another one first; unless the caller says that
        the rows are always `apart`, as those of a body and its parent are.
        """
        ways = (functions,) if callable(functions) else tuple(functions)
        rows, targets = {name: _row(place) for name, place in reads.items()}, [_row(place) for place in writes]
        for row in (*rows.values(), *targets):
            self._checked(row)
        for row, wrong in [*((row, "out") for row in rows.values()), *((row, "in") for row in targets)]:
            if row.memory.role == wrong:
                raise ValueError(f"{row.memory.name} cannot be {'read' if wrong == 'out' else 'written'}")
        sizes = {name: row.size for name, row in rows.items()}
        key = (ways, tuple(sizes.items()))
        if key not in self._known:
            self._known[key] = shortest(ways, sizes)
        program = self._known[key]
        self._fit(program, targets)
        read = set() if apart else {row.memory.name for row in rows.values()}
        straight = [self._double(row) if row.memory.name in read else row for row in targets]
        self._bodies[-1].append(Block(program, tuple(rows.values()), tuple(straight)))
        for row, other in zip(targets, straight, strict=True):
            if row is not other:
                self._bodies[-1].append(Copy(other, row))

    @contextmanager
    def loop(
        self, counter: str, count: Count, until: Place | None = None, reverse: bool = False, ahead: bool = False
    ) -> Iterator[None]:
        """Statements in the `with` block are repeated; `ahead`: not even once if `until` says so before."""
        if counter in self._counters:
            raise ValueError(f"the loops around here already count {counter}")
        self._counters.append(counter)
        self._bodies.append([])
        yield
        body = tuple(self._bodies.pop())
        end = None if until is None else _row(until)
        if end is not None and (end.memory.size != 1 or end.memory.role != "local"):
            raise ValueError(f"a loop ends by one number of its own; {end.memory.name} is not")
        self._counters.pop()
        self._bodies[-1].append(Loop(counter, count, body, end, reverse, ahead))

    def routine(self) -> Routine:
        """What has been written."""
        memories = sorted(self._memories.values(), key=lambda m: m.role == "local")
        loops = [x for x in _within(self._bodies[0]) if isinstance(x, Loop)]
        counts = dict.fromkeys([*(m.rows for m in memories), *(x.count for x in loops), *self._steps])
        return Routine(
            tuple(memories), tuple(c for c in counts if isinstance(c, str)), tuple(self._tables), tuple(self._bodies[0])
        )

    def _add(self, memory: Memory) -> Memory:
        if memory.name in self._memories:
            raise ValueError(f"there are two arrays {memory.name}")
        self._memories[memory.name] = memory
        return memory

    def _double(self, row: Row) -> Row:
        """A row beside the one that a block reads."""
        self._spare += 1
        return self.local(f"{row.memory.name}.{self._spare}", row.size).row()

    def _checked(self, row: Row) -> None:
        if self._memories.get(row.memory.name) is not row.memory:
            raise ValueError(f"{row.memory.name} is not an array of this routine")
        for counter, step in row.counters:
            self._steps.append(step)
            if counter not in self._counters:
                raise ValueError(f"no loop around here counts {counter}")
        if row.table is not None and row.table not in self._tables:
            raise ValueError(f"{row.table} is not a table of this routine")

    def _fit(self, program: Program, targets: Sequence[Row]) -> None:
        given = [len(output.entries) for output in program.outputs]
        wanted = [row.size for row in targets]
        if given != wanted:
            raise ValueError(f"a block computes {given} numbers for rows of {wanted}")


def _row(place: Place) -> Row:
    return place if isinstance(place, Row) else Row(place)
