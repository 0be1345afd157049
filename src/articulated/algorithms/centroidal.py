"""Center of mass, momentum about it, and the map from velocities to that momentum (Orin and Goswami)."""

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, is_zero, stack, total, zeros
from ..errors import SingularModelError
from ..model import Model
from .kinematics import velocities, world_poses
from .mass_matrix import composite_bodies


def center_of_mass(model: Model, q: Array) -> Array:
    """Center of mass of the moving bodies, in the world."""
    W = world_poses(model, q)
    mass = total(b.inertia.mass for b in model.bodies)
    if is_zero(mass):
        raise SingularModelError(f"{model.name}: nothing that moves has mass, so there is no center of mass")
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
    """A with A v = centroidal momentum.  (6, nv)."""
    composite = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    W = world_poses(model, q)
    columns = zeros(6, model.nv)
    for b in model.bodies:
        columns[:, b.dofs] += W[b].force_out(composite[b] @ b.S)
    return _about(center_of_mass(model, q), columns)


def _about(point: Array, F: Array) -> Array:
    """A momentum given at the world's origin, at `point`."""
    return np.concatenate([F[:3], F[3:] - cross(point, F[:3])])
