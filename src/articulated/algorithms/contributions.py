"""What a single body adds to the equations of motion (SUSTech ch. 9, section 3.2)."""

from typing import NamedTuple

from ..algebra.scalars import Array, stack, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from .jacobians import body_jacobians
from .kinematics import motions, upwards


class Contributions(NamedTuple):
    """Per body; over all bodies they add up to M (without rotors), c and g."""

    mass_matrix: Array  # J_iᵀ I_i J_i, (nb, nv, nv)
    coriolis: Array  # (nb, nv)
    gravity: Array  # (nb, nv)


def contributions(model: Model, q: Array, v: Array) -> Contributions:
    """M, c and g body by body."""
    rest = zeros(model.nv)
    _, V, A = motions(model, q, v, rest)
    _, _, up = motions(model, q, rest, rest, base_acceleration=upwards(model))
    M, c, g = [], [], []
    for b, J in zip(model.bodies, body_jacobians(model, q), strict=True):
        M.append(J.T @ (b.inertia @ J))
        c.append(J.T @ (b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b])))
        g.append(J.T @ (b.inertia @ up[b]))
    return Contributions(stack(M, model.nv, model.nv), stack(c, model.nv), stack(g, model.nv))
