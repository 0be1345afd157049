"""Motors on the links that carry them: rotors that turn faster than the joints they drive."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..algebra.scalars import Scalar, Vector, eye
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError, ShapeError, unknown
from ..inputs import numbers
from ..joints import Mimic, Revolute
from ..joints.data import UNLIMITED
from ..text import shortened
from .links import Link
from .model import Model


class Motor(NamedTuple):
    """A motor that drives a joint: its rotor turns `ratio` times as fast, relative to the link that carries it.

    Parameters
    ----------
    joint : name of the joint it drives
    ratio : of the gears
    inertia : of the rotor about its axis: kg m²
    on : the link that carries the motor; none: the one before the joint
    axis : of the rotor, (3,) in that link; none: that of the joint
    at : where its rotor is, (3,) m in that link; none: on the axis of the joint
    mass : of the rotor, kg, if the link's does not hold it already
    across : inertia about any axis across the rotor's: kg m²; 0: the link's own holds it

    Examples
    --------
    >>> art.load("2r").add_motors([art.Motor("joint2", ratio=100, inertia=1e-5)]).nv
    2
    """

    joint: str
    ratio: Scalar
    inertia: Scalar
    on: str | None = None
    axis: Vector | None = None
    at: Vector | None = None
    mass: Scalar = 0
    across: Scalar = 0


def with_motors(model: Model, motors: Sequence[Motor]) -> Model:
    """The robot with these motors: a rotor is a link whose joint follows the one it drives.

    On the world a rotor only turns, which is what `armature` means: ratio² inertia is added to the joint's.
    """
    if isinstance(motors, Motor) or not isinstance(motors, (list, tuple)):
        raise ShapeError(f"add_motors takes a list of art.Motor; got {shortened(repr(motors))}")
    links = list(model.links)
    for motor in motors:
        if not isinstance(motor, Motor):
            raise ShapeError(f"add_motors takes a list of art.Motor; one of them is {shortened(repr(motor))}")
        driven = _driven(model, motor)
        carrier = driven.parent if motor.on is None else motor.on
        if carrier is None:
            # a motor on the world, which carries its weight
            k = [link.name for link in links].index(driven.name)
            felt = links[k].joint.armature + motor.ratio * motor.ratio * motor.inertia
            links[k] = links[k].replace(joint=links[k].joint.replace(armature=felt))
        else:
            links.append(_rotor(model, motor, driven, carrier, {link.name for link in links}))
    return model.changed(links)


def with_series_springs(model: Model, stiffness: Mapping[str, Any], armature: Mapping[str, Any]) -> Model:
    """The robot whose named joints are driven through springs: a joint of the motor, and one of the deflection.

    The motor has the friction and limits of the joint, and turns a link without mass.
    """
    for name, given in (("stiffness", stiffness), ("armature", armature)):
        if not isinstance(given, Mapping):
            raise ShapeError(f"series_elastic: {name} is a dict of numbers by joint; got {shortened(repr(given))}")
    links = {link.joint.name or link.name: link for link in model.links if link.joint.turns or link.joint.slides}
    followed = {link.joint.mimic.joint for link in model.links if link.joint.mimic}
    for name in armature.keys() - stiffness.keys():
        raise unknown("joint in stiffness:", name, "series_elastic", stiffness)
    for name in stiffness:
        if name not in links:
            raise unknown("joint to put a spring in series with:", name, model.name, links)
        if name in followed or links[name].joint.mimic:
            raise ModelError(f"series_elastic: joint {name!r} follows another, or is followed: a gear has no spring")
    changed = {}
    for name, k in stiffness.items():
        link, rotor = links[name], armature.get(name, links[name].joint.armature)
        numbers.not_negative(f"series_elastic: stiffness of {name!r}", k)
        if numbers.not_negative(f"series_elastic: armature of {name!r}", rotor) == 0:
            raise ModelError(f"series_elastic: the motor of {name!r} needs an inertia, armature={{{name!r}: kg m²}}")
        own = link.joint.replace(name=f"{name}_motor", armature=rotor)
        motor = Link(f"{link.name}_motor", link.parent, own, link.placement)
        spring = link.joint.replace(name=name, stiffness=k, rest=0, damping=0, friction=0, armature=0, limits=UNLIMITED)
        changed[link.name] = [motor, link.replace(parent=motor.name, joint=spring, placement=IDENTITY)]
    return model.changed(part for link in model.links for part in changed.get(link.name, [link]))


def _driven(model: Model, motor: Motor) -> Link:
    """The link whose joint it drives; everything it says is looked at."""
    joints = {link.joint.name or link.name: link for link in model.links}
    moving = {name: link for name, link in joints.items() if link.joint.nv == 1 and link.joint.mimic is None}
    driven = moving.get(name) if isinstance(name := motor.joint, str) else None
    if driven is None:
        raise unknown("joint to drive:", name, model.name, moving)
    names = [link.name for link in model.links]
    if motor.on is not None and (not isinstance(motor.on, str) or motor.on not in names):
        raise unknown("link to carry a motor:", motor.on, model.name, names)
    what = f"the motor of {name!r}:"
    numbers.scalar(f"{what} ratio", motor.ratio)
    for field in ("inertia", "mass", "across"):
        numbers.not_negative(f"{what} {field}", getattr(motor, field))
    return driven


def _rotor(model: Model, motor: Motor, driven: Link, carrier: str, taken: set[str]) -> Link:
    own = carrier == driven.parent
    axis = motor.axis
    if axis is None:
        if not own or not (driven.joint.turns or driven.joint.slides):
            raise ModelError(f"the motor of {motor.joint!r} on {carrier!r} needs the axis of its rotor in that link")
        axis = driven.joint.axis  # type: ignore[attr-defined]
    start = driven.placement if own and motor.axis is None else IDENTITY
    placed = start if motor.at is None else Transform.computed(start.R, numbers.numbers("at of a Motor", motor.at, 3))
    joint = Revolute(axis, name=_unused(f"motor of {motor.joint}", taken), mimic=Mimic(motor.joint, motor.ratio))
    along = joint.axis
    about = motor.across * (eye(3) - along[:, None] * along[None, :]) + motor.inertia * along[:, None] * along[None, :]
    return Link(joint.name, carrier, joint, placed, Inertia(motor.mass, (0, 0, 0), about))


def _unused(name: str, taken: set[str]) -> str:
    return name if name not in taken else _unused(f"{name}'", taken)
