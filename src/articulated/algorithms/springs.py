"""Springs of joints, and what acts along the line between two frames: springs, dampers and linear actuators.

A line from p_a to p_b has d = p_b - p_a and the length l = |d|.  A spring pulls its ends together by
T = k (l - l_0) + c dl/dt, an actuator pushes them apart by u: the generalized forces are -(∂l/∂q)ᵀ T and (∂l/∂q)ᵀ u.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, Scalar, array, greatest, is_zero, sqrt, stack, zeros
from ..algebra.spatial import Transform
from ..model import Body, Model
from ..model.lines import Line, Spring
from .jacobians import jacobian
from .kinematics import velocities, world_poses

#: m²: keeps a quotient finite where the ends of a line are in one place
TINY = 1e-200


def spring_forces(model: Model, q: Array, v: Array) -> Array:
    """Generalized forces it takes to hold the springs, those of joints and those between frames."""
    tau, F = joint_springs(model, q), pulls(model, q, v)
    for b in reversed(model.bodies) if F else ():
        if b in F:
            tau[b.dofs] -= b.S.T @ F[b]
            if b.parent:
                F[b.parent] = F.get(b.parent, zeros(6)) + b.transform(q).force_out(F[b])
    return tau


def damper_forces(model: Model, q: Array, v: Array) -> Array:
    """The part of `spring_forces` that the dampers between frames have."""
    if all(is_zero(spring.damping) for spring in model.springs):
        return zeros(model.nv)
    return spring_forces(model, q, v) - spring_forces(model, q, zeros(model.nv))


def joint_springs(model: Model, q: Array) -> Array:
    """Torques it takes to hold the springs of the joints."""
    tau = zeros(model.nv)
    for b in model.bodies:
        if not is_zero(b.stiffness):
            tau[b.dofs] += b.multiplier * b.stiffness * b.stretch(q)
    return tau


def pulls(model: Model, q: Array, v: Array) -> dict[Body, Array]:
    """Forces of the springs between frames, as one per body in the body's axes."""
    found: dict[Body, Array] = {}
    if not model.springs:
        return found
    W, (_, V) = world_poses(model, q), velocities(model, q, v)
    for spring in model.springs:
        ends = list(_ends(model, W, spring))
        d = ends[1].place - ends[0].place
        rates = [W[b].R @ (V[b][:3] + cross(V[b][3:], at)) for b, at, _ in ends]
        pull = _per_length(spring, d, rates[1] - rates[0]) * d
        for (b, at, _), force in zip(ends, (pull, -pull), strict=True):
            if b:
                own = W[b].R.T @ force
                found[b] = found.get(b, zeros(6)) + np.concatenate([own, cross(at, own)])
    return found


def _per_length(spring: Spring, d: Array, rate: Array) -> Scalar:
    """T / l; a spring without damper and length of its own needs no root."""
    if is_zero(spring.length) and is_zero(spring.damping):
        return spring.stiffness
    inverse = 1 / sqrt(d @ d)
    rate = spring.damping * (d @ rate) * inverse  # c dl/dt
    return spring.stiffness + (rate - spring.stiffness * spring.length) * inverse


def spring_energies(model: Model, q: Array) -> dict[Body, Scalar]:
    """½ k e² of each joint, and of each line with the body of its second end, or of its first if that is the world."""
    found = {b: b.stiffness * _half_square(b.stretch(q)) for b in model.bodies if not is_zero(b.stiffness)}
    W = world_poses(model, q) if model.springs else {}
    for spring in model.springs:
        first, second = _ends(model, W, spring)
        e = second.place - first.place
        if not is_zero(spring.length):
            e = array([sqrt(e @ e) - spring.length])
        if b := second.body or first.body:
            found[b] = found.get(b, 0) + spring.stiffness * _half_square(e)
    return found


def stiffness_rows(model: Model, q: Array) -> list[tuple[Spring, Array, Array, Scalar]]:
    """Springs between frames: each with ∂l/∂q (nv,), the rows J of its line (3, nv), and its stiffness across that.

    This is the part of its stiffness by which it is stretched; one that is pressed has none there.
    """
    W, found = world_poses(model, q) if model.springs else {}, []
    for spring in model.springs:
        first, second = _ends(model, W, spring)
        J_a, J_b = (jacobian(model, q, end)[:3] if isinstance(end, str) else zeros(3, model.nv) for end in spring[:2])
        d, J = second.place - first.place, J_b - J_a
        inverse = 1 / sqrt(d @ d + TINY)
        found.append((spring, inverse * (d @ J), J, greatest(1 - spring.length * inverse, 0.0)))
    return found


def implicit_springs(model: Model, q: Array, over: Scalar) -> Array:
    """s D + s² K of the springs between frames, (nv, nv), for a time s: what their damping and stiffness add to M."""
    A = zeros(model.nv, model.nv)
    for spring, g, J, across in stiffness_rows(model, q):
        stiffness = over * over * spring.stiffness
        along = (1 - across) * stiffness + over * spring.damping
        A = A + across * stiffness * (J.T @ J) + along * (g[:, None] * g[None, :])
    return A


def spring_squares(model: Model, q: Array) -> Array:
    """½ e² of the spring of each joint, whatever its stiffness, (nb,)."""
    return array([_half_square(b.stretch(q)) for b in model.bodies] or zeros(0))


def _half_square(e: Array) -> Scalar:
    return (e @ e) * 0.5


# -- linear actuators -----------------------------------------------------------------------


def actuator_lengths(model: Model, q: Array) -> Array:
    """Lengths of the linear actuators, (n,)."""
    W = world_poses(model, q)
    places = [[end.place for end in _ends(model, W, line)] for line in model.actuators]
    return array([sqrt((b - a) @ (b - a)) for a, b in places] or zeros(0))


def actuator_map(model: Model, q: Array) -> Array:
    """Generalized forces per unit of thrust, (nv, n): the transpose of ∂l/∂q."""
    return stack([length_rate(model, q, line) for line in model.actuators], model.nv).T


def length_rate(model: Model, q: Array, line: Line) -> Array:
    """∂l/∂q of a line, (nv,)."""
    W = world_poses(model, q)
    a, b = (end.place for end in _ends(model, W, line))
    J_a, J_b = (jacobian(model, q, end)[:3] if isinstance(end, str) else zeros(3, model.nv) for end in line[:2])
    d = b - a
    return d @ (J_b - J_a) * (1 / sqrt(d @ d))


class _End(NamedTuple):
    body: Body | None
    at: Array  # in the body
    place: Array  # in the world


def _ends(model: Model, W: dict[Body | None, Transform], line: Line) -> Iterator[_End]:
    for end in line[:2]:
        if isinstance(end, str):
            frame = model.frame(end)
            X = frame.placement
            yield _End(frame.body, X.p, (W[frame.body] @ X).p)
        else:
            yield _End(None, array(end), array(end))
