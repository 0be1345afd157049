"""Other routes to the same quantities, kept to be read and for the laws in the tests.

The mass matrix by unit accelerations, Jacobians, kinetic energy and screws in world coordinates; inverse dynamics
without the gravity trick, and without a recursion on forces (SUSTech ch. 9); articulated bodies in world coordinates
(Rennes lecture): no transforms, everything at the world's origin.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import invert_spd, solve_spd
from ..algebra.scalars import Array, Scalar, eye, stack, zeros
from ..algebra.spatial import cross_force, cross_motion
from ..model import Body, Model
from ..model.with_numbers import slack
from .energy import kinetic_energy
from .forward_dynamics import geared, own_accelerations
from .inverse_dynamics import acting, inverse_dynamics, resistance, torques, transmitted, weights
from .jacobians import body_jacobians
from .kinematics import ByBody, Forces, motions, upwards, world_poses
from .mass_matrix import composite_inertias_of, rotor_inertia, screws


def mass_matrix_by_unit_accelerations(model: Model, q: Array) -> Array:
    """Column j is the force for the unit acceleration j, at rest and without gravity (SUSTech, 4.2)."""
    model, rest, floor = slack(model), zeros(model.nv), -upwards(model)
    columns = []
    for j in range(model.nv):
        unit = rest.copy()
        unit[j] = 1
        columns.append(inverse_dynamics(model, q, rest, unit, base_acceleration=floor))
    return np.stack(columns, axis=1)


def mass_matrix_by_jacobians(model: Model, q: Array) -> Array:
    """The sum over bodies J_iᵀ I_i J_i (SUSTech, 3.1)."""
    M = rotor_inertia(model)
    for b, J in zip(model.bodies, body_jacobians(model, q), strict=True):
        M = M + J.T @ (b.inertia @ J)
    return M


def mass_matrix_by_energy(model: Model, q: Array) -> Array:
    """M from T = ½ vᵀ M v, polarised: M_ij = T(e_i + e_j) - T(e_i) - T(e_j) (Sapienza lecture)."""

    def energy(*moving: int) -> Scalar:
        v = zeros(model.nv)
        for k in moving:
            v[k] = v[k] + 1
        return kinetic_energy(model, q, v)

    alone = [energy(k) for k in range(model.nv)]
    M = zeros(model.nv, model.nv)
    for i in range(model.nv):
        for j in range(model.nv):
            M[i, j] = energy(i, j) - alone[i] - alone[j]
    return M


def mass_matrix_by_screws(model: Model, q: Array) -> Array:
    """H_ij = s_iᵀ I^C_r s_j with r the outer of the two bodies; 0 between branches (Rennes lecture)."""
    return composite_bodies_in_world(model, q).mass_matrix


class WorldCompositeBodies(NamedTuple):
    """Composite bodies in world coordinates, [linear; angular] at the world's origin."""

    mass_matrix: Array  # H, with armatures, (nv, nv)
    inertia: Array  # I^C: of each body and all beyond it, (nb, 6, 6)
    screws: Array  # s of every velocity, (nv, 6)


def composite_bodies_in_world(model: Model, q: Array) -> WorldCompositeBodies:
    """H with the composite inertias I^C and screws s it is made of, at the world's origin (Rennes lecture)."""
    W, I = world_poses(model, q), composite_inertias_of(model, q)
    s = {b: W[b].motion_out(b.S) for b in model.bodies}
    momentum = {b: I[b] @ s[b] for b in model.bodies}
    H = rotor_inertia(model)
    for b, j in carried(model):
        felt = s[j].T @ momentum[b]
        H[j.dofs, b.dofs] += felt
        if j is not b:
            H[b.dofs, j.dofs] += felt.T
    inertia = stack([I[b].exact_matrix() for b in model.bodies], 6, 6)
    return WorldCompositeBodies(H, inertia, screws(model, q))


def carried(model: Model) -> Iterator[tuple[Body, Body]]:
    """Every body with each body that carries it, itself among them: the inner loop of composite bodies."""
    return ((b, j) for b in model.bodies for j in b.support())


class LoopCounts(NamedTuple):
    """Number of passes of the loops of composite bodies: O(n d) with n bodies in a tree d deep."""

    inertias: int  # I^C, once per body
    entries: int  # blocks H_ij with j on the way from i to the base: the sum of depths; n (n + 1) / 2 in a chain
    depth: int  # d


