"""Kinetic and potential energy (Sapienza lecture: T_i and U_i), momentum, and what each body adds to the dynamics.

The center of mass, the momentum about it, and the map from velocities to that momentum are Orin and Goswami's; the
contributions of a single body to the equations of motion are those of SUSTech ch. 9, sections 2.4 and 3.2.
"""

from typing import NamedTuple

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, Scalar, array, is_zero, stack, total, zeros
from ..algebra.spatial import cross_force
from ..errors import SingularModelError
from ..model import Model
from .inverse_dynamics import external_forces, weights
from .jacobians import body_jacobians
from .kinematics import Forces, motions, velocities, world_poses
from .mass_matrix import composite_bodies
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


def center_of_mass(model: Model, q: Array) -> Array:
    """Center of mass of the moving bodies, in the world."""
    W = world_poses(model, q)
    mass = total(b.inertia.mass for b in model.bodies)
    if is_zero(mass):
        raise SingularModelError(f"{model.name}: no moving body has mass, so the center of mass is undefined")
    moment = sum((W[b].R @ b.inertia.first + b.inertia.mass * W[b].p for b in model.bodies), start=zeros(3))
    return moment / mass


def body_centers(model: Model, q: Array) -> Array:
    """Center of mass of every moving body, its origin where it has no mass, in the world.  (nb, 3)."""
    W = world_poses(model, q)
    return stack([W[b].p if is_zero(b.inertia.mass) else W[b].point(b.inertia.com) for b in model.bodies], 3)


def centroidal_momentum(model: Model, q: Array, v: Array) -> Array:
    """[linear; angular] momentum about the center of mass, in world axes."""
    _, V = velocities(model, q, v)
    W = world_poses(model, q)
    return _about(
        center_of_mass(model, q), sum((W[b].force_out(b.inertia @ V[b]) for b in model.bodies), start=zeros(6))
    )


def centroidal_map(model: Model, q: Array) -> Array:
    """Matrix from v to the centroidal momentum."""
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    W = world_poses(model, q)
    columns = zeros(6, model.nv)
    for b in model.bodies:
        columns[:, b.dofs] += W[b].force_out(composite[b] @ b.S)
    return _about(center_of_mass(model, q), columns)


def _about(point: Array, F: Array) -> Array:
    """A momentum given at the world's origin, at `point`."""
    return np.concatenate([F[:3], F[3:] - cross(point, F[:3])])


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
