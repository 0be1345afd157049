"""Inverse dynamics by recursive Newton-Euler (SUSTech ch. 9; Featherstone 2008, table 5.1)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, sign, stack, zeros
from ..algebra.spatial import cross_force
from ..model import Body, Model
from ..model.with_numbers import slack
from .kinematics import ByBody, Forces, motions, upwards, velocities
from .springs import joint_springs, pulls

#: `inverse_dynamics`, or a formulation of it
Recursion = Callable[..., Array]


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
    return torques(model, q, v, a, wrenches(model, q, v, a, forces, base_velocity, base_acceleration))


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
    return transmitted(model, X, F, acting(model, q, v, forces))


def transmitted(model: Model, X: dict, F: ByBody, pushed: dict[Body, Array]) -> ByBody:
    """Forces that the joints transmit so that each body gets its F, what pushes it helping."""
    for b, push in pushed.items():
        F[b] = F[b] - push
    # inward: each joint carries its own body and everything beyond it
    for b in reversed(model.bodies):
        if b.parent:
            F[b.parent] = F[b.parent] + X[b].force_out(F[b])
    return F


def torques(model: Model, q: Array, v: Array, a: Array, F: ByBody) -> Array:
    """The part of the transmitted forces that the motors supply, with friction, rotors and springs of joints."""
    tau = resistance(model, q, v) + np.array(model.armature, object) * a
    for b in model.bodies:
        tau[b.dofs] += b.S.T @ F[b]
    return tau


def resistance(model: Model, q: Array, v: Array) -> Array:
    """Torques that overcome friction and springs of the joints."""
    return friction_forces(model, v) + joint_springs(model, q)


def acting(model: Model, q: Array, v: Array, forces: Forces) -> dict[Body, Array]:
    """External forces, and those of springs between frames, as one per body in the body's axes."""
    pushed = external_forces(model, forces)
    for b, pull in pulls(model, q, v).items():
        pushed[b] = pushed.get(b, zeros(6)) + pull
    return pushed


def external_forces(model: Model, forces: Forces) -> dict[Body, Array]:
    """Forces named by frame, in that frame's axes, as one per body in the body's axes."""
    pushed: dict[Body, Array] = {}
    for name, force in forces.items():
        frame = model.frame(name)
        if frame.body:
            pushed[frame.body] = pushed.get(frame.body, zeros(6)) + frame.placement.force_out(force)
    return pushed


def weights(model: Model, q: Array) -> ByBody:
    """F_G = I A_G of each body: the wrench gravity exerts on it, at its origin in its axes."""
    falling: ByBody = {None: -upwards(model)}
    for b in model.bodies:
        falling[b] = b.transform(q).motion_in(falling[b.parent])
    return {b: b.inertia @ falling[b] for b in model.bodies}


def friction_forces(model: Model, v: Array) -> Array:
    """Torque that overcomes viscous and Coulomb friction of the joints at the velocity v."""
    tau = zeros(model.nv)
    for b in model.bodies:
        rate = b.rate(v)
        for k, x in enumerate(rate):
            tau[b.dofs.start + k] += b.multiplier * (b.damping * x + b.friction * sign(x))
    return tau


# -- special cases are calls ------------------------------------------------------------


def bias_forces(model: Model, q: Array, v: Array, recursion: Recursion = inverse_dynamics, **outside: Any) -> Array:
    """h(q, v): Coriolis, gravity, friction, spring and external forces."""
    return recursion(model, q, v, zeros(model.nv), **outside)


def gravity_forces(model: Model, q: Array) -> Array:
    """g(q): the forces that hold the robot still against gravity alone, without springs."""
    return inverse_dynamics(slack(model), q, zeros(model.nv), zeros(model.nv))


def coriolis_forces(model: Model, q: Array, v: Array, recursion: Recursion = inverse_dynamics) -> Array:
    """c(q, v): centrifugal and Coriolis forces alone."""
    model, floor = slack(model), -upwards(model)  # cancels gravity
    return recursion(model, q, v, zeros(model.nv), base_acceleration=floor) - friction_forces(model, v)


def body_wrenches(model: Model, q: Array, v: Array, a: Array, **outside: Any) -> Array:
    """Force that each joint transmits to its body, in the axes of the body; `outside` as in `wrenches`."""
    F = wrenches(model, q, v, a, **outside)
    return stack([F[b] for b in model.bodies], 6)


def gravity_wrenches(model: Model, q: Array) -> Array:
    """F_G: the weight of each body, [force; moment] at its origin in its own axes."""
    F = weights(model, q)
    return stack([F[b] for b in model.bodies], 6)


# -- a step of a variational integrator in linear time --------------------------------------
#
# The action of a step from q to q' is h L(halfway, d / h), d its displacement joint by joint (`Joint.halfway`).  It
# does not change with the world's axes, and is the same backwards: momenta are conserved and the order is two
# (Marsden and West 2001, part 2; on Lie groups Bou-Rabee and Marsden 2009; in linear time
# Lee, Liu, Park and Srinivasa 2016).


class Slopes(NamedTuple):
    """Derivatives of the Lagrangian."""

    p: Array  # with respect to v: the momentum
    f: Array  # with respect to q, v held: what changes the momentum beside torques


def lagrangian_slopes(model: Model, q: Array, v: Array, forces: Forces = {}) -> Slopes:
    """Momentum, and the generalized force of motion and weight; damping, springs and external forces are part.

    A body that is turned by its joint sees what carries it from another side: V changes by carried × S δq.
    """
    X, V = velocities(model, q, v)
    P: ByBody = {b: b.inertia @ V[b] for b in model.bodies}
    F = weights(model, q)
    for b, pushed in acting(model, q, v, forces).items():
        F[b] = F[b] + pushed
    p, f = np.array(model.armature, object) * v, -resistance(model, q, v)
    # inward: everything beyond a joint moves and weighs as one body
    for b in reversed(model.bodies):
        carried = V[b] - b.S @ v[b.dofs]
        p[b.dofs] += b.S.T @ P[b]
        f[b.dofs] += b.S.T @ (F[b] - cross_force(carried, P[b]))
        if b.parent:
            P[b.parent] = P[b.parent] + X[b].force_out(P[b])
            F[b.parent] = F[b.parent] + X[b].force_out(F[b])
    return Slopes(p, f)
