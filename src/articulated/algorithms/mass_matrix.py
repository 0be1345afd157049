"""The mass matrix by composite bodies (Rennes lecture; Featherstone 2008, table 6.2), and by three other routes."""

from collections.abc import Callable

import numpy as np

from ..algebra.linalg import invert_spd
from ..algebra.scalars import Array, Scalar, zeros
from ..algebra.spatial import Inertia, mirrored
from ..model import Body, Model
from .coriolis import coriolis_matrix
from .energy import kinetic_energy
from .inverse_dynamics import inverse_dynamics
from .jacobians import body_jacobians
from .kinematics import upwards


def mass_matrix(model: Model, q: Array) -> Array:
    """M(q), (nv, nv); zero between joints of different branches."""
    X = {b: b.transform(q) for b in model.bodies}
    M, composite = rotor_inertia(model), composite_bodies(model, X)
    for b in model.bodies:
        _enter(M, b, composite[b], X)
    return M


def mass_matrix_by_moments(model: Model, q: Array) -> Array:
    """The same with composite bodies held as second moments Σ, which move in fewer operations.

    A body is entered as soon as nothing is missing beyond it: then it need not be kept.
    """
    X = {b: b.transform(q) for b in model.bodies}
    M = rotor_inertia(model)
    composite = {b: Inertia.from_spread(b.inertia.mass, b.inertia.first, b.inertia.spread) for b in model.bodies}
    for b in reversed(model.bodies):
        _enter(M, b, composite[b], X)
        if b.parent:
            composite[b.parent] = composite[b.parent].with_moments_of(composite[b], X[b])
    return M


def _enter(M: Array, b: Body, composite: Inertia, X: dict) -> None:
    """Row and column of a body: the force that accelerates it and all beyond as one, felt at every joint below."""
    F = composite @ b.S
    M[b.dofs, b.dofs] += mirrored(b.S.T @ F)
    F = X[b].force_out(F)
    for j in b.parent.support() if b.parent else ():
        felt = j.S.T @ F
        M[j.dofs, b.dofs] += felt
        M[b.dofs, j.dofs] += felt.T
        F = X[j].force_out(F)


def composite_bodies(model: Model, X: dict) -> dict[Body, Inertia]:
    """Inertia of each body with everything beyond it frozen to it, in the body's axes."""
    composite = {b: b.inertia for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            composite[b.parent] = composite[b.parent] + composite[b].moved_out(X[b])
    return composite


def rotor_inertia(model: Model) -> Array:
    """The diagonal matrix of armatures, to which the links' part is added."""
    M = zeros(model.nv, model.nv)
    for k, inertia in enumerate(model.armature):
        M[k, k] = inertia
    return M


def mass_matrix_inverse(model: Model, q: Array, route: Callable[..., Array] = mass_matrix) -> Array:
    """The inverse of M(q), through its branch-sparse factors."""
    return invert_spd(route(model, q))


def mass_matrix_rate(model: Model, q: Array, v: Array) -> Array:
    """dM/dt while the robot moves with v: C + Cᵀ for any C with dM/dt - 2C skew."""
    C = coriolis_matrix(model, q, v, "body_jacobian")
    return C + C.T


# -- the same by other routes, for study and for the laws in the tests --------------------


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
