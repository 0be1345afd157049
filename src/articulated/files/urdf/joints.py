"""URDF joints: type, axis, limits, friction, and the joints that follow another one."""

from collections.abc import Mapping
from itertools import islice
from math import inf, isfinite, pi
from typing import Any, NamedTuple

from ...algebra.scalars import array, exact
from ...algebra.spatial import Transform
from ...joints import Continuous, Fixed, Floating, Joint, Limits, Mimic, Planar, Prismatic, Revolute, Spherical
from ...model.assemble import Gear, circle, gears
from ..numbers import plain_numbers
from ..xml import Element
from .parts import Reader, read_origin

JOINT_TYPES: dict[str, type[Joint]] = {
    "revolute": Revolute, "continuous": Continuous, "prismatic": Prismatic, "fixed": Fixed,
    "floating": Floating, "planar": Planar, "spherical": Spherical,
}  # fmt: skip
WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
BOUNDED = ("revolute", "prismatic")
SEVERAL = ("floating", "spherical", "planar")  # coordinates
LIMITS, DYNAMICS = ("lower", "upper", "velocity", "effort"), ("damping", "friction")
#: elements and attributes that a type of joint cannot have
IDLE: dict[str, dict[str, tuple[str, ...]]] = {
    "fixed": {"limit": LIMITS, "dynamics": DYNAMICS, "mimic": ("joint",)},
    "continuous": {"limit": LIMITS[:2]},
    **{kind: {"limit": LIMITS} for kind in SEVERAL},
}
TURNS = 8 * pi  # rad: four turns; a larger limit, up to 360, looks like degrees
FAR = 1e9  # m or rad: a limit this far away is none; it is written where URDF asks for one that is absent


class Arc(NamedTuple):
    """A <joint>: what it connects, where, and how it moves."""

    name: str
    parent: str
    child: str
    joint: Joint
    placement: Transform
    element: Element


def read_joint(reader: Reader, element: Element, version: str) -> Arc:
    """One <joint> element."""
    name = reader.attribute(element, "name")
    reader = reader.of(f"joint {name!r}")
    reader.unknown_children(element)
    parent, child = (_end(reader, element, tag) for tag in ("parent", "child"))
    joint = _joint(reader, element, name, version)
    return Arc(name, parent, child, joint, read_origin(reader, element), element)


def _end(reader: Reader, element: Element, tag: str) -> str:
    end = reader.child(element, tag, needed=True)
    return reader.attribute(end, "link") if end else ""


def _joint(reader: Reader, element: Element, name: str, version: str) -> Joint:
    kind = reader.attribute(element, "type")
    if kind not in JOINT_TYPES:
        if "type" in element.attributes:
            hint = reader.report.did_you_mean(kind, JOINT_TYPES)
            reader.add("URDF022", f"no joint type {kind!r} in URDF{hint}", element, kind)
        return Fixed(name=name)
    _note_idle(reader, element, kind)
    data: dict[str, Any] = {} if kind == "fixed" else _friction(reader, element)
    if kind not in SEVERAL and kind != "fixed":
        data |= {"limits": _limits(reader, element, kind, version), "mimic": _mimic(reader, element)}
    elif kind != "fixed" and (mimic := reader.child(element, "mimic")):
        reader.add("URDF054", f"a {kind} joint cannot follow another", mimic)
    if kind in WITH_AXIS:
        data["axis"] = _axis(reader, element)
    return JOINT_TYPES[kind](name=name, **data)


def _note_idle(reader: Reader, element: Element, kind: str) -> None:
    """A note on data that a joint of this type cannot have, except zeros, which exporters write everywhere."""
    for tag, names in IDLE.get(kind, {}).items():
        for child in element.all(tag):
            said = {name: x[:20] for name, x in child.attributes.items() if name in names}
            if any(plain_numbers(x) != (0.0,) for x in said.values()):
                shown = " ".join([tag, *(f'{name}="{x}"' for name, x in said.items())])
                reader.add("URDF034", f"<{shown}> on a {kind} joint", child)


def _axis(reader: Reader, element: Element) -> tuple[float, ...]:
    axis = reader.child(element, "axis")
    if axis is None:
        return (1, 0, 0)
    reader.attribute(axis, "xyz")
    xyz = reader.numbers(axis, "xyz", (1.0, 0.0, 0.0))
    length = sum(x * x for x in xyz) ** 0.5
    if length < 1e-12:
        reader.add("URDF027", f"{axis}: the axis is zero", axis)
        return (1, 0, 0)
    if abs(length - 1) > 1e-3:
        unit = " ".join(f"{x / length:.17g}" for x in xyz)
        reader.mend("URDF028", f"{axis}: the axis has length {length:g}", axis, axis.attributes["xyz"], unit)
    return xyz


