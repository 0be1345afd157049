"""A step of a variational integrator in linear time: momenta and forces of the action in the middle of the step.

The action of a step from q to q' is h L(halfway, d / h), d its displacement joint by joint (`Joint.halfway`).  It does
not change with the world's axes, and is the same backwards: momenta are conserved and the order is two (Marsden and
West 2001, part 2; on Lie groups Bou-Rabee and Marsden 2009; in linear time Lee, Liu, Park and Srinivasa 2016).
"""

from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from .inverse_dynamics import acting, resistance, weights
from .kinematics import ByBody, Forces, velocities


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


def halfway(model: Model, q: Array, d: Array) -> tuple[Array, Array]:
    """The configurations in the middle and at the end of a step of displacement d."""
    parts = [b.joint.halfway(q[b.coords], d[b.dofs]) for b in model.bodies if b.leader is b]
    middle, end = ([part[k] for part in parts] for k in range(2))
    return np.concatenate([zeros(0), *middle]), np.concatenate([zeros(0), *end])


def end_momenta(model: Model, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
    """Momenta at both ends of a step, from the momentum and the impulse in its middle."""
    parts = [b.joint.momenta(d[b.dofs], p[b.dofs], f[b.dofs]) for b in model.bodies if b.leader is b]
    before, after = ([part[k] for part in parts] for k in range(2))
    return np.concatenate([zeros(0), *before]), np.concatenate([zeros(0), *after])
