"""A routine as a module of LLVM: `@articulated_batch(n, args, strides, counts, tables, locals)`.

States are taken in tiles of as many as a vector has lanes (`@articulated_one`: one at a time).  The routine's own
arrays hold one state in each lane; a copy from or to an array of the caller transposes.  Each block is a function of
pointers to rows.  Loops are written here, with counters in memory: next to a block their cost is nothing.
"""

import re
from collections.abc import Sequence

from ...abi import Target
from ...passes.loops import TILE, Block, Copy, Count, Gather, Loop, Memory, Part, Routine, Row, Start, Statement, within
from . import rows
from .body import parameters
from .calls import in_place
from .frame import planned
from .module import takes_sincos
from .sincos import SINCOS_DECLARATION, sincos_functions
from .types import Lanes, definition, loop

#: most angles of a block whose sines are computed one by one: a vector of them would be stored in parts and stall
FEW_ANGLES = 2
#: how a block is compiled: its program, bytes from one entry of a row to the next, and whether its lanes are rows
_Access = tuple[int, tuple[int, ...], bool]
#: numbers of one state that are copied without a loop
FEW_NUMBERS = 64
_PARAMETERS = "i64 %n, ptr %args, ptr %strides, ptr %counts, ptr %tables, ptr %locals"
#: what a part of a routine takes: the same for a tile, and the lengths of lists
_INSIDE = "ptr %args, ptr %strides, ptr %counts, ptr %tables, ptr %locals, ptr %gathered, i64 %first, i64 %rows"


def routine_ir(routine: Routine, target: Target, precision: str, entry: str) -> str:
    """The module with one entry point of a routine whose programs are lowered."""
    vector = Lanes(target.lanes(precision), precision)
    lanes = vector if entry == "batch" else Lanes(1, precision)
    parts = [SINCOS_DECLARATION] if any(takes_sincos(block.program) for block in routine.blocks()) else []
    parts += sincos_functions(lanes) if parts and lanes.count == 1 else []
    names: dict[_Access, str] = {}
    drivers = [_Driver(routine, lanes, names).text(entry)]
    for part in (x for x in within(routine.body) if isinstance(x, Part)):
        drivers.append(_Driver(routine, lanes, names).part(part))
    programs = {id(block.program): block.program for block in routine.blocks()}
    for (key, steps, masked), name in names.items():
        wide = Lanes(TILE, precision) if masked else lanes
        layout = planned(programs[key], target, wide, True, steps, masked)
        few = all(len(stage.angles) <= FEW_ANGLES for stage in layout.stages)
        head = f"define internal void @{name}_all({', '.join(parameters(layout, layout.arrays))})"
        parts += in_place(layout, wide if few else vector, name, head)
    return "\n\n".join([*parts, *_transpositions(routine, lanes), *drivers[1:], drivers[0]]) + "\n"


def _copied(routine: Routine) -> tuple[set[int], set[int]]:
    """The lengths of rows that are read from arrays of the caller, and of those that are written to them."""
    inward, outward = set(), set()
    for statement in within(routine.body):
        if isinstance(statement, Copy) and statement.source.memory.role == "in":
            inward.add(statement.source.size)
        elif isinstance(statement, Copy) and statement.target.memory.role == "out":
            outward.add(statement.target.size)
    return inward, outward


def _transpositions(routine: Routine, lanes: Lanes) -> list[str]:
    """`@copy` between arrays of the routine; `@fill` and `@empty` between these and the caller's, by size."""
    parts = [_copy(lanes)]
    if lanes.count == 1:
        return parts
    inward, outward = _copied(routine)
    parts += [rows.gather_some(lanes), rows.scatter_some(lanes), _copy(lanes, "spread", scalar=True)]
    for size in sorted(inward):
        if fast := rows.blocked(lanes, size):
            parts.append(rows.gather(lanes, f"gather{size}", size))
        whole = f"call {lanes.type} @gather{size}(ptr %array, i64 %stride, ptr %tile)"
        some = f"call {lanes.scalar} @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 {size})"
        same = f"call void @spread(ptr %array, ptr %tile, i64 {size})"
        whole = f"%whole.sum = {whole}" if fast else ""
        parts.append(_either(lanes, f"fill{size}", whole, f"%some.sum = {some}", same))
    for size in sorted(outward):
        table = f"@columns{size}"
        entries = ", ".join(f"i32 {k * lanes.bytes}" for k in range(size))
        parts.append(f"{table} = internal unnamed_addr constant [{size} x i32] [{entries}], align 64")
        if fast := rows.blocked(lanes, size):
            parts.append(rows.scatter(lanes, f"scatter{size}", table, list(range(size))))
        whole = f"call void @scatter{size}(ptr %tile, ptr %array, i64 %stride)" if fast else ""
        some = f"call void @scatter_some(ptr %tile, ptr {table}, ptr %array, i64 %stride, i64 %rows, i64 {size})"
        parts.append(_either(lanes, f"empty{size}", whole, some))
    return parts


