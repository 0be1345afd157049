"""A robot as the text of a URDF file; reading it back gives the same robot."""

import re
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from ...algebra.spatial import Transform
from ...errors import ModelError
from ...joints import Joint
from ...model import STANDARD_GRAVITY, Link, Model
from ...model.shapes import Box, Mesh, Shape, Sphere
from ..writing import frames_as_links, inertia_numbers, kind_in, numbers, pose_numbers, without_tails
from .joints import BOUNDED, JOINT_TYPES

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Written(NamedTuple):
    """A text, and what the format cannot say."""

    text: str
    lost: tuple[str, ...]


def write_urdf(model: Model) -> Written:
    """URDF 1.0, or 1.2 where a joint has no limit for something."""
    links = list(frames_as_links(without_tails(model.links)))
    links = _on_the_world(links)
    lost = [f"joint {k.joint.name!r}: URDF has no armature" for k in links if k.joint.armature]
    if tuple(numbers(model.gravity, model.name)) != STANDARD_GRAVITY:
        lost.append(f"gravity {[float(g) for g in model.gravity]}: URDF has none, readers use {list(STANDARD_GRAVITY)}")
    version = ' version="1.2"' if any(map(_open_ended, links)) else ""
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(model.name)}{version}>"]
    for link in links:
        lines += _link(link)
    for link in links:
        if link.parent is not None:
            lines += _joint(link)
    return Written("\n".join([*lines, "</robot>", ""]), tuple(lost))


def _open_ended(link: Link) -> bool:
    """Whether a limit is absent that URDF 1.0 and 1.1 ask for."""
    return _kind(link.joint) in BOUNDED and any(abs(x) == inf for x in link.joint.limits)


def _on_the_world(links: list[Link]) -> list[Link]:
    """A root that moves, or stands elsewhere than at the origin, on a link for the world."""
    root = next(k for k in links if k.parent is None)
    xyz, rpy = pose_numbers(root.placement, root.name)
    if not root.joint.nv and not any(xyz + rpy):
        return links
    name = "world"
    while name in {k.name for k in links}:
        name += "_"
    return [Link(name), *(k.replace(parent=name) if k is root else k for k in links)]


def _link(link: Link) -> Iterator[str]:
    yield f"  <link name={quoted(link.name)}>"
    body = inertia_numbers(link.inertia, link.name)
    if any(body.values()):
        yield "    <inertial>"
        yield f'      <origin xyz="{_row([body[x] for x in "xyz"])}"/>'
        yield f'      <mass value="{body["mass"]!r}"/>'
        entries = " ".join(f'{name}="{x!r}"' for name, x in body.items() if name.startswith("i"))
        yield f"      <inertia {entries}/>"
        yield "    </inertial>"
    for shape in link.shapes:
        for purpose in ("visual", "collision"):
            if getattr(shape, purpose):
                yield from _shape(shape, purpose, link.name)
    yield "  </link>"


def _shape(shape: Shape, purpose: str, owner: str) -> Iterator[str]:
    yield f"    <{purpose}>"
    yield _origin(shape.placement, owner, "      ")
    yield f"      <geometry>{_solid(shape)}</geometry>"
    if shape.color and purpose == "visual":
        yield f'      <material name=""><color rgba="{_row(shape.color)} 1"/></material>'
    yield f"    </{purpose}>"


def _solid(shape: Shape) -> str:
    if isinstance(shape, Mesh):
        return f'<mesh filename={quoted(shape.address)} scale="{_row(shape.scale)}"/>'
    if isinstance(shape, Box):
        return f'<box size="{_row(shape.size)}"/>'
    if isinstance(shape, Sphere):
        return f'<sphere radius="{float(shape.radius)!r}"/>'
    radius, length = float(shape.radius), float(shape.length)  # type: ignore[attr-defined]
    return f'<{type(shape).__name__.lower()} radius="{radius!r}" length="{length!r}"/>'


def _joint(link: Link) -> Iterator[str]:
    joint, kind = link.joint, _kind(link.joint)
    yield f"  <joint name={quoted(joint.name or link.name)} type={quoted(kind)}>"
    yield _origin(link.placement, link.name, "    ")
    yield f"    <parent link={quoted(link.parent or '')}/>"
    yield f"    <child link={quoted(link.name)}/>"
    if hasattr(joint, "axis"):
        yield f'    <axis xyz="{_row(numbers(joint.axis, link.name).tolist())}"/>'
    limits = {name: x for name, x in joint.limits._asdict().items() if abs(x) != inf}
    if limits and joint.nv == 1:
        written = " ".join(f'{name}="{float(x)!r}"' for name, x in limits.items())
        yield f"    <limit {written}/>"
    if joint.damping or joint.friction:
        damping, friction = numbers([joint.damping, joint.friction], link.name).tolist()
        yield f'    <dynamics damping="{damping!r}" friction="{friction!r}"/>'
    if joint.mimic:
        multiplier, offset = float(joint.mimic.multiplier), float(joint.mimic.offset)
        yield f'    <mimic joint={quoted(joint.mimic.joint)} multiplier="{multiplier!r}" offset="{offset!r}"/>'
    yield "  </joint>"


def _kind(joint: Joint) -> str:
    kind = kind_in("URDF", joint, JOINT_TYPES)
    unlimited = joint.limits.lower == -inf and joint.limits.upper == inf
    return "continuous" if kind == "revolute" and unlimited else kind


def _origin(X: Transform, owner: str, indent: str) -> str:
    xyz, rpy = pose_numbers(X, owner)
    return f'{indent}<origin xyz="{_row(xyz)}" rpy="{_row(rpy)}"/>'


def _row(values: Sequence[float]) -> str:
    return " ".join(repr(float(x)) for x in values)


def quoted(text: str) -> str:
    """An attribute value with its quotes; an error for what XML cannot hold."""
    if bad := NOT_XML.search(text):
        raise ModelError(f"{text[:60]!r} cannot be written in XML: it holds the character {bad[0]!r}; rename it")
    # brings urllib and email along, for which `import articulated` need not wait
    from xml.sax.saxutils import quoteattr

    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
