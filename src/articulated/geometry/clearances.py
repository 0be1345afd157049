"""Signed distances of pairs of shapes, from the numbers of both."""

from collections.abc import Callable
from typing import NamedTuple

from ..algebra.rotations import cross
from ..algebra.scalars import Array, Scalar, array, chosen, eye, greatest, is_zero, least, select, sqrt, total
from ..algebra.spatial import Transform
from .bricks import TINY, TOUCHING, Brick, between, between_segments, magnitude, within
from .cylinders import beside_cylinder, nearest_share
from .manifolds import BOX, CAPSULE, ROD, Poses, box_of, capsule_line, rod_of

#: to and fro between a cylinder and another shape
PROJECTIONS = 12


def between_capsules(poses: Poses, numbers: Array) -> Scalar:
    """Two capsules or balls."""
    first, second = numbers[:CAPSULE], numbers[CAPSULE:]
    found = between_segments(*capsule_line(first, poses[0]), *capsule_line(second, poses[1]))
    return found.distance - first[6] - second[6]


def capsule_to_box(poses: Poses, numbers: Array) -> Scalar:
    """A capsule or ball and a box."""
    return between(rod_of(numbers[:ROD], poses[0]), box_of(numbers[ROD:], poses[1])).distance - numbers[ROD - 1]


def between_boxes(poses: Poses, numbers: Array) -> Scalar:
    """Two boxes."""
    return between(box_of(numbers[:BOX], poses[0]), box_of(numbers[BOX:], poses[1])).distance


# -- cylinders ---------------------------------------------------------------------------------------


class Round(NamedTuple):
    """A cylinder along z of its pose."""

    pose: Transform
    half: Scalar
    radius: Scalar

    def nearest(self, p: Array) -> Array:
        """The point of it that is nearest to one in its own axes."""
        out = sqrt(p[0] * p[0] + p[1] * p[1] + TINY)
        share = least(self.radius / out, 1.0)
        return array([share * p[0], share * p[1], within(p[2], self.half)])

    def reach(self, n: Array) -> Scalar:
        """How far it reaches from its center in a direction, its own axes."""
        return magnitude(n[2]) * self.half + self.radius * sqrt(n[0] * n[0] + n[1] * n[1] + TINY)


def _cylinder(numbers: Array, pose: Transform) -> Round:
    axis = rod_of(numbers, pose)
    return Round(axis.pose, axis.half[2], numbers[ROD - 1])


def cylinder_to_box(poses: Poses, numbers: Array) -> Scalar:
    """A cylinder and a box."""
    A, box = _cylinder(numbers[:ROD], poses[0]), box_of(numbers[ROD:], poses[1])
    seen = A.pose.inverse() @ box.pose
    axes = [eye(3)[2], *seen.R.T, *(_unit(cross(eye(3)[2], side)) for side in seen.R.T)]
    return _apart(A, box.nearest, seen, [_overlap(A.reach(n), _box_reach(box, seen.R.T @ n), n, seen.p) for n in axes])


def between_cylinders(poses: Poses, numbers: Array) -> Scalar:
    """Two cylinders."""
    A, B = _cylinder(numbers[:ROD], poses[0]), _cylinder(numbers[ROD:], poses[1])
    seen = A.pose.inverse() @ B.pose
    aside = array([seen.p[0], seen.p[1], 0])
    axes = [eye(3)[2], seen.R[:, 2], _unit(cross(eye(3)[2], seen.R[:, 2])), _unit(aside)]
    return _apart(A, B.nearest, seen, [_overlap(A.reach(n), B.reach(seen.R.T @ n), n, seen.p) for n in axes])


def capsule_to_cylinder(poses: Poses, numbers: Array) -> Scalar:
    """A capsule or ball and a cylinder."""
    rod, axis = rod_of(numbers[:ROD], poses[0]), rod_of(numbers[ROD:], poses[1])
    radius, here = numbers[2 * ROD - 1], axis.pose.inverse()
    middle, along = here.point(rod.pose.p), here.R @ rod.pose.R[:, 2] * rod.half[2]
    share = 0 if is_zero(rod.half[2]) else nearest_share(middle, along, axis.half[2], radius)
    return beside_cylinder(middle + share * along, axis.half[2], radius)[0] - numbers[ROD - 1]


def _unit(n: Array) -> Array:
    return n / sqrt(n @ n + TINY)


def _box_reach(box: Brick, n: Array) -> Scalar:
    return total(magnitude(x) * h for x, h in zip(n, box.half, strict=True))


def _overlap(first: Scalar, second: Scalar, n: Array, way: Array) -> Scalar:
    """How far apart two shapes are along a unit vector, given how far they reach."""
    return magnitude(n @ way) - first - second


def _apart(A: Round, nearest: Callable[[Array], Array], seen: Transform, overlaps: list[Scalar]) -> Scalar:
    """Distance of a cylinder and another shape, or by how much they overlap along the best of some directions.

    The nearest points are found by projecting to and fro, which is a contraction, with Anderson's acceleration of
    depth two where that is nearer; an error of their places counts as its square in the distance.
    """
    back = seen.inverse()

    def other(x: Array) -> Array:
        return seen.point(nearest(back.point(x)))

    def far(x: Array, y: Array) -> Scalar:
        return (x - y) @ (x - y)

    x = A.nearest(seen.p)
    y = other(x)
    moved: list[tuple[Array, Array]] = []
    last: tuple[Array, Array] | None = None
    for _ in range(PROJECTIONS):
        mapped = A.nearest(y)
        step = mapped - x
        if last is not None:
            moved = [(step - last[0], mapped - last[1]), *moved][:2]
        last = (step, mapped)
        beyond = other(mapped)
        x, y = mapped, beyond
        if moved:
            ahead = A.nearest(_extrapolated(mapped, step, moved))
            there = other(ahead)
            nearer = far(ahead, there) < far(mapped, beyond)
            x, y = chosen(nearer, ahead, mapped), chosen(nearer, there, beyond)
    distance = sqrt(far(x, y) + TINY)
    deepest = overlaps[0]
    for overlap in overlaps[1:]:
        deepest = greatest(deepest, overlap)
    return select(distance > TOUCHING, distance, least(deepest, 0.0))


def _extrapolated(mapped: Array, step: Array, moved: list[tuple[Array, Array]]) -> Array:
    """Where the steps would vanish if they were linear in the place."""
    (f, x), *more = moved
    if not more:
        return mapped - (f @ step) / (f @ f + TINY) * x
    g, y = more[0]
    ff, fg, gg = f @ f, f @ g, g @ g
    inverse = 1 / (ff * gg - fg * fg + 1e-12 * ff * gg + TINY)
    a, b = inverse * (gg * (f @ step) - fg * (g @ step)), inverse * (ff * (g @ step) - fg * (f @ step))
    return mapped - a * x - b * y
