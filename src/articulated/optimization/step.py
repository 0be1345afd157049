"""`art.linearize_step`: the derivative of the step that `simulate` takes, by the chain rule on its parts.

The dynamics come in through the compiled derivatives of forward or inverse dynamics; what moves coordinates is a
function joint by joint, whose Jacobian is compiled as well; the products are those of arrays.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.scalars import Array
from ..algorithms.configuration import (
    arrival,
    bending,
    configuration_rate,
    end_momenta,
    halfway,
    midway,
    steadied,
    straight,
)
from ..algorithms.inverse_dynamics import lagrangian_slopes
from ..errors import ShapeError
from ..inputs.choices import choose, floats
from ..model import Model
from ..model.with_numbers import with_parameters
from ..robot import Robot
from ..robot.arguments.arrays import Arguments
from ..robot.derivatives.linearization import LinearSystem
from ..simulation.drive.damping import damped
from ..simulation.methods.midpoint import euler, middle
from ..simulation.methods.runge_kutta import RK4, normalized
from ..simulation.methods.table import INTEGRATORS
from ..simulation.run import time_step
from .joint_jacobians import Blocks

Floats = np.ndarray
#: for type checkers: the rows of STEPS
StepMethod = Literal["euler", "midpoint", "rk4", "symplectic"]
#: Newton steps for the displacement of a variational step; it converges in four or five
NEWTON = 12


def linearize_step(
    robot: Robot, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float, method: StepMethod = "euler",
    contacts: Any = None, parameters: ArrayLike | None = None,
) -> LinearSystem:  # fmt: skip
    """A (…, 2 nv, 2 nv) and B (…, 2 nv, nv) of a step of `simulate`: x⁺ = A x + B u, x = [dq; dv] and u = dtau.

    The exact derivative of the step itself, torques held (of "midpoint": of the equations that its passes solve, dry
    friction one of the torques).  Without `contacts`, joints pass their limits and slide; with them, the step is
    Euler's, every contact, limit and joint stays open, sticking or sliding, as it is in this step; those of
    `art.Contacts` hold where they are at q.  Another matrix is `robot.linearize(q, v, tau, dt)`: the flow of the linear
    system at the beginning of the step.

    Parameters
    ----------
    robot : a Robot
    q : configurations, (…, nq)
    v : velocities, (…, nv)
    tau : generalized forces during the step, (…, nv): N m, N
    dt : length of the step, s
    method : "euler", "midpoint", "rk4" or "symplectic", as in `simulate`
    contacts : as in `simulate`; [] for joint limits and dry friction alone
    parameters : inertial parameters (…, 10 nb) instead of the robot's

    Returns
    -------
    LinearSystem(A (…, 2 nv, 2 nv), B (…, 2 nv, nv)); dq before and after as `difference` has it

    Notes
    -----
    Source: the chain rule; implicit steps and contacts by the implicit function theorem.

    Examples
    --------
    >>> import articulated as art
    >>> A, B = art.linearize_step(art.load("2r"), [0.1, 0.2], [1, 0], [0, 0], 0.01)
    >>> A.shape, B.shape
    ((4, 4), (4, 2))
    """
    if not isinstance(robot, Robot):
        raise ShapeError(f"linearize_step takes a robot first; got {type(robot).__name__}")
    h = time_step(dt, "linearize_step")
    vectors = {name: robot.kernels.vectors[name] for name in ("q", "v", "tau")}
    given = [*Arguments("linearize_step", robot.name, vectors)((q, v, tau))]
    derivative = derivative_of(robot, choose("linearize_step", "method", method, STEPS))
    if parameters is not None:
        given.append(floats("linearize_step: parameters", parameters))
    if contacts is not None:
        from .contact_step import stepped

        derivative = partial(stepped, contacts=contacts, method=method)
    found = in_batch(derivative, robot, h, *given)
    return LinearSystem(found[..., : 2 * robot.nv], found[..., 2 * robot.nv :])


def in_batch(derivative: Callable[..., Floats], robot: Robot, h: float, *given: Floats, **more: Any) -> Floats:
    """The derivative of a step, in rows, at arrays q, v, tau and parameters, if these are given, that broadcast."""
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in given))
    rows = [np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]) for x in given]
    q, v, tau, *own = map(np.ascontiguousarray, rows)
    found = derivative(robot, q, v, tau, h, *own, **more)
    return found.reshape(*batch, *found.shape[1:])


def derivative_of(robot: Robot, method: str) -> Callable[..., Floats]:
    """The derivative of a step of `simulate`, one of STEPS unless springs between frames are implicit in the step."""
    return partial(_sprung, method=method) if robot.model.springs and method in SPRUNG else STEPS[method]


def plain(robot: Robot) -> bool:
    """Whether configurations are vectors: q⁺ = q + dt v."""
    return robot.kernels.once("plain", lambda: all(b.joint.nv <= 1 for b in robot.model.bodies if b.leader is b))


def damped_over(robot: Robot, part: float) -> Robot:
    """The robot whose damping is implicit over a time."""
    if not any(b.damping or b.stiffness for b in robot.model.bodies):
        return robot
    return robot.kernels.once(("damped", part), lambda: Robot(damped(robot.model, part)))


def _dynamics(
    robot: Robot, q: Floats, v: Floats, tau: Floats, parameters: Any, inertial: bool,
    space: Literal["tangent", "coordinates"] = "tangent",
) -> Floats:  # fmt: skip
    """Derivatives of forward dynamics by q, v and tau, side by side, and by inertial parameters."""
    found = [*robot.derivatives("forward_dynamics", space=space)(q, v, tau, parameters=parameters)]
    if inertial:  # inverse dynamics are linear in them
        a = robot.forward_dynamics(q, v, tau, parameters=parameters)
        found.append(-found[2] @ robot.regressor(q, v, a))
    return np.concatenate(found, axis=-1)


def _euler(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, inertial: bool = False
) -> Floats:
    moving, n = damped_over(robot, h), robot.nv
    by = _dynamics(moving, q, v, tau, parameters, inertial)
    if plain(robot):
        out = np.zeros((len(q), 2 * n, by.shape[-1]))
        np.multiply(by, h, out=out[:, n:])
        out[:, n:, n : 2 * n] += np.eye(n)
        np.multiply(out[:, n:], h, out=out[:, :n])
        out[:, :n, :n] += np.eye(n)
        return out
    return moved(robot, q, v, moving.forward_dynamics(q, v, tau, parameters=parameters), by, h)


def moved(robot: Robot, q: Floats, v: Floats, a: Floats, by: Floats, h: float, state: bool = True) -> Floats:
    """Derivatives of the state after a semi-implicit step from those of its acceleration; by q and v first, or not."""
    blocks = Blocks(robot, "euler", euler_moves, {"q": "q", "v": "v", "a": "v", "dt": "1"})
    J = blocks(q, v, a, np.full((*q.shape[:-1], 1), h))[1]
    out = J[..., 2 * robot.nv :] @ by
    if state:
        out[..., : 2 * robot.nv] += J[..., : 2 * robot.nv]
    return out


def euler_moves(model: Model, q: Array, v: Array, a: Array, dt: Array) -> dict[str, Array]:
    """State after a semi-implicit step with the acceleration a."""
    end, after = straight(model, q, v + dt[0] * (a - bending(model, v)), dt[0])
    return {"q_next": end, "v_next": after}


def _rk4(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, inertial: bool = False
) -> Floats:
    """Coordinates and their rates through the stages, tangents at both ends."""
    n, simple = robot.nv, plain(robot)
    held = n + inertial * len(robot.parameters)  # torques and parameters
    rates = Blocks(robot, "rates", _rate, {"c": "q", "v": "v"}) if not simple else None
    first = np.broadcast_to(np.eye(n), (len(q), n, n)) if rates is None else rates(q, v)[1][..., robot.nq :]
    units = np.broadcast_to(np.eye(n + held, 2 * n + held, n), (len(q), n + held, 2 * n + held))
    start = np.concatenate([first, np.zeros((len(q), robot.nq, n + held))], -1), units[:, :n]
    slopes: list[tuple[Floats, ...]] = []
    for row in RK4.a:
        at = [q, v, *start]
        for weight, slope in zip(row, slopes, strict=False):
            at = [x + h * weight * k for x, k in zip(at, slope, strict=True)] if weight else at
        by = _dynamics(robot, at[0], at[1], tau, parameters, inertial, "coordinates")
        a = robot.forward_dynamics(at[0], at[1], tau, parameters=parameters)
        moved = by @ np.concatenate([at[2], at[3], units[:, n:]], axis=-2)
        if rates is None:
            slopes.append((at[1], a, at[3], moved))
        else:
            (speed,), J = rates(at[0], at[1])
            slopes.append((speed, a, J @ np.concatenate([at[2], at[3]], axis=-2), moved))
    end = [x + h * sum(b * k[i] for b, k in zip(RK4.b, slopes, strict=True)) for i, x in enumerate((q, v, *start))]
    if simple:
        return np.concatenate(end[2:], axis=-2)
    back = Blocks(robot, "to unit length", _unit, {"c": "q"})(end[0])[1]
    return np.concatenate([back @ end[2], end[3]], axis=-2)


def _rate(model: Model, c: Array, v: Array) -> dict[str, Array]:
    return {"rate": configuration_rate(model, c, v)}


def _unit(model: Model, c: Array) -> dict[str, Array]:
    return {"q_unit": normalized(model, c)}


def _midpoint(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, inertial: bool = False
) -> Floats:
    """The equation of motion in the middle of the step, whose root is the velocity after it."""
    n, dt, after = robot.nv, _times(q, h), v
    moves = Blocks(robot, "middle", _middle_moves, {"q": "q", "v": "v", "v_next": "v", "dt": "1"})
    turned = Blocks(robot, "steadied", _steadied, {"f": "v", "v": "v", "dt": "1"})
    by, still = partial(robot.derivatives("inverse_dynamics"), parameters=parameters), np.zeros_like(v)
    for _ in range(NEWTON):
        (there, mean, a), J = moves(q, v, after, dt)
        weight = robot.gravity_forces(there, parameters=parameters)
        (force,), S = turned(tau - weight, mean, dt)
        # inverse dynamics - weight - steadied(tau - weight, mean), and its derivatives by q, v and v_next
        missed = robot.inverse_dynamics(there, mean, a, parameters=parameters) - weight - force
        felt = np.concatenate(by(there, mean, a), axis=-1) @ J
        pull = by(there, still, still).q
        felt -= (pull - S[..., :n] @ pull) @ J[..., :n, :] + S[..., n:] @ J[..., n : 2 * n, :]
        step = np.linalg.solve(felt[..., 2 * n :], missed[..., None])[..., 0]
        after = after - step
        if not (abs(step) > 1e-14 * (1 + abs(after))).any():
            break
    direct = [felt[..., : 2 * n], -S[..., :n]]
    if inertial:
        pull = robot.regressor(there, still, still)
        direct.append(robot.regressor(there, mean, a) - pull + S[..., :n] @ pull)
    change = -np.linalg.solve(felt[..., 2 * n :], np.concatenate(direct, axis=-1))
    ends = Blocks(robot, "midpoint", _midpoint_moves, {"q": "q", "v": "v", "v_next": "v", "dt": "1"})
    J = ends(q, v, after, dt)[1]
    out = J[..., 2 * n :] @ change
    out[..., : 2 * n] += J[..., : 2 * n]
    return out


def _middle_moves(model: Model, q: Array, v: Array, v_next: Array, dt: Array) -> dict[str, Array]:
    there, before = midway(model, q, v, dt[0])
    mean = (before + v_next) / 2
    return {"q_middle": there, "mean": mean, "a": (v_next - before) / dt[0] + bending(model, mean)}


def _steadied(model: Model, f: Array, v: Array, dt: Array) -> dict[str, Array]:
    return {"f": steadied(model, f, v, dt[0])}


def _midpoint_moves(model: Model, q: Array, v: Array, v_next: Array, dt: Array) -> dict[str, Array]:
    there, before = midway(model, q, v, dt[0])
    end, after = arrival(model, q, there, v_next, (before + v_next) / 2, dt[0])
    return {"q_next": end, "after": after}


def _symplectic(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, inertial: bool = False
) -> Floats:
    """Momenta at both ends of the displacement d, which takes up the first of them."""
    n, dt = robot.nv, _times(q, h)
    inputs = {"q": "q", "d": "v", "tau": "v", "inertias": len(robot.parameters), "dt": "1"}
    columns = ("q", "d", "tau", "inertias")[: 3 + inertial]
    ends = Blocks(robot, f"symplectic by {columns[-1]}", _momenta, inputs, columns)
    M, d = robot.mass_matrix(q, parameters=parameters), h * v
    own = np.broadcast_to(robot.parameters if parameters is None else parameters, (len(q), len(robot.parameters)))
    p = (M @ v[..., None])[..., 0]
    for _ in range(NEWTON):
        (before, _, end), J = ends(q, d, tau, own, dt)
        step = np.linalg.solve(J[..., :n, n : 2 * n], (p - before)[..., None])[..., 0]
        d = d + step
        if not (abs(step) > 1e-14 * (1 + abs(d))).any():
            break
    (_, after, end), J = ends(q, d, tau, own, dt)
    by, still = partial(robot.derivatives("inverse_dynamics"), parameters=parameters), np.zeros_like(v)
    # p = M(q) v by q and v; inverse dynamics without motion, v in the place of a
    wanted = np.zeros((len(q), n, J.shape[-1]))
    wanted[..., :n] = by(q, still, v).q - by(q, still, still).q
    wanted[..., n : 2 * n] = M
    change = J.copy()
    change[..., n : 2 * n] = 0
    if inertial:
        wanted[..., 3 * n :] = robot.regressor(q, still, v) - robot.regressor(q, still, still)
    moves = np.linalg.solve(J[..., :n, n : 2 * n], wanted - change[..., :n, :])
    whole = change[..., n:, :] + J[..., n:, n : 2 * n] @ moves
    M = robot.mass_matrix(end, parameters=parameters)
    v_next = np.linalg.solve(M, after[..., None])[..., 0]
    bent = by(end, still, v_next).q - by(end, still, still).q
    moved = whole[..., n:, :]
    felt = whole[..., :n, :] - bent @ moved
    if inertial:
        felt[..., 3 * n :] -= robot.regressor(end, still, v_next) - robot.regressor(end, still, still)
    return np.concatenate([moved, np.linalg.solve(M, felt)], axis=-2)


def _momenta(model: Model, q: Array, d: Array, tau: Array, inertias: Array, dt: Array) -> dict[str, Array]:
    model = with_parameters(model, inertias)
    there, end = halfway(model, q, d)
    p, f = lagrangian_slopes(model, there, d / dt[0])
    before, after = end_momenta(model, d, p, dt[0] * (f + tau))
    return {"before": before, "after": after, "q_end": end}


def _sprung(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, inertial: bool = False, *,
    method: str,
) -> Floats:  # fmt: skip
    """The whole step as one function, whose Jacobian is compiled."""
    inputs = {"q": "q", "v": "v", "tau": "v", "inertias": len(robot.parameters), "dt": "1"}
    columns = ("q", "v", "tau", "inertias")[: 3 + inertial]
    moving = damped_over(robot, INTEGRATORS[method].damping * h)
    step = Blocks(moving, f"sprung {method} by {columns[-1]}", SPRUNG[method], inputs, columns)
    own = np.broadcast_to(robot.parameters if parameters is None else parameters, (len(q), len(robot.parameters)))
    return step(q, v, tau, own, _times(q, h))[1]


def _sprung_euler(model: Model, q: Array, v: Array, tau: Array, inertias: Array, dt: Array) -> dict[str, Array]:
    there = euler(with_parameters(model, inertias), q, v, dt[0], lambda q, v: tau, lambda q: {})
    end, after = straight(model, q, there.v, dt[0])
    return {"q_next": end, "v_next": after}


def _sprung_midpoint(model: Model, q: Array, v: Array, tau: Array, inertias: Array, dt: Array) -> dict[str, Array]:
    there = middle(with_parameters(model, inertias), q, v, dt[0], lambda q, v: tau, lambda q: {})
    end, after = arrival(model, q, there.q, there.v, (there.before + there.v) / 2, dt[0])
    return {"q_next": end, "v_next": after}


def _times(q: Floats, h: float) -> Floats:
    return np.full((len(q), 1), h)


#: derivative of a step (n, 2 nv, 3 nv) by dq, dv and dtau, by the method of `simulate`; `inertial`: then by parameters
STEPS: dict[str, Callable[..., Any]] = {
    "euler": _euler, "midpoint": _midpoint, "rk4": _rk4, "symplectic": _symplectic,
}  # fmt: skip
#: the state after a step in which springs between frames are implicit
SPRUNG = {"euler": _sprung_euler, "midpoint": _sprung_midpoint}
