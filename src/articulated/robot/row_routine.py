"""Recursions over rows as routines: the same for all robots of one-axis joints, or of any joints."""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

from ..algebra.scalars import Array, array
from ..algorithms.by_rows.rows import AXES, FOUND, SIZES, STATE, WIDTH, Pass, Recursion, pose
from ..compiler.kernel import Kernel, Source
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Count, Memory, Place, Routine
from ..compiler.runtime.fingerprint import fingerprint

#: arrays of a state that have a number for each row; the others have one for each velocity
OF_ROWS = ("q", "a")
#: arrays of the caller: name, size and number of rows
INPUTS: dict[str, tuple[str, int, Count]] = {
    "row": ("rows", WIDTH, "bodies"),
    "world": ("world", 6, 1),
    "place": ("places", 12, "ends"),
    **{name: (name, 1, "rows" if name in OF_ROWS else "nv") for name in STATE},
    **{name: (name, size, "bodies") for name, size in FOUND.items()},
}
#: axes along which a result is written body by body
BY_BODY = ("body", "joint", "row")
#: names of what is written at single places of the scattered result
SCATTERED = ("entry", "mirror", "diagonal", "columns")
#: slots of sums that nothing comes of: for the places that one row writes at alone
SPARE = 6
#: the vector of the world by name; zeros if it is not here
WORLD = {"W": (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}


class Way(NamedTuple):
    """Kind of routine that a recursion becomes."""

    on_path: bool  # over the bodies that carry a frame, else over all
    mapped: bool = False  # rows are those of `one_axis`, results those of the robot
    shared: bool = False  # several rows move with one velocity
    found: bool = False  # results of joints are accelerations, not forces
    bent: bool = False  # and those of the rows have Ė v in them


def width(recursion: Recursion) -> int:
    """Numbers in a row of the scattered result."""
    last = recursion.shapes[recursion.scattered][-1]
    return AXES.get(last, last)


@cache
def row_kernel(recursion: Recursion, way: Way) -> Kernel:
    """The loop, the same for all robots."""
    return Kernel(
        Source(
            "a loop over bodies",
            build=lambda: _Loops(recursion, way).routine(),
            identity=lambda: fingerprint("by rows", recursion.key, list(way)),
        )
    )


class _Loops:
    """A recursion as a routine: the arrays it reads and writes by name, and a loop for each pass."""

    def __init__(self, recursion: Recursion, way: Way):
        self.recursion, self.r, self.way = recursion, Builder(), way
        self.outputs: dict[str, Memory] = {}  # of results that are collected in arrays of the routine first
        self.sums: Memory | None = None  # of what several rows add to
        self.memories = {name: self._memory(name) for name in self._names()}

    def routine(self) -> Routine:
        """The vectors of the world are set, then the passes made."""
        for name, memory in list(self.memories.items()):
            if memory.role == "local" and memory.rows in (1, "and_world"):
                self._start(name, memory)
        if self.recursion.scattered:
            memory = self.memories[f"out_{self.recursion.scattered}"]
            self._zero(memory, "rest", self.r.table("rest"))
            if self.way.shared:
                self.sums = self.r.local("sums", memory.size, "slots")
                self._zero(self.sums, "slots")
        for step in self.recursion.passes:
            if step.way == "once":
                self._step(step)
            else:
                count = "pairs" if step.way == "pairs" else "bodies"
                with self.r.loop("k", count, reverse=step.way == "inward"):
                    self._step(step)
                if self.sums and any(name in SCATTERED for name in step.writes.split()):
                    with self.r.loop("k", count, start="alone" if step.way == "pairs" else 0):
                        self._add(step)
            if "joint_V" in self.memories and "V" in step.writes.split():
                self._joint_twists()
        if self.sums:
            cells = self.memories[f"out_{self.recursion.scattered}"].row("k", table=self.r.table("cells"))
            with self.r.loop("k", "slots", start=SPARE):
                self.r.copy(self.sums.row("k"), cells)
        for name, output in self.outputs.items():
            self._collect(name, self.memories[name], output)
        return self.r.routine()

    def _zero(self, memory: Memory, count: Count, table: str | tuple[str, ...] = ()) -> None:
        with self.r.loop("k", count):
            self.r.run(_constant((0.0,) * memory.size), {}, [memory.row("k", table=table)])

    def _names(self) -> list[str]:
        """Every vector, by the name it has without `below_` or `carrier_`."""
        named = (name for x in self.recursion.passes for name in (*x.arguments.values(), *x.writes.split()))
        more = ["a"] if self.way.bent else []
        return list(dict.fromkeys([*map(self._own, named), *more]))

    def _own(self, name: str) -> str:
        if name in SCATTERED:
            return f"out_{self.recursion.scattered}"
        if name == "joint_V" and not self.way.mapped:
            return "V"
        return name.removeprefix("below_").removeprefix("carrier_")

    def _memory(self, name: str) -> Memory:
        if name in INPUTS:
            return self.r.input(*INPUTS[name])
        if name.startswith("total_"):
            return self.r.local(name, SIZES[name.removeprefix("total_")])
        if not name.startswith("out_"):
            return self.r.local(name, SIZES[name.removeprefix("joint_") if name == "joint_V" else name], "and_world")
        shape = self.recursion.shapes[name.removeprefix("out_")]
        if name == f"out_{self.recursion.scattered}":
            return self.r.output(name, width(self.recursion), "entries")
        by_body = any(axis in shape[:1] for axis in BY_BODY)
        size = math.prod(shape[by_body:])
        if not self.way.mapped or shape[:1] not in (("joint",), ("body",)):
            return self.r.output(name, size, "bodies" if by_body else 1)
        self.outputs[name] = self.r.output(name, size, "nv" if shape[0] == "joint" else "all_bodies")
        return self.r.local(f"rows of {name}", size, "bodies")

    def _start(self, name: str, memory: Memory) -> None:
        """The vector of the world."""
        if name == "A":
            if "world" not in self.memories:
                self.memories["world"] = self._memory("world")
            self.r.copy(self.memories["world"], memory.row(0))
        else:
            self.r.run(_constant(WORLD.get(name, (0.0,) * memory.size)), {}, [memory.row(0)])

    def _step(self, step: Pass) -> None:
        reads = {key: self._row(name, step.way) for key, name in step.arguments.items()}
        writes = [row for name in step.writes.split() for row in self._written(name, step.way)]
        self.r.run(step.function, reads, writes, apart=True)

    def _add(self, step: Pass) -> None:
        """Sums of what several rows write at one place; an entry may be its own mirror."""
        assert self.sums is not None
        reads = {key: self._row(name, step.way) for key, name in step.arguments.items()}
        for first, name in enumerate(step.writes.split()):
            table = self.r.table(f"slot_{name}")
            places = [self.sums.row("k", r, table) for r in range(6 if name == "columns" else 1)]
            before = {f"before_{k}": place for k, place in enumerate(places)}
            self.r.run(partial(_added, step.function, first), before | reads, places, entrywise=True)

    def _joint_twists(self) -> None:
        """The twist of the last axis of each joint, seen from every axis of it."""
        W, V, joint_V = (self.memories[name] for name in ("W", "V", "joint_V"))
        with self.r.loop("k", "bodies"):
            final = self.r.table("final")
            reads = {"W": W.row("k", 1), "final_W": W.row("k", 1, final), "final_V": V.row("k", 1, final)}
            self.r.run(_seen_twist, reads, [joint_V.row("k", 1)])

    def _collect(self, name: str, rows: Memory, output: Memory) -> None:
        """The results of velocities and bodies from those of rows."""
        axis = self.recursion.shapes[name.removeprefix("out_")][:1]
        if axis == ("joint",) and self.way.found:
            own = self.r.table("own")
            with self.r.loop("k", "nv"):
                here = rows.row("k", table=own)
                if self.way.bent:
                    reads = {"x": here, "bent": self.memories["a"].row("k", table=own)}
                    self.r.run(lambda x, bent: x - bent, reads, [output.row("k")])
                else:
                    self.r.copy(here, output.row("k"))
        elif axis == ("body",) and output.size > 1:
            with self.r.loop("k", "all_bodies"):
                self.r.copy(rows.row("k", table=self.r.table("last")), output.row("k"))
        else:
            total = self.r.local(f"sums of {name}", rows.size, output.rows)
            into = total.row("k", table=self.r.table("dof" if axis == ("joint",) else "body"))
            self._zero(total, output.rows)
            with self.r.loop("k", "bodies"):
                self.r.run(
                    lambda whole, part: whole + part, {"whole": into, "part": rows.row("k")}, [into], entrywise=True
                )
            with self.r.loop("k", output.rows):
                self.r.copy(total.row("k"), output.row("k"))

    def _written(self, name: str, way: str) -> list[Place]:
        """The rows that a step writes."""
        if name not in SCATTERED:
            return [self._row(name, way)]
        memory = self.memories[self._own(name)]
        if name != "columns":
            return [memory.row("k", table=self.r.table(name))]
        table = self.r.table("column") if way == "pairs" else self._index("v")
        return [memory.row("k", r, table, step="nv") for r in range(6)]

    def _row(self, name: str, way: str) -> Place:
        """The row of the body at hand, of the one below it, or of a joint that carries it."""
        memory, own = self.memories[self._own(name)], 1 if name not in INPUTS and not name.startswith("out_") else 0
        if memory.rows == 1 or (name == "place" and way != "pairs"):
            return memory.row(0)
        if name.startswith("below_"):
            return memory.row("k", table=self.r.table("parents"))
        if way == "pairs":
            table = "carrier" if name.startswith("carrier_") else "end" if name == "place" else "carried"
            return memory.row("k", own, table=self.r.table(table))
        return memory.row("k", own, table=self._index(name) if name in STATE else ())

    def _index(self, name: str) -> str | tuple[str, ...]:
        """The table of the place of a body's number in an array of a state."""
        if self.way.mapped and name not in OF_ROWS:
            return self.r.table("dof")
        return self.r.table("path") if self.way.on_path else ()


@cache
def _constant(values: tuple[float, ...]) -> Callable[[], Any]:
    return lambda: array(values)


def _added(function: Callable[..., Any], first: int, **values: Array) -> Any:
    """The first results of a function, added to what was there `before`."""
    before = [values.pop(name) for name in list(values) if name.startswith("before_")]
    found = function(**values)
    parts = found if isinstance(found, tuple) else (found,)
    added = tuple(x + y for x, y in zip(before, parts[first:], strict=False))
    return added if len(added) > 1 else added[0]


def _seen_twist(W: Array, final_W: Array, final_V: Array) -> Array:
    return pose(W).motion_in(pose(final_W).motion_out(final_V))