def _either(lanes: Lanes, name: str, whole: str, some: str, same: str = "") -> str:
    """`@name(array, stride, rows, tile)`: the line `whole` for a full tile, `some` for another, or without `whole`.

    The line `same`, if given, serves an array with one row for all states.
    """
    test = f"  %full = icmp eq i64 %rows, {lanes.count}\n  br i1 %full, label %whole, label %some\n"
    fast = f"{test}whole:\n  {whole}\n  ret void\n" if whole else "  br label %some\n"
    if same:
        once = "  %once = icmp eq i64 %stride, 0\n  br i1 %once, label %same, label %each\n"
        fast = f"{once}same:\n  {same}\n  ret void\neach:\n{fast}"
    return (
        f"define internal void @{name}(ptr %array, i64 %stride, i64 %rows, ptr %tile) noinline nounwind {{\n"
        f"{fast}some:\n  {some}\n  ret void\n}}"
    )


def _copy(lanes: Lanes, name: str = "copy", scalar: bool = False) -> str:
    """`@copy(from, to, count)`: so many vectors; `scalar`: of numbers that are the same for all states."""
    t, kind = lanes.type, lanes.scalar if scalar else lanes.type
    inside = [
        f"%source = getelementptr {kind}, ptr %from, i64 %each.k",
        f"%target = getelementptr {t}, ptr %to, i64 %each.k",
        f"%x = load {kind}, ptr %source, align {lanes.size}",
    ]
    if scalar:
        inside += [
            f"%first = insertelement {t} poison, {kind} %x, i32 0",
            f"%all = shufflevector {t} %first, {t} poison, <{lanes.count} x i32> zeroinitializer",
        ]
    inside.append(f"store {t} %{'all' if scalar else 'x'}, ptr %target, align {lanes.size}")
    head = f"void @{name}(ptr %from, ptr %to, i64 %count) {lanes.brief}"
    return definition(head, *loop("each", "%count", inside), "  ret void")


