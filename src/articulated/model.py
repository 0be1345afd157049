"""The kinematic tree: links in any order in, a regularly numbered frozen tree out.

Links on fixed joints are merged into the body that carries them and stay addressable as
frames.  Bodies are numbered depth first in document order, so a child's number is larger
than its parent's (Pisa lecture: the arc i leads to the node i).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .errors import Diagnostic, ModelError, unknown
from .joints import Fixed, Floating, Joint
from .parameters import inertia_defects, merge
from .scalars import Array, Vector, array, exact, exact_array
from .shapes import Shape
from .spatial import Inertia, Transform
from .tree import check_tree, depth_first

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid part and the joint that carries it; `parent=None` is the world."""

    name: str
    parent: str | None = None
    joint: Joint = field(default_factory=Fixed)
    placement: Transform = field(default_factory=Transform)  # of the joint in the parent link
    inertia: Inertia = field(default_factory=Inertia)  # in the frame of this link
    shapes: Sequence[Shape] = ()
    frames: Sequence[tuple[str, Transform]] = ()  # further named frames on this link
    tail: Transform = field(default_factory=Transform)  # of the link's frame in the moved side of the joint

    def replace(self, **changes: Any) -> "Link":
        """The same link with some fields changed."""
        return replace(self, **changes)


class Body:
    """A moving body of the tree: a link with everything welded to it."""

    __slots__ = (
        "S", "armature", "coords", "damping", "dofs", "friction", "index", "inertia", "joint", "leader",
        "multiplier", "name", "offset", "parent", "placement", "tail",
    )  # fmt: skip
    name: str
    index: int  # its number, from 1; 0 is the base
    parent: "Body | None"
    joint: Joint
    placement: Transform  # of the joint in the parent body
    tail: Transform  # of this body's frame in the moved side of the joint
    inertia: Inertia
    coords: slice  # its part of q
    dofs: slice  # its part of v; a mimic joint shares that of the joint it follows
    damping: Any  # of its joint, as `friction` and `armature` are
    friction: Any
    armature: Any
    leader: "Body"  # the body whose joint this one's mimics; itself if it moves freely
    multiplier: Any
    offset: Any
    S: Array  # motion subspace per unit v[dofs], in this body's frame

    def transform(self, q: Array) -> Transform:
        """Pose of this body in its parent."""
        return self.placement @ self.joint.transform(self.multiplier * q[self.coords] + self.offset) @ self.tail

    @property
    def joint_subspace(self) -> Array:
        """Motion subspace per unit of the joint's own velocity; differs from S for a mimic joint."""
        return np.stack([self.tail.motion_in(column) for column in self.joint.S.T], axis=1)

    def support(self) -> "Iterator[Body]":
        """This body and every body between it and the base, outermost first."""
        b: Body | None = self
        while b is not None:
            yield b
            b = b.parent

    def __repr__(self) -> str:
        return f"Body({self.index}, {self.name!r})"


class Frame(NamedTuple):
    """A named place on a body (None: on the world)."""

    name: str
    body: Body | None
    placement: Transform


class Topology(NamedTuple):
    """Lists of the tree, 1-based: entry i-1 belongs to arc or node i; children starts at the base 0."""

    predecessor: list[int]
    successor: list[int]
    parent: list[int]
    children: list[list[int]]


