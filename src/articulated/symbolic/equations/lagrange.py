"""Equations of motion from energies (Sapienza lecture; Hamel's equations where v is not the rate of q)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...algebra.scalars import Array, zeros
from ...algebra.spatial import cross_motion
from ...model import Body
from ..ring.polynomial import Polynomial, largest, without_rounding
from ..ring.state import State, partial_derivative


def inertia_matrix(state: State, T: Any) -> Array:
    """M with T = ½ vᵀ M v."""
    velocities = state.symbols["v"]
    n = len(velocities)
    M = zeros(n, n)
    for i in range(n):
        momentum = partial_derivative(T, velocities[i])
        for j in range(i, n):
            M[i, j] = M[j, i] = partial_derivative(momentum, velocities[j])
    return M


def christoffel_matrices(state: State, M: Array) -> Array:
    """C_k, symmetric, with c_k = vᵀ C_k v; M is without armature.  (n, n, n)."""
    n = len(M)
    return np.stack(list(_christoffel(state, M))) if n else zeros(0, 0, 0)


def coriolis_forces(state: State, M: Array) -> Array:
    """c_k = vᵀ C_k v, one C_k at a time to save memory."""
    out = zeros(len(M))
    for k, matrix in enumerate(_christoffel(state, M)):
        out[k] = state.v @ (matrix @ state.v)
    return out


def coriolis_matrix(state: State, M: Array) -> Array:
    """C with C v = c and dM/dt - 2 C skew: the connection of M (Christoffel symbols where v is the rate of q)."""
    C = np.stack([matrix @ state.v for matrix in christoffel_matrices(state, M)])
    for j, brackets in ({} if state.simple else _brackets(state)).items():
        for i, d, factor in brackets:  # Koszul: <[e_i, e_j], e_k>, which C v does not show
            C[:, j] = C[:, j] + M[d] * (factor * 0.5) * state.v[i]
    return C


def _christoffel(state: State, M: Array) -> Iterator[Array]:
    """C_1, C_2 …, one after the other."""
    n = len(M)
    rates = [state.along_array(k, M) for k in range(n)]  # dM/dq_k
    turning = {} if state.simple else _brackets(state)
    for k in range(n):
        C = zeros(n, n)
        for i in range(n):
            for j in range(i, n):
                C[i, j] = C[j, i] = (rates[j][k, i] + rates[i][k, j] - rates[k][i, j]) * 0.5
        for i, d, factor in turning.get(k, ()):  # Hamel's terms: the axes of v turn with the body
            for j in range(n):
                part = M[d, j] * (factor * 0.5)
                C[i, j] = without_rounding(C[i, j] - part, largest([part]))
                C[j, i] = without_rounding(C[j, i] - part, largest([part]))
        yield C


def _brackets(state: State) -> dict[int, list[tuple[int, int, Any]]]:
    """k → (i, d, factor) of every joint's [S_i, S_k] = Σ_d factor S_d."""
    found: dict[int, list[tuple[int, int, Any]]] = {}
    for b in state.source.bodies:
        for (i, k, d), factor in (_structure(b) if b.leader is b and b.joint.nv > 1 else {}).items():
            found.setdefault(k, []).append((i, d, factor))
    return found


def _structure(b: Body) -> dict[tuple[int, int, int], Any]:
    """Constants of a joint's group: [S_i, S_k] = Σ_d factor S_d, numbered as in v."""
    S = np.array(b.joint.S, float)
    found = {}
    for i in range(b.joint.nv):
        for k in range(b.joint.nv):
            bracket = np.array(cross_motion(b.joint.S[:, i], b.joint.S[:, k]), float)
            for d, factor in enumerate(np.linalg.lstsq(S, bracket, rcond=None)[0]):
                if abs(factor) > 1e-12:
                    start = b.dofs.start
                    found[start + i, start + k, start + d] = round(factor, 12)
    return found


def gravity_vector(state: State, U: Any) -> Array:
    """g = dU/dq."""
    out = zeros(len(state.v))
    for k in range(len(state.v)):
        out[k] = state.along(k, U)
    return out


def size(values: Any) -> int:
    """The number of terms of polynomials."""
    return sum(len(x.terms) if isinstance(x, Polynomial) else 1 for x in np.ravel(np.array(values, object)))
