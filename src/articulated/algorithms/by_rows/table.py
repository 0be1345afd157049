"""Table of recursions over bodies, by the algorithm that they compute, and quantities that are composed of them.

What takes linear algebra is done by NumPy on matrices that loops over bodies give: `of(algorithm, **arrays, **choices)`
gives the results of another algorithm for states (n, size); `of.shared` says whether several joints move with one
velocity, so that articulated bodies do not serve.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...model import Model
from .. import (
    centroidal,
    coriolis,
    energy,
    forward_dynamics,
    inverse_dynamics,
    jacobians,
    kinematics,
    mass_matrix,
    operational,
    regressor,
)
from .. import inverse_dynamics_derivatives as closed_form
from . import dynamics, matrices
from . import kinematics as own
from .rows import Recursion


class Loop(NamedTuple):
    """A recursion by the choices of a call; None if it has none for these."""

    recursion: Callable[..., Recursion | None]
    weightless: bool = False  # without gravity
    frictionless: bool = False
    eliminates: bool = False  # joint by joint, so that it finds accelerations


def _fixed(recursion: Recursion, **facts: bool) -> Loop:
    return Loop(lambda **_: recursion, **facts)


#: the forces that bodies need to move as they do, without acceleration of the joints and without gravity
MOVING_FORCES = "moving forces"
#: the elimination of articulated bodies, and M⁻¹ tau by it: accelerations from rest without gravity
FACTORS, RESPONSE = "factors", "response"
#: derivatives of inverse dynamics by q and v
CHANGES = "changes"
RECURSIONS: dict[Any, Loop] = {
    MOVING_FORCES: _fixed(dynamics.BODY_FORCES, weightless=True),
    CHANGES: _fixed(matrices.DERIVATIVES),
    FACTORS: _fixed(dynamics.FACTORS, eliminates=True),
    RESPONSE: _fixed(dynamics.RESPONSE, weightless=True, eliminates=True),
    inverse_dynamics.inverse_dynamics: _fixed(dynamics.INVERSE_DYNAMICS),
    inverse_dynamics.bias_forces: _fixed(dynamics.INVERSE_DYNAMICS),
    inverse_dynamics.gravity_forces: _fixed(dynamics.GRAVITY_FORCES),
    inverse_dynamics.coriolis_forces: _fixed(dynamics.INVERSE_DYNAMICS, weightless=True, frictionless=True),
    inverse_dynamics.body_wrenches: _fixed(dynamics.WRENCHES),
    inverse_dynamics.gravity_wrenches: _fixed(own.WEIGHTS),
    forward_dynamics.forward_dynamics: _fixed(dynamics.FORWARD_DYNAMICS, eliminates=True),
    forward_dynamics.forward_dynamics_by_articulated_bodies: _fixed(dynamics.FORWARD_DYNAMICS, eliminates=True),
    kinematics.body_motions: _fixed(own.BODY_MOTIONS, weightless=True),
    kinematics.pose_matrix: Loop(lambda frame: own.POSE),
    kinematics.frame_velocity: Loop(lambda frame, axes: own.FRAME_VELOCITY[axes]),
    kinematics.frame_acceleration: Loop(
        lambda frame, axes, spatial: own.FRAME_ACCELERATION[axes, spatial], weightless=True
    ),
    jacobians.jacobian: Loop(lambda frame, axes: own.JACOBIAN[axes]),
    jacobians.jacobian_rate: Loop(lambda frame, axes: own.JACOBIAN_RATE[axes]),
    mass_matrix.screws: _fixed(own.SCREWS),
    mass_matrix.composite_inertias: Loop(lambda axes: own.COMPOSITE_INERTIAS[axes]),
    energy.kinetic_energy: _fixed(own.KINETIC_ENERGY),
    energy.kinetic_energies: _fixed(own.KINETIC_ENERGIES),
    energy.potential_energy: _fixed(own.POTENTIAL_ENERGY),
    energy.potential_energies: _fixed(own.POTENTIAL_ENERGIES),
    centroidal.center_of_mass: _fixed(own.CENTER_OF_MASS),
    centroidal.centroidal_momentum: _fixed(own.CENTROIDAL_MOMENTUM),
    centroidal.centroidal_map: _fixed(own.CENTROIDAL_MAP),
    forward_dynamics.articulated_bodies: _fixed(dynamics.ARTICULATED_BODIES),
    mass_matrix.mass_matrix: _fixed(matrices.MASS_MATRIX),
    mass_matrix.mass_matrix_rate: _fixed(matrices.MASS_MATRIX_RATE),
    coriolis.coriolis_matrix: Loop(lambda factorization: matrices.CORIOLIS_MATRIX.get(factorization)),
    jacobians.body_jacobians: _fixed(matrices.BODY_JACOBIANS),
    jacobians.force_map: Loop(lambda frames, force_axes: matrices.FORCE_MAP[force_axes]),
    regressor.regressor: Loop(
        lambda friction=(), wrenches=(), sensors=(): None if friction or wrenches or sensors else matrices.REGRESSOR
    ),
    operational.manipulability: Loop(
        lambda frame, axes, directions: matrices.manipulability(
            axes, tuple(map(operational.DIRECTIONS.index, directions))
        )
    ),
}


Array = np.ndarray
#: velocities up to which a factorization of M is faster than as many motions
DENSE = 100


class Of(Protocol):
    """Results of other algorithms."""

    shared: bool

    def __call__(self, algorithm: Any, /, **given: Any) -> Any:
        """The results of an algorithm."""


def transposed(M: Array) -> Array:
    """The last two axes swapped."""
    return M.swapaxes(-1, -2)


def times(M: Array, x: Array) -> Array:
    """Matrices times vectors."""
    return (M @ x[..., None])[..., 0]


def responses(of: Of, q: Array, torques: Array) -> Array:
    """M⁻¹ times columns (n, nv, m): by LAPACK, or each as a motion from rest, those of one state a batch."""
    nv, columns = torques.shape[-2:]
    if of.shared or columns >= (nv if nv <= DENSE else 2 * nv):
        return np.linalg.solve(of(mass_matrix.mass_matrix, q=q), torques)
    factors, columns = of(FACTORS, q=q).reshape(len(q), -1), np.ascontiguousarray(transposed(torques))
    found = [
        of(RESPONSE, tau=tau, factors=np.broadcast_to(own, (len(tau), len(own))))
        for own, tau in zip(factors, columns, strict=True)
    ]
    return transposed(np.array(found))


def inverse_mass_matrix(of: Of, model: Model, q: Array) -> Array:
    """The inverse of M."""
    inverse = responses(of, q, np.broadcast_to(np.eye(model.nv), (len(q), model.nv, model.nv)))
    return 0.5 * (inverse + transposed(inverse))


def accelerations(of: Of, model: Model, q: Array, v: Array, tau: Array) -> Array:
    """Forward dynamics by composite bodies."""
    h = of(inverse_dynamics.bias_forces, q=q, v=v)
    return np.linalg.solve(of(mass_matrix.mass_matrix, q=q), (tau - h)[..., None])[..., 0]


def christoffel_symbols(of: Of, model: Model, q: Array) -> Array:
    """Symbols of the first kind: C for each unit velocity."""
    n, nv = len(q), model.nv
    states, units = np.repeat(q, nv, axis=0), np.tile(np.eye(nv), (n, 1))
    C = of(coriolis.coriolis_matrix, q=states, v=units, factorization="christoffel")
    return np.moveaxis(C.reshape(n, nv, nv, nv), 1, -1)


def contributions(of: Of, model: Model, q: Array, v: Array, a: Array | None = None) -> tuple[Array, ...]:
    """M, c, g and tau body by body."""
    J, inertias = of(jacobians.body_jacobians, q=q, at="origin"), _inertias(model)
    M = transposed(J) @ (inertias @ J)
    c = times(transposed(J), of(MOVING_FORCES, q=q, v=v))
    g = -times(transposed(J), of(inverse_dynamics.gravity_wrenches, q=q))
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
    J, rate = (
        of(jacobians.jacobian, q=q, frame=frame, axes=axes),
        of(jacobians.jacobian_rate, q=q, v=v, frame=frame, axes=axes),
    )
    h = of(inverse_dynamics.bias_forces, q=q, v=v)
    answers = responses(of, q, np.concatenate([transposed(J), h[..., None]], axis=-1))
    mobility = J @ answers[..., :6]
    regular = np.array([operational.is_regular(x, least) for x in mobility])
    inertia = np.linalg.inv(np.where(regular[:, None, None], mobility, np.nan))
    return inertia, times(inertia, (J @ answers[..., 6:])[..., 0] - times(rate, v))


def volumes(of: Of, model: Model, q: Array, frame: str, axes: str, directions: Sequence[str]) -> Array:
    """Products of the singular values of some rows of a Jacobian."""
    J = of(jacobians.jacobian, q=q, frame=frame, axes=axes)[:, list(map(operational.DIRECTIONS.index, directions))]
    finite = np.isfinite(J).all(axis=(1, 2))
    found = np.linalg.svd(np.where(finite[:, None, None], J, 0), compute_uv=False).prod(axis=-1)
    return np.where(finite, found, np.nan)


def torque_changes(of: Of, model: Model, wrt: Sequence[str], **state: Array) -> tuple[Array, ...]:
    """Derivatives of inverse dynamics by q, v and a, as far as they are wanted."""
    changes = of(CHANGES, **state) if set(wrt) != {"a"} else np.zeros((0, 0, 0, 2))
    found = {"q": changes[..., 0], "v": changes[..., 1]}
    return tuple(of(mass_matrix.mass_matrix, q=state["q"]) if name == "a" else found[name] for name in wrt)


def acceleration_changes(of: Of, model: Model, wrt: Sequence[str], **state: Array) -> tuple[Array, ...]:
    """Derivatives of forward dynamics by q, v and tau: M⁻¹ times those of inverse dynamics at that acceleration."""
    q, moved = state["q"], [name for name in wrt if name != "tau"]
    if not moved:
        return (inverse_mass_matrix(of, model, q),)
    a = of(forward_dynamics.forward_dynamics, **state)
    changes = dict(zip(moved, torque_changes(of, model, moved, q=q, v=state["v"], a=a), strict=True))
    units = np.broadcast_to(-np.eye(model.nv), (len(q), model.nv, model.nv))
    columns = np.concatenate([changes.get(name, units) for name in wrt], axis=-1)
    return tuple(np.split(-responses(of, q, columns), len(wrt), axis=-1))


#: by algorithm
COMPOSED: dict[Any, Any] = {
    mass_matrix.mass_matrix_inverse: inverse_mass_matrix,
    coriolis.christoffel: christoffel_symbols,
    forward_dynamics.forward_dynamics_by_composite_bodies: accelerations,
    energy.contributions: contributions,
    operational.operational_space: operational_spaces,
}
#: of robots of one-axis joints alone
COMPOSED_OF_ONE_AXIS: dict[Any, Any] = {
    **COMPOSED,
    closed_form.inverse_dynamics_derivatives: torque_changes,
    closed_form.forward_dynamics_derivatives: acceleration_changes,
}
#: where joints move together
COMPOSED_OF_SHARED: dict[Any, Any] = {
    **COMPOSED,
    operational.manipulability: volumes,
    forward_dynamics.forward_dynamics: accelerations,
    forward_dynamics.forward_dynamics_by_articulated_bodies: accelerations,
}
