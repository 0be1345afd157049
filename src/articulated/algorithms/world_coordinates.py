"""Screws and composite inertias in world coordinates (Rennes lecture): everything at the world's origin."""

from ..algebra.scalars import Array, stack, zeros
from ..algebra.spatial import Inertia
from ..model import Body, Model
from .kinematics import world_poses
from .mass_matrix import composite_bodies


def screws(model: Model, q: Array) -> Array:
    """Motion per unit of each velocity in world coordinates at the world's origin, [linear; angular]."""
    W = world_poses(model, q)
    out = zeros(model.nv, 6)
    for b in model.bodies:
        out[b.dofs] += W[b].motion_out(b.S).T
    return out


def composite_inertias_of(model: Model, q: Array) -> dict[Body, Inertia]:
    """Inertia of each body and all beyond it, at the world's origin: they simply add."""
    W = world_poses(model, q)
    I = {b: b.inertia.moved_out(W[b]) for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            I[b.parent] = I[b.parent] + I[b]
    return I


def composite_inertias(model: Model, q: Array, axes: str = "spatial") -> Array:
    """I^C of every body, (nb, 6, 6): at the world's origin, or (axes="frame") in each body's own axes."""
    if axes == "frame":
        I = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    else:
        I = composite_inertias_of(model, q)
    return stack([I[b].exact_matrix() for b in model.bodies], 6, 6)
