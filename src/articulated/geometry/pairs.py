"""Pairs of shapes of a robot that can meet."""

from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from ..algebra.scalars import exact_array
from ..algebra.spatial import Transform
from ..algorithms.configuration import neutral
from ..algorithms.kinematics import world_poses
from ..errors import ModelError
from ..model import Body, Frame, Link, Model
from ..model.shapes import Shape
from ..text import shortened
from .table import KINDS, PAIRINGS, kind_of

#: bodies with so many joints between them, or fewer, may overlap for good if they do so in the neutral configuration
NEAR = 3


class Solid(NamedTuple):
    """A collision shape and the link that has it; None: the world."""

    link: Link | None
    shape: Shape

    def frame(self, model: Model) -> Frame:
        """The frame that it is placed in."""
        return model.frames[self.link.name] if self.link else Frame("world", None, Transform())


class Pair(NamedTuple):
    """Two shapes, and their numbers in the axes of the bodies that carry them."""

    first: Solid
    second: Solid
    kinds: tuple[str, str]
    numbers: tuple[float, ...]

    @property
    def frames(self) -> tuple[str | None, str | None]:
        """Names of their links; None is the world."""
        first, second = (x.link.name if x.link else None for x in (self.first, self.second))
        return first, second


def check(shape: Shape, title: str) -> None:
    """Raise an error for lengths that are none."""
    lengths = [*getattr(shape, "size", ()), *(getattr(shape, name, 0.0) for name in ("radius", "length"))]
    if not all(0 <= x < inf for x in lengths):
        raise ModelError(
            f"{title} has lengths that are no lengths: {shortened(repr(shape))}; they are finite and not negative, m"
        )


def solids(model: Model) -> list[Solid]:
    """Collision shapes that can meet others; plates, rods and points, with no volume, are some."""
    found = [Solid(k, shape) for k in model.links for shape in k.shapes if shape.collision and kind_of(shape)]
    for link, shape in found:
        check(shape, f"the collision shape of {link.name if link else 'the world'!r} in {model.name}")
    return found


def paired(model: Model, a: Solid, b: Solid) -> Pair:
    """Two shapes as the table of pairings has them."""
    kinds = str(kind_of(a.shape)), str(kind_of(b.shape))
    pairing, at = PAIRINGS[kinds], [x.frame(model).placement for x in (a, b)]
    numbers = (*pairing.first(a.shape, at[0]), *pairing.second(b.shape, at[1]))
    return Pair(a, b, kinds, tuple(map(float, numbers)))


def ordered(model: Model, a: Solid, b: Solid) -> Pair:
    """Two shapes in the order of `KINDS`: fewer kinds of pairs, less code."""
    kinds = list(KINDS)
    return paired(model, *sorted((a, b), key=lambda x: kinds.index(str(kind_of(x.shape)))))


def pairs(model: Model) -> dict[tuple[str, str], list[Pair]]:
    """Links that can meet, and pairs of their shapes: on different bodies, not neighbors, not built into each other,
    not allowed to collide.

    Neighbors are bodies with one joint between them.  Bodies with two or three between them that overlap in the
    neutral configuration are built so; bodies that float apart from each other are not.
    """
    found: dict[tuple[str, str], list[Pair]] = {}
    built, poses = set(), world_poses(model, neutral(model))
    for a, b in combinations(solids(model), 2):
        assert a.link and b.link
        names, joints = (a.link.name, b.link.name), _joints_between(a.frame(model).body, b.frame(model).body)
        if joints < 2 or frozenset(names) in model.allowed_collisions:
            continue
        pair = ordered(model, a, b)
        found.setdefault(names, []).append(pair)
        if joints <= NEAR and distance(pair, model, poses) < 0:
            built.add(names)
    return {names: shapes for names, shapes in found.items() if names not in built}


def distance(pair: Any, model: Model, poses: Any) -> Any:
    """Distance of two shapes with frames, kinds and numbers, given the poses of all bodies."""
    first, second = (poses[model.frames[name].body if name else None] for name in pair.frames)
    return PAIRINGS[pair.kinds].nearest((first, second), exact_array(pair.numbers)).gap


def _joints_between(a: Body | None, b: Body | None) -> float:
    """Joints on the way from one body to another; infinite if one of them floats."""
    one, two = ([] if x is None else list(x.support()) for x in (a, b))
    ways = [x for x in one if x not in two] + [x for x in two if x not in one]
    return float("inf") if any(x.joint.floats for x in ways) else len(ways)
