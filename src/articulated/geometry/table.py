"""Table of pairs of shapes that meet: the function of their contact points, how many it gives, and its numbers."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar
from ..algebra.spatial import Transform
from ..model.shapes import Box, Capsule, Cylinder, Shape, Sphere
from .clearances import (
    between_boxes,
    between_capsules,
    between_cylinders,
    capsule_to_box,
    capsule_to_cylinder,
    cylinder_to_box,
)
from .cylinders import capsule_on_cylinder, cylinder_on_box, cylinders
from .manifolds import Point, Poses, boxes, capsule_on_box, capsules

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
    """R, p and the halves of the sides of a box."""
    return [*_pose(shape, at), *np.divide(shape.size, 2)]  # type: ignore[attr-defined]


def _pose(shape: Shape, at: Transform) -> list[float]:
    X = at @ shape.placement
    return [*X.R.ravel(), *X.p]


#: how many numbers there are
SIZES: dict[Numbers, int] = {ends: 7, rod: 14, box: 15}


class Pairing(NamedTuple):
    """How two kinds of shapes meet."""

    distance: Callable[[Poses, Array], Scalar]
    meet: Callable[[Poses, Array], list[Point]]
    points: int
    first: Numbers
    second: Numbers


def _turned(pairing: Pairing) -> Pairing:
    """The same with the second shape first."""

    def meet(poses: Poses, numbers: Array) -> list[Point]:
        own = SIZES[pairing.second]
        found = pairing.meet((poses[1], poses[0]), np.concatenate([numbers[own:], numbers[:own]]))
        return [x._replace(normal=-x.normal) for x in found]

    def distance(poses: Poses, numbers: Array) -> Scalar:
        own = SIZES[pairing.second]
        return pairing.distance((poses[1], poses[0]), np.concatenate([numbers[own:], numbers[:own]]))

    return Pairing(distance, meet, pairing.points, pairing.second, pairing.first)


#: the kind of a shape; a ball is a capsule without length
KINDS: dict[type[Shape], str] = {Sphere: "capsule", Capsule: "capsule", Cylinder: "cylinder", Box: "box"}
#: pairs of kinds that meet
PAIRINGS: dict[tuple[str, str], Pairing] = {
    ("capsule", "capsule"): Pairing(between_capsules, capsules, 1, ends, ends),
    ("capsule", "box"): Pairing(capsule_to_box, capsule_on_box, 3, rod, box),
    ("capsule", "cylinder"): Pairing(capsule_to_cylinder, capsule_on_cylinder, 3, rod, rod),
    ("cylinder", "cylinder"): Pairing(between_cylinders, cylinders, 19, rod, rod),
    ("cylinder", "box"): Pairing(cylinder_to_box, cylinder_on_box, 23, rod, box),
    ("box", "box"): Pairing(between_boxes, boxes, 12, box, box),
}
PAIRINGS |= {(b, a): _turned(pairing) for (a, b), pairing in PAIRINGS.items() if a != b}
