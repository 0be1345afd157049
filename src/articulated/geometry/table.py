"""Tables of shapes, and of pairs of them that meet: their distance, their contact points, and their numbers."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, is_zero
from ..algebra.spatial import Transform
from ..model.shapes import MOST_POINTS, Box, Capsule, Cylinder, Ellipsoid, Hull, Shape, Sphere
from . import support
from .bricks import between
from .cylinders import beside_cylinder, capsule_on_cylinder, cylinder_on_box, cylinders
from .manifolds import BOX, ROD, Point, Poses, box_of, boxes, capsule_on_box, capsules, placed, rod_of
from .support import Convex

#: a shape as numbers, in the axes of the body on which it is placed
Numbers = Callable[[Shape, Transform], list[float]]


def ends(shape: Shape, at: Transform) -> list[float]:
    """Both ends of a capsule, or twice the center of a ball, and the radius."""
    X, half = at @ shape.placement, getattr(shape, "length", 0.0) / 2
    return [*X.point((0, 0, -half)), *X.point((0, 0, half)), shape.radius]  # type: ignore[attr-defined]


def rod(shape: Shape, at: Transform) -> list[float]:
    """R, p, half the length and the radius of a cylinder, a capsule or a ball."""
    half = getattr(shape, "length", 0.0) / 2
    return [*_pose(shape, at), half, shape.radius]  # type: ignore[attr-defined]


def box(shape: Shape, at: Transform) -> list[float]:
    """R, p and the halves of the sides of a box, or of the axes of an ellipsoid."""
    return [*_pose(shape, at), *np.divide(shape.size, 2)]  # type: ignore[attr-defined]


def hull(count: int, shape: Shape, at: Transform) -> list[float]:
    """R, the middle of the points of a hull, and from there so many points: some more than once."""
    assert isinstance(shape, Hull)
    points = np.array(shape.points)
    middle, X = points.mean(axis=0), at @ shape.placement
    return [*X.R.ravel(), *X.point(middle), *np.resize(points - middle, (count, 3)).ravel()]


def _pose(shape: Shape, at: Transform) -> list[float]:
    X = at @ shape.placement
    return [*X.R.ravel(), *X.p]


class Kind(NamedTuple):
    """A kind of shape: its numbers (the pose first), how many, and its support function, in its axes."""

    numbers: Numbers
    size: int
    furthest: Callable[[Array, Array], Array]  # (direction, numbers after the pose)
    rounded: bool = False  # the last number is a radius around it
    curved: bool = False
    smooth: bool = False  # touches at one point

    def at(self, pose: Transform, numbers: Array) -> Convex:
        """The shape at a pose of its own."""
        rest, radius = (numbers[12:-1], numbers[-1]) if self.rounded else (numbers[12:], 0)
        return Convex.local(pose, lambda d: self.furthest(d, rest), radius)


#: numbers of points of a hull: that of a shape is the next of these
HULLS = (8, 16, 32, MOST_POINTS)
#: kinds of shapes by name; a ball is a capsule without length
KINDS: dict[str, Kind] = {
    "capsule": Kind(rod, 14, lambda d, x: support.segment(d, x[0]), rounded=True),
    "cylinder": Kind(rod, 14, lambda d, x: support.cylinder(d, x[0], x[1]), curved=True),
    "box": Kind(box, 15, support.box),
    "ellipsoid": Kind(box, 15, support.ellipsoid, curved=True, smooth=True),
} | {f"hull{n}": Kind(partial(hull, n), 12 + 3 * n, lambda d, x: support.hull(d, x.reshape(-1, 3))) for n in HULLS}
#: the kind of a shape, but for hulls
_OF_SHAPE: dict[type[Shape], str] = {
    Sphere: "capsule", Capsule: "capsule", Cylinder: "cylinder", Box: "box", Ellipsoid: "ellipsoid",
}  # fmt: skip
#: shapes that meet, for messages
SHAPES: tuple[type[Shape], ...] = (*_OF_SHAPE, Hull)


def kind_of(shape: Shape) -> str | None:
    """The kind of a shape; None if it meets nothing."""
    if isinstance(shape, Hull):
        return f"hull{next(n for n in HULLS if n >= len(shape.points))}"
    return _OF_SHAPE.get(type(shape))


class Pairing(NamedTuple):
    """Functions by which two kinds of shapes meet."""

    nearest: Callable[[Poses, Array], Point]  # its gap is their distance
    meet: Callable[[Poses, Array], list[Point]]
    points: int
    first: Numbers
    second: Numbers
    sizes: tuple[int, int]
    #: where nearest points are searched: both shapes at poses of their own, and steps
    shapes: Callable[[Poses, Array], tuple[Convex, Convex]] | None = None
    steps: int = 0
    #: where contacts are searched, too: the points when the search has ended
    found: Callable[..., list[Point]] | None = None

    def both(self, poses: Poses, numbers: Array) -> tuple[Convex, Convex]:
        """Both shapes at the poses of their bodies, where they are searched."""
        assert self.shapes
        own, other = numbers[: self.sizes[0]], numbers[self.sizes[0] :]
        return self.shapes((placed(own, poses[0]), placed(other, poses[1])), numbers)


def _turned(pairing: Pairing) -> Pairing:
    """The same with the second shape first."""
    own = pairing.sizes[1]

    def seen(poses: Poses, numbers: Array) -> tuple[Poses, Array]:
        return (poses[1], poses[0]), np.concatenate([numbers[own:], numbers[:own]])

    def meet(poses: Poses, numbers: Array) -> list[Point]:
        return [x._replace(normal=-x.normal) for x in pairing.meet(*seen(poses, numbers))]

    def nearest(poses: Poses, numbers: Array) -> Point:
        point = pairing.nearest(*seen(poses, numbers))
        return point._replace(normal=-point.normal)

    return Pairing(nearest, meet, pairing.points, pairing.second, pairing.first, pairing.sizes[::-1])


def searched(first: str, second: str) -> Pairing:
    """Two kinds by their support functions."""
    a, b = KINDS[first], KINDS[second]
    one = a.smooth or b.smooth
    steps = support.CURVED_STEPS if a.curved or b.curved else support.STEPS

    def shapes(poses: Poses, numbers: Array) -> tuple[Convex, Convex]:
        return a.at(poses[0], numbers[: a.size]), b.at(poses[1], numbers[a.size :])

    def found(A: Convex, B: Convex, s: support.Search) -> list[Point]:
        return [support.nearest_point(A, B, s)] if one else support.contact_points(A, B, s)

    def meet(poses: Poses, numbers: Array) -> list[Point]:
        A, B = pairing.both(poses, numbers)
        return found(A, B, support.searched(A, B, steps))

    def nearest(poses: Poses, numbers: Array) -> Point:
        # seen from the first shape, in whose axes nothing has to be turned
        own, other = (placed(x, pose) for x, pose in zip((numbers[: a.size], numbers[a.size :]), poses, strict=True))
        return support.nearest(*shapes((Transform(), own.inverse() @ other), numbers), steps).placed(own)

    points = 1 if one else 1 + 3 * support.RING
    pairing = Pairing(nearest, meet, points, a.numbers, b.numbers, (a.size, b.size), shapes, steps, found)
    return pairing


def _by_kind(first: str, second: str) -> tuple[Numbers, Numbers, tuple[int, int]]:
    a, b = KINDS[first], KINDS[second]
    return a.numbers, b.numbers, (a.size, b.size)


def _nearest_capsules(poses: Poses, numbers: Array) -> Point:
    return capsules(poses, numbers)[0]


def _nearest_boxes(poses: Poses, numbers: Array) -> Point:
    found = between(box_of(numbers[:BOX], poses[0]), box_of(numbers[BOX:], poses[1]))
    return Point(found.distance, found.first, found.normal)


def _nearest_on_box(poses: Poses, numbers: Array) -> Point:
    found = between(rod_of(numbers[:ROD], poses[0]), box_of(numbers[ROD:], poses[1]))
    return Point(found.distance - numbers[ROD - 1], found.first, found.normal)


def ball_beside_cylinder(poses: Poses, numbers: Array) -> Point:
    """A ball, a capsule without length, and a cylinder."""
    ball, axis = rod_of(numbers[:ROD], poses[0]), rod_of(numbers[ROD:], poses[1])
    center = axis.pose.inverse().point(ball.pose.p)
    distance, off = beside_cylinder(center, axis.half[2], numbers[2 * ROD - 1])
    return Point(distance - numbers[ROD - 1], ball.pose.p, axis.pose.R @ off)


def _capsule_to_cylinder(poses: Poses, numbers: Array) -> Point:
    nearest = searched("capsule", "cylinder").nearest if not is_zero(numbers[12]) else ball_beside_cylinder
    return nearest(poses, numbers)


#: contacts in closed form of pairs whose nearest points are searched
_ON_CYLINDERS = {
    ("capsule", "cylinder"): (capsule_on_cylinder, 3),
    ("cylinder", "cylinder"): (cylinders, 19),
    ("cylinder", "box"): (cylinder_on_box, 23),
}
#: pairs of kinds that meet: closed forms, and all others by support functions
PAIRINGS: dict[tuple[str, str], Pairing] = {
    ("capsule", "capsule"): Pairing(_nearest_capsules, capsules, 1, ends, ends, (7, 7)),
    ("capsule", "box"): Pairing(_nearest_on_box, capsule_on_box, 3, *_by_kind("capsule", "box")),
    ("box", "box"): Pairing(_nearest_boxes, boxes, 12, *_by_kind("box", "box")),
} | {
    kinds: searched(*kinds)._replace(meet=meet, points=points, found=None)
    for kinds, (meet, points) in _ON_CYLINDERS.items()
}
PAIRINGS["capsule", "cylinder"] = PAIRINGS["capsule", "cylinder"]._replace(nearest=_capsule_to_cylinder)
PAIRINGS |= {(b, a): _turned(pairing) for (a, b), pairing in PAIRINGS.items() if a != b}
PAIRINGS |= {(a, b): searched(a, b) for a, b in product(KINDS, KINDS) if (a, b) not in PAIRINGS}
