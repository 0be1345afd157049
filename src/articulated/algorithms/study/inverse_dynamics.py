"""Inverse dynamics by other routes: without the gravity trick, and without a recursion on forces (SUSTech ch. 9)."""

from ...algebra.scalars import Array, zeros
from ...algebra.spatial import cross_force
from ...model import Model
from ..inverse_dynamics import acting, torques, transmitted, weights
from ..jacobians import body_jacobians
from ..kinematics import ByBody, Forces, motions


def inverse_dynamics_with_weights(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Array:
    """tau without the gravity trick: the world is still and every body has a weight (SUSTech, 2.1.3)."""
    X, V, A = motions(model, q, v, a, base_velocity, base_acceleration)
    weight = weights(model, q)
    F: ByBody = {b: b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) - weight[b] for b in model.bodies}
    return torques(model, q, v, a, transmitted(model, X, F, acting(model, q, v, forces)))


def inverse_dynamics_by_jacobians(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Array:
    """tau as the sum over bodies J_iᵀ (I A + V ×* I V - F_ext - F_G), no recursion on forces (SUSTech, 3.1)."""
    _, V, A = motions(model, q, v, a, base_velocity, base_acceleration)
    weight, pushed = weights(model, q), acting(model, q, v, forces)
    tau = torques(model, q, v, a, {b: zeros(6) for b in model.bodies})  # friction, rotors and springs
    for b, J in zip(model.bodies, body_jacobians(model, q), strict=True):
        F = b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) - pushed.get(b, zeros(6)) - weight[b]
        tau = tau + J.T @ F
    return tau
