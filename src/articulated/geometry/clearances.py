"""Signed distances of pairs of shapes, from the numbers of both."""

from ..algebra.scalars import Array, Scalar
from .bricks import between, between_segments
from .cylinders import beside_cylinder
from .manifolds import BOX, CAPSULE, ROD, Poses, box_of, capsule_line, rod_of


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


def ball_to_cylinder(poses: Poses, numbers: Array) -> Scalar:
    """A ball, a capsule without length, and a cylinder."""
    ball, axis = rod_of(numbers[:ROD], poses[0]), rod_of(numbers[ROD:], poses[1])
    center = axis.pose.inverse().point(ball.pose.p)
    return beside_cylinder(center, axis.half[2], numbers[2 * ROD - 1])[0] - numbers[ROD - 1]
