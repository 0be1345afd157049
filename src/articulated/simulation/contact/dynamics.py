"""The robot in a step without impulses, whatever touches: straight-line code on any scalar.

    M (v⁺ - v) = dt (τ - h) + Jᵀ λ,    q⁺ = q moved by dt v⁺

or, by the midpoint rule, with all of this in the middle of the step.

M = Lᵀ D L keeps the branches of the tree apart.  A point of a body moves by the axes of the joints that carry it: the
rows J of a contact, wherever it is, follow from these axes and from which of them carry its bodies.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...algebra.linalg import solve_lower, solve_upper
from ...algebra.rotations import cross
from ...algebra.scalars import Array, Scalar, array, select, sqrt, stack, zeros
from ...algebra.spatial import Transform
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...algorithms.kinematics import world_poses
from ...algorithms.mass_matrix import mass_matrix
from ...contacts.constraints import constraint_drift, constraint_jacobian
from ...model import Model
from ..methods.midpoint import ForcesAt, Middle, Torque, euler
from .joints import rate_of
from .laws import NONE, greatest, least
from .rows import LAW
from .system import System

#: part of a penetration that is undone in a step (Baumgarte)
RECOVERED = 0.2
#: the fastest that a penetration is undone, in parts of what gravity adds to a velocity in a step
FASTEST = 0.5
#: gaps and penetrations that count as closed, in parts of g dt² (1 nm at 1 ms): those of redundant contacts contradict
#: each other by rounding and by the tolerance of the solver, and their forces would jump for it
CLOSED = 1e-4
#: the least acceleration residuals are compared with, where there is next to no gravity
LEAST_GRAVITY = 1.0


class Free(NamedTuple):
    """The robot in a step without impulses."""

    q: Array  # where it is looked at: at the beginning of the step or in its middle, (nq,)
    before: Array  # velocities at the beginning, seen from there, (nv,)
    v: Array  # and at the end
    L: Array  # below the diagonal, where it is not zero
    scale: Array  # D^-½, (nv,)
    origin: Array  # a point near the robot that axes refer to, (3,)
    axes: Array  # [linear; angular] velocity of a body at the origin per unit of each column of its joints, (na, 6)
    poses: Array  # of the bodies that touch: R and p, (nb, 12)
    rows: Array  # of joints and of contacts that hold, three in a block, (nt, 3 nv)
    laws: Array  # of these blocks, (nt, LAW)


def free(
    model: Model, q: Array, v: Array, torque: Torque, anchors: Array, dt: Scalar, system: System,
    forces: ForcesAt = lambda q: {}, recursion: Callable[..., Array] = inverse_dynamics,
    inertia: Callable[..., Array] = mass_matrix, step: Callable[..., Middle] = euler, bodies: Model | None = None,
) -> Free:  # fmt: skip
    """The robot from (q, v) on; `anchors` are the poses of the contacts that hold, made flat.

    Shapes are on the `bodies` of a model whose frames may be others than those of `model`, which is regrouped.
    """
    there, before, after, (L, inverse), _ = step(model, q, v, dt, torque, forces, recursion, inertia)
    poses = world_poses(model, there)
    origin = poses[model.bodies[0]].p
    rows, laws = scalar_rows(model, q, there, before, anchors, dt, system)
    return Free(
        there, before, after, L[factor_pattern(model)], array([sqrt(d) for d in inverse]), origin,
        stack([axis for b in model.bodies for axis in axes_at(poses[b], b.S, origin)], 6),
        carrier_poses(bodies or model, there, system.carriers(model)), rows, laws,
    )  # fmt: skip


def carrier_poses(model: Model, q: Array, carriers: tuple[int, ...]) -> Array:
    """R and p of bodies by their numbers, (nb, 12); of the world for a negative one."""
    poses = world_poses(model, q)
    return stack([_flat(poses[model.bodies[k] if k >= 0 else None]) for k in carriers], 12)


def _flat(pose: Transform) -> Array:
    return np.concatenate([pose.R.ravel(), pose.p])


def unflat(pose: Array) -> Transform:
    """A pose from its twelve numbers."""
    return Transform.computed(pose[:9].reshape(3, 3), pose[9:])


def axes_at(pose: Transform, S: Array, origin: Array) -> list[Array]:
    """The columns of a joint in world axes, at the origin."""
    found = []
    for column in S.T:
        turn = pose.R @ column[3:]
        found.append(np.concatenate([pose.R @ column[:3] + cross(turn, origin - pose.p), turn]))
    return found


def columns(model: Model) -> list[int]:
    """The velocity that each axis belongs to; joints that follow another share its."""
    return [k for b in model.bodies for k in range(b.dofs.start, b.dofs.stop)]


def factor_pattern(model: Model) -> np.ndarray:
    """Where L can be other than zero below its diagonal, (nv, nv)."""
    L = np.zeros((model.nv, model.nv), bool)
    for b in model.bodies:
        dofs = np.zeros(model.nv, bool)
        for below in b.support():
            dofs[below.dofs] = True
        L |= np.outer(dofs, dofs)
    for spring in model.springs:  # implicit: it joins what carries its ends
        ends = [model.frame(end).body for end in spring[:2] if isinstance(end, str)]
        moved = [k for b in ends if b for below in b.support() for k in range(below.dofs.start, below.dofs.stop)]
        L[np.ix_(moved, moved)] = True
    L = np.tril(L, -1)
    for k in reversed(range(model.nv)):  # what elimination fills in, between joints that share a coordinate
        L |= np.tril(np.outer(L[k], L[k]), -1)
    return L


def whole_factor(model: Model, packed: Array) -> Array:
    """L, its ones left out."""
    L = zeros(model.nv, model.nv)
    L[factor_pattern(model)] = packed
    return L


def least_velocity(model: Model, dt: Scalar) -> Scalar:
    """Velocity that gravity adds in a step: the smallest scale of residuals."""
    return max(math.sqrt(sum(float(x) ** 2 for x in model.gravity)), LEAST_GRAVITY) * dt


def drift(gap: Scalar, dt: Scalar, slowest: Scalar) -> Scalar:
    """The velocity at which a gap closes within the step, or opens if it is a penetration; none if it is closed."""
    closed = CLOSED * slowest * dt
    wide, deep = least(gap, 2 * greatest(gap - closed, 0.0)), greatest(gap, 2 * least(gap + closed, 0.0))
    return select(gap > 0, wide / dt, greatest(RECOVERED * deep / dt, -FASTEST * slowest))


# -- rows of joints and of contacts that hold ---------------------------------------------------------


def scalar_rows(
    model: Model, q: Array, there: Array, before: Array, anchors: Array, dt: Scalar, system: System
) -> tuple[Array, Array]:
    """Rows J three by three, and their laws; contacts that hold are looked at `there`."""
    slowest, rows, windows = least_velocity(model, dt), [], []
    for joint in system.joints:
        at = q[joint.coordinate]
        rows.append(rate_of(model, q, joint))
        lower = -NONE if joint.lower is None else -drift(at - joint.lower, dt, slowest)
        upper = NONE if joint.upper is None else drift(joint.upper - at, dt, slowest)
        windows.append((lower, upper, 0.0 if joint.dry is None else joint.dry * dt))
    if system.held:
        J = constraint_jacobian(model, there, system.held)
        # by the midpoint rule the velocity along a row is reversed in the middle; drift is corrected at the end
        drifted = constraint_drift(model, there, anchors, system.held)
        rates = -RECOVERED / dt * drifted if there is q else -(J @ before)
        for row, rate in zip(J, rates, strict=True):
            # no velocity moves it here, as a planar robot across its plane: the row is left out
            moves = row @ row > system.negligible * system.negligible
            rows.append(array([select(moves, x, 0.0) for x in row]))
            windows.append((select(moves, rate, -NONE), select(moves, rate, NONE), 0.0))
    while len(rows) % 3:
        rows.append(zeros(model.nv))
        windows.append((-NONE, NONE, 0.0))
    blocks = range(0, len(rows), 3)
    laws = [array([*(w[k] for k in range(3) for w in windows[i : i + 3]), 1.0]) for i in blocks]
    return stack([np.concatenate(rows[i : i + 3]) for i in blocks], 3 * model.nv), stack(laws, LAW)


# -- impulses and velocities --------------------------------------------------------------------------


def response(model: Model, L: Array, scale: Array, J: Array) -> Array:
    """Y = D^-½ L⁻ᵀ Jᵀ of three rows, (3, nv): G = Yᵀ Y."""
    return solve_upper(whole_factor(model, L), J.reshape(3, -1).T).T * scale[None, :]


def moved(model: Model, v: Array, L: Array, scale: Array, pushed: Array) -> Array:
    """Velocities after impulses, `pushed` being the sum of Y λ."""
    return v + solve_lower(whole_factor(model, L), scale * pushed)


def reach(model: Model, carriers: tuple[int, ...]) -> tuple[int, ...]:
    """Velocities that move one of these bodies, or that a push on one changes: with springs that are implicit, all."""
    if model.springs:
        return tuple(range(model.nv))
    bodies = [b for k in carriers if k >= 0 for b in model.bodies[k].support()]
    return tuple(sorted({k for b in bodies for k in range(b.dofs.start, b.dofs.stop)}))


def twists(model: Model, axes: Array, v: Array, carriers: tuple[int, ...]) -> Array:
    """[linear; angular] velocity of bodies at the origin, (nb, 6)."""
    own = axes.reshape(-1, 6) * array([v[k] for k in columns(model)])[:, None]
    found: dict[int, Array] = {0: zeros(6)}
    start = 0
    for b in model.bodies:
        end = start + b.dofs.stop - b.dofs.start
        found[b.index] = found[b.parent.index if b.parent else 0] + own[start:end].sum(axis=0)
        start = end
    return stack([found[model.bodies[k].index if k >= 0 else 0] for k in carriers], 6)


def reaching(model: Model, reach: tuple[int, ...]) -> list[int]:
    """Axes of these velocities."""
    return [i for i, k in enumerate(columns(model)) if k in reach]


def contact_rows(
    model: Model, reach: tuple[int, ...], axes: Array, mask: Array, frame: Array, flag: Array, arm: Array | None = None
) -> Array:
    """Velocity along the axes of a contact per unit v, (3, reach) made flat; zero in lanes where it does not act.

    That of the point at `arm` from the origin, or the angular velocity.  `mask` says which of the axes that are
    `reaching` carry it.
    """
    J, turned = zeros(3, model.nv), frame.reshape(3, 3)
    for i, part in zip(reaching(model, reach), flag[0] * mask, strict=True):
        axis, k = axes[6 * i : 6 * i + 6], columns(model)[i]
        moved = axis[3:] if arm is None else axis[:3] + cross(axis[3:], arm)
        J[:, k] = J[:, k] + part * (turned @ moved)
    return J[:, list(reach)].ravel()
