"""A robot as the text of a URDF file; reading it back gives the same robot."""

import re
from collections.abc import Iterator
from itertools import count
from math import inf

from ...algebra.rotations import aligning_z
from ...algebra.spatial import Transform
from ...errors import ModelError
from ...joints import Joint, Limits
from ...model import STANDARD_GRAVITY, Link, Model
from ...model.shapes import Capsule, Ellipsoid, Hull, Mesh, Shape
from ...text import counted
from ..writers import (
    Loss,
    Written,
    frames_as_links,
    inertia_numbers,
    kind_in,
    lost_poses,
    numbers,
    pose_numbers,
    row,
    told,
    without_tails,
    word_and_sizes,
)
from .joints import BOUNDED, FAR, JOINT_TYPES

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_urdf(model: Model) -> Written:
    """URDF 1.0, or 1.2 where a joint has no limit for its speed or effort."""
    lost: list[Loss] = []
    links = _with_own_joint_names(_on_the_world(list(frames_as_links(without_tails(map(_upright, model.links))))), lost)
    lost += [loss for k in links for loss in _losses(k)]
    if tuple(numbers(model.gravity, model.name)) != STANDARD_GRAVITY:
        own = [float(g) for g in model.gravity]
        lost.append(("", "", f"gravity {own}: URDF has none, readers use {list(STANDARD_GRAVITY)}"))
    lost += lost_poses(model, "URDF", "; an SRDF file has")
    for what, lines_ in (("spring", model.springs), ("linear actuator", model.actuators)):
        lost += [("", "", f"{counted(len(lines_), what)} between frames: URDF has none")] if lines_ else []
    # URDF 1.0 and 1.1 ask for limits of speed and effort
    bounded = [k.joint.limits for k in links if _kind(k.joint) in BOUNDED]
    version = ' version="1.2"' if any(inf in (x.velocity, x.effort) for x in bounded) else ""
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(model.name)}{version}>"]
    for link in links:
        lines += _link(link)
    for link in links:
        if link.parent is not None:
            lines += _joint(link)
    return Written("\n".join([*lines, "</robot>", ""]), told(lost))


def _upright(link: Link) -> Link:
    """A planar joint with its normal along z, where Pinocchio takes it to be: the same motion of a turned frame."""
    if not link.joint.in_plane or tuple(link.joint.axis) == (0, 0, 1):  # type: ignore[attr-defined]
        return link
    turn = Transform(aligning_z(link.joint.axis))  # type: ignore[attr-defined]
    upright = link.joint.replace(axis=(0, 0, 1))
    return link.replace(joint=upright, placement=link.placement @ turn, tail=turn.inverse() @ link.tail)


def _losses(link: Link) -> Iterator[Loss]:
    """Losses of a link and its joint in URDF."""
    joint, kind, (lower, upper, *_) = link.joint, _kind(link.joint), link.joint.limits
    hinge = kind == "continuous" and kind_in("URDF", joint, JOINT_TYPES) == "revolute"
    open_ended = kind in BOUNDED and (lower == -inf or upper == inf)
    for text, lost in {
        "URDF has no armature": joint.armature,
        "URDF has no springs": joint.stiffness,
        "a spherical joint, which Bullet reads and urdfdom refuses": kind == "spherical",
        f"URDF asks for both position limits; an absent one is written as {FAR:g}": open_ended,
        f"a position limit from {FAR:g} on is read as none": kind in BOUNDED
        and (-inf < lower <= -FAR or FAR <= upper < inf),
        "without limits it is continuous, which has two coordinates (cos, sin) in Pinocchio": hinge,
        "a continuous joint of URDF has no position limits; one with limits is Revolute": kind == "continuous"
        and not hinge
        and (lower, upper) != (-inf, inf),
        "URDF has limits for joints with one coordinate": joint.nv > 1 and joint.limits != Limits(),
    }.items():
        if lost:
            yield "joint", joint.name or link.name, text
    for shape, lost in ((Capsule, "capsules, which urdfdom leaves out"), (Ellipsoid, "ellipsoids, which URDF has not")):
        if any(isinstance(x, shape) for x in link.shapes):
            yield "link", link.name, lost
    for hull in link.shapes:
        if isinstance(hull, Hull):
            meant = "is written as its mesh: with_hulls() makes it again" if hull.address else "of points is left out"
            yield "link", link.name, f"a convex hull, which URDF has not, {meant}"


