"""Costs of optimal control: weighted squares of residuals, one function a row.

A cost is ½ Σ w r², times dt along the motion and once at its end.  Its residual is a function of scalars,
`residual(model, q, v, tau, **numbers) -> r`, whose derivatives are the compiler's, or one of batches with derivatives,
`residual(robot, q, v, tau) -> r, by_state, by_torque`: r (…, m), its derivatives (…, m, 2 nv) by dq and dv, or
(…, m, nv) by dq alone, and (…, m, nv) by tau, or functions that give them; without leading axes where they are
constant, (m,) where they are diagonal, None where they are zero.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.rotations import rotation_between
from ..algebra.scalars import Array
from ..algorithms.centroidal import center_of_mass as center
from ..algorithms.configuration import difference
from ..algorithms.kinematics import frame_pose
from ..errors import ModelError, ShapeError
from ..inputs.choices import floats, number
from ..model import Model
from ..robot import Robot
from .phases import Forces

Floats = np.ndarray
#: r, its derivatives by the state and by the torques
Residual = tuple[Floats, Any, Any]
#: distance of a frame from its target that is worth a word, m or rad
MISSED = 1e-2


class Cost(NamedTuple):
    """A term of the cost, ½ Σ weight r²."""

    residual: Callable[..., Any]
    weight: Floats  # along the motion
    final: Floats  # at its end
    name: str = "cost"
    of_forces: bool = False  # whether the residual takes the contact forces as well
    #: of a residual on scalars: what it takes beside the state, with sizes: "q", "v", a number, or 0, as it is
    numbers: Mapping[str, tuple[Any, Any]] | None = None
    #: what is wrong with a motion, in words: function of (robot, q, t, r, numbers) of one problem
    remark: Callable[..., str] | None = None

    def along(self, horizon: int, dt: float) -> Floats:
        """Weights of all samples, (T + 1, 1 or m); those of limits are numbers of each problem."""
        if self.weight.ndim > 2:
            return self.weight
        out = np.empty((horizon + 1, max(np.atleast_1d(x).shape[-1] for x in (self.weight, self.final))))
        out[:horizon], out[horizon] = dt * self.weight, self.final
        return out


def cost(
    residual: Callable[..., Any], weight: ArrayLike = 1.0, final: ArrayLike | None = None, name: str = "cost"
) -> Cost:
    """A cost from a residual function of one's own.

    Parameters
    ----------
    residual : function of (robot, q, v, tau), batches (…, nq), (…, nv), (…, nv), that returns r (…, m), and its
        derivatives by [dq; dv] (…, m, 2 nv), or (…, m, nv) by dq alone, and by tau (…, m, nv), or functions that give
        them; (m, 2 nv) where they are constant, (m,) where they are diagonal, None where they are zero
    weight : of the squares along the motion, a number or (m,), per second
    final : at its end; zero if not given
    name : in messages

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> speed = art.costs.cost(lambda robot, q, v, tau: (v, np.eye(2, 4, 2), None), 0.1)
    >>> float(speed.weight)
    0.1
    """
    along, end = (floats(f"costs.{name}: a weight", 0.0 if x is None else x) for x in (weight, final))
    for what, x in (("weight", along), ("final", end)):
        if not (x >= 0).all() or not np.isfinite(x).all():
            raise ShapeError(f"costs.{name}: {what} holds numbers from zero; got {x}")
    return Cost(residual, along, end, name)


def state(q: ArrayLike, v: ArrayLike | None = None, weight: ArrayLike = 1.0, final: ArrayLike | None = None) -> Cost:
    """Distance from a state: [q ⊖ q_ref; v - v_ref].

    Parameters
    ----------
    q : configuration, (nq,) or (T + 1, nq) along the motion
    v : velocity, likewise; zero if not given
    weight : a number or (2 nv,)
    final : the same at the end

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.state([0, 0], weight=[1, 1, 0.1, 0.1], final=100).name
    'state'
    """
    numbers = {"goal": (q, "q"), "speed": (0.0 if v is None else v, "v")}
    return cost(_away, weight, final, "state")._replace(numbers=numbers)


def _away(model: Model, q: Array, v: Array, tau: Array, goal: Array, speed: Array) -> Array:
    return np.concatenate([difference(model, goal, q), v - speed])


def control(weight: ArrayLike = 1e-3, tau: ArrayLike | None = None) -> Cost:
    """Torques, or their distance from others.

    Parameters
    ----------
    weight : a number or (nv,)
    tau : torques that cost nothing, (nv,) or (T, nv); zero if not given

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.control(1e-2).name
    'control'
    """
    return cost(_effort, weight, None, "control")._replace(numbers={"wanted": (0.0 if tau is None else tau, "v")})


def _effort(model: Model, q: Array, v: Array, tau: Array, wanted: Array) -> Array:
    return tau - wanted


def frame(name: str, target: ArrayLike, weight: ArrayLike = 1.0, final: ArrayLike | None = None) -> Cost:
    """Distance of a frame from a pose: [position; rotation vector], world axes; of a position: three numbers.

    Parameters
    ----------
    name : of the frame
    target : (4, 4), or position (3,), or (N, 4, 4) and (N, 3) for a batch of problems, (N, T + 1, 4, 4) and
        (N, T + 1, 3) where it moves
    weight : a number or (6,); of a position (3,)
    final : the same at the end

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.frame("panda_hand", [0.5, 0, 0.4], final=1e3).name
    'frame'
    """
    goal = np.asarray(target, float)
    turned = goal.shape[-2:] == (4, 4)
    if not turned and goal.shape[-1:] != (3,):
        raise ShapeError(f"costs.frame: target is a pose (4, 4) or a position (3,); got {goal.shape}")
    numbers = goal[..., :3, :].reshape(*goal.shape[:-2], 12) if turned else goal
    rows = numbers[:, None] if numbers.ndim == 2 else numbers
    size = 12 if turned else 3
    made = cost(FrameError(name), weight, final, "frame")
    return made._replace(numbers={"target": (rows, size)}, remark=FrameError(name).remark)


@dataclass(frozen=True)
class FrameError:
    """Error of a frame, in world axes."""

    frame: str

    def __call__(self, model: Model, q: Array, v: Array, tau: Array, target: Array) -> Array:
        """Position, and rotation if the target is a pose."""
        X = frame_pose(model, q, self.frame)
        if len(target) == 3:
            return X.p - target
        goal = target.reshape(3, 4)
        return np.concatenate([X.p - goal[:, 3], rotation_between(goal[:, :3], X.R)])

    def remark(self, robot: Robot, q: Floats, t: Floats, r: Floats, weight: Floats, target: Floats) -> str:
        """Whether the end is away from the target, and whether it could be there."""
        away = float(np.linalg.norm(r[-1, :3]))
        if not weight[-1].any() or away < MISSED:
            return ""
        goal: Any = target[-1].reshape(3, 4) if target.shape[-1] == 12 else target[-1]
        goal = np.vstack([goal, [0, 0, 0, 1]]) if goal.ndim > 1 else goal
        found = robot.inverse_kinematics({self.frame: goal}, q[-1])
        why = "which can be reached: it needs more time, torque or weight" if found.success else found.reason
        return f"{self.frame!r} ends {away:.3g} m from its target at t = {t[-1]:.4g} s, {why}"


def center_of_mass(target: ArrayLike, weight: ArrayLike = 1.0, final: ArrayLike | None = None) -> Cost:
    """Distance of the center of mass from a point (3,), m.

    Parameters
    ----------
    target : (3,), or (N, 1, 3) for a batch of problems: m
    weight : a number or (3,)
    final : the same at the end

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.center_of_mass([0, 0, 0.5]).name
    'center_of_mass'
    """
    return cost(_center, weight, final, "center_of_mass")._replace(numbers={"target": (target, 3)})


def _center(model: Model, q: Array, v: Array, tau: Array, target: Array) -> Array:
    return center(model, q) - target


def clearance(margin: float, obstacles: Sequence[Any] = (), weight: ArrayLike = 1e3) -> Cost:
    """Shortfall of the distances between links and to obstacles, m: zero where all are `margin` apart.

    Parameters
    ----------
    margin : m
    obstacles : shapes placed in the world, as `robot.distances` takes them
    weight : a number

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.clearance(0.05).name
    'clearance'
    """

    margin = number("costs.clearance: margin", margin, "finite, m", -1e100)

    def residual(robot: Robot, q: Floats, v: Floats, tau: Floats) -> Residual:
        missing = margin - robot.distances(q, obstacles)
        if not missing.shape[-1]:
            raise ModelError(f"costs.clearance: {robot.name} has no collision shapes that can meet anything")

        def by_state() -> Floats:
            J = robot.derivatives("distances")(q, obstacles=obstacles).q
            return np.where(missing[..., None] > 0, -J, 0.0)

        return np.maximum(missing, 0.0), by_state, None

    def remark(robot: Robot, q: Floats, t: Floats, r: Floats) -> str:
        k = 0 if r[0].max() > margin else int(r.max(axis=1).argmax())  # a start in collision explains the rest
        pair, names = int(r[k].argmax()), robot.distance_pairs
        if r[k, pair] <= margin:
            return ""
        which = " and ".join(names[pair]) if pair < len(names) else f"a link and an obstacle (column {pair})"
        return f"{which} overlap by {r[k, pair] - margin:.3g} m at t = {t[k]:.4g} s{'' if k else ', the start'}"

    return cost(residual, weight, weight, "clearance")._replace(remark=remark)


def friction(coefficient: float = 0.7, least: float = 0.0, weight: ArrayLike = 1.0) -> Cost:
    """Excess of contact forces over their friction cones about the vertical, N: zero where feet neither slip nor pull.

    Parameters
    ----------
    coefficient : of friction
    least : normal force that is wanted of every foot on the ground, N
    weight : a number

    Returns
    -------
    a Cost

    Examples
    --------
    >>> import articulated as art
    >>> art.costs.friction(0.6, least=5).name
    'friction'
    """

    def residual(robot: Robot, q: Floats, v: Floats, tau: Floats, forces: Forces) -> Residual:
        f = forces.value
        across = np.sqrt((f[..., :2] ** 2).sum(-1) + 1e-12)
        excess = np.stack([across - coefficient * f[..., 2], least - f[..., 2], 0 * across], axis=-1)
        excess = np.maximum(np.where((f == 0).all(-1, keepdims=True), 0.0, excess), 0.0)  # in the air there is none
        slopes = np.zeros((*f.shape[:-1], 3, 3))
        along = f[..., :2] / across[..., None]
        slopes[..., 0, :2], slopes[..., 0, 2], slopes[..., 1, 2] = along, -coefficient, -1.0
        slopes *= (excess > 0)[..., None]
        # a third row, always zero: its slope squared is the curvature of the cone, without which steps are too long
        bent = np.sqrt(excess[..., 0] / across)
        slopes[..., 2, 0], slopes[..., 2, 1] = -bent * along[..., 1], bent * along[..., 0]
        rows = (*f.shape[:-2], 3 * f.shape[-2])
        by_state, by_torque = (
            x if x is None else (slopes @ x).reshape(*rows, -1) for x in (forces.by_state, forces.by_torque)
        )
        return excess.reshape(rows), by_state, by_torque

    def remark(robot: Robot, q: Floats, t: Floats, r: Floats) -> str:
        k = int(r.max(axis=-1).argmax())
        short = f"contact forces miss their cones by up to {r.max():.3g} N at t = {t[k]:.4g} s"
        return short if r.max() > MISSED * abs(robot.parameters[::10].sum() * 9.81) else ""

    return cost(residual, weight, None, "friction")._replace(of_forces=True, remark=remark)


COSTS = {
    "state": state, "control": control, "frame": frame, "center_of_mass": center_of_mass, "clearance": clearance,
    "friction": friction,
}  # fmt: skip
