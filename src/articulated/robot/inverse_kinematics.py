"""Inverse kinematics: configurations at which frames are where they shall be.

Every target is a lane of a compiled loop, which stops when all its lanes have finished.  Targets that are not reached
are tried again from other configurations.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algebra.asked import flag, generator, number, whole_number
from ..algebra.scalars import array
from ..algorithms.inverse_kinematics import Search, bounded, iteration, sizes
from ..compiler.passes.loops import Builder, Routine
from ..compiler.routines import RoutineKernel
from ..errors import ShapeError
from ..model import Model
from .arguments import as_vectors
from .ik_reasons import reasons
from .ik_targets import Targets, targets_of
from .states import joint_limits

Floats = NDArray[np.floating]
#: what a search begins with: any error is better, and the damping is as large as the error
_WORST, _DAMPING = 1e300, 1.0
#: starts that are tried at once for one target
_TOGETHER = 16


class InverseKinematics(NamedTuple):
    """Configurations, and whether frames are where they shall be in them."""

    q: Floats  # (…, nq), within the joint limits; the best one found where there is no success
    success: NDArray[np.bool_]  # (…), whether every error is within the tolerance
    error: Floats  # (…), the largest of them, m or rad
    iterations: NDArray[np.integer]  # (…), of all attempts
    reason: NDArray[np.object_]  # (…), texts: why there is no success, empty where there is


def inverse_kinematics(
    robot: Any,
    targets: Any,
    q0: Any = None,
    weights: Any = None,
    posture: Any = None,
    tolerance: float = 1e-8,
    iterations: int = 40,
    restarts: int = 100,
    seed: Any = 0,
    limits: bool = True,
    threads: int = 1,
) -> InverseKinematics:
    """See `Robot.inverse_kinematics`."""
    model = robot.model
    wanted = targets_of(model, targets, weights)
    vector = robot.kernels.vectors["q"]
    start = as_vectors("inverse_kinematics", robot.name, "q0", _middle(robot) if q0 is None else q0, vector)
    rest = None if posture is None else as_vectors("inverse_kinematics", robot.name, "posture", posture, vector)
    for name, x in (("q0", start), ("posture", rest)):
        if x is not None and not np.isfinite(x).all():
            raise ShapeError(f"inverse_kinematics: {name} holds NaN or infinity")
    try:
        batch = np.broadcast_shapes(wanted.values.shape[:-1], start.shape[:-1], () if rest is None else rest.shape[:-1])
    except ValueError:
        raise ShapeError(
            f"inverse_kinematics: the leading axes do not broadcast: targets {wanted.values.shape[:-1]}, "
            f"q0 {start.shape}"
        ) from None
    search = _Attempts(
        robot,
        wanted,
        number("inverse_kinematics: tolerance", tolerance, "above zero, m and rad", np.nextafter(0, 1)),
        whole_number("inverse_kinematics: iterations", iterations, 1),
        flag("inverse_kinematics: limits", limits),
        whole_number("inverse_kinematics: threads", threads, 1),
        _rows(rest, batch),
    )
    rng, tries = generator("inverse_kinematics: seed", seed), whole_number("inverse_kinematics: restarts", restarts)
    found = search.all(_rows(wanted.values, batch), _rows(start, batch), tries, rng)
    return _shaped(robot, wanted, search, found, batch)


def _shaped(robot: Any, wanted: Targets, search: "_Attempts", found: Any, batch: tuple[int, ...]) -> Any:
    q, error, success, count, values = found
    why = np.full(len(q), "", object)
    for k in np.flatnonzero(~success):
        why[k] = reasons(robot, wanted, values[k], q[k], search.bounds)
    return InverseKinematics(
        q.reshape(*batch, robot.nq),
        success.reshape(batch)[()],
        error.reshape(batch)[()],
        count.reshape(batch)[()],
        why.reshape(batch)[()],
    )


class _Attempts:
    """One question, tried from many configurations."""

    def __init__(
        self,
        robot: Any,
        wanted: Targets,
        tolerance: float,
        iterations: int,
        limits: bool,
        threads: int,
        posture: np.ndarray | None,
    ):
        self.robot, self.wanted, self.threads, self.posture = robot, wanted, threads, posture
        self.tolerance, self.iterations = tolerance, iterations
        nothing = np.full(robot.nq, np.inf)
        self.bounds = _bounds(robot.model) if limits else (-nothing, nothing)
        key = ("inverse kinematics", wanted.goals, self.bounds, posture is not None)
        self.kernel: RoutineKernel = robot.kernels.routine(
            "inverse_kinematics", key, lambda: _routine(robot.model, wanted.goals, self.bounds, posture is not None)
        )

    def all(self, values: np.ndarray, start: np.ndarray, restarts: int, rng: np.random.Generator) -> Any:
        """Every target from its start; those that fail from random configurations, until they succeed."""
        states = len(values)
        q, error = np.array(start, order="C"), np.full(states, np.inf)
        success, count = np.zeros(states, bool), np.zeros(states, int)
        self.attempt(
            np.arange(states), values, _inside(self.robot.model, start, self.bounds), (q, error, success, count)
        )
        left = restarts
        while left and not success.all():
            pending = np.flatnonzero(~success)
            many = min(left, max(1, _TOGETHER // len(pending)))  # for one target several starts at once
            rows = np.repeat(pending, many)
            self.attempt(rows, values, self.random(start[rows], rng), (q, error, success, count))
            left -= many
        return q, error, success, count, values

    def attempt(self, rows: np.ndarray, values: np.ndarray, start: np.ndarray, found: Any) -> None:
        """Search from some configurations; what is better than what has been found replaces it."""
        q, error, success, count = found
        n, weights = len(rows), self.wanted.weights
        out = {"best": np.empty((n, 1, self.robot.nq)), "error": np.empty((n, 1, len(weights)))}
        flags = {name: np.empty((n, 1, 1)) for name in ("done", "spent")}
        arrays = {
            "start": np.ascontiguousarray(start[:, None]),
            "target": np.ascontiguousarray(values[rows][:, None]),
            "weights": weights[None],
            "tolerance": np.maximum(self.tolerance * weights, 1e-300)[None],
        }
        if self.posture is not None:
            arrays["posture"] = np.ascontiguousarray(self.posture[rows][:, None])
        self.kernel({**arrays, **out, **flags}, {"iterations": self.iterations}, threads=self.threads)
        size = abs(out["error"][:, 0]) / np.where(weights > 0, weights, np.inf)
        worst, done = np.where(np.isnan(size), np.inf, size).max(axis=1), flags["done"][:, 0, 0] != 0
        np.add.at(count, rows, flags["spent"][:, 0, 0].astype(int))
        order = np.lexsort((-worst, done))  # of several starts of one target the best is written last
        good = done[order] > success[rows[order]]
        good |= (done[order] == success[rows[order]]) & (worst[order] < error[rows[order]])
        chosen = order[good]
        into = rows[chosen]
        q[into], error[into], success[into] = out["best"][chosen, 0], worst[chosen], done[chosen]

    def random(self, start: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Joints anywhere in their ranges; a free base where it was."""
        out = self.robot.random(rng, (len(start),))
        for b in self.robot.model.bodies:
            if b.joint.floats:
                out[:, b.coords] = start[:, b.coords]
        return _inside(self.robot.model, out, self.bounds)