class Model:
    """A frozen kinematic tree; make one with `build`."""

    def __init__(self, links: Sequence[Link], gravity: Vector, name: str, report: Sequence[Diagnostic]):
        self.links = tuple(links)
        self.gravity = exact_array(gravity)
        self.name = name
        self.bodies: tuple[Body, ...]
        self.frames: dict[str, Frame]
        self.bodies, self.frames = _assemble(self.links)
        own = [b for b in self.bodies if b.joint.mimic is None]
        self.nq = sum(b.joint.nq for b in own)
        self.nv = sum(b.joint.nv for b in own)
        self.joint_names = tuple(b.joint.name for b in own)
        self.report = (*report, *_inertial_findings(self.links, {d.element for d in report}))

    @cached_property
    def base_inertia(self) -> Inertia:
        """Everything welded to the world: no dynamics, but it has weight and shape."""
        return merge([(self.frames[k.name].placement, k.inertia) for k in self.links if not self.frames[k.name].body])

    @cached_property
    def armature(self) -> tuple[Any, ...]:
        """Rotor inertia added to each diagonal entry of the mass matrix."""
        total = [0] * self.nv
        for b in self.bodies:
            for k in range(b.joint.nv):
                total[b.dofs.start + k] += b.armature * b.multiplier * b.multiplier
        return tuple(exact(x, 0.0) for x in total)

    def frame(self, name: str) -> Frame:
        """The frame called `name`; an error with the closest name otherwise."""
        try:
            return self.frames[name]
        except (KeyError, TypeError):
            raise unknown("frame", name, self.name, self.frames) from None

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ of the numbered tree."""
        parent = [b.parent.index if b.parent else 0 for b in self.bodies]
        children: list[list[int]] = [[] for _ in range(len(parent) + 1)]
        for i, p in enumerate(parent, start=1):
            children[p].append(i)
        return Topology(list(parent), list(range(1, len(parent) + 1)), parent, children)

    # -- a changed robot is a new robot -------------------------------------------------

    def changed(self, links: Iterable[Link], **settings: Any) -> "Model":
        """The tree of other links with this one's gravity, name and report."""
        given = {"gravity": self.gravity, "name": self.name, "report": self.report, **settings}
        return build(links, **given)

    def replace(self, link: str | None = None, /, **changes: Any) -> "Model":
        """With `link` named: that link's fields changed; without: gravity or name of the robot."""
        if link is None:
            return self.changed(self.links, **changes)
        names = [k.name for k in self.links]
        if link not in names:
            raise unknown("link", link, self.name, names)
        return self.changed(k.replace(**changes) if k.name == link else k for k in self.links)

    def floating(self) -> "Model":
        """The same robot on a free base instead of a fixed one."""
        root = next(k for k in self.links if k.parent is None)
        free = Floating(name="floating_base")
        if isinstance(root.joint, Floating):
            return self
        if isinstance(root.joint, Fixed):
            return self.changed(k.replace(joint=free, placement=Transform()) if k is root else k for k in self.links)
        base = _unused("base", {k.name for k in self.links})
        rest = (k.replace(parent=base) if k is root else k for k in self.links)
        return self.changed([Link(base, None, free), *rest])

    def lock(self, positions: Mapping[str, Any]) -> "Model":
        """The robot with the named joints frozen at the given positions."""
        joints = {b.joint.name: b.joint for b in self.bodies}
        settled = {}
        for name, q in positions.items():
            if name not in joints:
                raise unknown("joint", name, self.name, joints)
            if mimic := joints[name].mimic:
                raise ModelError(f"joint {name!r} mimics {mimic.joint!r}; lock that one instead")
            settled[name] = array(q) if hasattr(q, "__len__") else array([q])
            if len(settled[name]) != joints[name].nq:
                raise ModelError(f"joint {name!r} has {joints[name].nq} coordinates; got {len(settled[name])}")
        frozen = {
            b.name: b.joint.transform(b.multiplier * settled[b.leader.joint.name] + b.offset)
            for b in self.bodies
            if b.leader.joint.name in settled
        }
        return self.changed(
            k.replace(joint=Fixed(name=k.joint.name), placement=k.placement @ frozen[k.name]) if k.name in frozen else k
            for k in self.links
        )

    def frictionless(self) -> "Model":
        """Without joint friction, damping and rotor inertia (what Pinocchio's `rnea` computes)."""
        return self.changed(k.replace(joint=k.joint.replace(damping=0, friction=0, armature=0)) for k in self.links)

    def with_inertias(self, inertias: Mapping[Body, Inertia]) -> "Model":
        """The same tree with other inertias of its bodies; its links stay as they are."""
        twins: dict[Body | None, Body | None] = {None: None}
        for b in self.bodies:
            twin = copy(b)
            twin.inertia, twin.parent = inertias[b], twins[b.parent]
            twins[b] = twin
        for b in self.bodies:
            twins[b].leader = twins[b.leader]  # type: ignore[union-attr]
        other = copy(self)
        other.__dict__.pop("unmimicked", None)
        other.bodies = tuple(twins[b] for b in self.bodies)  # type: ignore[misc]
        other.frames = {name: frame._replace(body=twins[frame.body]) for name, frame in self.frames.items()}
        return other

    @cached_property
    def unmimicked(self) -> "Model":
        """The tree with every mimic joint free; it is this one if there is none."""
        if not any(b.joint.mimic for b in self.bodies):
            return self
        return self.changed(k.replace(joint=k.joint.replace(mimic=None)) for k in self.links)


