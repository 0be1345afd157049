"""Programs that repeat: straight-line blocks on rows of arrays, and loops around them.

A `Routine` has arrays of its caller (parameters) and arrays of its own (locals), each a number of rows.  Its statements
run a block, copy a row, or repeat other statements.  Time, iterations and bodies are all loops of this kind: a step is
a block that reads row k of the torques and writes row k + 1 of the motion; a solver repeats a sweep until every lane
has finished; a long chain runs one block for each body, with the body's data in row k; a contact step gathers the
contacts that act in some lane, and loops over these.

A block must not write a row that it reads, unless each entry depends on no other entry of that row (a sum that is
added to): its operations read and write in an order of their own.
`builder.py` writes routines, and checks them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .trace import Program

#: rows of a tile
TILE = 8
#: how often something is repeated, or how many rows there are: a number, or the name of one that the caller gives, or
#: of what has been gathered
Count = int | str
#: a row of an array: its number, the counter of a loop, or counters with their steps
Index = int | str | Mapping[str, Count]
#: where a loop begins: at a count, after the value of a counter, or at a counter times a step and further by an offset
Start = Count | tuple[str, int, int]


@dataclass(frozen=True)
class Memory:
    """An array: `rows` rows of `size` numbers for every state."""

    name: str
    size: int
    rows: Count = 1
    role: str = "local"  # or "in", "out": of the caller
    tiled: bool = False  # of one state, each entry of TILE rows is a vector, so that a wide loop works on these

    def row(self, index: "Index" = 0, offset: int = 0, table: "str | tuple[str, ...]" = (), step: "Count" = 1) -> "Row":
        """Row `index`, or the one that `table` names at `index`, and `offset` steps further.

        An index is a number, the counter of a loop, or counters with the step that each is multiplied by.  Of several
        tables each is looked up at what the one before it says.
        """
        tables = (table,) if isinstance(table, str) else table
        if isinstance(index, int):
            return Row(self, (), index + offset, tables)
        steps = {index: 1} if isinstance(index, str) else index
        return Row(self, tuple(steps.items()), offset, tables, step=step)

    def whole(self) -> "Row":
        """All rows of an array of known size, as one long row."""
        assert isinstance(self.rows, int)
        return Row(self, (), span=self.rows)


@dataclass(frozen=True)
class Row:
    """A row of an array, or several in a row; `tables` are arrays of whole numbers, looked up one after the other."""

    memory: Memory
    counters: tuple[tuple[str, Count], ...] = ()  # each with its step
    offset: int = 0
    tables: tuple[str, ...] = ()
    span: int = 1  # rows
    step: Count = 1  # of the offset

    @property
    def size(self) -> int:
        """The number of its entries."""
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
class Gather:
    """The numbers of the rows whose flag is not zero in some lane, one after the other: a table that a routine fills.

    The rows are those from `first` up to `end`.  `count` is how many there are then; the list begins after those of
    `after`, another count of the same list.
    """

    flags: Memory
    first: Count
    end: Count
    table: Memory
    count: str
    after: str | None = None


@dataclass(frozen=True)
class Loop:
    """The body `count` times, the counter from 0 upwards or, in reverse, down to 0.

    It begins at `start`; it ends with the value of `count` if that is a counter.
    It ends early when the number at `until` is not zero in any lane: the body itself has to leave the
    results of lanes that have finished as they are.  That number is looked at after each pass or, `ahead`, before it.
    The passes of a `wide` loop are independent and write rows of tiled arrays: of one state, TILE of them are one.
    """

    counter: str
    count: Count
    body: tuple["Statement", ...]
    until: Row | None = None
    reverse: bool = False
    ahead: bool = False
    start: Start = 0
    wide: bool = False


@dataclass(frozen=True)
class Part:
    """Statements that are run in several places, and written once; no loop outside them counts for them."""

    name: str
    body: tuple["Statement", ...]


Statement = Block | Copy | Gather | Loop | Part


@dataclass(frozen=True)
class Routine:
    """A program with loops, run for every state of a batch."""

    memories: tuple[Memory, ...]  # the caller's first
    counts: tuple[str, ...]  # the caller's
    tables: tuple[str, ...]  # the caller's
    body: tuple[Statement, ...]

    @property
    def parameters(self) -> tuple[Memory, ...]:
        """The arrays of the caller."""
        return tuple(m for m in self.memories if m.role != "local")

    @property
    def locals(self) -> tuple[Memory, ...]:
        """The arrays of its own."""
        return tuple(m for m in self.memories if m.role == "local")

    def gathers(self) -> list[Gather]:
        """Every list that it fills, in order."""
        return [x for x in within(self.body) if isinstance(x, Gather)]

    def blocks(self) -> list[Block]:
        """Every block of it, in order."""
        return [x for x in within(self.body) if isinstance(x, Block)]

    def mapped(self, change: Callable[[Program], Program]) -> "Routine":
        """The routine with every program changed; a program that is run in several places is changed once."""
        known: dict[int, Program] = {}
        parts: dict[str, Statement] = {}

        def changed(statement: Statement) -> Statement:
            if isinstance(statement, Part):
                if statement.name not in parts:
                    parts[statement.name] = replace(statement, body=tuple(map(changed, statement.body)))
                return parts[statement.name]
            if isinstance(statement, Loop):
                return replace(statement, body=tuple(map(changed, statement.body)))
            if not isinstance(statement, Block):
                return statement
            old = statement.program
            if id(old) not in known:
                known[id(old)] = change(old)
            return Block(known[id(old)], statement.reads, statement.writes)

        return Routine(self.memories, self.counts, self.tables, tuple(map(changed, self.body)))

    def staged(self) -> "Routine":
        """The routine with blocks that work on the routine's own arrays alone: copies to and from the caller's are
        statements, which transpose where a vector holds several states."""
        spare: dict[Row, Memory] = {}
        taken = {m.name for m in self.memories}
        parts: dict[str, Statement] = {}

        def own(row: Row) -> Row:
            if row.memory.role == "local":
                return row
            name = f"{row.memory.name} here {len(spare)}"
            while name in taken:
                name += "."
            return spare.setdefault(row, Memory(name, row.size)).row()

        def changed(statement: Statement) -> tuple[Statement, ...]:
            if isinstance(statement, Part) and statement.name in parts:
                return (parts[statement.name],)
            if isinstance(statement, (Loop, Part)):
                body = tuple(x for one in statement.body for x in changed(one))
                found = replace(statement, body=body)
                if isinstance(found, Part):
                    parts[found.name] = found
                return (found,)
            if not isinstance(statement, Block):
                return (statement,)
            block = Block(statement.program, tuple(map(own, statement.reads)), tuple(map(own, statement.writes)))
            before = [Copy(a, b) for a, b in zip(statement.reads, block.reads, strict=True) if a is not b]
            after = [Copy(b, a) for a, b in zip(statement.writes, block.writes, strict=True) if a is not b]
            return (*before, block, *after)

        body = tuple(x for one in self.body for x in changed(one))
        return Routine((*self.memories, *spare.values()), self.counts, self.tables, body)


def within(body: Sequence[Statement], known: set[str] | None = None) -> Iterator[Statement]:
    """Statements and those inside their loops; those of a part once."""
    known = set() if known is None else known
    for statement in body:
        if isinstance(statement, Part):
            if statement.name in known:
                continue
            known.add(statement.name)
        yield statement
        if isinstance(statement, (Loop, Part)):
            yield from within(statement.body, known)
