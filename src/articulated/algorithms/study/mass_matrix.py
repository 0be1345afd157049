"""The mass matrix by other routes: unit accelerations, Jacobians, kinetic energy, screws in world coordinates."""

import numpy as np

from ...algebra.scalars import Array, Scalar, zeros
from ...model import Model
from ..energy import kinetic_energy
from ..inverse_dynamics import inverse_dynamics
from ..jacobians import body_jacobians
from ..kinematics import upwards, world_poses
from ..mass_matrix import rotor_inertia
from ..world_coordinates import composite_inertias_of


def mass_matrix_by_unit_accelerations(model: Model, q: Array) -> Array:
    """Column j is the force for the unit acceleration j, at rest and without gravity (SUSTech, 4.2)."""
    rest, floor = zeros(model.nv), -upwards(model)
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
    """From T = ½ vᵀ M v, polarised: M_ij = T(e_i + e_j) - T(e_i) - T(e_j) (Sapienza lecture)."""

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
    W, I = world_poses(model, q), composite_inertias_of(model, q)
    s = {b: W[b].motion_out(b.S) for b in model.bodies}
    H = rotor_inertia(model)
    for b in model.bodies:
        momentum = I[b] @ s[b]
        for j in b.support():
            felt = s[j].T @ momentum
            H[j.dofs, b.dofs] += felt
            if j is not b:
                H[b.dofs, j.dofs] += felt.T
    return H