def _limits(reader: Reader, element: Element, kind: str, version: str) -> Limits:
    limit = reader.child(element, "limit")
    # from URDF 1.2 on, a limit that is not written does not exist; before, all four had to be
    if version != "1.2" and kind in BOUNDED:
        absent = [name for name in LIMITS if limit is None or name not in limit.attributes]
        if absent:
            reader.add("URDF026", f"a {kind} joint without limit for {', '.join(absent)}", limit or element)
    if limit is None:
        return Limits()
    lower, upper = reader.number(limit, "lower", -inf), reader.number(limit, "upper", inf)
    if kind == "continuous":
        lower, upper = -inf, inf
    velocity, effort = reader.number(limit, "velocity", inf), reader.number(limit, "effort", inf)
    if lower > upper:
        text = f'<limit lower="{lower:g}" upper="{upper:g}">: lower is greater than upper'
        if reader.mend("URDF024", text, limit, f"{lower:g} … {upper:g}", f"{upper:g} … {lower:g}"):
            lower, upper = upper, lower
    if velocity < 0 or effort < 0:
        text = f"{limit}: velocity or effort is negative"
        if reader.mend("URDF025", text, limit, f"{velocity:g}, {effort:g}", f"{abs(velocity):g}, {abs(effort):g}"):
            velocity, effort = abs(velocity), abs(effort)
    if kind == "revolute" and TURNS < max(abs(lower), abs(upper)) <= 360:
        reader.add("URDF055", f"{limit}: {max(abs(lower), abs(upper)) / (2 * pi):.3g} turns", limit)
    if idle := [name for name, x in (("velocity", velocity), ("effort", effort)) if x == 0]:
        reader.add("URDF056", f"{limit}: {' and '.join(idle)} zero", limit)
    return Limits(lower if lower > -FAR else -inf, upper if upper < FAR else inf, velocity, effort)


def _friction(reader: Reader, element: Element) -> dict[str, float]:
    dynamics = reader.child(element, "dynamics")
    if dynamics is None:
        return {}
    data = {name: exact(reader.number(dynamics, name), 0.0) for name in DYNAMICS}
    for name, value in data.items():
        if value < 0 and reader.mend("URDF033", f"{dynamics}: the {name} is negative", dynamics, value, 0):
            data[name] = 0
    return data


def _mimic(reader: Reader, element: Element) -> Mimic | None:
    mimic = reader.child(element, "mimic")
    if mimic is None:
        return None
    leader = reader.attribute(mimic, "joint")
    return Mimic(leader, reader.number(mimic, "multiplier", 1.0), reader.number(mimic, "offset"))


def resolve_mimics(reader: Reader, arcs: list[Arc]) -> list[Arc]:
    """Check whom each joint follows; a follower of a fixed joint becomes fixed where that one holds it."""
    by_name = {arc.name: arc for arc in arcs}
    mimics = {arc.name: arc.joint.mimic for arc in arcs}
    found = gears(mimics)
    resolved = []
    for arc in arcs:
        own, gear = reader.of(f"joint {arc.name!r}"), found[arc.name]
        if gear.fault:
            arc = _refused(own, arc, gear, mimics)
        elif arc.joint.mimic:
            arc = _resolved(own, arc, gear, by_name[gear.leader])
        resolved.append(arc)
    return resolved


def _resolved(reader: Reader, arc: Arc, gear: Gear, leader: Arc) -> Arc:
    at, offset = arc.element.all("mimic")[0], gear.offset
    if not (isfinite(gear.multiplier) and isfinite(offset)):
        reader.add("URDF012", f"follows {leader.name!r} with the factor {gear.multiplier} and offset {offset}", at)
    elif not leader.joint.nv:
        reader.mend("URDF053", f"follows the fixed joint {leader.name!r}", at, "mimic", f"fixed at {offset:g}")
        held = arc.placement @ arc.joint.transform(array([offset]))
        return arc._replace(joint=Fixed(name=arc.name), placement=held)
    elif leader.joint.nq != 1:
        reader.add("URDF054", f"follows {leader.name!r}, a joint with {leader.joint.nq} coordinates", at)
    return arc


def _refused(reader: Reader, arc: Arc, gear: Gear, mimics: Mapping[str, Mimic | None]) -> Arc:
    """One finding for each joint that cannot be followed, none for its followers."""
    at, name = arc.element.all("mimic")[0], arc.joint.mimic.joint  # type: ignore[union-attr]
    if name not in mimics:
        text = f"no joint {name!r} to follow{reader.report.did_you_mean(name, mimics)}"
        if reader.mend("URDF050", text, at, f"follows {name}", "moves freely"):
            return arc._replace(joint=arc.joint.replace(mimic=None))
    elif name == arc.name:
        reader.add("URDF051", "follows itself", at)
    elif gear.leader == arc.name:  # of a circle
        shown = " → ".join([*islice(circle(mimics, arc.name), 19), arc.name])
        reader.add("URDF052", f"joints follow each other in a circle: {shown}", at)
    return arc
