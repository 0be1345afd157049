"""Where bodies of a pile meet: a ball against a ball or a box, and two boxes; any scalar."""

import numpy as np

from ...algebra.scalars import Array, eye, zeros
from ...algebra.spatial import Transform
from ...geometry.bricks import beside
from ...geometry.manifolds import Point, boxes


def ball_on_body(first: Transform, second: Transform, ball: Array, other: Array) -> Point:
    """A ball and a box with rounded edges (half edges, radius), which is a ball if it has no edges."""
    distance, off = beside(second.R.T @ (first.p - second.p), other[:3])
    normal, gap = second.R @ off, distance - ball[3] - other[3]
    return Point(gap, first.p - normal * (ball[3] + gap / 2), normal)


def box_on_box(first: Transform, second: Transform, shape1: Array, shape2: Array) -> list[Point]:
    """The corners of what two boxes share."""
    here = np.concatenate([eye(3).ravel(), zeros(3)])
    return boxes((first, second), np.concatenate([here, shape1[:3], here, shape2[:3]]))
