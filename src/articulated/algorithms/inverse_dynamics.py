"""Inverse dynamics by recursive Newton-Euler (SUSTech ch. 9; Featherstone 2008, table 5.1)."""

from collections.abc import Callable

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, array, sign, stack, zeros
from ..algebra.spatial import Transform, cross_force
from ..model import Body, Model
from .jacobians import body_jacobians
from .kinematics import ByBody, Forces, accelerations, completed, motions, upwards


def inverse_dynamics(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Array:
    """Generalized forces that give the robot the acceleration `a`."""
    return torques(model, v, a, wrenches(model, q, v, a, forces, base_velocity, base_acceleration))


def wrenches(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> ByBody:
    """The force F each joint transmits to its body, in the axes of that body."""
    # outward: how each body moves (in a world that accelerates upwards), and the force that takes
    A0 = upwards(model) + (zeros(6) if base_acceleration is None else base_acceleration)
    X, V, A = motions(model, q, v, a, base_velocity, A0)
    F: ByBody = {b: b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) for b in model.bodies}
    return transmitted(model, X, F, forces)


def transmitted(model: Model, X: dict, F: ByBody, forces: Forces) -> ByBody:
    """What the joints transmit so that each body gets its F, external forces helping."""
    for b, pushed in external_forces(model, forces).items():
        F[b] = F[b] - pushed
    # inward: each joint carries its own body and everything beyond it
    for b in reversed(model.bodies):
        if b.parent:
            F[b.parent] = F[b.parent] + X[b].force_out(F[b])
    return F


def torques(model: Model, v: Array, a: Array, F: ByBody) -> Array:
    """The part of the transmitted forces that the motors supply, with friction and rotors."""
    tau = friction_forces(model, v) + np.array(model.armature, object) * a
    for b in model.bodies:
        tau[b.dofs] += b.S.T @ F[b]
    return tau


def external_forces(model: Model, forces: Forces) -> dict[Body, Array]:
    """Forces named by frame, in that frame's axes, as one per body in the body's axes."""
    pushed: dict[Body, Array] = {}
    for name, force in forces.items():
        frame = model.frame(name)
        if frame.body:
            pushed[frame.body] = pushed.get(frame.body, zeros(6)) + frame.placement.force_out(force)
    return pushed


def friction_forces(model: Model, v: Array) -> Array:
    """Viscous and Coulomb friction of the joints, as the torque needed to overcome it."""
    tau = zeros(model.nv)
    for b in model.bodies:
        rate = b.multiplier * v[b.dofs]
        for k, x in enumerate(rate):
            tau[b.dofs.start + k] += b.multiplier * (b.damping * x + b.friction * sign(x))
    return tau


def inverse_dynamics_by_moments(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Array:
    """The same recursion in fewer operations: a point x of a body accelerates by r + U x.

    r is the acceleration of the body's origin and U = [alpha]x + [omega]x [omega]x, so with the
    moments of mass m, h, Σ the force is m r + U h and the moment h × r + ∫ x × U x dm: no linear
    velocities, no spatial products.  Each limb is followed inward as soon as its end is reached.
    """
    pushed = external_forces(model, forces)
    X: dict[Body, Transform] = {}
    F: ByBody = {}
    outward = accelerations(model, q, v, a, base_velocity, base_acceleration)
    for (b, X[b], r, U), inward in zip(outward, completed(model), strict=True):
        m, h = b.inertia.mass, b.inertia.first
        F[b] = np.concatenate([m * r + U @ h, cross(h, r) + _turning(U, b.inertia.spread)]) - pushed.get(b, zeros(6))
        for c in inward:
            if c.parent:
                F[c.parent] = F[c.parent] + X[c].force_out(F[c])
    return torques(model, v, a, F)


def _turning(U: Array, spread: Array) -> Array:
    """∫ x × U x dm with Σ = ∫ x xᵀ dm: the axial vector of U Σ."""
    return array(
        [
            U[k, i] * spread[i, j] + U[k, j] * spread[j, j] - U[j, i] * spread[i, k] - U[j, k] * spread[k, k]
            + (U[k, k] - U[j, j]) * spread[j, k]
            for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        ]
    )  # fmt: skip


# -- special cases are calls ------------------------------------------------------------


def bias_forces(
    model: Model, q: Array, v: Array, forces: Forces = {}, recursion: Callable[..., Array] = inverse_dynamics
) -> Array:
    """h(q, v): what it takes not to accelerate (Coriolis, gravity, friction, external)."""
    return recursion(model, q, v, zeros(model.nv), forces)


def gravity_forces(model: Model, q: Array, recursion: Callable[..., Array] = inverse_dynamics) -> Array:
    """g(q): what it takes to hold still."""
    return recursion(model, q, zeros(model.nv), zeros(model.nv))


def coriolis_forces(model: Model, q: Array, v: Array, recursion: Callable[..., Array] = inverse_dynamics) -> Array:
    """c(q, v): centrifugal and Coriolis forces alone."""
    floor = -upwards(model)  # cancels gravity
    return recursion(model, q, v, zeros(model.nv), base_acceleration=floor) - friction_forces(model, v)


def body_wrenches(model: Model, q: Array, v: Array, a: Array, forces: Forces = {}) -> Array:
    """F of every body, (nb, 6): the force its joint transmits to it, in its own axes."""
    F = wrenches(model, q, v, a, forces)
    return stack([F[b] for b in model.bodies], 6)


# -- the same by other routes, for study and for the laws in the tests --------------------


def inverse_dynamics_with_weights(model: Model, q: Array, v: Array, a: Array, forces: Forces = {}) -> Array:
    """Without the gravity trick: the world is still and every body has a weight (SUSTech, 2.3)."""
    X, V, A = motions(model, q, v, a)
    falling: ByBody = {None: -upwards(model)}
    F: ByBody = {}
    for b in model.bodies:
        falling[b] = X[b].motion_in(falling[b.parent])
        F[b] = b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) - b.inertia @ falling[b]
    return torques(model, v, a, transmitted(model, X, F, forces))


def inverse_dynamics_by_jacobians(model: Model, q: Array, v: Array, a: Array, forces: Forces = {}) -> Array:
    """The sum over bodies J_iᵀ (I A + V ×* I V - F_ext), no recursion on forces (SUSTech, 3.1)."""
    _, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    pushed = external_forces(model, forces)
    tau = torques(model, v, a, {b: zeros(6) for b in model.bodies})  # friction and rotors
    for b, J in zip(model.bodies, body_jacobians(model, q), strict=True):
        tau = tau + J.T @ (b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) - pushed.get(b, zeros(6)))
    return tau
