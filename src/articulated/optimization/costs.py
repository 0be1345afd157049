"""Costs of optimal control: weighted squares of residuals, one function a row.

A cost is ½ Σ w r², times dt along the motion and once at its end.  Its residual is a function of robots' states,
`residual(robot, q, v, tau) -> r, by_state, by_torque`, in batches: r (…, m), its derivatives (…, m, 2 nv) by dq and dv,
or (…, m, nv) by dq alone, and (…, m, nv) by tau, or functions that give them; without leading axes where they are
constant, (m,) where they are diagonal, None where they are zero.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.rotations import rotation_between
from ..algebra.scalars import Array
from ..algorithms.kinematics import frame_pose
from ..errors import ShapeError
from ..inputs.choices import floats
from ..model import Model
from ..robot import Robot
from .joint_jacobians import Blocks
from .phases import Forces
from .step import plain

Floats = np.ndarray
#: r, its derivatives by the state and by the torques
Residual = tuple[Floats, Any, Any]


class Cost(NamedTuple):
    """A term of the cost, ½ Σ weight r²."""

    residual: Callable[..., Residual]
    weight: Floats  # along the motion
    final: Floats  # at its end
    name: str = "cost"
    of_forces: bool = False  # whether the residual takes the contact forces as well


def cost(
    residual: Callable[..., Residual], weight: ArrayLike = 1.0, final: ArrayLike | None = None, name: str = "cost"
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

    def residual(robot: Robot, at: Floats, speed: Floats, tau: Floats) -> Residual:
        n = robot.nv
        wanted = _rows(q, at)
        away = at - wanted if plain(robot) else robot.difference(wanted, at)
        r = np.concatenate([away, speed if v is None else speed - _rows(v, speed)], axis=-1)
        if plain(robot):
            return r, np.ones(2 * n), None

        def by_state() -> Floats:
            J = np.zeros((*at.shape[:-1], 2 * n, 2 * n))
            J[..., n:, n:] = np.eye(n)
            J[..., :n, :n] = robot.derivatives("difference")(wanted, at).q1
            return J

        return r, by_state, None

    return cost(residual, weight, final, "state")


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

    def residual(robot: Robot, at: Floats, speed: Floats, torque: Floats) -> Residual:
        r = torque - (0.0 if tau is None else _rows(tau, torque, last=True))
        return r, None, np.ones(robot.nv)

    return cost(residual, weight, None, "control")


def frame(name: str, target: ArrayLike, weight: ArrayLike = 1.0, final: ArrayLike | None = None) -> Cost:
    """Distance of a frame from a pose: [position; rotation vector], world axes; of a position: three numbers.

    Parameters
    ----------
    name : of the frame
    target : (4, 4), or position (3,), or (N, 4, 4) and (N, 3) for a batch of problems
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

    def residual(robot: Robot, q: Floats, v: Floats, tau: Floats) -> Residual:
        inputs: dict[str, Any] = {"q": "q", "target": 12 if turned else 3}
        blocks = Blocks(robot, f"cost of frame {name}, {turned}", FrameError(name), inputs, ("q",))
        batch = numbers.reshape(*numbers.shape[:-1], *[1] * (q.ndim - numbers.ndim), numbers.shape[-1])
        given = q, np.ascontiguousarray(np.broadcast_to(batch, (*q.shape[:-1], numbers.shape[-1])))
        return blocks.values(*given)[0], lambda: blocks(*given)[1], None

    return cost(residual, weight, final, "frame")


@dataclass(frozen=True)
class FrameError:
    """Error of a frame on scalars, in world axes."""

    frame: str

    def __call__(self, model: Model, q: Array, target: Array) -> dict[str, Array]:
        """Position, and rotation if the target is a pose."""
        X = frame_pose(model, q, self.frame)
        if len(target) == 3:
            return {"error": X.p - target}
        goal = target.reshape(3, 4)
        return {"error": np.concatenate([X.p - goal[:, 3], rotation_between(goal[:, :3], X.R)])}


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

    def residual(robot: Robot, q: Floats, v: Floats, tau: Floats) -> Residual:
        r = robot.center_of_mass(q) - np.asarray(target, float)
        return r, lambda: robot.derivatives("center_of_mass")(q).q, None

    return cost(residual, weight, final, "center_of_mass")


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

    def residual(robot: Robot, q: Floats, v: Floats, tau: Floats) -> Residual:
        missing = margin - robot.distances(q, obstacles)

        def by_state() -> Floats:
            J = robot.derivatives("distances")(q, obstacles=obstacles).q
            return np.where(missing[..., None] > 0, -J, 0.0)

        return np.maximum(missing, 0.0), by_state, None

    return cost(residual, weight, weight, "clearance")


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

    return cost(residual, weight, None, "friction")._replace(of_forces=True)


COSTS = {
    "state": state, "control": control, "frame": frame, "center_of_mass": center_of_mass, "clearance": clearance,
    "friction": friction,
}  # fmt: skip


def _rows(x: ArrayLike, like: Floats, last: bool = False) -> Floats:
    """`x` along the motion; one row more than there are controls."""
    found = floats("costs: a reference", x)
    found = found[: like.shape[-2]] if last and found.ndim > 1 else found
    try:
        return np.broadcast_to(found, like.shape)
    except ValueError:
        wanted = f"({like.shape[-1]},), or {like.shape[-2]} rows of them"
        raise ShapeError(f"costs: a reference has shape {found.shape}; it must be {wanted}") from None
