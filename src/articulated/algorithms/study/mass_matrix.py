"""The mass matrix by other routes: unit accelerations, Jacobians, kinetic energy, screws in world coordinates."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, stack, zeros
from ...model import Body, Model
from ...model.with_numbers import slack
from ..energy import kinetic_energy
from ..inverse_dynamics import inverse_dynamics
from ..jacobians import body_jacobians
from ..kinematics import upwards, world_poses
from ..mass_matrix import composite_inertias_of, rotor_inertia, screws


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
