"""From energies to equations of motion (Sapienza lecture; Hamel's equations where v is not the rate of q)."""

from typing import Any

import numpy as np

from ...algebra.scalars import Array, zeros
from ...algebra.spatial import cross_motion
from ...model import Body
from ..ring.polynomial import Polynomial
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
    """C_k, symmetric, with c_k = vᵀ C_k v.  (n, n, n)."""
    n = len(M)
    rates = np.stack([state.along_array(k, M) for k in range(n)]) if n else zeros(0, 0, 0)  # rates[k] = dM/dq_k
    C = zeros(n, n, n)
    for k in range(n):
        for i in range(n):
            for j in range(i, n):
                total = (rates[j, k, i] + rates[i, k, j] - rates[k, i, j]) * 0.5
                C[k, i, j] = C[k, j, i] = total
    return C if state.simple else C + _turning(state, M)


def _turning(state: State, M: Array) -> Array:
    """What Hamel adds: the axes in which v is measured turn with the body."""
    n = len(M)
    C = zeros(n, n, n)
    for b in state.source.bodies:
        structure = _structure(b) if b.leader is b else {}
        for (i, k, d), factor in structure.items():
            for j in range(n):
                C[k, i, j] = C[k, i, j] - M[d, j] * (factor * 0.5)
                C[k, j, i] = C[k, j, i] - M[d, j] * (factor * 0.5)
    return C


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


def quadratic(state: State, C: Array) -> Array:
    """c_k = vᵀ C_k v."""
    out = zeros(len(C))
    for k, matrix in enumerate(C):
        out[k] = state.v @ (matrix @ state.v)
    return out


def gravity_vector(state: State, U: Any) -> Array:
    """g = dU/dq."""
    out = zeros(len(state.v))
    for k in range(len(state.v)):
        out[k] = state.along(k, U)
    return out


def size(values: Any) -> int:
    """How many terms polynomials hold."""
    return sum(len(x.terms) if isinstance(x, Polynomial) else 1 for x in np.ravel(np.array(values, object)))
