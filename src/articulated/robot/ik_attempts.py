"""Searches of inverse kinematics: one compiled loop, tried from many configurations.

Every target is a lane of the loop, which stops when all its lanes have finished.  Attempts are short, so that lanes do
not wait for one that is stuck: what has not succeeded begins elsewhere, together with the others that have not.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import array
from ..algorithms.inverse_kinematics import Search, iteration, sizes
from ..compiler.passes.loops import Builder, Routine
from ..compiler.routines import RoutineKernel
from ..model import Model
from .ik_starts import Starts, inside
from .ik_targets import Targets
from .states import joint_limits

#: what a search begins with: any error is better, and the damping is as large as the error
_WORST, _DAMPING = 1e300, 1.0
#: starts that are tried at once for one target: at first, and at most
_FEW, _TOGETHER = 8, 64
#: iterations of an attempt from a start that nobody has asked for; each so many-th is as long as it may be
_SHORT, _LONG_EVERY = 14, 4


class Found(NamedTuple):
    """The best of every target so far."""

    q: np.ndarray
    error: np.ndarray  # the largest
    success: np.ndarray
    spent: np.ndarray  # iterations


class Attempts:
    """One question, tried from many configurations."""

    def __init__(
        self,
        robot: Any,
        wanted: Targets,
        tolerance: float,
        iterations: int,
        limits: bool,
        threads: int,
    ):
        self.robot, self.wanted, self.threads = robot, wanted, threads
        self.tolerance, self.iterations = tolerance, iterations
        self.bounds = robot.kernels.once(
            ("bounds", limits), lambda: bounds_of(robot.model) if limits else _unbounded(robot.nq)
        )
        key = ("inverse kinematics", wanted.goals, self.bounds)

        def made() -> RoutineKernel:
            build = partial(_routine, robot.model, wanted.goals, self.bounds)
            return robot.kernels.routine("inverse_kinematics", key, build)

        # a name for all that decides what is computed takes longer than a search
        self.kernel: RoutineKernel = robot.kernels.once(("inverse kinematics", wanted.goals, limits), made)

    def all(self, values: np.ndarray, first: np.ndarray, asked: bool, restarts: int, seed: Any) -> Found:
        """Every target from its first start, or the nearest one if that was not `asked` for; those that fail from
        others, until they succeed."""
        states = len(values)
        starts = Starts(self.robot, self.wanted, values, first, self.bounds, seed)
        found = Found(
            np.array(first, order="C"), np.full(states, np.inf), np.zeros(states, bool), np.zeros(states, int)
        )
        near = states > 0 and restarts > 0 and not asked and starts.comparable
        begin = starts.next(np.arange(states), 1) if near else inside(self.robot.model, first, self.bounds)
        if states:
            self.attempt(np.arange(states), values, begin, self.short if near else self.iterations, found)
        left, together = restarts, _FEW
        while left and states and not found.success.all():
            pending = np.flatnonzero(~found.success)
            many = min(left, max(1, together // len(pending)))  # for one target several starts at once
            together = min(2 * together, _TOGETHER)
            begin = starts.next(pending, many)
            short = starts.comparable and starts.round % _LONG_EVERY
            self.attempt(pending, values, begin, self.short if short else self.iterations, found)
            left -= many
        return found

    @property
    def short(self) -> int:
        """Iterations of an attempt that is given up early."""
        return min(_SHORT, self.iterations)

    def attempt(self, rows: np.ndarray, values: np.ndarray, start: np.ndarray, iterations: int, found: Found) -> None:
        """Search for some targets, each from as many configurations as `start` has for it, one after the other."""
        n = len(start)
        lanes = rows if n == len(rows) else np.repeat(rows, n // len(rows))
        out = self.searched(values if n == len(values) else values[lanes], start, iterations)
        _keep(found, rows, out.best, out.worst, out.done, out.spent)

    def searched(self, values: np.ndarray, start: np.ndarray, iterations: int) -> "Searched":
        """Each target from its own configuration."""
        n, weights = len(start), self.wanted.weights
        sizes = {"best": self.robot.nq, "error": len(weights), "J": len(weights) * self.robot.nv, "done": 1, "spent": 1}
        out = {name: np.empty((n, 1, size)) for name, size in sizes.items()}
        arrays = {
            "start": np.ascontiguousarray(start[:, None]),
            "target": np.ascontiguousarray(values)[:, None],
            "weights": weights[None],
            "tolerance": np.maximum(self.tolerance * weights, 1e-300)[None],
        }
        self.kernel({**arrays, **out}, {"iterations": iterations}, threads=self.threads)
        size = abs(out["error"][:, 0])
        if not (weights == 1).all():
            size = size / np.where(weights > 0, weights, np.inf)
        worst = size.max(axis=1)
        worst[np.isnan(worst)] = np.inf
        J = out["J"].reshape(n, len(weights), self.robot.nv)
        return Searched(out["best"][:, 0], worst, out["done"].ravel() != 0, out["spent"].ravel(), J)


class Searched(NamedTuple):
    """Where searches have ended."""

    best: np.ndarray
    worst: np.ndarray  # error
    done: np.ndarray
    spent: np.ndarray  # iterations
    J: np.ndarray  # (n, m, nv), weighted, at the best


def _keep(
    found: Found, rows: np.ndarray, q: np.ndarray, worst: np.ndarray, done: np.ndarray, spent: np.ndarray
) -> None:
    """What is better than what has been found replaces it; a target may have several results, one after the other."""
    many = len(q) // len(rows)
    found.spent[rows] += spent.reshape(-1, many).sum(axis=1).astype(int)
    if many > 1:
        finished, missed = done.reshape(-1, many), worst.reshape(-1, many)
        best = np.where(finished.any(axis=1, keepdims=True) & ~finished, np.inf, missed).argmin(axis=1)
        chosen = np.arange(0, len(q), many) + best
        q, worst, done = q[chosen], worst[chosen], done[chosen]
    good = done | (worst < found.error[rows])  # rows without success are asked for alone
    into = rows[good]
    found.q[into], found.error[into], found.success[into] = q[good], worst[good], done[good]


def _routine(model: Model, goals: Any, bounds: Any) -> Routine:
    """The search as a loop over iterations, which ends when every lane has finished."""
    r, fields = Builder(), sizes(model, goals)
    rows, size = fields["error"], sum(goal.size for goal in goals)
    given = {"target": r.input("target", size), "weights": r.input("weights", rows)}
    given["tolerance"] = r.input("tolerance", rows)
    start = r.input("start", model.nq)
    here = {name: r.local(f"{name} here", memory.size) for name, memory in given.items()}
    state = {name: r.local(f"{name} now", n) for name, n in fields.items()}
    out = {name: r.output(name, fields[name]) for name in ("best", "error", "J", "done", "spent")}
    for name, memory in given.items():
        r.copy(memory, here[name])
    for name in ("q", "best"):
        r.copy(start, state[name])
    first = {"error": 0.0, "J": 0.0, "cost": _WORST, "damping": _DAMPING, "done": 0.0, "spent": 0.0}
    for name, value in first.items():
        r.run(_filled(value, fields[name]), {}, [state[name]])
    lower, upper = (array([float(x) for x in bound]) for bound in bounds)

    def block(**values: Any) -> Any:
        search = Search(*(values[name] for name in Search._fields))
        outside = {name: values[f"given_{name}"] for name in here}
        return iteration(model, goals, search, bounds=(lower, upper), **outside)

    reads = {**state, **{f"given_{name}": memory for name, memory in here.items()}}
    with r.loop("i", "iterations", until=state["done"]):
        r.run(block, reads, list(state.values()))
    for name, memory in out.items():
        r.copy(state[name], memory)
    return r.routine()


def _filled(value: float, size: int) -> Any:
    return lambda: array([value] * size)


def _unbounded(size: int) -> tuple[np.ndarray, np.ndarray]:
    return np.full(size, -np.inf), np.full(size, np.inf)


def bounds_of(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The ranges of all coordinates; a joint that others follow keeps to theirs as well."""
    lower, upper = (x.copy() for x in joint_limits(model)[:2])
    for b in model.bodies:
        if b.leader is not b and b.joint.nq == 1 and b.multiplier:
            ends = sorted((x - float(b.offset)) / float(b.multiplier) for x in b.joint.limits[:2])
            k = b.coords.start
            lower[k], upper[k] = max(lower[k], ends[0]), min(upper[k], ends[1])
    return lower, upper
