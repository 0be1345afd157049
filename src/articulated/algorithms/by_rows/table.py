"""Table of recursions over bodies, by the algorithm that they compute."""

from collections.abc import Callable
from typing import Any, NamedTuple

from .. import (
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
    energy.center_of_mass: _fixed(own.CENTER_OF_MASS),
    energy.centroidal_momentum: _fixed(own.CENTROIDAL_MOMENTUM),
    energy.centroidal_map: _fixed(own.CENTROIDAL_MAP),
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
