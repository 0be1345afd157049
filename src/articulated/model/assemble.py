"""From ordered links to bodies and frames: fixed links merged, coordinates numbered, gears resolved."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ..algebra.scalars import Array, exact, exact_array
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError, unknown
from ..joints.base import rest_of
from ..text import chain_of
from .gears import Gear, circle, gears
from .links import Body, Draft, Frame, Link
from .parameters import merge


def assemble(links: Sequence[Link]) -> tuple[tuple[Body, ...], dict[str, Frame]]:
    """Bodies and frames of links in depth-first order."""
    frames: dict[str, Frame] = {}
    bodies: list[Draft] = []
    parts: dict[Body, list[tuple[Transform, Inertia]]] = {}
    rotations = {id(IDENTITY.R): IDENTITY.R}
    for link in links:
        carrier = frames[link.parent] if link.parent is not None else Frame("world", None, IDENTITY)
        placement = carrier.placement @ _exact(link.placement, rotations)
        body = carrier.body
        if not link.joint.nv:
            placement = placement @ link.tail.exact()
        else:
            body = _body(link, len(bodies) + 1, carrier.body, placement)
            bodies.append(body)
            parts[body] = []
            placement = IDENTITY
        _add_frame(frames, Frame(link.name, body, placement))
        for name, offset in link.frames:
            _add_frame(frames, Frame(name, body, placement @ offset))
        if body:
            parts[body].append((placement, link.inertia))
    for body in bodies:
        own = parts[body]
        body.inertia = (own[0][1] if len(own) == 1 else merge(own)).exact()
    _number_coordinates(bodies)
    return tuple([body.finished() for body in bodies]), frames


def _exact(X: Transform, rotations: dict[int, Array]) -> Transform:
    """`X.exact()`; links that share a rotation, as most of a large file do, go on sharing it."""
    if X is IDENTITY:
        return X
    if id(X.R) not in rotations:
        rotations[id(X.R)] = exact_array(X.R, 1e-14)
    return Transform.computed(rotations[id(X.R)], exact_array(X.p))


def _body(link: Link, index: int, parent: Body | None, placement: Transform) -> Draft:
    body = Draft()
    body.name, body.index, body.parent, body.placement = link.name, index, parent, placement
    body.tail = link.tail.exact()
    body.joint = link.joint if link.joint.name else link.joint.named(link.name)
    return body


def _add_frame(frames: dict[str, Frame], frame: Frame) -> None:
    if frame.name in frames:
        raise ModelError(f"two links or frames are called {frame.name!r}; give each its own name")
    frames[frame.name] = frame


def _number_coordinates(bodies: Sequence[Draft]) -> None:
    """Give each joint its part of q and v; a mimic joint shares that of the joint it follows."""
    by_name: dict[str, Body] = {}
    nq = nv = 0
    for b in bodies:
        joint = b.joint
        if joint.name in by_name:
            raise ModelError(f"two joints are called {joint.name!r}; give each its own name")
        by_name[joint.name] = b
        b.leader, b.multiplier, b.offset = b, 1, 0
        b.damping, b.friction, b.armature = joint.damping, joint.friction, joint.armature
        b.stiffness, b.rest = joint.stiffness, rest_of(joint)
        if joint.mimic is None:
            b.coords, b.dofs = slice(nq, nq + joint.nq), slice(nv, nv + joint.nv)
            nq, nv = nq + joint.nq, nv + joint.nv
        b.S = b.joint_subspace
    found = gears({name: b.joint.mimic for name, b in by_name.items()})
    for b in bodies:
        if b.joint.mimic is not None:
            _follow(b, found[b.joint.name], by_name)


def _follow(b: Draft, gear: Gear, by_name: Mapping[str, Body]) -> None:
    """Let a mimic joint share the coordinate of the free joint at the end of its chain: q = multiplier·y + offset."""
    name = b.joint.name
    if gear.fault == "absent":
        raise unknown(f"joint for {name!r} to mimic:", gear.leader, "the robot", by_name)
    if gear.fault:
        names = list(circle({name: b.joint.mimic for name, b in by_name.items()}, gear.leader))
        raise ModelError(f"mimic joints follow each other in a circle: {chain_of([*names, names[0]])}")
    leader, multiplier, offset = by_name[gear.leader], exact(gear.multiplier, 0.0), exact(gear.offset, 0.0)
    if not b.joint.nq == b.joint.nv == leader.joint.nq == leader.joint.nv == 1:
        raise ModelError(f"joint {name!r} mimics {leader.joint.name!r}: both must have one coordinate")
    if not (_is_finite(multiplier) and _is_finite(offset)):
        raise ModelError(f"joint {name!r} follows {gear.leader!r} with the factor {multiplier} and offset {offset}")
    b.leader, b.multiplier, b.offset = leader, multiplier, offset
    b.coords, b.dofs, b.S = leader.coords, leader.dofs, b.multiplier * b.S


def _is_finite(x: Any) -> bool:
    """Symbols are; they have no value yet."""
    return not isinstance(x, float) or isfinite(x)
