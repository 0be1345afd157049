"""Kinetic and potential energy, by body and in total (Sapienza lecture: T_i and U_i)."""

from ..algebra.scalars import Array, Scalar, array, total
from ..model import Model
from .kinematics import velocities, world_poses
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
