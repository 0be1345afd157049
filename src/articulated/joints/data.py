"""Limits and mimics of a joint, the data that it refuses, and units of its numbers from its motion subspace."""

from __future__ import annotations  # help shows types as they are written here

from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ModelError
from ..inputs import numbers
from ..text import shortened

if TYPE_CHECKING:
    from .base import Joint


class Limits(NamedTuple):
    """Range of a joint coordinate, and the largest speed and effort.

    Parameters
    ----------
    lower : least coordinate, rad or m
    upper : largest coordinate, rad or m
    velocity : largest speed either way, rad/s or m/s
    effort : largest force either way, N m or N

    Examples
    --------
    >>> art.Revolute((0, 0, 1), limits=art.Limits(-1.5, 1.5, effort=20)).limits.upper
    1.5
    """

    lower: float = -float("inf")
    upper: float = float("inf")
    velocity: float = float("inf")
    effort: float = float("inf")


UNLIMITED = Limits()
#: numbers of a joint that are not negative: what it resists motion with
RESISTANCES = ("damping", "friction", "armature", "stiffness")


class Mimic(NamedTuple):
    """This joint follows another: position = multiplier × (that position) + offset.

    Parameters
    ----------
    joint : name of the one that leads
    multiplier : of its position
    offset : rad or m

    Examples
    --------
    >>> art.Prismatic((0, 1, 0), name="right", mimic=art.Mimic("left", multiplier=-1)).mimic.joint
    'left'
    """

    joint: str
    multiplier: float = 1
    offset: float = 0


def check_limits(told: str, limits: Any) -> None:
    """Refuse limits that leave no position, or are none."""
    if not isinstance(limits, tuple) or len(limits) != len(UNLIMITED):
        raise ModelError(f"{told}limits are Limits(lower, upper, velocity, effort); got {shortened(repr(limits))}")
    lower, upper, *_ = limits
    for name, x in zip(Limits._fields, limits, strict=True):
        if type(x) is not float or x != x:
            numbers.scalar(f"{told}the limit {name}", x)
        if x < 0 and name in ("velocity", "effort"):
            raise ModelError(f"{told}the limit {name} is {x}; it is the largest absolute value")
    if not lower <= upper or lower == inf or upper == -inf:
        raise ModelError(f"{told}no position is between the lower limit {lower} and the upper limit {upper}")


def check_mimic(told: str, mimic: Any) -> None:
    """Refuse what is no relation of two numbers."""
    if not isinstance(mimic, tuple) or len(mimic) != len(Mimic._fields) or not isinstance(mimic[0], str):
        raise ModelError(f"{told}mimic is Mimic(joint, multiplier, offset); got {shortened(repr(mimic))}")
    numbers.scalar(f"{told}the multiplier of its mimic", mimic[1])
    numbers.scalar(f"{told}the offset of its mimic", mimic[2])


def refuse_idle(joint: Joint) -> None:
    """Refuse what would have no effect: anything on a joint that does not move, position limits of a quaternion."""
    limits = joint.limits if isinstance(joint.limits, tuple) else UNLIMITED
    if joint.quaternion is not None and tuple(limits[:2]) != UNLIMITED[:2]:
        raise ModelError(
            f"{_told(joint)}, whose coordinates hold a quaternion: they have no lower and upper limit; "
            "give those of velocity and effort alone, art.Limits(velocity=…, effort=…)"
        )
    if joint.nv:
        return
    values = {name: getattr(joint, name) for name in RESISTANCES}
    idle = [name for name, x in values.items() if not isinstance(x, Real) or x != 0]
    idle += ["limits"] * (limits != UNLIMITED) + ["mimic"] * (joint.mimic is not None)
    if idle:
        raise ModelError(
            f"{_told(joint)}, which does not move: {' and '.join(idle)} would have no effect; "
            "leave out what is not needed, or use a joint that moves"
        )


def _told(joint: Joint) -> str:
    return f"joint {joint.name!r} is {type(joint).__name__}"


#: units of a length, of an angle, and of a part of a quaternion
UNITS = {
    "m": {"q": "m", "v": "m/s", "a": "m/s²", "tau": "N"},
    "rad": {"q": "rad", "v": "rad/s", "a": "rad/s²", "tau": "N m"},
    "": {"q": ""},
}


def units(joint: Joint, name: str) -> list[str]:
    """Unit of each number of q, v, a or tau; empty for a quaternion."""
    return [UNITS[measure][name] for measure in _measures(joint, name)]


def _measures(joint: Joint, name: str) -> list[str]:
    """Angle or length: a column of S with an angular part is measured in radians, also if it moves along as well."""
    rates = ["rad" if any(x != 0 for x in column[3:]) else "m" for column in joint.S.T]
    if name != "q" or joint.nq == joint.nv:
        return rates
    if joint.quaternion is None:
        return [""] * joint.nq
    # the coordinates beside the quaternion are the displacement of the body
    inside = range(joint.nq)[joint.quaternion]
    return ["" if k in inside else "m" for k in range(joint.nq)]
