"""Terms of the joints in identification: their names and units, and what the robot has of them already."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algorithms.regressor import TERMS
from ..algorithms.sensors import sensed
from ..inputs.choices import robot_first
from ..robot import Robot
from ..robot.arguments.state_names import SPATIAL, component_names, component_units
from ..robot.quantities.arguments import joint_terms

#: of the ten parameters of a body
UNITS = ("kg", *["kg m"] * 3, *["kg m²"] * 6)


def driven(robot: Robot) -> NDArray[np.bool_]:
    """(nv,): whether a velocity is that of a joint that can rub; a floating base is not one."""
    out = np.zeros(robot.nv, bool)
    for b in robot.model.bodies:
        if not b.joint.floats:
            out[b.dofs] = True
    return out


def term_names(robot: Robot, terms: Sequence[str]) -> list[str]:
    """`elbow viscous`, term by term of each velocity."""
    return [f"{joint} {name}" for joint in component_names(robot.model, "v") for name in terms]


def term_units(robot: Robot, terms: Sequence[str]) -> list[str]:
    """N m s/rad and so on, in the order of `term_names`."""
    torques = component_units(robot.model, "tau")
    units = [(torque, TERMS[name].unit) for torque in torques for name in terms]
    return [f"{torque}{'' if unit[:1] == '/' else ' '}{unit}".strip() if torque == "N m" else
            f"{torque} {unit.replace('rad', 'm')}".replace(" /", "/").strip() for torque, unit in units]  # fmt: skip


class RegressorNames(NamedTuple):
    """Names of the rows and columns of a regressor, and units of what its columns are multiplied with."""

    rows: list[str]
    columns: list[str]
    units: list[str]


def regressor_names(
    robot: Robot, friction: Any = (), wrenches: Sequence[str] = (), sensors: Sequence[str] = ()
) -> RegressorNames:
    """Names of the rows and columns of `robot.regressor(q, v, a, …)` with the same arguments.

    Parameters
    ----------
    robot : a Robot
    friction : terms of the joints
    wrenches : frames of forces
    sensors : links on fixed joints that have a force sensor

    Returns
    -------
    RegressorNames(rows, columns, units)

    Examples
    --------
    >>> import articulated as art
    >>> names = art.regressor_names(art.load("2r"), friction="viscous", wrenches=["tip"])
    >>> names.columns[-8:-4], names.units[-8:-4]
    (['joint1 viscous', 'joint2 viscous', 'tip_x', 'tip_y'], ['N m s/rad', 'N m s/rad', 'N', 'N'])
    """
    model = sensed(robot_first("regressor_names", robot).model, sensors) if len(sensors) else robot.model
    robot, terms = Robot(model), joint_terms("regressor_names", friction)
    forces = [f"{model.frame(name).name}_{part}" for name in wrenches for part in SPATIAL]
    columns = [*robot.parameter_names, *term_names(robot, terms), *forces]
    units = [*UNITS * len(model.bodies), *term_units(robot, terms), *[*["N"] * 3, *["N m"] * 3] * len(wrenches)]
    return RegressorNames(component_names(model, "tau"), columns, units)


def known_torque(robot: Robot, v: Any, a: Any, terms: Sequence[str]) -> NDArray[np.floating]:
    """The torque of friction and rotors that the robot has and that are not among the terms to be found; (…, nv), or
    one zero."""
    tau = np.zeros(1)
    for b in robot.model.bodies:
        known = {name: getattr(b, term.field) for name, term in TERMS.items() if term.field and name not in terms}
        if any(known.values()):
            tau = np.zeros(v.shape) if tau.ndim < v.ndim else tau
            rate, gear = b.multiplier * v[..., b.dofs], b.multiplier
            felt = {"viscous": rate, "coulomb": np.sign(rate), "armature": gear * a[..., b.dofs]}
            tau[..., b.dofs] += gear * sum(x * felt[name] for name, x in known.items())
    return tau


def own_values(robot: Robot, terms: Sequence[str]) -> NDArray[np.floating]:
    """The numbers of the terms that the robot has, (nv, terms); zero for those it has not."""
    out = np.zeros((robot.nv, len(terms)))
    for b in robot.model.bodies:
        for k, name in enumerate(terms):
            gear = abs(b.multiplier) if name == "coulomb" else b.multiplier**2
            out[b.dofs, k] += gear * getattr(b, TERMS[name].field) if TERMS[name].field else 0.0
    return out
