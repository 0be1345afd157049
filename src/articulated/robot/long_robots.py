"""Algorithms by loops over bodies, for robots of many bodies and for programs too long to be compiled.

One routine serves every robot of one-axis joints, and another every robot of any joints, whose rows are those of
`one_axis`: each is compiled once, and the robot is its data.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.spatial import IDENTITY, Transform
from ..algorithms import forward_dynamics, inverse_dynamics, jacobians
from ..algorithms.by_rows.one_axis import OneAxis, one_axis
from ..algorithms.by_rows.rows import ARMATURE, AXES, FOUND, PER_VELOCITY, RESISTANCE, STATE, Recursion, aligned, served
from ..algorithms.by_rows.table import COMPOSED, COMPOSED_OF_ONE_AXIS, COMPOSED_OF_SHARED, RECURSIONS, times
from ..algorithms.kinematics import upwards
from ..compiler.closures import Closure, Composition, Prelude
from ..compiler.kernel import Kernel
from ..model import Body, Frame, Model
from .request import AS_USUAL, Written
from .row_routine import OF_ROWS, SCATTERED, SPARE, Way, row_kernel, width

#: seconds per body and state, roughly
PASS = 5e-8
#: the kernel of `row_states` of some arrays, without or with accelerations
States = Callable[[tuple[str, ...], bool], Kernel]


def closure(
    model: Model, algorithm: Any, arrays: Iterable[str], choices: Mapping[str, Any], states: States | None = None
) -> Closure | None:
    """The loop that computes an algorithm of these arrays; None if none does.

    With `states` it is one over the rows of `one_axis`, without only for a robot of one-axis joints.
    """
    loop = RECURSIONS.get(algorithm)
    if loop is None or any(frame.body is None for frame in _frames(model, choices)):  # a frame of the world
        return None
    if (recursion := loop.recursion(**choices)) is None:
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
        """Slot of each written place, if several rows are added up there, and the places of the slots."""
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
            counts["entries"] = math.prod(shapes[recursion.scattered]) // width(recursion)
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
        return Closure(
            row_kernel(recursion, way), given, fixed, counts, tables, tuple(shapes.values()), PASS * bodies, prelude
        )


def _places(rows: np.ndarray, ends: Sequence[tuple[Body, Transform]]) -> np.ndarray:
    """The poses (ends, 12) of frames in the aligned frames of their bodies."""
    found = []
    for body, placement in ends:
        R, p = rows[body.index - 1, -12:-3].reshape(3, 3), rows[body.index - 1, -3:]
        turned, moved = np.array(placement.R, float), np.array(placement.p, float)
        found.append([*(R.T @ turned).ravel(), *(R.T @ (moved - p))])
    return np.array(found)


Floats = np.ndarray
#: algorithms that forces at frames enter as torques
PUSHED = (
    inverse_dynamics.inverse_dynamics,
    inverse_dynamics.bias_forces,
    forward_dynamics.forward_dynamics_by_composite_bodies,
    *(algorithm for algorithm, loop in RECURSIONS.items() if loop.eliminates),
)


def loop_for(
    model: Model,
    algorithm: Any,
    arrays: Sequence[str],
    choices: Mapping[str, Any] = {},
    states: States | None = None,
    frames: Sequence[str] = (),
    written: Written = AS_USUAL,
) -> Closure | Composition | None:
    """A loop over bodies that computes an algorithm of these arrays, or a function composed of loops; None if none.

    `states` makes kernels of `one_axis.row_states`, without which only one-axis joints are served; forces at `frames`
    follow the arrays.
    """
    if not set(arrays) <= set(STATE) or (frames and algorithm not in PUSHED) or model.springs:
        return None
    if served(model):
        loops = Loops(model, COMPOSED_OF_ONE_AXIS)
    elif states and (rows := one_axis(model)).served and algorithm is not forward_dynamics.articulated_bodies:
        loops = Loops(model, COMPOSED_OF_SHARED if rows.shared else COMPOSED, states, rows.shared)
    else:
        return None
    if frames:
        return Composition(partial(_pushed, loops, algorithm, arrays, choices, tuple(frames), written))
    if algorithm in loops.composed:
        return Composition(lambda *values: loops(algorithm, **dict(zip(arrays, values, strict=True)), **choices))
    return closure(model, algorithm, arrays, choices, loops.states)


def _pushed(
    loops: "Loops",
    algorithm: Any,
    arrays: Sequence[str],
    choices: Mapping[str, Any],
    frames: tuple[str, ...],
    written: Written,
    *values: Floats,
) -> Any:
    """The results with forces at frames: these are torques of the joints."""
    state, forces = dict(zip(arrays, values, strict=False)), np.concatenate(values[len(arrays) :], axis=-1)
    felt = times(loops(jacobians.force_map, q=state["q"], frames=frames, force_axes=written.axes), forces)
    felt = -felt if written.on == "environment" else felt
    if "tau" in state:
        return loops(algorithm, **(state | {"tau": state["tau"] + felt}), **choices)
    return loops(algorithm, **state, **choices) - felt


class Loops:
    """`loops(algorithm, **arrays, **choices)`: results for states (n, size)."""

    def __init__(self, model: Model, composed: Mapping[Any, Any], states: States | None = None, shared: bool = False):
        self.model, self.composed, self.states, self.shared = model, composed, states, shared
        self._made: dict[Any, Callable[..., Any]] = {}

    def __call__(self, algorithm: Any, /, **given: Any) -> Any:
        """The results of an algorithm."""
        if algorithm in self.composed:
            return self.composed[algorithm](self, self.model, **given)
        arrays = {name: x for name, x in given.items() if name in STATE or name in FOUND}
        choices = {name: x for name, x in given.items() if name not in arrays}
        key = (algorithm, *arrays, *choices.items())
        if key not in self._made:
            found = closure(self.model, algorithm, tuple(arrays), choices, self.states)
            assert found is not None
            self._made[key] = found.function()
        return self._made[key](*arrays.values())
