"""Searches of inverse kinematics: one compiled loop, tried from many configurations.

Every target is a lane of the loop, which stops when all its lanes have finished.  Attempts are short, so that lanes do
not wait for one that is stuck: what has not succeeded begins elsewhere, together with the others that have not.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import array
from ...algorithms.inverse_kinematics import Search, iteration, sizes
from ...compiler.kernel import Kernel
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Routine
from ...compiler.runtime.loops import Bound
from ...model import Model
from ..arguments.states import joint_limits
from .starts import Starts, box, inside
from .targets import Targets, angle_of_chord, directions

#: error and damping that a search begins with: any error is smaller, and the damping is the error
_WORST, _DAMPING = 1e300, 1.0
#: results of a search
OUT = ("best", "error", "J", "cost", "done", "spent")
#: lanes of one call, at least, where few targets are left: several rounds of starts are tried at once
_TOGETHER = 32
#: the same the first time: two vector registers
_FIRST = 16
#: starts among whose solutions the nearest one is chosen
NEAREST = 64
#: iterations of an attempt from a random start, and how often one has the full number
_SHORT, _LONG_EVERY = 14, 4


class Found(NamedTuple):
    """The best of every target so far."""

    q: np.ndarray
    error: np.ndarray  # the largest component, or angle of a direction
    success: np.ndarray
    spent: np.ndarray  # iterations
    far: np.ndarray  # how far it is, all errors and their weights together: the best is the nearest


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
        self.robot, self.wanted, self.limits, self.threads = robot, wanted, limits, threads
        self.tolerance, self.iterations = tolerance, iterations
        self.bounds = robot.kernels.once(
            ("bounds", limits),
            lambda: joint_limits(robot.model)[:2] if limits else np.full((2, robot.nq), np.inf) * [[-1], [1]],
        )
        self.box = robot.kernels.once(("box", limits), lambda: box(robot.model, self.bounds))
        key = ("inverse kinematics", wanted.goals, self.bounds)

        def made() -> Kept:
            build = partial(_routine, robot.model, wanted.goals, self.bounds)
            return Kept(robot.kernels.routine("inverse_kinematics", key, build), {}, directions(wanted.goals))

        # a fingerprint of the key takes longer than a search
        self.kept: Kept = robot.kernels.once(("inverse kinematics", wanted.goals, limits), made)

    def all(self, values: np.ndarray, first: np.ndarray, asked: bool, restarts: int, seed: Any) -> Found:
        """Every target from its first start, or from the nearest of random ones unless the first was `asked` for.

        Those that fail are tried again from other starts.
        """
        states, starts = len(values), Starts(self, values, first, seed)
        near = states > 0 and restarts > 0 and not asked and starts.comparable
        begin = starts.next(np.arange(states), 1)[0] if near else inside(first, self.box)
        out = self.searched(values, begin, self.short if near else self.iterations)
        found = Found(out.best, out.worst, out.done, out.spent.astype(int), out.far)
        left, together = restarts, _FIRST
        while left and not found.success.all():
            pending = np.flatnonzero(~found.success)
            most = min(left, max(1, together // len(pending)))
            left -= self.attempt(pending, values[pending], starts, most, found)
            together = _TOGETHER
        if restarts and starts.comparable and not found.success.all():
            # short attempts end early: from the best of them the full number, so that the distance left is a minimum
            pending = np.flatnonzero(~found.success)
            _keep(found, pending, self.searched(values[pending], found.q[pending], self.iterations))
        return found

    def nearest(self, values: np.ndarray, first: np.ndarray, restarts: int, seed: Any) -> Found:
        """The solution from the first start; where there is none, the nearest to it of those from others."""
        found = self.all(values, first, True, 0, seed)
        pending = np.flatnonzero(~found.success)
        if not len(pending) or not restarts:
            return found
        rng, tried = np.random.default_rng(seed), min(restarts, NEAREST)
        # half of the starts near the first one, half anywhere
        spread = np.repeat([0.5, np.pi], [(tried + 1) // 2, tried // 2])[:, None, None]
        moves = spread * rng.normal(size=(tried, len(pending), self.robot.nv))
        begin = inside(
            self.robot.integrate(np.broadcast_to(first[pending], (tried, *first[pending].shape)), moves), self.box
        )
        every = np.tile(pending, tried)
        out = self.searched(values[every], begin.reshape(len(every), -1), self.iterations)
        far = abs(self.robot.difference(first[every], out.best)).max(axis=1)
        rank = np.where(out.done, far, np.inf).reshape(tried, -1)
        lane = rank.argmin(axis=0) * len(pending) + np.arange(len(pending))
        _keep(found, pending, Searched(*(x[lane] for x in out)))
        return found

    @property
    def short(self) -> int:
        """Iterations of an attempt that is given up early."""
        return min(_SHORT, self.iterations)

    def attempt(self, rows: np.ndarray, values: np.ndarray, starts: Starts, most: int, found: Found) -> int:
        """Search from several rounds of starts at once; what is found is what one after the other finds.  How many."""
        before, begin = starts.round, starts.next(rows, most)
        rounds = np.arange(before, starts.round)
        long = ((rounds > _FIRST) & (rounds % _LONG_EVERY == _LONG_EVERY - 1)) | (not starts.comparable)
        parts = [(own, self.iterations if own is long else self.short) for own in (long, ~long) if own.any()]
        tried = [self.searched(np.tile(values, (own.sum(), 1)), np.concatenate(begin[own]), n) for own, n in parts]
        joined = Searched._make(x.reshape(-1, len(rows), *x.shape[1:]) for x in tried[0])
        if len(tried) > 1:
            order = np.argsort(np.concatenate([rounds[own] for own, _ in parts]))
            other = (x.reshape(-1, len(rows), *x.shape[1:]) for x in tried[1])
            joined = Searched._make(np.concatenate(pair)[order] for pair in zip(joined, other, strict=True))
        _keep(found, rows, _first(joined))
        return len(rounds)

    def searched(self, values: np.ndarray, start: np.ndarray, iterations: int) -> "Searched":
        """Each target from its own configuration."""
        n, weights = len(start), self.wanted.weights
        given = {"start": start, "target": values, "weights": weights}
        tolerance = np.maximum(self.tolerance * weights, 1e-300)
        if n <= _TOGETHER:
            out = self._few(n, {**given, "tolerance": tolerance}, {"iterations": iterations})
        else:
            out = self._arrays(n)
            arrays = {name: np.ascontiguousarray(x)[..., None, :] for name, x in given.items()}
            whole = {**arrays, "tolerance": tolerance[None], **out}
            self.kept.kernel(whole, {"iterations": iterations}, threads=self.threads)
        error = out["error"][:, 0]
        size = abs(error)
        if not (weights == 1).all():
            size = size / np.where(weights > 0, weights, np.inf)
        for row in self.kept.directions:
            size[:, row : row + 3] = angle_of_chord(size[:, row : row + 3])[:, None]
        worst, far, done = size.max(axis=1), np.sqrt(2 * out["cost"].ravel()), out["done"].ravel() != 0
        if not done.all():
            worst[np.isnan(worst)] = far[np.isnan(far)] = np.inf
        J = out["J"].reshape(n, len(weights), self.robot.nv)
        return Searched(out["best"][:, 0], worst, done, out["spent"].ravel(), far, error, J)

    def _arrays(self, n: int) -> dict[str, np.ndarray]:
        """Arrays for the results of n searches."""
        rows = len(self.wanted.weights)
        sizes = {"best": self.robot.nq, "error": rows, "J": rows * self.robot.nv, "cost": 1, "done": 1, "spent": 1}
        return {name: np.empty((n, 1, size)) for name, size in sizes.items()}

    def _few(self, n: int, given: dict[str, np.ndarray], counts: dict[str, int]) -> dict[str, np.ndarray]:
        """A few searches, in arrays that were there before: to look at new ones takes longer than to search."""
        free = self.kept.free.setdefault(n, [])
        try:
            bound = free.pop()  # atomic: no other thread gets the same
        except IndexError:
            own = {name: np.empty((1, x.size) if x.ndim == 1 else (n, 1, x.shape[1])) for name, x in given.items()}
            bound = self.kept.kernel.bound({**own, **self._arrays(n)}, counts)
        for name, x in given.items():
            bound.arrays[name][:] = x if x.ndim == 1 else x[:, None]
        bound(counts)
        out = {name: bound.arrays[name].copy() for name in OUT}
        free.append(bound)
        return out


class Kept(NamedTuple):
    """Search for one kind of question, with idle arrays for a few targets at once."""

    kernel: Kernel
    free: dict[int, list[Bound]]
    directions: tuple[int, ...]  # rows at which the errors of directions begin


class Searched(NamedTuple):
    """Ends of searches."""

    best: np.ndarray
    worst: np.ndarray  # the largest component of the error, or angle of a direction
    done: np.ndarray
    spent: np.ndarray  # iterations
    far: np.ndarray  # all errors together
    error: np.ndarray  # (n, m), weighted
    J: np.ndarray  # (n, m, nv), weighted, at the best


def _first(rounds: Searched) -> Searched:
    """Result of several rounds: for every target the first success, else the best, and the iterations until then."""
    n = np.arange(rounds.done.shape[1])
    success = rounds.done.argmax(axis=0)
    chosen = np.where(rounds.done.any(axis=0), success, rounds.far.argmin(axis=0))
    found = Searched(*(x[chosen, n] for x in rounds))
    until = np.where(found.done, success, len(rounds.done) - 1)
    return found._replace(spent=rounds.spent.cumsum(axis=0)[until, n])


def _keep(found: Found, rows: np.ndarray, out: Searched) -> None:
    """Replace results for these targets by better ones."""
    found.spent[rows] += out.spent.astype(int)
    good = out.done | (out.far < found.far[rows])  # rows without success are asked for alone
    into = rows[good]
    found.q[into], found.error[into], found.success[into] = out.best[good], out.worst[good], out.done[good]
    found.far[into] = out.far[good]


def _routine(model: Model, goals: Any, bounds: Any) -> Routine:
    """The search as a loop over iterations, which ends when every lane has finished."""
    r, fields = Builder(), sizes(model, goals)
    rows, size = fields["error"], sum(goal.size for goal in goals)
    given = {"target": r.input("target", size), "weights": r.input("weights", rows)}
    given["tolerance"] = r.input("tolerance", rows)
    start = r.input("start", model.nq)
    here = {name: r.local(f"{name} here", memory.size) for name, memory in given.items()}
    state = {name: r.local(f"{name} now", n) for name, n in fields.items()}
    out = {name: r.output(name, fields[name]) for name in OUT}
    for name, memory in given.items():
        r.copy(memory, here[name])
    for name in ("q", "best"):
        r.copy(start, state[name])
    first = {"error": _WORST, "J": 0.0, "cost": _WORST, "damping": _DAMPING, "done": 0.0, "spent": 0.0}
    for name, value in first.items():
        r.run(partial(array, [value] * fields[name]), {}, [state[name]])
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