def build(
    links: Iterable[Link],
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
    report: Sequence[Diagnostic] = (),
) -> Model:
    """A frozen, regularly numbered tree from links in any order; refuses what is not a tree."""
    parts = [part for link in links for part in link.joint.split(link)]
    check_tree([(k.name, k.parent) for k in parts])
    if len(gravity := array(gravity)) != 3:
        raise ModelError(f"gravity has 3 components; got {len(gravity)}")
    order = depth_first([(k.name, k.parent) for k in parts])
    return Model([parts[i] for i in order], gravity, name, report)


def _assemble(links: Sequence[Link]) -> tuple[tuple[Body, ...], dict[str, Frame]]:
    """Bodies and frames of links in depth-first order."""
    frames: dict[str, Frame] = {}
    bodies: list[Body] = []
    parts: dict[Body, list[tuple[Transform, Inertia]]] = {}
    for link in links:
        carrier = frames[link.parent] if link.parent is not None else Frame("world", None, Transform())
        placement = carrier.placement @ link.placement.exact()
        body = carrier.body
        if not link.joint.nv:
            placement = placement @ link.tail.exact()
        else:
            body = _body(link, len(bodies) + 1, carrier.body, placement)
            bodies.append(body)
            parts[body] = []
            placement = Transform()
        _add_frame(frames, Frame(link.name, body, placement))
        for name, offset in link.frames:
            _add_frame(frames, Frame(name, body, placement @ offset))
        if body:
            parts[body].append((placement, link.inertia))
    for body in bodies:
        own = parts[body]
        body.inertia = (own[0][1] if len(own) == 1 else merge(own)).exact()
    _number_coordinates(bodies)
    return tuple(bodies), frames


def _body(link: Link, index: int, parent: Body | None, placement: Transform) -> Body:
    body = Body()
    body.name, body.index, body.parent, body.placement = link.name, index, parent, placement
    body.tail = link.tail.exact()
    body.joint = link.joint if link.joint.name else link.joint.named(link.name)
    return body


def _add_frame(frames: dict[str, Frame], frame: Frame) -> None:
    if frame.name in frames:
        raise ModelError(f"two links or frames are called {frame.name!r}; give each its own name")
    frames[frame.name] = frame


def _number_coordinates(bodies: Sequence[Body]) -> None:
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


def _follow(b: Body, by_name: Mapping[str, Body]) -> None:
    """Resolve a mimic joint to the free joint at the end of its chain: q = multiplier·y + offset."""
    seen, leader = [b.joint.name], b
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


def _inertial_findings(links: Sequence[Link], known: set[str]) -> list[Diagnostic]:
    """A warning for every link no real body could be, unless the reader has said so already."""
    findings = []
    for link in links:
        try:
            defects = inertia_defects(link.inertia)
        except TypeError:  # symbols: nothing to check
            continue
        element = f"link {link.name!r}"
        if defects and element not in known:
            text = f"{element}: {'; '.join(defects)}"
            why = "no real body has these values; dynamics computed with them may not conserve energy"
            fix = "correct the link's inertia"
            findings.append(Diagnostic("warning", "INERTIA001", text, element=element, why=why, fix=fix))
    return findings


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}_"
    return name
