"""Quantities of robots of many bodies that take linear algebra: of matrices that loops over bodies give, by NumPy.

`of(algorithm, *arrays, **choices)` gives the results of another algorithm for states (n, nv).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...model import Model
from .. import contributions as by_body
from .. import coriolis, forward_dynamics, inverse_dynamics, jacobians, mass_matrix, operational
from .table import MOVING_FORCES

Array = np.ndarray
Of = Callable[..., Any]


def transposed(M: Array) -> Array:
    """The last two axes swapped."""
    return M.swapaxes(-1, -2)


def times(M: Array, x: Array) -> Array:
    """Matrices times vectors."""
    return (M @ x[..., None])[..., 0]


def inverse_mass_matrix(of: Of, model: Model, q: Array) -> Array:
    """The inverse of M."""
    inverse = np.linalg.inv(of(mass_matrix.mass_matrix, q))
    return 0.5 * (inverse + transposed(inverse))


def accelerations(of: Of, model: Model, q: Array, v: Array, tau: Array) -> Array:
    """Forward dynamics by composite bodies."""
    h = of(inverse_dynamics.bias_forces, q, v)
    return np.linalg.solve(of(mass_matrix.mass_matrix, q), (tau - h)[..., None])[..., 0]


def christoffel_symbols(of: Of, model: Model, q: Array) -> Array:
    """Symbols of the first kind: C for each unit velocity."""
    n, nv = q.shape
    states, units = np.repeat(q, nv, axis=0), np.tile(np.eye(nv), (n, 1))
    C = of(coriolis.coriolis_matrix, states, units, factorization="christoffel")
    return np.moveaxis(C.reshape(n, nv, nv, nv), 1, -1)


def contributions(of: Of, model: Model, q: Array, v: Array, a: Array | None = None) -> tuple[Array, ...]:
    """M, c, g and tau body by body."""
    J, inertias = of(jacobians.body_jacobians, q, at="origin"), _inertias(model)
    M = transposed(J) @ (inertias @ J)
    c = times(transposed(J), of(MOVING_FORCES, q, v))
    g = -times(transposed(J), of(inverse_dynamics.gravity_wrenches, q))
    inertial = np.zeros_like(c) if a is None else times(M, a[:, None, :])
    return M, c, g, inertial, np.zeros_like(c), c + g + inertial


@lru_cache(8)
def _inertias(model: Model) -> Array:
    """Inertias of the bodies in their own axes, (nb, 6, 6)."""
    return np.array([b.inertia.matrix() for b in model.bodies], float)


def operational_spaces(
    of: Of, model: Model, q: Array, v: Array, frame: str, axes: str, least: float = operational.LEAST
) -> tuple[Array, Array]:
    """Inertia and bias of a frame; NaN where it cannot move in all six directions."""
    J = of(jacobians.jacobian, q, frame=frame, axes=axes)
    rate, h = of(jacobians.jacobian_rate, q, v, frame=frame, axes=axes), of(inverse_dynamics.bias_forces, q, v)
    answers = np.linalg.solve(of(mass_matrix.mass_matrix, q), np.concatenate([transposed(J), h[..., None]], axis=-1))
    mobility = J @ answers[..., :6]
    regular = np.array([operational.is_regular(x, least) for x in mobility])
    inertia = np.linalg.inv(np.where(regular[:, None, None], mobility, np.nan))
    return inertia, times(inertia, (J @ answers[..., 6:])[..., 0] - times(rate, v))


#: by algorithm
COMPOSED: dict[Any, Callable[..., Any]] = {
    mass_matrix.mass_matrix_inverse: inverse_mass_matrix,
    coriolis.christoffel: christoffel_symbols,
    forward_dynamics.forward_dynamics_by_composite_bodies: accelerations,
    by_body.contributions: contributions,
    operational.operational_space: operational_spaces,
}
