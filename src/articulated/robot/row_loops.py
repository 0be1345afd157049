"""Loops over the bodies of a robot of one-axis joints, in place of straight-line code.

One routine serves every such robot: it is compiled once, and the robot is its data.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import array
from ..algebra.spatial import IDENTITY, Transform
from ..algorithms.by_rows.passes import AXES, FOUND, SIZES, STATE, Pass, Recursion
from ..algorithms.by_rows.rows import ARMATURE, RESISTANCE, WIDTH, aligned
from ..algorithms.by_rows.table import RECURSIONS
from ..algorithms.kinematics import upwards
from ..compiler.closures import Closure
from ..compiler.kernel import Kernel, Source
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Count, Memory, Place, Routine
from ..compiler.runtime.fingerprint import fingerprint
from ..model import Body, Frame, Model

#: arrays of the caller: name, size and number of rows
INPUTS: dict[str, tuple[str, int, Count]] = {
    "row": ("rows", WIDTH, "bodies"),
    "world": ("world", 6, 1),
    "place": ("places", 12, "ends"),
    **{name: (name, 1, "nv") for name in STATE},
    **{name: (name, size, "bodies") for name, size in FOUND.items()},
}
#: axes along which a result is written body by body
BY_BODY = ("body", "joint", "row")
#: names of what is written at single places of the scattered result
SCATTERED = ("entry", "mirror", "diagonal", "columns")
#: the vector of the world by name; zeros if it is not here
WORLD = {"W": (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}


def recursion_of(model: Model, algorithm: Any, choices: Mapping[str, Any]) -> Recursion | None:
    """The recursion that computes an algorithm; None if there is none, or for a frame of the world."""
    loop = RECURSIONS.get(algorithm)
    if loop is None or any(frame.body is None for frame in _frames(model, choices)):
        return None
    return loop.recursion(**choices)


def closure(
    model: Model,
    algorithm: Any,
    arrays: Iterable[str],
    choices: Mapping[str, Any],
    bodies: Sequence[int] | None = None,
    locked: Sequence[int] = (),
) -> Closure | None:
    """The loop that computes an algorithm of these arrays; None if none does.

    Jacobians and columns of parameters are those of all `bodies`, by position; joints that are `locked` do not move.
    """
    recursion, loop = recursion_of(model, algorithm, choices), RECURSIONS.get(algorithm)
    if loop is None or recursion is None:
        return None
    rows, parents = aligned(model)
    rows[locked, ARMATURE] = math.inf
    if loop.frictionless:
        rows[:, RESISTANCE] = 0
    world = np.array(upwards(model), float)[None] * (not loop.weightless)
    some = bodies is not None and any(x in shape for x in ("end", "parameter") for shape in recursion.shapes.values())
    own = [model.bodies[k] for k in bodies or ()] if some else model.bodies
    ends = [(b, frame.placement) for frame in _frames(model, choices) if (b := frame.body)] or [
        (b, Transform(p=b.inertia.com) if choices.get("at") == "center_of_mass" else IDENTITY) for b in own
    ]
    data = _Data(rows, parents, world, np.array([b.index - 1 for b, _ in ends]), _places(rows, ends))
    return (data.on_path if "frame" in choices else data.on_all)(recursion, tuple(arrays))


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

    def on_path(self, recursion: Recursion, arrays: tuple[str, ...]) -> Closure:
        """The recursion over the bodies that carry a frame."""
        at, path = self.ends[0] + 1, []
        while at:
            path.append(at - 1)
            at = self.parents[at - 1]
        joints = np.array(path[::-1])
        own = self._replace(rows=np.ascontiguousarray(self.rows[joints]), parents=np.arange(len(joints)))
        nv = len(self.rows)
        reached = [joints + r * nv for r in range(6)]
        return own._closure(recursion, arrays, nv, {"path": joints}, reached)

    def on_all(self, recursion: Recursion, arrays: tuple[str, ...]) -> Closure:
        """The recursion over all bodies, and over pairs of a joint and an end that it carries."""
        n, ends = len(self.rows), len(self.ends)
        written = {name for x in recursion.passes for name in x.writes.split()}
        tables = {"diagonal": np.arange(n) * (n + 1)}
        reached = [np.arange(6 * n)] if "columns" in written else [tables["diagonal"]]
        if any(x.way == "pairs" for x in recursion.passes):
            joint, end = self._pairs(by_end="columns" in written)
            tables |= {"carrier": joint, "carried": self.ends[end], "end": end}
            tables |= {"entry": joint * ends + end, "mirror": end * n + joint, "column": end * 6 * n + joint}
            reached = [tables[name] for name in ("entry", "mirror") if name in written]
            reached = reached or [tables["column"] + r * n for r in range(6)]
        return self._closure(recursion, arrays, n, tables, reached)

    def _pairs(self, by_end: bool) -> tuple[np.ndarray, np.ndarray]:
        """Positions of a joint and of an end that it carries, for each such pair, in the order of the results."""
        n = len(self.rows)
        carried = np.eye(n, dtype=bool)
        for k, parent in enumerate(self.parents):
            if parent:
                carried[k] |= carried[parent - 1]
        if by_end:
            end, joint = np.nonzero(carried[self.ends])
        else:
            joint, end = np.nonzero(carried[self.ends].T)
        return joint, end

    def _closure(
        self,
        recursion: Recursion,
        arrays: tuple[str, ...],
        nv: int,
        tables: dict[str, np.ndarray],
        reached: list[np.ndarray],
    ) -> Closure:
        """The recursion on these rows; all of the scattered result that is not `reached` is zero."""
        bodies, ends = len(self.rows), len(self.ends)
        counts = {"bodies": bodies, "and_world": bodies + 1, "nv": nv, "ends": ends}
        counts["pairs"] = len(tables.get("carrier", ()))
        axes = (
            {"v": nv}
            | dict.fromkeys(BY_BODY, bodies)
            | {name: AXES[name] * ends for name in ("end", "force", "parameter")}
        )
        shapes = {name: tuple(axes.get(x, x) for x in shape) for name, shape in recursion.shapes.items()}
        if recursion.scattered:
            counts["entries"] = math.prod(shapes[recursion.scattered]) // _width(recursion)
            rest = np.ones(counts["entries"], bool)
            rest[np.concatenate(reached)] = False
            tables["rest"] = np.nonzero(rest)[0]
            counts["rest"] = len(tables["rest"])
        fixed = {"rows": self.rows, "world": self.world, "places": self.places}
        fixed |= {name: np.zeros((nv, 1)) for name in recursion.arrays if name not in arrays}
        given = (*arrays, *(f"out_{name}" for name in shapes))
        kernel = _kernel(recursion, "path" in tables)
        tables = {name: np.ascontiguousarray(x, np.int64) for name, x in (tables | {"parents": self.parents}).items()}
        return Closure(kernel, given, fixed, counts, tables, tuple(shapes.values()))


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
def _kernel(recursion: Recursion, on_path: bool) -> Kernel:
    """The loop, the same for all robots."""
    return Kernel(
        Source(
            "a loop over bodies",
            build=lambda: _Loops(recursion, on_path).routine(),
            identity=lambda: fingerprint("by rows", recursion.key, on_path),
        )
    )


class _Loops:
    """A recursion as a routine: the arrays it reads and writes by name, and a loop for each pass."""

    def __init__(self, recursion: Recursion, on_path: bool):
        self.recursion, self.r, self.on_path = recursion, Builder(), on_path
        self.memories = {name: self._memory(name) for name in self._names()}

    def routine(self) -> Routine:
        """The vectors of the world are set, then the passes made."""
        for name, memory in list(self.memories.items()):
            if memory.role == "local":
                self._start(name, memory)
        if self.recursion.scattered:
            memory = self.memories[f"out_{self.recursion.scattered}"]
            with self.r.loop("k", "rest"):
                self.r.run(_constant((0.0,) * memory.size), {}, [memory.row("k", table=self.r.table("rest"))])
        for step in self.recursion.passes:
            if step.way == "once":
                self._step(step)
            else:
                count = "pairs" if step.way == "pairs" else "bodies"
                with self.r.loop("k", count, reverse=step.way == "inward"):
                    self._step(step)
        return self.r.routine()

    def _names(self) -> list[str]:
        """Every vector, by the name it has without `below_` or `carrier_`."""
        named = (name for x in self.recursion.passes for name in (*x.arguments.values(), *x.writes.split()))
        return list(dict.fromkeys(self._own(name) for name in named))

    def _own(self, name: str) -> str:
        return (
            f"out_{self.recursion.scattered}"
            if name in SCATTERED
            else name.removeprefix("below_").removeprefix("carrier_")
        )

    def _memory(self, name: str) -> Memory:
        if name in INPUTS:
            return self.r.input(*INPUTS[name])
        if name.startswith("total_"):
            return self.r.local(name, SIZES[name.removeprefix("total_")])
        if not name.startswith("out_"):
            return self.r.local(name, SIZES[name], "and_world")
        shape = self.recursion.shapes[name.removeprefix("out_")]
        if name == f"out_{self.recursion.scattered}":
            return self.r.output(name, _width(self.recursion), "entries")
        by_body = any(axis in shape[:1] for axis in BY_BODY)
        return self.r.output(name, math.prod(shape[by_body:]), "bodies" if by_body else 1)

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

    def _written(self, name: str, way: str) -> list[Place]:
        """The rows that a step writes."""
        if name not in SCATTERED:
            return [self._row(name, way)]
        memory = self.memories[self._own(name)]
        if name != "columns":
            return [memory.row("k", table=self.r.table(name))]
        table = self.r.table("column") if way == "pairs" else self._joint()
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
        return memory.row("k", own, table=self._joint() if name in STATE else ())

    def _joint(self) -> str | tuple[str, ...]:
        return self.r.table("path") if self.on_path else ()


@cache
def _constant(values: tuple[float, ...]) -> Callable[[], Any]:
    return lambda: array(values)
