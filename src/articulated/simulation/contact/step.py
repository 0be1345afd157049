"""One step of a robot with contacts: what the solver needs of the state, and where its impulses lead; any scalar.

    M (v⁺ - v) = dt (τ - h) + Jᵀ λ,    q⁺ = q moved by dt v⁺,    s = J v⁺ + drift = G λ + c

(of free bodies v⁺ is written in the axes of q until they have moved: their momentum does not turn with them)

with G = J M⁻¹ Jᵀ.  M = Lᵀ D L keeps the branches of the tree apart, and so does Y = L⁻ᵀ Jᵀ: G = Yᵀ D⁻¹ Y.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...algebra.linalg import factor_spd, solve_factored, solve_lower, solve_upper
from ...algebra.scalars import Array, Scalar, array, is_zero, select, stack, zeros
from ...algorithms.configuration import bending, straight
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.kinematics import Forces
from ...algorithms.mass_matrix import mass_matrix
from ...contacts.constraints import constraint_drift, constraint_jacobian
from ...model import Model
from .geometry import Meeting, meetings
from .joints import rate_of
from .laws import Window
from .problem import Problem, velocities
from .system import System

#: part of a penetration that is undone in a step (Baumgarte)
RECOVERED = 0.2
#: the least acceleration residuals are compared with, where there is next to no gravity
LEAST_GRAVITY = 1.0
#: tangential velocity below which a contact is said to stick, relative to what gravity adds in a step
STILL = 1e-3


class Prepared(NamedTuple):
    """Contact problem of a step, and its response to impulses."""

    problem: Problem  # without frictions
    v: Array  # velocities without impulses, (nv,)
    L: Array
    inverse: Array  # of D, (nv,)
    Y: Array  # (nv, m)
    meetings: list[Meeting]


class Finished(NamedTuple):
    """The state after a step and what the contacts did during it."""

    q: Array
    v: Array
    a: Array  # with which inverse dynamics gives the torques and contact forces of this step, (nv,)
    forces: Array  # of each contact on the robot, world axes, (nc, 3)
    states: Array  # of each contact: 0 open, 1 sticking, 2 sliding, (nc,)
    held: Array  # forces in the rows of the contacts that hold


def prepare(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    anchors: Array,
    dt: Scalar,
    system: System,
    forces: Forces = {},
    recursion: Callable[..., Array] = inverse_dynamics,
    inertia: Callable[..., Array] = mass_matrix,
) -> Prepared:
    """The problem of a step from (q, v) under `tau`; `anchors` are the poses of the contacts that hold, made flat."""
    factors = L, inverse = factor_spd(inertia(model, q))
    accelerated = solve_factored(factors, tau - recursion(model, q, v, zeros(model.nv), forces))
    v_free = v + dt * (accelerated - bending(model, v))

    met = meetings(model, q, system)
    joints = stack([rate_of(model, q, joint) for joint in system.joints], model.nv)
    held = constraint_jacobian(model, q, system.held)
    movable = _movable(held, system.negligible)
    J = np.concatenate([zeros(0, model.nv), *(each.J for each in met), joints, movable[:, None] * held])
    Y = solve_upper(L, J.T)
    c = J @ v_free
    for k, (contact, meeting) in enumerate(zip(system.contacts, met, strict=True)):
        row, arriving = 3 * k + 2, 0
        if contact.restitution:
            arriving = contact.restitution * (J[3 * k + 2] @ v)
        c[row] = c[row] + _offset(meeting.gap / dt, c[row], arriving, contact.restitution * system.slow)

    G = _delassus(Y, inverse)
    for i, moves in enumerate(movable, len(J) - len(held)):
        G[i, i] = G[i, i] + (1 - moves)  # any mobility: at rest whatever acts, the row takes no impulse
    windows = _windows(model, q, anchors, dt, system, movable)
    problem = Problem(G, c, zeros(len(met)), windows, least_velocity(model, dt))
    return Prepared(problem, v_free, L, array(inverse), Y, met)


def least_velocity(model: Model, dt: Scalar) -> Scalar:
    """Velocity that gravity adds in a step: the scale of residuals where no impulse acts."""
    return max(math.sqrt(sum(float(x) ** 2 for x in model.gravity)), LEAST_GRAVITY) * dt


def _offset(closing: Scalar, free: Scalar, arriving: Scalar, slow: Scalar) -> Scalar:
    """Offset of the normal velocity: the gap, which may close, or the velocity after a bounce.

    A contact that would be below the ground after the step bounces if it arrives faster than `slow`.
    """
    offset = select(closing > 0, closing, RECOVERED * closing)
    if is_zero(arriving):
        return offset
    bounces = select(free + closing < 0, select(arriving < -slow, 1.0, 0.0), 0.0) > 0.5
    return select(bounces, arriving, offset)


def _delassus(Y: Array, inverse: list) -> Array:
    """G = Yᵀ D⁻¹ Y, each entry of the symmetric result computed once."""
    m = Y.shape[1]
    scaled = Y * array(inverse)[:, None]
    G = zeros(m, m)
    for i in range(m):
        used = [k for k in range(len(Y)) if not is_zero(Y[k, i])]
        for j in range(i, m):
            G[i, j] = G[j, i] = sum((Y[k, i] * scaled[k, j] for k in used if not is_zero(Y[k, j])), start=0)
    return G


def _movable(held: Array, negligible: float) -> Array:
    """Rows of the contacts that hold: 1, or 0 if no velocity moves it here, as a planar robot across its plane."""
    return array([select(row @ row > negligible * negligible, 1.0, 0.0) for row in held])


def _windows(model: Model, q: Array, anchors: Array, dt: Scalar, system: System, movable: Array) -> tuple[Window, ...]:
    """Windows of joints, by their limits and dry friction, and of contacts that hold, to take their drift back."""
    found = []
    for joint in system.joints:
        lower = None if joint.lower is None else -_drift(q[joint.coordinate] - joint.lower, dt)
        upper = None if joint.upper is None else _drift(joint.upper - q[joint.coordinate], dt)
        found.append(Window(lower, upper, None if joint.dry is None else joint.dry * dt))
    if system.held:
        rates = -RECOVERED / dt * movable * constraint_drift(model, q, anchors, system.held)
        found += [Window(rate, rate, None) for rate in rates]
    return tuple(found)


def _drift(gap: Scalar, dt: Scalar) -> Scalar:
    """The velocity at which a gap closes within the step, or opens if it is a penetration."""
    closing = gap / dt
    return select(closing > 0, closing, RECOVERED * closing)


def finish(
    model: Model, q: Array, v: Array, impulses: Array, dt: Scalar, prepared: Prepared, held_rows: int = 0
) -> Finished:
    """The state a step after (q, v) under these impulses, and the forces they are; the last rows are held."""
    pushed = prepared.inverse * (prepared.Y @ impulses)
    after = prepared.v + solve_lower(prepared.L, pushed)
    a = (after - v) / dt + bending(model, v)
    s, still = velocities(prepared.problem, impulses), STILL * prepared.problem.least
    forces, states = [], []
    for k, meeting in enumerate(prepared.meetings):
        x, y, normal = impulses[3 * k : 3 * k + 3]
        forces.append(meeting.axes.T @ array([x, y, normal]) / dt)
        sticks = s[3 * k] * s[3 * k] + s[3 * k + 1] * s[3 * k + 1] < still * still
        states.append(select(normal > 0, select(sticks, 1.0, 2.0), 0.0))
    held = impulses[len(impulses) - held_rows :] / dt
    return Finished(*straight(model, q, after, dt), a, stack(forces, 3), array(states) if states else zeros(0), held)
