"""Contribution of a single body to the equations of motion (SUSTech ch. 9, sections 2.4 and 3.2)."""

from typing import NamedTuple

from ..algebra.scalars import Array, stack, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from .inverse_dynamics import external_forces, weights
from .jacobians import body_jacobians
from .kinematics import Forces, motions


class Contributions(NamedTuple):
    """Per body; over all bodies they add up to M, c, g, M a, -Σ Jᵀ F and tau, without friction and rotors."""

    mass_matrix: Array  # J_iᵀ I_i J_i, (nb, nv, nv)
    coriolis: Array  # (nb, nv)
    gravity: Array  # (nb, nv)
    inertial: Array  # J_iᵀ I_i J_i a; zeros without an acceleration, (nb, nv)
    external: Array  # -J_iᵀ F_i: a force on the body takes that much off the motors, (nb, nv)
    torque: Array  # the sum of the last four: J_iᵀ (I A + V ×* I V - F_ext - F_G), (nb, nv)


def contributions(model: Model, q: Array, v: Array, a: Array | None = None, forces: Forces = {}) -> Contributions:
    """M, c, g, M a, external forces and tau body by body."""
    _, V, A = motions(model, q, v, zeros(model.nv))
    weight, pushed = weights(model, q), external_forces(model, forces)
    parts = []
    for b, J in zip(model.bodies, body_jacobians(model, q), strict=True):
        M = J.T @ (b.inertia @ J)
        c = J.T @ (b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]))
        g = -(J.T @ weight[b])
        inertial = zeros(model.nv) if a is None else M @ a
        external = -(J.T @ pushed.get(b, zeros(6)))
        parts.append((M, c, g, inertial, external, c + g + inertial + external))
    M, *rest = zip(*parts, strict=True) if parts else ((),) * 6
    return Contributions(stack(M, model.nv, model.nv), *(stack(part, model.nv) for part in rest))
