"""Columns for what a joint does by itself: friction, rotor, spring, offset.

One row of TERMS is one number per joint.  Each column is zero but in the row of its joint, so only the factor of each
joint is computed: (…, nv) for a term.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import unknown
from ..inputs.choices import names as listed_names
from ..inputs.choices import robot_first
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors
from ..robot.arguments.state_names import component_names, component_units

#: rad/s or m/s below which dry friction is not yet dry; on a Panda 0.02 to 0.1 predict equally well
SLOW = 0.05


class Term(NamedTuple):
    """A torque that is linear in one number of each joint.

    factor: of the robot, q, v, a (…, nv): what that number is multiplied with, (…, nv)
    unit: of the number, after that of tau
    positive: no joint has a negative one
    field: name of the number in a joint of the robot, if it has one
    """

    factor: Callable[[Robot, Any, Any, Any], Any]
    unit: str
    positive: bool = False
    field: str = ""


def _own_positions(robot: Robot, q: Any, v: Any, a: Any) -> Any:
    """Positions of joints with one coordinate, zero for others."""
    out = np.zeros(v.shape)
    for b in robot.model.bodies:
        if b.leader is b and b.joint.nq == b.joint.nv == 1:
            out[..., b.dofs] = q[..., b.coords]
    return out


TERMS = {
    "viscous": Term(lambda robot, q, v, a: v, "s/rad", True, "damping"),
    "coulomb": Term(lambda robot, q, v, a: np.tanh(v / SLOW), "", True, "friction"),
    "offset": Term(lambda robot, q, v, a: np.ones_like(v), ""),
    "armature": Term(lambda robot, q, v, a: a, "s²/rad", True, "armature"),
    "spring": Term(_own_positions, "/rad", True),
    "stribeck": Term(lambda robot, q, v, a: np.tanh(v / SLOW) * np.exp(-((v / (4 * SLOW)) ** 2)), ""),
}
#: what a joint nearly always has
USUAL = ("viscous", "coulomb", "offset")


def chosen(method: str, friction: Any) -> tuple[str, ...]:
    """Terms in the order of the table: those named; True is the usual ones, None and False are none."""
    if isinstance(friction, (bool, type(None))):
        return USUAL if friction else ()
    names = [friction] if isinstance(friction, str) else listed_names(f"{method}: friction", friction)
    for name in names:
        if name not in TERMS:
            raise unknown("friction =", name, method, TERMS)
    return tuple(name for name in TERMS if name in names)


def driven(robot: Robot) -> NDArray[np.bool_]:
    """(nv,): whether a velocity is that of a joint that can rub; a floating base is not one."""
    out = np.zeros(robot.nv, bool)
    for b in robot.model.bodies:
        if not b.joint.floats:
            out[b.dofs] = True
    return out


def factors(robot: Robot, q: Any, v: Any, a: Any, terms: Sequence[str]) -> NDArray[np.floating]:
    """(…, nv, terms)."""
    able = driven(robot)
    return np.stack([np.where(able, TERMS[name].factor(robot, q, v, a), 0.0) for name in terms], axis=-1)


def term_names(robot: Robot, terms: Sequence[str]) -> list[str]:
    """`elbow viscous`, term by term of each velocity."""
    return [f"{joint} {name}" for joint in component_names(robot.model, "v") for name in terms]


def term_units(robot: Robot, terms: Sequence[str]) -> list[str]:
    """N m s/rad and so on, in the order of `term_names`."""
    torques = component_units(robot.model, "tau")
    units = [(torque, TERMS[name].unit) for torque in torques for name in terms]
    return [f"{torque}{'' if unit[:1] == '/' else ' '}{unit}".strip() if torque == "N m" else
            f"{torque} {unit.replace('rad', 'm')}".replace(" /", "/").strip() for torque, unit in units]  # fmt: skip


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


def joint_regressor(
    robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, friction: bool | str | Sequence[str] = True
) -> NDArray[np.floating]:
    """Columns of joint friction, rotors, springs and offsets, to stand beside those of `robot.regressor`.

    Parameters
    ----------
    robot : a Robot
    q : configuration, (…, nq)
    v : velocity, (…, nv)
    a : acceleration, (…, nv)
    friction : terms among viscous, coulomb (tanh(v / 0.05)), offset, armature, spring, stribeck; True is the first
        three

    Returns
    -------
    (…, nv, terms nv), the terms of the first velocity first; its numbers are damping, dry friction, … as torques

    Examples
    --------
    >>> import articulated as art
    >>> art.joint_regressor(art.load("2r"), [0, 1], [2, -3], [0, 0], friction=["viscous", "offset"]).tolist()
    [[2.0, 1.0, 0.0, 0.0], [0.0, 0.0, -3.0, 1.0]]
    """
    terms = chosen("joint_regressor", friction)
    vectors = robot_first("joint_regressor", robot).kernels.vectors
    given = {"q": q, "v": v, "a": a}
    q, v, a = (as_vectors("joint_regressor", robot.name, name, x, vectors[name]) for name, x in given.items())
    own = factors(robot, q, v, a, terms) if terms else np.zeros((*v.shape, 0))
    nv, count = robot.nv, len(terms)
    out = np.zeros((*own.shape[:-2], nv, nv, count))
    out[..., range(nv), range(nv), :] = own
    return out.reshape(*own.shape[:-2], nv, nv * count)