def _routine(model: Model, goals: Any, bounds: Any, postured: bool) -> Routine:
    """The search as a loop over iterations, which ends when every lane has finished."""
    r, fields = Builder(), sizes(model, goals)
    rows, size = fields["error"], sum(goal.size for goal in goals)
    given = {"target": r.input("target", size), "weights": r.input("weights", rows)}
    given["tolerance"] = r.input("tolerance", rows)
    if postured:
        given["posture"] = r.input("posture", model.nq)
    start = r.input("start", model.nq)
    here = {name: r.local(f"{name} here", memory.size) for name, memory in given.items()}
    state = {name: r.local(f"{name} now", n) for name, n in fields.items()}
    out = {name: r.output(name, fields[name]) for name in ("best", "error", "done", "spent")}
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


def _bounds(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The ranges of all coordinates; a joint that others follow keeps to theirs as well."""
    lower, upper = (x.copy() for x in joint_limits(model)[:2])
    for b in model.bodies:
        if b.leader is not b and b.joint.nq == 1 and b.multiplier:
            ends = sorted((x - float(b.offset)) / float(b.multiplier) for x in b.joint.limits[:2])
            k = b.coords.start
            lower[k], upper[k] = max(lower[k], ends[0]), min(upper[k], ends[1])
    return lower, upper


def _inside(model: Model, q: np.ndarray, bounds: Any) -> np.ndarray:
    """The nearest configurations within the limits."""
    out = q.copy()
    for _, c in bounded(model, bounds):
        out[:, c] = np.clip(out[:, c], bounds[0][c], bounds[1][c])
    return out


def _middle(robot: Any) -> np.ndarray:
    """Every joint in the middle of its range, or at zero where it has none."""
    q, (lower, upper) = robot.neutral(), _bounds(robot.model)
    both = np.isfinite(lower) & np.isfinite(upper)
    q[both] = (lower[both] + upper[both]) / 2
    return np.clip(q, lower, upper)


def _rows(x: Any, batch: tuple[int, ...]) -> Any:
    return None if x is None else np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1])
