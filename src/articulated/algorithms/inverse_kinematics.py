"""Inverse kinematics by damped least squares, one iteration at a time, on any scalar (Levenberg 1944, Marquardt 1963).

A trial that lowers the error becomes the best one, and the damping falls; else the damping rises and the step is
taken again from the best one.  Near a solution the damping goes to zero with the error, and convergence is quadratic.
A joint at its limit that would be pushed further is held there, so that limits are kept in every iteration.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored
from ..algebra.rotations import cross, rotation_between
from ..algebra.scalars import Array, Scalar, array, chosen, select, total
from ..model import Model
from .centroidal import center_of_mass, centroidal_map
from .configuration import integrate
from .jacobians import jacobian
from .kinematics import frame_pose

#: what a frame, or the center of mass, shall do: how many rows, and how many numbers say where
KINDS = {"pose": (6, 12), "position": (3, 3), "orientation": (3, 9), "direction": (3, 6), "center_of_mass": (3, 3)}
#: how the damping changes after a good trial and after a bad one, and its bounds, relative to the error
FALLS, RISES, LEAST, MOST = 0.5, 4.0, 1e-6, 1e6
#: of the damping where there is no error left: singular directions are not moved along
FLOOR = 1e-12


#: a goal of a search: its `name` in messages, the `rows` of its error and the `size` of its target, and
#: `errors(model, q, wanted)`: what is wanted less what is, and minus its derivative with respect to v, (rows, nv)
Wanted = Any


class Goal(NamedTuple):
    """Goal of one frame, in the axes of another or of the world."""

    frame: str
    kind: str
    base: str | None = None

    @property
    def name(self) -> str:
        """The frame."""
        return f"{self.frame} in {self.base}" if self.base else self.frame

    @property
    def rows(self) -> int:
        """Size of the error."""
        return KINDS[self.kind][0]

    @property
    def size(self) -> int:
        """Size of the target."""
        return KINDS[self.kind][1]

    def errors(self, model: Model, q: Array, wanted: Array) -> tuple[Array, Array]:
        """Error of the frame in the axes of its base, and the rate at which v reduces it."""
        if self.kind == "center_of_mass":
            mass = total(b.inertia.mass for b in model.bodies)
            return wanted - center_of_mass(model, q), centroidal_map(model, q)[:3] / mass
        pose, J = frame_pose(model, q, self.frame), jacobian(model, q, self.frame)
        if self.base is not None:
            base, moving = frame_pose(model, q, self.base), jacobian(model, q, self.base)
            carried = np.stack([cross(moving[3:, k], pose.p - base.p) for k in range(model.nv)], axis=1)
            J = np.concatenate([base.R.T @ (J[:3] - moving[:3] - carried), base.R.T @ (J[3:] - moving[3:])])
            pose = base.inverse() @ pose
        if self.kind == "direction":
            along = pose.R @ wanted[:3]
            return wanted[3:] - along, -np.stack([cross(along, J[3:, k]) for k in range(model.nv)], axis=1)
        found, rows = [], []
        if self.kind != "orientation":
            found.append(wanted[-3:] - pose.p)
            rows.append(J[:3])
        if self.kind != "position":
            found.append(rotation_between(pose.R, wanted[:9].reshape(3, 3)))
            rows.append(J[3:])
        return np.concatenate(found), np.concatenate(rows)


class Search(NamedTuple):
    """The state of a search: the trial, and the best so far with its errors and their derivative."""

    q: Array  # to be tried next
    best: Array
    error: Array  # (m,), weighted
    J: Array  # (m nv,), weighted
    cost: Array  # (1,), ½ |error|²
    damping: Array  # (1,)
    done: Array  # (1,), 1 if the best is good enough
    spent: Array  # (1,), iterations that were needed


def sizes(model: Model, goals: Sequence[Wanted]) -> dict[str, int]:
    """Numbers in each field of a search."""
    m = sum(goal.rows for goal in goals)
    return dict(zip(Search._fields, (model.nq, model.nq, m, m * model.nv, 1, 1, 1, 1), strict=True))


def errors(model: Model, goals: Sequence[Wanted], q: Array, target: Array) -> tuple[Array, Array]:
    """Errors of all goals, one after the other, and their rates with v."""
    found, at = [], 0
    for goal in goals:
        found.append(goal.errors(model, q, target[at : at + goal.size]))
        at += goal.size
    e, J = zip(*found, strict=True)
    return np.concatenate(e), np.concatenate(J)


def iteration(
    model: Model,
    goals: Sequence[Wanted],
    state: Search,
    target: Array,
    weights: Array,
    tolerance: Array,
    bounds: tuple[Array, Array],
) -> Search:
    """Try `state.q`, keep the better one, and say what to try next."""
    e, J = errors(model, goals, state.q, target)
    e, J = weights * e, weights[:, None] * J
    cost = (e @ e) * 0.5
    # what is good enough stays as it is: a lane waits for the others, and they make no difference to it
    better = cost < select(state.done[0] > 0.5, -1.0, state.cost[0])

    best, error, flat = (
        chosen(better, new, old) for new, old in ((state.q, state.best), (e, state.error), (J.ravel(), state.J))
    )
    least = select(better, cost, state.cost[0])
    damping = _between(select(better, FALLS * state.damping[0], RISES * state.damping[0]), LEAST, MOST)
    J = flat.reshape(J.shape)
    free = _free(model, best, J.T @ error, bounds)
    step = damped(J * free, damping * least + FLOOR)(error)
    trial = clamped(model, integrate(model, best, step), bounds)
    done = _within(error, tolerance)
    spent = state.spent + (1 - state.done[0])
    return Search(trial, best, error, flat, array([least]), array([damping]), array([done]), spent)


def damped(J: Array, damping: Scalar) -> Callable[[Array], Array]:
    """e to the x with the least |J x - e|² + damping |x|²: (JᵀJ + λ)⁻¹ Jᵀ e = Jᵀ (JJᵀ + λ)⁻¹ e, the smaller one."""
    wide = J.shape[0] < J.shape[1]
    H = J @ J.T if wide else J.T @ J
    for i in range(len(H)):
        H[i, i] = H[i, i] + damping
    factors = factor_spd(H)
    return lambda e: J.T @ solve_factored(factors, e) if wide else solve_factored(factors, J.T @ e)


def _free(model: Model, q: Array, gradient: Array, bounds: tuple[Array, Array]) -> Array:
    """0 for a velocity whose joint is at a limit and pushed against it, 1 for the others."""
    free: Array = array([1] * model.nv)
    for k, c in bounded(model, bounds):
        lower, upper, push = bounds[0][c], bounds[1][c], gradient[k]
        at_upper = select(upper - 1e-12 < q[c], select(push > 0, 0.0, 1.0), 1.0) if upper < np.inf else 1
        at_lower = select(q[c] < lower + 1e-12, select(push < 0, 0.0, 1.0), 1.0) if lower > -np.inf else 1
        free[k] = at_upper * at_lower
    return free


def clamped(model: Model, q: Array, bounds: tuple[Array, Array]) -> Array:
    """The nearest configuration within the limits."""
    out = q.copy()
    for _, c in bounded(model, bounds):
        out[c] = _between(q[c], bounds[0][c], bounds[1][c])
    return out


def bounded(model: Model, bounds: tuple[Array, Array]) -> list[tuple[int, int]]:
    """The joints with one coordinate and a limit: their velocity and coordinate."""
    lower, upper = bounds
    return [
        (b.dofs.start, b.coords.start)
        for b in model.independent
        if b.joint.nq == b.joint.nv == 1 and (lower[b.coords.start] > -np.inf or upper[b.coords.start] < np.inf)
    ]


def _between(x: Scalar, low: Any, high: Any) -> Scalar:
    if not isinstance(low, float) or low > -np.inf:
        x = select(x < low, low, x)
    if not isinstance(high, float) or high < np.inf:
        x = select(x > high, high, x)
    return x


def _within(x: Array, bounds: Array) -> Scalar:
    """1 if no entry is larger than its bound, else 0."""
    out: Any = 1
    for entry, bound in zip(x, bounds, strict=True):
        size = select(entry < 0, -entry, entry)
        out = out * select(bound < size, 0.0, 1.0)
    return out