def loop_counts(model: Model) -> LoopCounts:
    """Loop counts of `composite_bodies_in_world`; the textbook's mass matrix loops alike."""
    depths = [sum(1 for _ in b.support()) for b in model.bodies]
    return LoopCounts(len(depths), sum(1 for _ in carried(model)), max(depths, default=0))


def mass_matrix_by_sums(model: Model, q: Array) -> Array:
    """H_ij = Σ_k s_iᵀ I_k s_j over the bodies k that both joints carry: the triple sum of T (Rennes lecture)."""
    W = world_poses(model, q)
    s = {b: W[b].motion_out(b.S) for b in model.bodies}
    H = rotor_inertia(model)
    for k in model.bodies:
        inertia = k.inertia.moved_out(W[k])
        for i in k.support():
            for j in k.support():
                H[i.dofs, j.dofs] += s[i].T @ (inertia @ s[j])
    return H


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


def forward_dynamics_by_unit_accelerations(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h) with nv + 1 inverse dynamics: h, and M column by column (SUSTech, 4.2)."""
    h = inverse_dynamics(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix_by_unit_accelerations(model, q), tau - h)


class WorldArticulatedBodies(NamedTuple):
    """By body, [linear; angular] in world axes at the world's origin; wrench = inertia @ acceleration + bias.

    Mimic joints are free here, and driven by the torques their gears need, as in `ArticulatedBodies`.
    """

    a: Array  # (nv,)
    inertia: Array  # IA, (nb, 6, 6)
    bias: Array  # pA, (nb, 6)
    own_bias: Array  # p_i = xi ×* I xi minus external forces and springs, (nb, 6)
    velocity: Array  # xi, (nb, 6)
    acceleration: Array  # its rate, in a world that accelerates upwards (gravity is in it), (nb, 6)
    wrench: Array  # f: the force each joint transmits, (nb, 6)


def articulated_bodies_in_world(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> WorldArticulatedBodies:
    """Articulated bodies in world coordinates: IA, pA, p_i, twists and joint forces (Rennes lecture), for trees."""
    outside = (forces, base_velocity, base_acceleration)
    free, q, v, tau = geared(model, q, v, tau, lambda *state: _two_stages(*state).a, outside)
    found = _two_stages(free, q, v, tau, *outside)
    return found._replace(a=own_accelerations(model, found.a))


def _two_stages(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces, V0: Array | None, A0: Array | None
) -> WorldArticulatedBodies:
    tau = tau - resistance(model, q, v)
    pushed = acting(model, q, v, forces)
    W = world_poses(model, q)

    # screws, twists, and the force each body needs not to accelerate
    xi: ByBody = {None: zeros(6) if V0 is None else V0}
    s, drift, IA, pA = {}, {}, {}, {}
    for b in model.bodies:
        s[b] = W[b].motion_out(b.S)
        xi[b] = xi[b.parent] + s[b] @ v[b.dofs]
        drift[b] = cross_motion(xi[b], s[b]) @ v[b.dofs]
        inertia = b.inertia.moved_out(W[b])
        IA[b] = inertia.exact_matrix()
        pA[b] = cross_force(xi[b], inertia @ xi[b]) - W[b].force_out(pushed.get(b, zeros(6)))
    own_bias = dict(pA)

    # stage 1, from the leaves to the base
    U, D_inverse, u = {}, {}, {}
    for b in reversed(model.bodies):
        U[b] = IA[b] @ s[b]
        D_inverse[b] = invert_spd(s[b].T @ U[b] + b.armature * eye(b.joint.nv))
        u[b] = tau[b.dofs] - s[b].T @ (IA[b] @ drift[b] + pA[b])
        if b.parent:
            IA[b.parent] = IA[b.parent] + IA[b] - U[b] @ D_inverse[b] @ U[b].T
            pA[b.parent] = pA[b.parent] + pA[b] + IA[b] @ drift[b] + U[b] @ (D_inverse[b] @ u[b])

    # stage 2, from the base to the leaves
    a = zeros(model.nv)
    xi_rate: ByBody = {None: upwards(model) + (zeros(6) if A0 is None else A0)}
    for b in model.bodies:
        a[b.dofs] = D_inverse[b] @ (u[b] - U[b].T @ xi_rate[b.parent])
        xi_rate[b] = xi_rate[b.parent] + drift[b] + s[b] @ a[b.dofs]
    wrench = {b: IA[b] @ xi_rate[b] + pA[b] for b in model.bodies}
    vectors = (stack([x[b] for b in model.bodies], 6) for x in (pA, own_bias, xi, xi_rate, wrench))
    return WorldArticulatedBodies(a, stack([IA[b] for b in model.bodies], 6, 6), *vectors)
