"""From links in any order to bodies and frames: one tree, fixed links merged, coordinates numbered, gears resolved.

Every way in which links can fail to be a tree is named with its culprits.  No recursion.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from ..algebra.scalars import Array, exact, exact_array
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError, unknown
from ..joints import Mimic
from ..joints.base import rest_of
from ..text import chain_of
from .links import Body, Draft, Frame, Link
from .parameters import merge


def check_tree(arcs: Sequence[tuple[str, str | None]]) -> None:
    """Refuse (link, parent) pairs that are not one tree hanging from the world."""
    if not arcs:
        raise ModelError("a robot needs at least one link")
    parents: dict[str, str | None] = {}
    for name, parent in arcs:
        if name in parents and parents[name] != parent:
            raise ModelError(
                f"link {name!r} has two parents, {parents[name]!r} and {parent!r}; "
                "a kinematic tree has one (closed loops belong into contact constraints)"
            )
        if name in parents:
            raise ModelError(f"two links are called {name!r}; give each its own name")
        parents[name] = parent
    for name, parent in parents.items():
        if parent is not None and parent not in parents:
            raise ModelError(f"link {name!r}: {unknown('parent link', parent, 'the robot', parents)}")
    roots = [name for name, parent in parents.items() if parent is None]
    _refuse_cycles(parents)
    if len(roots) > 1:
        raise ModelError(
            f"several roots: {', '.join(map(repr, roots[:10]))}{' …' if len(roots) > 10 else ''}; "
            "one link may hang from the world (parent=None): put a fixed base link under the others"
        )


def _refuse_cycles(parents: dict[str, str | None]) -> None:
    settled: set[str | None] = {None}
    for start in parents:
        path: dict[str | None, None] = {}
        node: str | None = start
        while node not in settled:
            if node in path:
                names = list(path)
                cycle = [*map(str, names[names.index(node) :]), str(node)][::-1]
                raise ModelError(f"closed loop: {chain_of(cycle)}; cut it and close it again as a contact constraint")
            path[node] = None
            node = parents[str(node)]
        settled.update(path)


def depth_first(arcs: Sequence[tuple[str, str | None]]) -> list[int]:
    """Positions of a tree's links, each parent before its children, children in given order."""
    children: dict[str | None, list[int]] = {}
    for i, (_, parent) in enumerate(arcs):
        children.setdefault(parent, []).append(i)
    order: list[int] = []
    stack = list(reversed(children[None]))
    while stack:
        i = stack.pop()
        order.append(i)
        stack.extend(reversed(children.get(arcs[i][0], ())))
    return order


class Gear(NamedTuple):
    """position = multiplier × (position of `leader`) + offset.

    `fault` is "absent" if the chain ends at a name that no joint has (`leader`), "circle" if it comes back to itself
    (`leader` is the first joint of the circle it meets).
    """

    leader: str
    multiplier: Any = 1
    offset: Any = 0
    fault: str = ""


def gears(mimics: Mapping[str, Mimic | None]) -> dict[str, Gear]:
    """The gear of every joint; a joint without a mimic is its own leader."""
    found: dict[str, Gear] = {}
    for start in mimics:
        path: dict[str, None] = {}
        name = start
        while name not in found and name not in path and (mimic := mimics.get(name)) is not None:
            path[name] = None
            name = mimic.joint
        if name in path:
            found |= {member: Gear(member, fault="circle") for member in circle(mimics, name)}
        elif name not in found:
            found[name] = Gear(name, fault="" if name in mimics else "absent")
        for follower in reversed(path):
            if follower not in found:
                name, factor, shift = mimics[follower]  # type: ignore[misc]
                leader, multiplier, offset, fault = found[name]
                found[follower] = Gear(leader, factor * multiplier, shift + factor * offset, fault)
    return found


def circle(mimics: Mapping[str, Mimic | None], start: str) -> Iterator[str]:
    """The joints of the circle that `start` is part of, each before the one it follows."""
    name = start
    while True:
        yield name
        name = mimics[name].joint  # type: ignore[union-attr]
        if name == start:
            return


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
