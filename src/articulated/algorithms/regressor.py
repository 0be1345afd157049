"""Linearity in the inertial parameters: tau = Y pi (SUSTech ch. 9, section 4.4), and in numbers of the joints."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, sqrt, zeros
from ..algebra.spatial import cross_force
from ..model import Model
from ..model.parameters import from_parameters, to_parameters
from .jacobians import force_map
from .kinematics import motions, upwards
from .sensors import sensed, with_sensors

#: rad/s or m/s below which dry friction is not yet dry; on a Panda 0.02 to 0.1 predict equally well
SLOW = 0.05


class Term(NamedTuple):
    """A torque of a joint that is linear in one number.

    factor: of its q, v and a: what that number is multiplied with
    unit: of the number, after that of tau
    positive: no joint has a negative one
    field: name of the number in a joint of the robot, if it has one
    """

    factor: Callable[[Any, Any, Any], Any]
    unit: str
    positive: bool = False
    field: str = ""


def _smooth_sign(v: Any) -> Any:
    """Sign of v beyond SLOW: as tanh, of square roots."""
    x = v * v
    return v / sqrt(sqrt(x * x + SLOW**4))


TERMS = {
    "viscous": Term(lambda q, v, a: v, "s/rad", True, "damping"),
    "coulomb": Term(lambda q, v, a: _smooth_sign(v), "", True, "friction"),
    "offset": Term(lambda q, v, a: 1, ""),
    "armature": Term(lambda q, v, a: a, "s²/rad", True, "armature"),
    "spring": Term(lambda q, v, a: q, "/rad", True),
    "stribeck": Term(lambda q, v, a: _smooth_sign(v) / (1 + (v / (4 * SLOW)) * (v / (4 * SLOW))), ""),
}


def joint_factors(model: Model, q: Array, v: Array, a: Array, friction: Sequence[str]) -> Array:
    """Factors (nv, terms) of what joints do by themselves; none of a free base, no spring of several coordinates."""
    found = zeros(model.nv, len(friction))
    for b in model.independent:
        if not b.joint.floats:
            for k in range(b.dofs.start, b.dofs.stop):
                position = q[b.coords.start] if b.joint.nq == b.joint.nv == 1 else 0
                found[k] = [TERMS[name].factor(position, v[k], a[k]) for name in friction]
    return found


def regressor(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    friction: Sequence[str] = (),
    wrenches: Sequence[str] = (),
    sensors: Sequence[str] = (),
) -> Array:
    """Y with tau = Y @ parameters for the links, for terms of the joints, and for forces on frames.

    The columns of `friction=` stand behind them, terms by terms of each velocity; none of a free base.  Six columns for
    each frame of `wrenches=` follow, and each of `sensors=` adds six rows, the wrench [force; moment] that what is
    beyond it takes, in its axes: its own body is cut there.  `art.regressor_names` has the names.
    """
    if len(sensors):
        whole = sensed(model, sensors)
        return regressor(whole, q, with_sensors(whole, v), with_sensors(whole, a), friction, wrenches)
    X, V, A = motions(model, q, v, a, base_acceleration=upwards(model))
    units = [from_parameters(unit) for unit in np.eye(10, dtype=int).tolist()]
    Y = zeros(model.nv, 10 * len(model.bodies))
    for b in model.bodies:
        # the force on b per unit of each of its parameters, felt at every joint that carries b
        F = np.stack([unit @ A[b] + cross_force(V[b], unit @ V[b]) for unit in units], axis=1)
        for j in b.support():
            Y[j.dofs, 10 * b.index - 10 : 10 * b.index] += j.S.T @ F
            F = X[j].force_out(F)
    own = zeros(model.nv, model.nv, len(friction))
    own[range(model.nv), range(model.nv)] = joint_factors(model, q, v, a, friction)
    return np.concatenate([Y, own.reshape(model.nv, -1), -force_map(model, q, wrenches)], axis=1)


def parameters(model: Model) -> Array:
    """pi, (10 nb,): the ten parameters of every body, in body order."""
    return np.concatenate([zeros(0), *(to_parameters(b.inertia) for b in model.bodies)])
