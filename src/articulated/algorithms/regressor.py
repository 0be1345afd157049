"""Linearity in the inertial parameters: tau = Y pi (SUSTech ch. 9, section 4.4)."""

import numpy as np

from ..algebra.scalars import Array, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from ..model.parameters import from_parameters, to_parameters
from .kinematics import motions, upwards


def regressor(model: Model, q: Array, v: Array, a: Array) -> Array:
    """Y with tau = Y @ parameters for the links alone: no friction, no rotors, no springs."""
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    units = [from_parameters(unit) for unit in np.eye(10, dtype=int).tolist()]
    Y = zeros(model.nv, 10 * len(model.bodies))
    for b in model.bodies:
        # the force on b per unit of each of its parameters, felt at every joint that carries b
        F = np.stack([unit @ A[b] + cross_force(V[b], unit @ V[b]) for unit in units], axis=1)
        for j in b.support():
            Y[j.dofs, 10 * b.index - 10 : 10 * b.index] += j.S.T @ F
            F = X[j].force_out(F)
    return Y


def parameters(model: Model) -> Array:
    """pi, (10 nb,): the ten parameters of every body, in body order."""
    return np.concatenate([zeros(0), *(to_parameters(b.inertia) for b in model.bodies)])
