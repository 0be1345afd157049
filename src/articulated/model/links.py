"""Parts of a tree: links as described, bodies as they move, frames as they are addressed."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np

from ..algebra.scalars import Array, Vector, array
from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError, unexpected
from ..inputs.frozen import Frozen, read_only
from ..joints import JOINTS, Fixed, Joint
from ..text import shortened
from .shapes import Shape


@dataclass(frozen=True, eq=False)
class Link(Frozen):
    """A rigid part and the joint that carries it.

    Parameters
    ----------
    name : of the link, and of its frame
    parent : name of the link that carries it; None: the world
    joint : how it moves; fixed if not given
    placement : of the joint in the frame of the parent
    inertia : in the frame of this link
    shapes : for contacts and pictures
    frames : (name, Transform): further frames on this link
    tail : of the link's frame in the moved side of the joint

    Examples
    --------
    >>> arm = art.Link("arm", None, art.Revolute((0, 1, 0)), art.Transform(p=(0, 0, 1)), art.Inertia(2.0, (0.5, 0, 0)))
    >>> art.build([arm]).joint_names
    ['arm']
    """

    name: str
    parent: str | None = None
    joint: Joint = field(default_factory=Fixed)
    placement: Transform = IDENTITY  # of the joint in the parent link
    inertia: Inertia = field(default_factory=Inertia)  # in the frame of this link
    shapes: Sequence[Shape] = ()
    frames: Sequence[tuple[str, Transform]] = ()  # further named frames on this link
    tail: Transform = IDENTITY  # of the link's frame in the moved side of the joint

    def __post_init__(self) -> None:
        named = type(self.name) is str and (self.parent is None or type(self.parent) is str)
        placed = type(self.placement) is type(self.tail) is Transform and type(self.inertia) is Inertia
        known = getattr(self.joint, "kind", None) in JOINTS
        if not (named and placed and known):
            for name, kind in _KINDS.items():
                if not isinstance(given := getattr(self, name), kind):
                    wanted = "the name of a link, or None for the world" if name == "parent" else f"a {kind.__name__}"
                    raise ModelError(f"link {self.name!r}: its {name} is {wanted}; got {shortened(repr(given))}")
        if type(self.shapes) is not tuple or type(self.frames) is not tuple or self.shapes or self.frames:
            shapes = _each(self, "shapes", lambda x: isinstance(x, Shape), "a list of shapes")
            frames = _each(self, "frames", _is_frame, "a list of (name, Transform)")
            object.__setattr__(self, "shapes", shapes)
            object.__setattr__(self, "frames", tuple(map(tuple, frames)))
        if not known:
            for name, value in vars(self.joint).items():
                if type(value) is np.ndarray:
                    object.__setattr__(self.joint, name, read_only(value))

    def replace(self, **changes: Unpack[LinkChanges]) -> Link:
        """The link with some fields changed.

        Parameters
        ----------
        changes : fields of a Link by name: name, parent, joint, placement, inertia …

        Returns
        -------
        a Link

        Examples
        --------
        >>> art.Link("hand", None, art.Revolute((0, 0, 1))).replace(name="claw").name
        'claw'
        """
        for name in changes.keys() - self.__dataclass_fields__.keys():
            raise unexpected("replace of a link", name, self.__dataclass_fields__)
        return replace(self, **changes)


#: types of the fields of a link that hold one thing
_KINDS: dict[str, Any] = {
    "name": str, "parent": (str, NoneType), "joint": Joint, "placement": Transform, "inertia": Inertia,
    "tail": Transform,
}  # fmt: skip


def _each(link: Link, name: str, fits: Callable[[Any], bool], wanted: str) -> tuple[Any, ...]:
    """A list of a link's, its members looked at."""
    try:
        members = tuple(getattr(link, name))
    except TypeError:
        members = (None,)
    if not all(map(fits, members)):
        raise ModelError(f"link {link.name!r}: its {name} are {wanted}; got {shortened(repr(getattr(link, name)))}")
    return members


def _is_frame(x: Any) -> bool:
    pair = isinstance(x, (tuple, list)) and len(x) == 2
    return pair and isinstance(x[0], str) and isinstance(x[1], Transform)


class LinkChanges(TypedDict, total=False):
    """The fields of a link that `replace` changes."""

    name: str
    parent: str | None
    joint: Joint
    placement: Transform
    inertia: Inertia
    shapes: Sequence[Shape]
    frames: Sequence[tuple[str, Transform]]
    tail: Transform


class Body(Frozen):
    """A moving body of the tree: a link with everything welded to it."""

    __slots__ = (
        "S", "armature", "coords", "damping", "dofs", "friction", "index", "inertia", "joint", "leader",
        "multiplier", "name", "offset", "parent", "placement", "rest", "stiffness", "tail",
    )  # fmt: skip
    name: str
    index: int  # its number, from 1; 0 is the base
    parent: Body | None
    joint: Joint
    placement: Transform  # of the joint in the parent body
    tail: Transform  # of this body's frame in the moved side of the joint
    inertia: Inertia
    coords: slice  # its part of q
    dofs: slice  # its part of v; a mimic joint shares that of the joint it follows
    damping: Any  # of its joint, as the four that follow are
    friction: Any
    armature: Any
    stiffness: Any
    rest: Array  # coordinates of its joint without spring force
    leader: Body  # the body whose joint this one's mimics; itself if it moves freely
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

    def stretch(self, q: Vector) -> Array:
        """Elongation of the spring of its joint."""
        return self.joint.stretch(self.rest, self.position(q))

    @property
    def joint_subspace(self) -> Array:
        """Motion subspace per unit of the joint's own velocity; differs from S for a mimic joint."""
        if self.tail is IDENTITY:
            return self.joint.S
        return np.stack([self.tail.motion_in(column) for column in self.joint.S.T], axis=1)

    def support(self) -> Iterator[Body]:
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
        """The body itself, which does not change any more."""
        self.S = read_only(self.S)
        self.__class__ = Body  # type: ignore[assignment]
        return self


class Frame(NamedTuple):
    """A named place on a body (None: on the world)."""

    name: str
    body: Body | None
    placement: Transform
