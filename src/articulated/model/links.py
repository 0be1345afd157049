"""What a tree is made of: links as described, bodies as they move, frames as they are addressed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from ..algebra.frozen import Frozen, read_only
from ..algebra.scalars import Array, Vector, array
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..joints import JOINTS, Fixed, Joint
from .shapes import Shape


@dataclass(frozen=True, eq=False)
class Link(Frozen):
    """A rigid part and the joint that carries it; `parent=None` is the world."""

    name: str
    parent: str | None = None
    joint: Joint = field(default_factory=Fixed)
    placement: Transform = IDENTITY  # of the joint in the parent link
    inertia: Inertia = field(default_factory=Inertia)  # in the frame of this link
    shapes: Sequence[Shape] = ()
    frames: Sequence[tuple[str, Transform]] = ()  # further named frames on this link
    tail: Transform = IDENTITY  # of the link's frame in the moved side of the joint

    def __post_init__(self) -> None:
        if self.shapes or self.frames:
            object.__setattr__(self, "shapes", tuple(self.shapes))
            object.__setattr__(self, "frames", tuple((name, placement) for name, placement in self.frames))
        if self.joint.kind not in JOINTS:
            self.joint.freeze()

    def replace(self, **changes: Any) -> "Link":
        """The same link with some fields changed."""
        return replace(self, **changes)


class Body(Frozen):
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

    def transform(self, q: Vector) -> Transform:
        """Pose of this body in its parent."""
        return self.placement @ self.joint.transform(self.position(q)) @ self.tail

    def position(self, q: Vector) -> Array:
        """Coordinates of its own joint."""
        return self.multiplier * array(q[self.coords]) + self.offset

    def rate(self, v: Vector) -> Array:
        """Velocity of its own joint."""
        return self.multiplier * array(v[self.dofs])

    @property
    def joint_subspace(self) -> Array:
        """Motion subspace per unit of the joint's own velocity; differs from S for a mimic joint."""
        if self.tail is IDENTITY:
            return self.joint.S
        return np.stack([self.tail.motion_in(column) for column in self.joint.S.T], axis=1)

    def support(self) -> "Iterator[Body]":
        """This body and every body between it and the base, outermost first."""
        b: Body | None = self
        while b is not None:
            yield b
            b = b.parent

    def __repr__(self) -> str:
        return f"Body({self.index}, {self.name!r})"


class Draft(Body):
    """A body while its tree is put together: its fields can be set."""

    __slots__ = ()
    # both, or Python looks one of them up for every field that is set
    __setattr__ = object.__setattr__  # type: ignore[assignment]
    __delattr__ = object.__delattr__

    def finished(self) -> Body:
        """This very object, which does not change any more."""
        self.S = read_only(self.S)
        self.__class__ = Body  # type: ignore[assignment]
        return self


class Frame(NamedTuple):
    """A named place on a body (None: on the world)."""

    name: str
    body: Body | None
    placement: Transform
