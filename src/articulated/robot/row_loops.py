"""Loops over the bodies of a robot, in place of straight-line code.

One routine serves every robot of one-axis joints, and another every robot of any joints, whose rows are those of
`one_axis`: each is compiled once, and the robot is its data.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, array
from ..algebra.spatial import IDENTITY, Transform
from ..algorithms.by_rows.one_axis import OneAxis, one_axis
from ..algorithms.by_rows.passes import AXES, FOUND, SIZES, STATE, Pass, Recursion
from ..algorithms.by_rows.rows import ARMATURE, PER_VELOCITY, RESISTANCE, WIDTH, aligned, pose
from ..algorithms.by_rows.table import RECURSIONS
from ..algorithms.kinematics import upwards
from ..compiler.closures import Closure, Prelude
from ..compiler.kernel import Kernel, Source
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Count, Memory, Place, Routine
from ..compiler.runtime.fingerprint import fingerprint
from ..model import Body, Frame, Model

#: the kernel of `row_states` of some arrays, without or with accelerations
States = Callable[[tuple[str, ...], bool], Kernel]
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


def recursion_of(model: Model, algorithm: Any, choices: Mapping[str, Any]) -> Recursion | None:
    """The recursion that computes an algorithm; None if there is none, or for a frame of the world."""
    loop = RECURSIONS.get(algorithm)
    if loop is None or any(frame.body is None for frame in _frames(model, choices)):
        return None
    return loop.recursion(**choices)


def closure(
    model: Model, algorithm: Any, arrays: Iterable[str], choices: Mapping[str, Any], states: States | None = None
) -> Closure | None:
    """The loop that computes an algorithm of these arrays; None if none does.

    With `states` it is one over the rows of `one_axis`, without only for a robot of one-axis joints.
    """
    recursion, loop = recursion_of(model, algorithm, choices), RECURSIONS.get(algorithm)
    if loop is None or recursion is None:
        return None
    given = tuple(arrays)
    mapped = one_axis(model) if states else None
    chain = mapped.model if mapped else model
    rows, parents = aligned(chain)
    if mapped:
        gain = mapped.gain[:, None]
        rows[:, PER_VELOCITY] *= gain
        resistances = [ARMATURE, RESISTANCE.start, RESISTANCE.start + 1]
        rows[:, resistances] *= np.concatenate([gain**2, gain**2, abs(gain)], 1)
        rows[mapped.gain == 0, ARMATURE] = math.inf if loop.eliminates else 0.0
    if loop.frictionless:
        rows[:, RESISTANCE] = 0
    world = np.array(upwards(chain), float)[None] * (not loop.weightless)
    some = mapped and any(x in shape for x in ("end", "parameter") for shape in recursion.shapes.values())
    own = [chain.bodies[k] for k in mapped.last] if mapped and some else chain.bodies
    ends = [(b, frame.placement) for frame in _frames(chain, choices) if (b := frame.body)] or [
        (b, Transform(p=b.inertia.com) if choices.get("at") == "center_of_mass" else IDENTITY) for b in own
    ]
    bent = bool(mapped) and loop.eliminates and "v" in given
    way = Way("frame" in choices, bool(mapped), bool(mapped and mapped.shared), loop.eliminates, bent)
    data = _Data(rows, parents, world, np.array([b.index - 1 for b, _ in ends]), _places(rows, ends), model.nv, mapped)
    prelude = None
    if states and "q" in given:
        moving = "a" in recursion.arrays or bent
        taken = [name for name in given if name in (("q", "v", "a") if moving else ("q",))]
        prelude = Prelude(states(tuple(taken), moving), tuple(map(given.index, taken)), OF_ROWS[: 1 + moving])
    return (data.on_path if way.on_path else data.on_all)(recursion, way, given, prelude)


def _frames(model: Model, choices: Mapping[str, Any]) -> list[Frame]:
    """The frames that a quantity is about."""
    return [model.frame(name) for name in choices.get("frames", [choices["frame"]] if "frame" in choices else [])]


class _Data(NamedTuple):
    """The numbers of a robot, and the ends a quantity is about: frames, each with its body and its place there."""

    rows: np.ndarray
    parents: np.ndarray
    world: np.ndarray
    ends: np.ndarray
    places: np.ndarray
    nv: int
    mapped: OneAxis | None = None

    @property
    def dofs(self) -> np.ndarray:
        """The velocity of each row."""
        return self.mapped.dof if self.mapped else np.arange(len(self.rows))

    def on_path(self, recursion: Recursion, way: Way, arrays: tuple[str, ...], prelude: Prelude | None) -> Closure:
        """The recursion over the bodies that carry a frame."""
        at, path = self.ends[0] + 1, []
        while at:
            path.append(at - 1)
            at = self.parents[at - 1]
        joints = np.array(path[::-1])
        place = np.zeros(len(self.rows), int)
        place[joints] = np.arange(len(joints))
        tables = {"path": joints, "dof": self.dofs[joints]}
        if self.mapped:
            tables["final"] = place[self.mapped.last[self.mapped.body[joints]]]
        own = self._replace(rows=np.ascontiguousarray(self.rows[joints]), parents=np.arange(len(joints)))
        reached = [tables["dof"] + r * self.nv for r in range(6)]
        return own._closure(recursion, way, arrays, prelude, tables, reached)

    def on_all(self, recursion: Recursion, way: Way, arrays: tuple[str, ...], prelude: Prelude | None) -> Closure:
        """The recursion over all bodies, and over pairs of a joint and an end that it carries."""
        nv, ends, dof = self.nv, len(self.ends), self.dofs
        written = {name for x in recursion.passes for name in x.writes.split()}
        tables = {"dof": dof, "diagonal": dof * (nv + 1)}
        if self.mapped:
            tables |= {"own": self.mapped.own, "last": self.mapped.last, "body": self.mapped.body}
            tables["final"] = self.mapped.last[self.mapped.body]
        reached = [dof + r * nv for r in range(6)] if "columns" in written else [tables["diagonal"]]
        if any(x.way == "pairs" for x in recursion.passes):
            square = "mirror" in written
            joint, end = self._pairs("columns" in written, square)
            tables |= {"carrier": joint, "carried": self.ends[end], "end": end, "column": end * 6 * nv + dof[joint]}
            tables["entry"] = dof[joint] * nv + dof[end] if square else dof[joint] * ends + end
            if square:
                tables["mirror"] = dof[end] * nv + dof[joint]
            reached = [tables[name] for name in ("entry", "mirror", "diagonal") if name in written]
            reached = reached or [tables["column"] + r * nv for r in range(6)]
        return self._closure(recursion, way, arrays, prelude, tables, reached)

    def _pairs(self, by_end: bool, square: bool) -> tuple[np.ndarray, np.ndarray]:
        """Positions of a joint that moves and of an end that it carries, in the order of the results.

        In a `square` matrix the ends are other joints that move; its diagonal is written apart.
        """
        n, moves = len(self.rows), self.mapped.gain != 0 if self.mapped else np.ones(len(self.rows), bool)
        carried = np.eye(n, dtype=bool)
        for k, parent in enumerate(self.parents):
            if parent:
                carried[k] |= carried[parent - 1]
        pairs = carried[self.ends] & moves
        if square:
            pairs &= moves[:, None] & ~np.eye(n, dtype=bool)
        end, joint = np.nonzero(pairs) if by_end else np.nonzero(pairs.T)[::-1]
        if self.mapped and self.mapped.shared:
            # last those whose results are added up
            several = np.bincount(self.dofs[moves]) > 1
            added = several[self.dofs[joint]] | (several[self.dofs[end]] if square else False)
            order = np.argsort(added, kind="stable")
            joint, end = joint[order], end[order]
        return joint, end

    def _slots(self, tables: Mapping[str, np.ndarray], written: set[str]) -> dict[str, np.ndarray]:
        """Of each place that is written at, where it is added up, if it is; and the places of the sums."""
        places = {name: tables[name] for name in SCATTERED[:3] if name in written}
        if "columns" in written:
            places["columns"] = tables.get("column", tables["dof"])
        rows = 6 if "columns" in written else 1
        cells, cell, times = np.unique(np.concatenate(list(places.values())), return_inverse=True, return_counts=True)
        slots = np.where(times > 1, SPARE + rows * (np.cumsum(times > 1) - 1), 0)[cell]
        ends = np.cumsum([len(x) for x in places.values()])[:-1]
        found = {f"slot_{name}": x for name, x in zip(places, np.split(slots, ends), strict=True)}
        sums = cells[times > 1][:, None] + self.nv * np.arange(rows)
        return found | {"cells": np.concatenate([np.zeros(SPARE, int), sums.ravel()])}

    def _closure(
        self,
        recursion: Recursion,
        way: Way,
        arrays: tuple[str, ...],
        prelude: Prelude | None,
        tables: dict[str, np.ndarray],
        reached: list[np.ndarray],
    ) -> Closure:
        """The recursion on these rows; all of the scattered result that is not `reached` is zero."""
        bodies, ends, nv = len(self.rows), len(self.ends), self.nv
        all_rows, all_bodies = (len(self.mapped.dof), len(self.mapped.last)) if self.mapped else (nv, bodies)
        counts = {"bodies": bodies, "and_world": bodies + 1, "rows": all_rows, "nv": nv, "ends": ends}
        counts |= {"pairs": len(tables.get("carrier", ())), "all_bodies": all_bodies}
        axes = {"v": nv, "row": bodies, "body": all_bodies, "joint": nv if self.mapped else bodies}
        axes |= {name: AXES[name] * ends for name in ("end", "force", "parameter")}
        shapes = {name: tuple(axes.get(x, x) for x in shape) for name, shape in recursion.shapes.items()}
        if recursion.scattered:
            counts["entries"] = math.prod(shapes[recursion.scattered]) // _width(recursion)
            rest = np.ones(counts["entries"], bool)
            rest[np.concatenate(reached)] = False
            tables["rest"] = np.nonzero(rest)[0]
            counts["rest"] = len(tables["rest"])
        if recursion.scattered and way.shared:
            written = {name for x in recursion.passes for name in x.writes.split()}
            tables |= self._slots(tables, written)
            added = tables.get("slot_entry", tables.get("slot_columns", np.zeros(0))) > 0
            counts |= {"slots": len(tables["cells"]), "alone": int(added.argmax()) if added.any() else counts["pairs"]}
        fixed = {"rows": self.rows, "world": self.world, "places": self.places}
        sizes = {name: all_rows if name in OF_ROWS else nv for name in STATE}
        sizes |= {name: size * bodies for name, size in FOUND.items()}
        fixed |= {name: np.zeros((sizes[name], 1)) for name in recursion.arrays if name not in arrays}
        if self.mapped:
            sizes["q"] = prelude.kernel.source.sizes["q"] if prelude else 0
            sizes["a"] = nv
        given = {
            **{name: sizes[name] for name in arrays},
            **{f"out_{name}": math.prod(x) for name, x in shapes.items()},
        }
        tables = {name: np.ascontiguousarray(x, np.int64) for name, x in (tables | {"parents": self.parents}).items()}
        return Closure(_kernel(recursion, way), given, fixed, counts, tables, tuple(shapes.values()), prelude)


def _places(rows: np.ndarray, ends: Sequence[tuple[Body, Transform]]) -> np.ndarray:
    """The poses (ends, 12) of frames in the aligned frames of their bodies."""
    found = []
    for body, placement in ends:
        R, p = rows[body.index - 1, -12:-3].reshape(3, 3), rows[body.index - 1, -3:]
        turned, moved = np.array(placement.R, float), np.array(placement.p, float)
        found.append([*(R.T @ turned).ravel(), *(R.T @ (moved - p))])
    return np.array(found)


def _width(recursion: Recursion) -> int:
    """Numbers in a row of the scattered result."""
    last = recursion.shapes[recursion.scattered][-1]
    return AXES.get(last, last)


@cache
def _kernel(recursion: Recursion, way: Way) -> Kernel:
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
            return self.r.output(name, _width(self.recursion), "entries")
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
        """What a step writes at places that other rows write at as well, added up; an entry may be its own mirror."""
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
                    self.r.run(_straightened, reads, [output.row("k")])
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
                self.r.run(_sum, {"whole": into, "part": rows.row("k")}, [into], entrywise=True)
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
    """Some results of a function, from the first on, added to what was there `before`."""
    before = [values.pop(name) for name in list(values) if name.startswith("before_")]
    found = function(**values)
    parts = found if isinstance(found, tuple) else (found,)
    added = tuple(x + y for x, y in zip(before, parts[first:], strict=False))
    return added if len(added) > 1 else added[0]


def _straightened(x: Array, bent: Array) -> Array:
    return x - bent


def _sum(whole: Array, part: Array) -> Array:
    return whole + part


def _seen_twist(W: Array, final_W: Array, final_V: Array) -> Array:
    return pose(W).motion_in(pose(final_W).motion_out(final_V))