def _with_own_joint_names(links: list[Link], lost: list[Loss]) -> list[Link]:
    """Every joint under a name of its own; those of welded links may repeat in a robot."""
    taken = {k.joint.name or k.name for k in links if k.joint.nv}
    found = []
    for link in links:
        name = link.joint.name or link.name
        if not link.joint.nv and link.parent is not None:
            own = next(f"{name}{'_' * n}" for n in count() if f"{name}{'_' * n}" not in taken)
            taken.add(own)
            if own != name:
                lost.append(("", "", f"joint {name!r} of link {link.name!r} is called {own!r}"))
                link = link.replace(joint=link.joint.named(own))
        found.append(link)
    return found


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
        yield f'      <origin xyz="{row([body[x] for x in "xyz"])}"/>'
        yield f'      <mass value="{body["mass"]!r}"/>'
        entries = " ".join(f'{name}="{x!r}"' for name, x in body.items() if name.startswith("i"))
        yield f"      <inertia {entries}/>"
        yield "    </inertial>"
    for shape in (x for x in link.shapes if not (isinstance(x, Ellipsoid) or (isinstance(x, Hull) and not x.address))):
        for purpose in ("visual", "collision"):
            if getattr(shape, purpose):
                yield from _shape(shape, purpose, link.name)
    yield "  </link>"


def _shape(shape: Shape, purpose: str, owner: str) -> Iterator[str]:
    yield f"    <{purpose}>"
    yield _origin(shape.placement, owner, "      ")
    yield f"      <geometry>{_solid(shape)}</geometry>"
    if shape.color and purpose == "visual":
        yield f'      <material name=""><color rgba="{row(shape.color)} 1"/></material>'
    yield f"    </{purpose}>"


def _solid(shape: Shape) -> str:
    if isinstance(shape, Mesh):
        return f'<mesh filename={quoted(shape.address)} scale="{row(shape.scale)}"/>'
    word, sizes = word_and_sizes(shape)
    names = {"size": row(sizes)} if word == "box" else dict(zip(("radius", "length"), map(repr, sizes), strict=False))
    return " ".join([f"<{word}", *(f'{name}="{x}"' for name, x in names.items())]) + "/>"


def _joint(link: Link) -> Iterator[str]:
    joint, kind = link.joint, _kind(link.joint)
    yield f"  <joint name={quoted(joint.name or link.name)} type={quoted(kind)}>"
    yield _origin(link.placement, link.name, "    ")
    yield f"    <parent link={quoted(link.parent or '')}/>"
    yield f"    <child link={quoted(link.name)}/>"
    if hasattr(joint, "axis"):
        yield f'    <axis xyz="{row(numbers(joint.axis, link.name).tolist())}"/>'
    known = joint.limits
    if kind in BOUNDED:
        lower, upper = known.lower, known.upper
        known = known._replace(
            lower=min(-FAR, upper) if lower == -inf else lower, upper=max(FAR, lower) if upper == inf else upper
        )
    limits = {name: x for name, x in known._asdict().items() if abs(x) != inf}
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
    return f'{indent}<origin xyz="{row(xyz)}" rpy="{row(rpy)}"/>'


def quoted(text: str) -> str:
    """An attribute value with its quotes; an error for what XML cannot hold."""
    if bad := NOT_XML.search(text):
        raise ModelError(f"{text[:60]!r} cannot be written in XML: it holds the character {bad[0]!r}; rename it")
    # slow to import
    from xml.sax.saxutils import quoteattr

    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
