"""Kinetic and potential energy (Sapienza lecture: T_i and U_i), and what each body adds to the dynamics.

The contributions of a single body to the equations of motion are those of SUSTech ch. 9, sections 2.4 and 3.2.
"""

from typing import NamedTuple

from ..algebra.scalars import Array, Scalar, array, stack, total, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from .inverse_dynamics import external_forces, weights
from .jacobians import body_jacobians
from .kinematics import Forces, motions, velocities, world_poses
from .springs import spring_energies


def kinetic_energies(model: Model, q: Array, v: Array, base_velocity: Array | None = None) -> Array:
    """T of each body (with the rotor of its joint), (nb,)."""
    _, V = velocities(model, q, v, base_velocity)
    energies = []
    for b in model.bodies:
        rate = b.rate(v)
        energies.append((V[b] @ (b.inertia @ V[b]) + b.armature * (rate @ rate)) * 0.5)
    return array(energies)


def kinetic_energy(model: Model, q: Array, v: Array, base_velocity: Array | None = None) -> Scalar:
    """T = ½ vᵀ M v."""
    return total(kinetic_energies(model, q, v, base_velocity))


def potential_energies(model: Model, q: Array) -> Array:
    """U of each body, -m g · r with r from the world's origin, and of its springs, (nb,)."""
    W, sprung = world_poses(model, q), spring_energies(model, q)
    energies = []
    for b in model.bodies:
        moment = W[b].R @ b.inertia.first + b.inertia.mass * W[b].p
        energies.append(-(model.gravity @ moment) + sprung.get(b, 0))
    return array(energies)


def potential_energy(model: Model, q: Array) -> Scalar:
    """U, the work against gravity from the world's origin, and that in springs."""
    return total(potential_energies(model, q))


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
