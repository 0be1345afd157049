"""Routines written statement by statement; `loops.py` says what they are made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from .loops import Block, Copy, Count, Gather, Loop, Memory, Part, Place, Routine, Row, Start, Statement, within
from .simplify import shortest
from .trace import Program


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
    _parts: dict[str, Part] = field(default_factory=dict)
    _gathered: dict[str, Memory] = field(default_factory=dict)  # count -> the list that is so long
    _spare: int = 0

    def input(self, name: str, size: int, rows: Count = 1) -> Memory:
        """An array that the caller gives."""
        return self._add(Memory(name, size, rows, "in"))

    def output(self, name: str, size: int, rows: Count = 1) -> Memory:
        """An array that the caller gets."""
        return self._add(Memory(name, size, rows, "out"))

    def local(self, name: str, size: int, rows: Count = 1, tiled: bool = False) -> Memory:
        """An array of the routine; what it holds at first is not defined."""
        return self._add(Memory(name, size, rows, tiled=tiled))

    def table(self, name: str) -> str:
        """Whole numbers that the caller gives, the same for every state: rows to be looked up."""
        self._tables[name] = None
        return name

    def copy(self, source: Place, target: Place) -> None:
        """A row, or the only row of an array, to another."""
        here, there = _row(source), _row(target)
        if here.memory.tiled or there.memory.tiled:
            self.run(_same, {"a": here}, [there])
            return
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
        entrywise: bool = False,
    ) -> None:
        """The shortest of some functions of vectors; equal functions on vectors of equal sizes are traced once.

        What is written to an array that is also read goes through another one first; only where it is the very same
        row if the caller says that others are always `apart`, as those of a body and its parent are.  `entrywise`: an
        entry of a row that is read and written depends on no other entry of it, as of a sum that is added to.
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
        read = [] if entrywise else list(rows.values())
        straight = [
            self._double(row) if row in read or (not apart and row.memory in [x.memory for x in read]) else row
            for row in targets
        ]
        self._bodies[-1].append(Block(program, tuple(rows.values()), tuple(straight)))
        for row, other in zip(targets, straight, strict=True):
            if row is not other:
                self.copy(other, row)

    def gather(
        self, flags: Memory, table: Memory, count: str, rows: range | tuple[Count, Count], after: str | None = None
    ) -> None:
        """List the `rows` of `flags` that are not zero in some lane; `table` is an array of one number a row."""
        first, end = (rows.start, rows.stop) if isinstance(rows, range) else rows
        self._gathered[count] = table
        self._bodies[-1].append(Gather(flags, first, end, table, count, after))

    def part(self, name: str, write: Callable[[], None]) -> None:
        """Statements that `write` writes, once for all places where they are run under this name."""
        if name not in self._parts:
            outside, self._counters = self._counters, []
            self._bodies.append([])
            write()
            self._parts[name] = Part(name, tuple(self._bodies.pop()))
            self._counters = outside
        self._bodies[-1].append(self._parts[name])

    @contextmanager
    def loop(
        self, counter: str, count: Count, until: Place | None = None, reverse: bool = False, ahead: bool = False,
        start: Start = 0, wide: bool = False,
    ) -> Iterator[None]:  # fmt: skip
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
        self._bodies[-1].append(Loop(counter, count, body, end, reverse, ahead, start, wide))

    def routine(self) -> Routine:
        """The routine that has been written."""
        memories = sorted(self._memories.values(), key=lambda m: m.role == "local")
        loops = [x for x in within(self._bodies[0]) if isinstance(x, Loop)]
        ends = [end for x in loops for end in (x.count, x.start) if not isinstance(end, tuple)]
        counts = dict.fromkeys([*(m.rows for m in memories), *ends, *self._steps])
        known = {*self._gathered, *(x.counter for x in loops)}
        given = tuple(c for c in counts if isinstance(c, str) and c not in known)
        return Routine(tuple(memories), given, tuple(self._tables), tuple(self._bodies[0]))

    def _add(self, memory: Memory) -> Memory:
        if memory.name in self._memories:
            raise ValueError(f"there are two arrays {memory.name}")
        self._memories[memory.name] = memory
        return memory

    def _double(self, row: Row) -> Row:
        """A row beside the one that a block reads."""
        self._spare += 1
        name = f"{row.memory.name}.{self._spare}"
        if row.memory.tiled:
            return replace(row, memory=self.local(name, row.size, row.memory.rows, tiled=True))
        return self.local(name, row.size).row()

    def _checked(self, row: Row) -> None:
        if self._memories.get(row.memory.name) is not row.memory:
            raise ValueError(f"{row.memory.name} is not an array of this routine")
        self._steps.append(row.step)
        for counter, step in row.counters:
            self._steps.append(step)
            if counter not in self._counters and counter not in self._gathered:
                raise ValueError(f"no loop around here counts {counter}")
        for table in row.tables:
            if table not in self._tables and table not in self._memories:
                raise ValueError(f"{table} is not a table of this routine")

    def _fit(self, program: Program, targets: Sequence[Row]) -> None:
        given = [len(output.entries) for output in program.outputs]
        wanted = [row.size for row in targets]
        if given != wanted:
            raise ValueError(f"a block computes {given} numbers for rows of {wanted}")


def _same(a: Any) -> Any:
    return a


def _row(place: Place) -> Row:
    return place if isinstance(place, Row) else Row(place)
