"""From ordered links to bodies and frames: fixed links merged, coordinates numbered, gears resolved."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..algebra.scalars import Array, exact, exact_array
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError, unknown
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
        if joint.mimic is None:
            b.coords, b.dofs = slice(nq, nq + joint.nq), slice(nv, nv + joint.nv)
            nq, nv = nq + joint.nq, nv + joint.nv
        b.S = b.joint_subspace
    for b in bodies:
        if b.joint.mimic is not None:
            _follow(b, by_name)


def _follow(b: Draft, by_name: Mapping[str, Body]) -> None:
    """Resolve a mimic joint to the free joint at the end of its chain: q = multiplier·y + offset."""
    seen = [b.joint.name]
    leader: Body = b
    multiplier: Any = 1
    offset: Any = 0
    while leader.joint.mimic is not None:
        name, factor, shift = leader.joint.mimic
        if name not in by_name:
            raise unknown(f"joint for {seen[-1]!r} to mimic:", name, "the robot", by_name)
        if name in seen:
            raise ModelError(f"mimic joints follow each other in a circle: {' → '.join([*seen, name])}")
        seen.append(name)
        multiplier, offset = multiplier * factor, offset + multiplier * shift
        leader = by_name[name]
    if not b.joint.nq == b.joint.nv == leader.joint.nq == leader.joint.nv == 1:
        raise ModelError(f"joint {b.joint.name!r} mimics {leader.joint.name!r}: both must have one coordinate")
    b.leader, b.multiplier, b.offset = leader, exact(multiplier, 0.0), exact(offset, 0.0)
    b.coords, b.dofs, b.S = leader.coords, leader.dofs, b.multiplier * b.S
