"""Where bodies of a pile meet: a ball against a ball or a box, and two boxes; any scalar."""

import numpy as np

from ...algebra.scalars import Array, array, eye, greatest, least, select, sqrt, zeros
from ...algebra.spatial import Transform
from ...geometry.manifolds import Point, boxes
from ..contact.laws import TINY

#: squared distance from a box below which a center is inside it, m²
INSIDE = 1e-24


def ball_on_body(first: Transform, second: Transform, ball: Array, other: Array) -> Point:
    """A ball and a box with rounded edges (half edges, radius), which is a ball if it has no edges."""
    center = second.R.T @ (first.p - second.p)
    half = other[:3]
    nearest = array([greatest(least(x, h), -h) for x, h in zip(center, half, strict=True)])
    off = center - nearest
    squared = off @ off
    outside = squared > INSIDE
    distance = sqrt(squared + TINY)
    # a center inside a box leaves it by the nearest face
    depths = array([h - select(x < 0, -x, x) for x, h in zip(center, half, strict=True)])
    depth = least(depths[0], least(depths[1], depths[2]))
    signs = [select(x < 0, -1.0, 1.0) for x in center]
    one = select(depths[0] > depth, 0.0, 1.0)
    two = select(depths[1] > depth, 0.0, 1.0 - one)
    face = array([one * signs[0], two * signs[1], (1.0 - one - two) * signs[2]])
    local = array([select(outside, a / distance, b) for a, b in zip(off, face, strict=True)])
    normal = second.R @ local
    gap = select(outside, distance, -depth) - ball[3] - other[3]
    return Point(gap, first.p - normal * (ball[3] + gap / 2), normal)


def box_on_box(first: Transform, second: Transform, shape1: Array, shape2: Array) -> list[Point]:
    """The corners of what two boxes share."""
    here = np.concatenate([eye(3).ravel(), zeros(3)])
    return boxes((first, second), np.concatenate([here, shape1[:3], here, shape2[:3]]))
