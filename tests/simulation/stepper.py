"""References for the compiled contact step: `solve` for one problem in floats, `Stepper` for a batch of states."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from articulated.algebra.scalars import Array, Scalar
from articulated.compiler.kernel import Kernel
from articulated.contacts.constraints import constraint_poses
from articulated.model import Model
from articulated.robot import Robot
from articulated.robot.arguments.arrays import Vector
from articulated.simulation.contact import blocks
from articulated.simulation.contact.joints import without_dry_friction
from articulated.simulation.contact.newton import newton
from articulated.simulation.contact.problem import Problem, residual, sweep
from articulated.simulation.contact.schedule import SCHEDULE, TOLERANCE, WORTHWHILE, Phase
from articulated.simulation.contact.system import System

Floats = np.ndarray


class Solved(NamedTuple):
    """The best impulses that were met, and their residual."""

    impulses: Array
    residual: float
    steps: int


def solve(
    problem: Problem, impulses: Array, tolerance: float = TOLERANCE, schedule: tuple[Phase, ...] = SCHEDULE
) -> Solved:
    """Impulses that obey all laws, from those of the step before; the best there are if none are within tolerance."""
    current = sweep(problem, impulses)
    now, taken = residual(problem, current), 1
    best, least = current, now
    for phase in schedule:
        trial, missed = current, now
        for _ in range(phase.most):
            if least < tolerance:
                return Solved(best, least, taken)
            trial = sweep(problem, trial) if phase.kind == "sweep" else newton(problem, trial, phase.proximal)
            taken += 1
            missed = residual(problem, trial)
            if missed < least:
                best, least = trial, missed
        # sweeps go on where they are; Newton's method is thrown away unless it was worth its while
        if phase.kind == "sweep":
            current, now = trial, missed
        elif least < WORTHWHILE * now:
            current, now = best, least
    return Solved(best, least, taken)


class Iterated(NamedTuple):
    """Impulses after a sweep or a Newton step, and their residual."""

    impulses: Array
    residual: Scalar


def sweep_packed(
    model: Model, G: Array, c: Array, bounds: Array, friction: Array, impulses: Array, system: System, dt: Scalar
) -> Iterated:
    """One sweep."""
    problem = blocks.unpacked_problem(model, G, c, bounds, friction, system, dt)
    found = sweep(problem, impulses)
    return Iterated(found, residual(problem, found))


def newton_packed(
    model: Model,
    G: Array,
    c: Array,
    bounds: Array,
    friction: Array,
    impulses: Array,
    proximal: Array,
    system: System,
    dt: Scalar,
) -> Iterated:
    """One step of Newton's method."""
    problem = blocks.unpacked_problem(model, G, c, bounds, friction, system, dt)
    found = newton(problem, impulses, proximal[0])
    return Iterated(found, residual(problem, found))


class Stepped(NamedTuple):
    """Everything a step tells of each state."""

    q: Floats
    v: Floats
    a: Floats
    impulses: Floats
    residual: Floats
    forces: Floats  # (…, nc, 3), on the robot in world axes
    states: Floats  # (…, nc)
    gaps: Floats  # before the step, (…, nc)
    positions: Floats  # (…, nc, 3)
    normals: Floats  # (…, nc, 3)


class Stepper:
    """Steps of one robot with one dt; its blocks are compiled when they are first needed."""

    def __init__(self, robot: Robot, system: System, dt: float, tolerance: float = TOLERANCE):
        model = without_dry_friction(robot.model)
        self.robot = robot if model is robot.model else Robot(model)
        self.system, self.dt, self.tolerance = system, dt, tolerance
        sizes = blocks.sizes(model, system)
        self._made: dict[str, Kernel] = {}
        self._kernels = self.robot.kernels.under("", {name: Vector(size, name) for name, size in sizes.items()})

    def anchors(self, q: Floats) -> Floats:
        """Where the contacts that hold are."""
        found = self._run("anchors", constraint_poses, {"q": q}, {"contacts": self.system.held})
        return found.reshape(*q.shape[:-1], -1)

    def step(self, q: Floats, v: Floats, tau: Floats, impulses: Floats, anchors: Floats) -> Stepped:
        """The states a step later, from the impulses of the step before."""
        state = {"q": q, "v": v, "tau": tau, "anchors": anchors}
        ready = self._block("prepare", blocks.prepare_packed, state, (blocks.prepare_packed_by_moments,))
        problem = {"G": ready.G, "c": ready.c, "bounds": ready.bounds}
        solved, residual = self._solve({**problem, "friction": self.system.frictions}, impulses)
        response = {name: getattr(ready, name) for name in ("v_free", "L", "inverse", "Y", "axes")}
        given = {"q": q, "v": v, "impulses": solved, **problem, **response}
        after = self._block("finish", blocks.finish_packed, given)
        seen = ready.gaps, ready.positions, ready.normals
        return Stepped(after.q, after.v, after.a, solved, residual, after.forces, after.states, *seen)

    def _solve(self, problem: dict[str, Floats], impulses: Floats) -> tuple[Floats, Floats]:
        """`solve` on arrays: a state that is done is left as it is while others go on."""
        current, now = self._block("sweep", sweep_packed, {**problem, "impulses": impulses})
        best, least = current, now
        for kind, most, proximal in SCHEDULE:
            given = {**problem} if kind == "sweep" else {**problem, "proximal": np.array([proximal])}
            block = {"sweep": sweep_packed, "newton": newton_packed}[kind]
            trial, missed = current, now
            for _ in range(most):
                active = least >= self.tolerance
                if not active.any():
                    return best, least
                iterated = self._block(kind, block, {**given, "impulses": trial})
                trial = _chosen(active, iterated.impulses, trial)
                missed = np.where(active, iterated.residual, missed)
                better = missed < least
                best, least = _chosen(better, trial, best), np.where(better, missed, least)
            if kind == "sweep":
                current, now = trial, missed
            else:
                kept = least < WORTHWHILE * now
                current, now = _chosen(kept, best, current), np.where(kept, least, now)
        return best, least

    def _block(self, name: str, block: Callable[..., Any], arrays: dict[str, Floats], ways: tuple = ()) -> Any:
        return self._run(name, block, arrays, {"system": self.system.coded, "dt": self.dt}, ways)

    def _run(self, name: str, block: Callable[..., Any], arrays: dict, choices: dict, ways: tuple = ()) -> Any:
        if name not in self._made:
            asked = self._kernels.request(name, block, tuple(arrays), choices=choices, formulations=ways)
            self._made[name] = self._kernels.kernel(asked)
        return self._made[name](*arrays.values())


def _chosen(where: Floats, yes: Floats, no: Floats) -> Floats:
    return np.where(where[..., None], yes, no)
