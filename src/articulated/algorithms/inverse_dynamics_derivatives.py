"""Derivatives of inverse and forward dynamics in closed form (Singh, Russell and Wensing 2022).

With everything in axes that stand still, the joint j turns or moves what lies beyond it by its S: the velocity of a
body changes by S × (V - V_parent).  Collected over a subtree, with the composite inertia I, the Coriolis matrix B of
coriolis.py and the transmitted force F of the outer body of the pair i, j, and with

    S' = V_parent × S        S'' = A_parent × S + V_parent × S'        dS/dt = V × S

the derivatives of tau_i by q_j and v_j are, for j between i and the base,

    S_iᵀ (2 B_i S'_j + I_i S''_j)                    S_iᵀ (2 B_i S_j + I_i (S'_j + dS_j/dt))

and for i between j and the base

    S_iᵀ (2 B_j S'_j + I_j S''_j + S_j ×* F_j)       S_iᵀ (2 B_j S_j + I_j (S'_j + dS_j/dt))
"""

from typing import Any, NamedTuple

from ..algebra.linalg import factor_spd, solve_factored
from ..algebra.scalars import Array, eye, is_zero, zeros
from ..algebra.spatial import cross_force, cross_motion
from ..model import Model
from .coriolis import SKEW
from .forward_dynamics import forward_dynamics_by_composite_bodies
from .inverse_dynamics import external_forces, transmitted
from .kinematics import ByBody, Forces, motions, upwards


class InverseDynamicsDerivatives(NamedTuple):
    """Derivatives of tau, (nv, nv) each; by q in the tangent space."""

    q: Array
    v: Array
    a: Array  # the mass matrix


class ForwardDynamicsDerivatives(NamedTuple):
    """Derivatives of the acceleration, (nv, nv) each; by q in the tangent space."""

    q: Array
    v: Array
    tau: Array  # the inverse of the mass matrix


def inverse_dynamics_derivatives(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> InverseDynamicsDerivatives:
    """∂tau/∂q, ∂tau/∂v and ∂tau/∂a = M; forces keep their components in the axes of their frames."""
    A0 = upwards(model) + (zeros(6) if base_acceleration is None else base_acceleration)
    X, V, A = motions(model, q, v, a, base_velocity, A0)
    own: ByBody = {b: b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]) for b in model.bodies}
    F = transmitted(model, X, own, external_forces(model, forces))

    # inward: inertia and Coriolis matrix of each body with everything beyond it
    I = {b: b.inertia for b in model.bodies}
    B = {b: SKEW["christoffel"](b.inertia, V[b]) for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            I[b.parent] = I[b.parent] + I[b].moved_out(X[b])
            B[b.parent] = B[b.parent] + X[b].tensor_out(B[b])

    by_q, by_v, M = (zeros(model.nv, model.nv) for _ in range(3))
    first, second, both = {}, {}, {}
    for b in model.bodies:
        carried = X[b].motion_in(V[b.parent])
        first[b] = cross_motion(carried, b.S)
        second[b] = cross_motion(X[b].motion_in(A[b.parent]), b.S) + cross_motion(carried, first[b])
        both[b] = first[b] + cross_motion(V[b], b.S)
    for b in model.bodies:
        momentum, row = I[b] @ b.S, 2 * (B[b].T @ b.S)
        turned = 2 * (B[b] @ first[b]) + I[b] @ second[b] + cross_force(b.S, F[b])
        pushed = 2 * (B[b] @ b.S) + I[b] @ both[b]
        for j in b.support():
            M[b.dofs, j.dofs] += momentum.T @ j.S
            by_q[b.dofs, j.dofs] += row.T @ first[j] + momentum.T @ second[j]
            by_v[b.dofs, j.dofs] += row.T @ j.S + momentum.T @ both[j]
            if j is not b:
                M[j.dofs, b.dofs] += j.S.T @ momentum
                by_q[j.dofs, b.dofs] += j.S.T @ turned
                by_v[j.dofs, b.dofs] += j.S.T @ pushed
            momentum, row, turned, pushed = (X[j].force_out(x) for x in (momentum, row, turned, pushed))
    return with_joints(model, by_q, by_v, M)


def closed(model: Model) -> bool:
    """True if the closed form holds: of springs between frames, and of joints that turn in space, there is none."""
    return not model.springs and all(b.joint.rates or is_zero(b.stiffness) for b in model.bodies)


def with_joints(model: Model, by_q: Array, by_v: Array, M: Array) -> InverseDynamicsDerivatives:
    """The derivatives of the links' part with viscous friction, rotors and springs; Coulomb friction has none."""
    for b in model.bodies:
        for k in range(b.dofs.start, b.dofs.stop):
            by_v[k, k] += b.multiplier * b.multiplier * b.damping
            by_q[k, k] += b.multiplier * b.multiplier * b.stiffness
    for k, inertia in enumerate(model.armature):
        M[k, k] += inertia
    return InverseDynamicsDerivatives(by_q, by_v, M)


def forward_dynamics_derivatives(
    model: Model, q: Array, v: Array, tau: Array, **outside: Any
) -> ForwardDynamicsDerivatives:
    """a = M⁻¹ (tau - h), so da = -M⁻¹ of what inverse dynamics changes by at that acceleration, and M⁻¹ dtau."""
    a = forward_dynamics_by_composite_bodies(model, q, v, tau, **outside)
    return solved(inverse_dynamics_derivatives(model, q, v, a, **outside))


def solved(found: InverseDynamicsDerivatives) -> ForwardDynamicsDerivatives:
    """Derivatives of forward dynamics from those of inverse dynamics at the same motion."""
    factors = factor_spd(found.a)
    return ForwardDynamicsDerivatives(
        -solve_factored(factors, found.q), -solve_factored(factors, found.v), solve_factored(factors, eye(len(found.a)))
    )
