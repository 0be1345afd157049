"""Coriolis matrices and Christoffel symbols (Echeandia and Wensing 2021; Sapienza and SUSTech lectures).

Every C below gives the same c = C v.  With J_i the Jacobian of body i carried along by the
body, C = Σ J_iᵀ (I_i dJ_i/dt + B_i J_i); the factorizations differ in the 6×6 matrix B.
"""

from collections.abc import Callable

from ..algebra.scalars import Array, zeros
from ..algebra.spatial import Inertia, cross_motion, momentum_cross_matrix, motion_cross_matrix
from ..model import Model
from .kinematics import velocities


def _christoffel(inertia: Inertia, V: Array) -> Array:
    I, across = inertia.exact_matrix(), motion_cross_matrix(V)
    return (momentum_cross_matrix(inertia @ V) - across.T @ I - I @ across) * 0.5


#: B of the factorizations for which dM/dt - 2C is skew
SKEW: dict[str, Callable[[Inertia, Array], Array]] = {
    "christoffel": _christoffel,  # C_ij = Σ_k Γ_ijk v_k
    # Σ Jᵀ (I J' + I V~ J + V~* I J), SUSTech 3.1
    "body_jacobian": lambda inertia, V: -motion_cross_matrix(V).T @ inertia.exact_matrix(),
}


def coriolis_matrix(model: Model, q: Array, v: Array, factorization: str = "christoffel") -> Array:
    """C(q, v) with C v = c.  (nv, nv)."""
    if factorization == "nonskew":
        return lumped_matrix(christoffel(model, q), v)
    X, V = velocities(model, q, v)
    # inertia and B of each body with everything beyond it
    I = {b: b.inertia for b in model.bodies}
    B = {b: SKEW[factorization](b.inertia, V[b]) for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            I[b.parent] = I[b.parent] + I[b].moved_out(X[b])
            B[b.parent] = B[b.parent] + X[b].tensor_out(B[b])

    C = zeros(model.nv, model.nv)
    rate = {b: cross_motion(V[b], b.S) for b in model.bodies}
    for b in model.bodies:
        column = I[b] @ rate[b] + B[b] @ b.S
        momentum, row = I[b] @ b.S, B[b].T @ b.S
        C[b.dofs, b.dofs] += b.S.T @ column
        column, momentum, row = (X[b].force_out(F) for F in (column, momentum, row))
        for j in b.parent.support() if b.parent else ():
            C[j.dofs, b.dofs] += j.S.T @ column
            C[b.dofs, j.dofs] += (rate[j].T @ momentum + j.S.T @ row).T
            column, momentum, row = (X[j].force_out(F) for F in (column, momentum, row))
    return C


def christoffel(model: Model, q: Array) -> Array:
    """Γ(q), (nv, nv, nv): C_ij = Σ_k Γ_ijk v_k and c_i = Σ_jk Γ_ijk v_j v_k.

    For joints of one degree of freedom these are the Christoffel symbols of the first kind of
    M, symmetric in j and k; for the others, the connection coefficients in body velocities.
    """
    symbols = zeros(model.nv, model.nv, model.nv)
    for k in range(model.nv):
        unit = zeros(model.nv)
        unit[k] = 1
        symbols[:, :, k] = coriolis_matrix(model, q, unit)
    return symbols


def lumped_matrix(symbols: Array, v: Array) -> Array:
    """The tempting C with each product v_k v_j, k < j, written once, in column j; not skew (Sapienza, Q4)."""
    C = zeros(*symbols.shape[:2])
    for j in range(len(symbols)):
        C[:, j] = symbols[:, j, j] * v[j]
        for k in range(j):
            C[:, j] = C[:, j] + (symbols[:, j, k] + symbols[:, k, j]) * v[k]
    return C