class _Driver:
    """The entry point as it is written, line by line."""

    def __init__(self, routine: Routine, lanes: Lanes, names: dict[_Access, str]):
        self.routine, self.lanes, self.names = routine, lanes, names
        self.numbers = {id(m): k for family in (routine.parameters, routine.locals) for k, m in enumerate(family)}
        self.lines: list[str] = []
        self.lists = {gather.table.name: gather.table for gather in routine.gathers()}
        self.gathered = list(dict.fromkeys(gather.count for gather in routine.gathers()))
        self.temporaries = self.labels = 0
        self.counters: dict[str, str] = {}  # name of a counter -> its value, in the loop that is being written
        self.wide: tuple[str, str] | None = None  # the counter of a wide loop of one state, and the rows of its tile

    def text(self, entry: str) -> str:
        """The whole function."""
        self._line(f"%gathered = alloca [{max(len(self.gathered), 1)} x i64], align 8")
        self._arrays(self.routine.body)
        self._line("store i64 0, ptr %at.first", "br label %tiles")
        self.lines += ["tiles:"]
        self._line(
            "%first = load i64, ptr %at.first, align 8",
            "%left = sub i64 %n, %first",
            "%any = icmp sgt i64 %left, 0",
            "br i1 %any, label %tile, label %done",
        )
        self.lines += ["tile:"]
        self._line(
            f"%fewer = icmp slt i64 %left, {self.lanes.count}",
            f"%rows = select i1 %fewer, i64 %left, i64 {self.lanes.count}",
        )
        self._tile()
        self._statements(self.routine.body)
        self._line(
            f"%following = add i64 %first, {self.lanes.count}",
            "store i64 %following, ptr %at.first",
            "br label %tiles",
        )
        head = f'define i32 @articulated_{entry}({_PARAMETERS}) nounwind "stackrealign" {{'
        return "\n".join([head, "entry:", *self.lines, "done:", "  ret i32 0", "}"])

    def part(self, part: Part) -> str:
        """The function of statements that are run in several places; what they do not use is not loaded."""
        self._statements(part.body)
        body, self.lines = self.lines, []
        self._arrays(part.body)
        self._tile()
        used = set(re.findall(r"%[\w.]+", "\n".join(body)))
        first = []
        for line in reversed(self.lines):  # what a line needs stands above it
            if line.split(" = ")[0].strip() in used:
                used |= set(re.findall(r"%[\w.]+", line))
                first.append(line)
        head = f"define internal void @{_name(part)}({_INSIDE}) noinline nounwind {{"
        return "\n".join([head, "entry:", *reversed(first), *body, "  ret void", "}"])

    def _tile(self) -> None:
        """Pointers to the rows of this tile."""
        for k, _ in enumerate(self.routine.parameters):
            self._line(
                f"%skipped{k} = mul i64 %first, %stride{k}",
                f"%p.{k} = getelementptr i8, ptr %arg{k}, i64 %skipped{k}",
            )

    def _arrays(self, body: Sequence[Statement]) -> None:
        """Pointers, strides and counts from the tables of the caller, and memory for counters and pointers."""
        routine = self.routine
        self._line("%at.first = alloca i64, align 8")
        for k, _ in enumerate(routine.parameters):
            self._loaded(f"arg{k}", "ptr", "args", k)
            self._loaded(f"stride{k}", "i64", "strides", k)
        for k, name in enumerate(routine.counts):
            self._loaded(f"count.{name}", "i64", "counts", k)
        for k, name in enumerate(routine.tables):
            self._loaded(f"table.{name}", "ptr", "tables", k)
        for k, _ in enumerate(routine.locals):
            self._loaded(f"l.{k}", "ptr", "locals", k)
        for k in range(_depth(body)):
            self._line(f"%at.counter{k} = alloca i64, align 8")
        for k, name in enumerate(self.gathered):
            self._line(f"%at.gathered.{name} = getelementptr i64, ptr %gathered, i64 {k}")

    def _statements(self, body: Sequence[Statement]) -> None:
        for statement in body:
            if isinstance(statement, Block):
                self._block(statement)
            elif isinstance(statement, Copy):
                self._copy(statement)
            elif isinstance(statement, Gather):
                self._gather(statement)
            elif isinstance(statement, Part):
                self._line(f"call void @{_name(statement)}({_INSIDE})")
            else:
                self._loop(statement)

    def _block(self, block: Block) -> None:
        given = [f"ptr {self._pointer(row)}" for row in (*block.reads, *block.writes)]
        if self.wide:
            given.append(f"i64 {self.wide[1]}")
        access = id(block.program), self._steps(block), self.wide is not None
        name = self.names.setdefault(access, f"block{len(self.names)}")
        self._line(f"call void @{name}_all({', '.join(given)})")

    def _steps(self, block: Block) -> tuple[int, ...]:
        """Bytes from one entry of each row to the next, where some are in tiles; negative: not a row of a wide loop."""
        rows, size = (*block.reads, *block.writes), self.lanes.size
        if self.lanes.count > 1 or not any(row.memory.tiled for row in rows):
            return ()
        own = [self.wide and (self.wide[0], 1) not in row.counters for row in rows]
        return tuple(
            (-size if same else size) * (TILE if row.memory.tiled and row.memory.size > 1 else 1)
            for row, same in zip(rows, own, strict=True)
        )

    def _copy(self, copy: Copy) -> None:
        source, target, size = self._pointer(copy.source), self._pointer(copy.target), copy.source.size
        inward, outward = copy.source.memory.role == "in", copy.target.memory.role == "out"
        if not size:
            return
        if self.lanes.count == 1 and size <= FEW_NUMBERS:
            for at in range(0, size, TILE):
                kind = f"<{min(TILE, size - at)} x {self.lanes.scalar}>"
                here, there = (
                    self._value(f"getelementptr i8, ptr {p}, i64 {at * self.lanes.size}") for p in (source, target)
                )
                x = self._value(f"load {kind}, ptr {here}, align {self.lanes.size}")
                self._line(f"store {kind} {x}, ptr {there}, align {self.lanes.size}")
        elif self.lanes.count == 1 or not (inward or outward):
            self._line(f"call void @copy(ptr {source}, ptr {target}, i64 {size})")
        elif inward:
            stride = f"%stride{self._number(copy.source.memory)}"
            self._line(f"call void @fill{size}(ptr {source}, i64 {stride}, i64 %rows, ptr {target})")
        else:
            stride = f"%stride{self._number(copy.target.memory)}"
            self._line(f"call void @empty{size}(ptr {target}, i64 {stride}, i64 %rows, ptr {source})")

    def _gather(self, gather: Gather) -> None:
        """Every number is written at the end of the list, which grows if the row is flagged in some lane."""
        self.labels += 1
        label, list_end = f"gather{self.labels}", f"%at.gathered.{gather.count}"
        begin = self._count(gather.after) if gather.after else "0"
        self._line(f"store i64 {begin}, ptr {list_end}, align 8")
        first, last = self._count(gather.first), self._count(gather.end)
        some = self._value(f"icmp slt i64 {first}, {last}")
        self._line(f"br i1 {some}, label %{label}.start, label %{label}.end")
        self.lines.append(f"{label}.start:")
        self._line(f"br label %{label}")
        self.lines.append(f"{label}:")
        self._line(f"%{label}.k = phi i64 [ {first}, %{label}.start ], [ %{label}.next, %{label} ]")
        flags = f"%l.{self._number(gather.flags)}"
        at = self._value(f"mul i64 %{label}.k, {self.lanes.bytes}")
        place = self._value(f"getelementptr i8, ptr {flags}, i64 {at}")
        some = self._value(f"zext i1 {self._flagged(place, 'or')} to i64")
        end = self._value(f"load i64, ptr {list_end}, align 8")
        entry = self._value(f"getelementptr i64, ptr %l.{self._number(gather.table)}, i64 {end}")
        longer = self._value(f"add i64 {end}, {some}")
        self._line(f"store i64 %{label}.k, ptr {entry}, align 8", f"store i64 {longer}, ptr {list_end}, align 8")
        self._line(f"%{label}.next = add i64 %{label}.k, 1")
        more = self._value(f"icmp slt i64 %{label}.next, {last}")
        self._line(f"br i1 {more}, label %{label}, label %{label}.end")
        self.lines.append(f"{label}.end:")

    def _flagged(self, place: str, how: str) -> str:
        """Test whether the number at a place is not zero, in some lane ("or") or in all ("and")."""
        lanes = self.lanes
        flags = self._value(f"load {lanes.type}, ptr {place}, align {lanes.size}")
        odd = self._value(f"fcmp une {lanes.type} {flags}, {lanes.constant(0.0)}")
        if lanes.count == 1:
            return odd
        return self._value(f"call i1 @llvm.vector.reduce.{how}.v{lanes.count}i1(<{lanes.count} x i1> {odd})")

    def _count(self, count: Count) -> str:
        """A number: as it is, the caller's, the length of a list, or the value of a counter."""
        if isinstance(count, int):
            return str(count)
        if count in self.counters:
            return self.counters[count]
        if count in self.gathered:
            return self._value(f"load i64, ptr %at.gathered.{count}, align 8")
        return f"%count.{count}"

    def _loop(self, loop: Loop) -> None:
        self.labels += 1
        label, counter = f"loop{self.labels}", f"%at.counter{len(self.counters)}"
        first, count = self._start(loop.start), self._end(loop.count)
        wide = loop.wide and self.lanes.count == 1
        start = self._value(f"sub i64 {count}, 1") if loop.reverse else first
        if wide:
            start = self._value(f"and i64 {first}, {-TILE}")
        self._line(f"store i64 {start}, ptr {counter}", f"br label %{label}")
        self.lines.append(f"{label}:")
        value = self._value(f"load i64, ptr {counter}, align 8")
        test = f"icmp sge i64 {value}, {first}" if loop.reverse else f"icmp slt i64 {value}, {count}"
        self._line(f"br i1 {self._value(test)}, label %{label}.body, label %{label}.end")
        self.lines.append(f"{label}.body:")
        self.counters[loop.counter] = value
        if wide:
            self.wide = loop.counter, self._mask(value, first, count)
        if loop.until is not None and loop.ahead:
            self._leave(loop.until, label)
        self._statements(loop.body)
        del self.counters[loop.counter]
        if loop.until is not None and not loop.ahead:
            self._leave(loop.until, label)
        if wide:
            self.wide = None
        after = self._value(f"add i64 {value}, {-1 if loop.reverse else TILE if wide else 1}")
        self._line(f"store i64 {after}, ptr {counter}", f"br label %{label}")
        self.lines.append(f"{label}.end:")

    def _mask(self, base: str, first: str, count: str) -> str:
        """A bit for each row from `base` on that is among those of a loop."""
        bits = []
        for end in (first, self._value(f"call i64 @llvm.smax.i64(i64 {first}, i64 {count})")):
            rows = self._value(f"sub i64 {end}, {base}")
            some = self._value(f"call i64 @llvm.smax.i64(i64 {rows}, i64 0)")
            few = self._value(f"call i64 @llvm.smin.i64(i64 {some}, i64 {TILE})")
            bits.append(self._value(f"shl i64 1, {few}"))
        return self._value(f"sub i64 {bits[1]}, {bits[0]}")

    def _start(self, start: Start) -> str:
        """First value of a loop."""
        if not isinstance(start, tuple):
            return self._end(start)
        counter, step, offset = start
        return self._value(f"add i64 {self._value(f'mul i64 {self._count(counter)}, {step}')}, {offset}")

    def _end(self, count: Count) -> str:
        """Bound of a loop: a count, or after the value that a counter has."""
        value = self._count(count)
        return self._value(f"add i64 {value}, 1") if count in self.counters else value

    def _leave(self, until: Row, label: str) -> None:
        """Branch to the end of a loop if all lanes have finished."""
        finished = self._flagged(self._pointer(until), "and")
        self._line(f"br i1 {finished}, label %{label}.end, label %{label}.next")
        self.lines.append(f"{label}.next:")

    def _pointer(self, row: Row) -> str:
        """The address of a row."""
        memory, own = row.memory, row.memory.role == "local"
        base = f"%l.{self._number(memory)}" if own else f"%p.{self._number(memory)}"
        length = memory.size * (self.lanes.bytes if own else self.lanes.size)
        if memory.tiled and self.lanes.count == 1:
            return self._in_tile(base, row, length)
        if not row.counters and not row.tables:
            offset = str(row.offset * length)
        else:
            offset = self._value(f"mul i64 {self._index(row)}, {length}")
        return base if offset == "0" else self._value(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _in_tile(self, base: str, row: Row, length: int) -> str:
        """The address of a row of a tiled array: the first entry of its tile, and its place there."""
        index = self._index(row)
        if self.wide and (self.wide[0], 1) in row.counters:
            offset = self._value(f"mul i64 {index}, {length}")
        else:
            tile, place = self._value(f"and i64 {index}, {-TILE}"), self._value(f"and i64 {index}, {TILE - 1}")
            first = self._value(f"mul i64 {tile}, {length}")
            offset = self._value(f"add i64 {first}, {self._value(f'mul i64 {place}, {self.lanes.size}')}")
        return self._value(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _index(self, row: Row) -> str:
        """The number of a row that depends on counters."""
        index = "0"
        for counter, step in row.counters:
            term = self._count(counter)
            if step != 1:
                term = self._value(f"mul i64 {term}, {self._count(step)}")
            index = term if index == "0" else self._value(f"add i64 {index}, {term}")
        for table in row.tables:
            base = f"%l.{self._number(self.lists[table])}" if table in self.lists else f"%table.{table}"
            place = self._value(f"getelementptr i64, ptr {base}, i64 {index}")
            index = self._value(f"load i64, ptr {place}, align 8")
        if not row.offset:
            return index
        offset = str(row.offset)
        if isinstance(row.step, str):
            offset = self._value(f"mul i64 %count.{row.step}, {row.offset}")
        return self._value(f"add i64 {index}, {offset}")

    def _number(self, memory: Memory) -> int:
        """The position of an array among the caller's, or among the routine's own."""
        return self.numbers[id(memory)]

    def _loaded(self, name: str, kind: str, table: str, k: int) -> None:
        place = self._value(f"getelementptr {kind}, ptr %{table}, i64 {k}")
        self._line(f"%{name} = load {kind}, ptr {place}, align 8")

    def _value(self, text: str) -> str:
        self.temporaries += 1
        self._line(f"%t{self.temporaries} = {text}")
        return f"%t{self.temporaries}"

    def _line(self, *texts: str) -> None:
        self.lines += [f"  {text}" for text in texts]


def _name(part: Part) -> str:
    """The function of a part."""
    return "part_" + re.sub(r"\W", "_", part.name)


def _depth(body: Sequence[Statement]) -> int:
    """The depth of nested loops."""
    return max((1 + _depth(x.body) for x in body if isinstance(x, Loop)), default=0)
