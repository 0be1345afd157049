"""Units and limits of the components of q, v, a and tau."""

from typing import NamedTuple

import numpy as np

from ...joints import Joint
from ...model import Model
from ...robot.arguments.states import joint_limits

#: unit of an angle or a length → of what is measured along it
UNITS = {
    "rad": {"q": "rad", "v": "rad/s", "a": "rad/s²", "tau": "N m"},
    "m": {"q": "m", "v": "m/s", "a": "m/s²", "tau": "N"},
    "": {"q": "", "v": "", "a": "", "tau": ""},
}


def units(model: Model, name: str) -> list[str]:
    """The unit of each number of q, v, a or tau; empty where it has none, as a quaternion."""
    own = [b.joint for b in model.bodies if b.leader is b]
    return [UNITS[along][name] for joint in own for along in _along(joint, name)]


def _along(joint: Joint, name: str) -> list[str]:
    """Angle or length, by the motion subspace: what turns is measured in radians, also if it moves along as well."""
    S = np.array(joint.S, float).reshape(6, joint.nv)
    rates = ["rad" if S[3:, k].any() else "m" for k in range(joint.nv)]
    if name != "q" or joint.nq == joint.nv:
        return rates
    if joint.quaternion is None:
        return [""] * joint.nq
    # what is not the quaternion is how far the body is displaced
    inside = range(joint.nq)[joint.quaternion]
    return ["" if k in inside else "m" for k in range(joint.nq)]


class Bounds(NamedTuple):
    """The range of each number of q, v or tau; infinite where there is none."""

    lower: np.ndarray
    upper: np.ndarray


def bounds(model: Model, name: str) -> Bounds:
    """Limits of the joints: of positions, speeds or efforts."""
    limits = joint_limits(model)
    if name == "q":
        return Bounds(limits.lower, limits.upper)
    most = {"v": limits.velocity, "tau": limits.effort}[name]
    return Bounds(-most, most)
