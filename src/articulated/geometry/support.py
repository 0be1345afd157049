"""Nearest points of two convex shapes by their support functions: the method of Gilbert, Johnson and Keerthi (1988).

For a unit vector n from the second shape to the first, f(n) = min n·a - max n·b never is more than their signed
distance, and is that distance for the best n: where they are apart, and where they overlap, of which the best n is the
shortest way out.  The nearest point of A - B is looked for from a point x outside of it: from the origin if that is
outside by more than MARGIN, else from beyond the plane of the best n so far, where the direction does not suffer from
rounding.  The result is f of the best n: errors of n count squared.  Its derivative is that of n·(a - b) with n held
and the nearest points a and b carried by the shapes: not of f, whose corners change where a face or an edge is nearest.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, chosen, greatest, held, least, select, sqrt, total
from ..algebra.spatial import Transform
from .bricks import FAR, TINY, Point, axes_off, toward

#: m: from this far outside directions are exact to rounding
MARGIN = 1e-5
#: steps of a search, of shapes with corners and of others, and those before which x is set anew
STEPS, CURVED_STEPS, RESTARTS = 16, 24, (2, 6)
#: m: a search that may come nearer by less has ended
ENDED = 1e-13
#: squared area of a triangle, relative to those of its sides, that is none
FLAT = 1e-13
#: corners of a face are furthest in so many directions, tilted from its normal by this
RING, TILT = 6, 0.05
#: m: nearer points are the same
SAME = 1e-6


class Convex(NamedTuple):
    """A convex shape: the point that is furthest in a direction, both in world axes, and a radius around it."""

    pose: Transform
    furthest: Callable[[Array], Array]
    radius: Scalar = 0

    @classmethod
    def local(cls, pose: Transform, furthest: Callable[[Array], Array], radius: Scalar = 0) -> "Convex":
        """A shape by the furthest point in its own axes."""
        return cls(pose, lambda d: pose.point(furthest(pose.R.T @ d)), radius)


class Search(NamedTuple):
    """The search so far, from x: three points of A - B and of A, the nearest point among them, and the best n."""

    x: Array
    points: Array  # (9,)
    of_first: Array  # (9,)
    nearest: Array
    nearest_of_first: Array
    normal: Array
    value: Array  # f(n), (1,)
    left: Array  # how much nearer it may still come, m, (1,)

    def flat(self) -> Array:
        """All of it as one vector."""
        return np.concatenate(self)

    @classmethod
    def of(cls, flat: Array) -> "Search":
        """From one vector."""
        return cls(*np.split(flat, ENDS))


def value(A: Convex, B: Convex, n: Array) -> Scalar:
    """f(n) without the radii."""
    return n @ (A.furthest(-n) - B.furthest(n))


def begun(A: Convex, B: Convex) -> Search:
    """The best of some directions: between the centers, and along the axes of both."""
    way = A.pose.p - B.pose.p
    size = sqrt(way @ way)
    best = chosen(size > TINY, way / (size + TINY), array([0.0, 0.0, 1.0]))
    most = value(A, B, best)
    for axes in (A.pose.R, B.pose.R):
        for axis in axes.T:
            n = toward(axis @ way, 1.0) * axis
            found = value(A, B, n)
            better = most < found
            best, most = chosen(better, n, best), select(better, found, most)
    return started(A, B, best, array([most]))


def started(A: Convex, B: Convex, normal: Array, value: Array) -> Search:
    """The search from beyond the plane of a direction."""
    first = A.furthest(-normal)
    point = first - B.furthest(normal)
    x = -greatest(MARGIN - value[0], 0.0) * normal
    return Search(x, _thrice(point), _thrice(first), point, first, normal, value, array([1.0]))


def restarted(A: Convex, B: Convex, s: Search) -> Search:
    """The search from beyond the best plane so far; as it is if that is from the origin."""
    again, moved = started(A, B, s.normal, s.value), s.x @ s.x > 0
    return Search(*(chosen(moved, new, old) for new, old in zip(again, s, strict=True)))


def _thrice(x: Array) -> Array:
    return array([*x, *x, *x])


def advanced(A: Convex, B: Convex, s: Search) -> Search:
    """A step: the furthest point against the direction to the nearest so far, and the nearest with it."""
    off = s.nearest - s.x
    n = off / sqrt(off @ off + TINY)
    first = A.furthest(-n)
    w = first - B.furthest(n)
    found = n @ w
    better = s.value[0] < found
    normal, most = chosen(better, n, s.normal), select(better, found, s.value[0])
    p, a = s.points.reshape(3, 3), s.of_first.reshape(3, 3)
    shares, nearer = _nearest(w, p, s.x, off @ off)

    def mixed(new: Array, old: Array) -> Array:
        return new + total(share * (x - new) for share, x in zip(shares, old, strict=True))

    def kept(new: Array, old: Array) -> Array:
        """Those that the nearest point is between."""
        second = chosen(shares[0] > 0, old[0], chosen(shares[1] > 0, old[1], old[2]))
        third = chosen(shares[2] > 0, old[2], chosen(shares[1] > 0, old[1], old[0]))
        return chosen(nearer, [*new, *second, *third], old.ravel())

    return Search(
        s.x, kept(w, p), kept(first, a), chosen(nearer, mixed(w, p), s.nearest),
        chosen(nearer, mixed(first, a), s.nearest_of_first), normal, array([most]), array([n @ (s.nearest - w)]),
    )  # fmt: skip


def _nearest(w: Array, p: Array, x: Array, squared: Scalar) -> tuple[list[Scalar], Scalar]:
    """Shares of three points beside w in the point nearest to x between some of them, and if it is nearer than before.

    Candidates are w with one of them, and triangles of w with two.
    """
    sides, way = [q - w for q in p], w - x
    squares, along, far = [e @ e for e in sides], [-(e @ way) for e in sides], way @ way
    shares: list[Scalar] = [0.0, 0.0, 0.0]
    nearer: Scalar = 0.0

    def consider(own: Scalar, there: Scalar | None, **parts: Scalar) -> None:
        nonlocal squared, shares, nearer
        this = own < squared if there is None else select(there, own, squared) < squared
        squared, nearer = select(this, own, squared), select(this, 1.0, nearer)
        shares = [select(this, parts.get(f"p{k}", 0.0), share) for k, share in enumerate(shares)]

    for k in range(3):
        t = along[k] / (squares[k] + TINY)
        t = select(t < 0, 0.0, select(t < 1, t, 1.0))
        consider(far - t * (2 * along[k] - t * squares[k]), None, **{f"p{k}": t})
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = sides[i] @ sides[j]
        area = squares[i] * squares[j] - both * both
        inverse = 1 / greatest(area, TINY)
        s, t = inverse * (squares[j] * along[i] - both * along[j]), inverse * (squares[i] * along[j] - both * along[i])
        # its three corners count, and it is no line
        least_part = least(least(s, t), least(1 - s - t, area - FLAT * squares[i] * squares[j]))
        consider(far - s * along[i] - t * along[j], least_part > 0, **{f"p{i}": s, f"p{j}": t})
    return shares, nearer > 0.5


#: numbers of a search, and where its parts end but for the last
SIZE, ENDS = 32, (3, 12, 21, 24, 27, 30, 31)


def searched(A: Convex, B: Convex, steps: int = STEPS) -> Search:
    """The whole search."""
    s = begun(A, B)
    for k in range(steps):
        s = advanced(A, B, restarted(A, B, s) if k in RESTARTS else s)
    return s


def nearest(A: Convex, B: Convex, steps: int = STEPS) -> Point:
    """Where they are nearest; the derivative of the gap is that along the best direction, the points carried along."""
    s = searched(A, B, steps)
    n, first = fixed(s.normal), fixed(A.pose.R.T @ (s.nearest_of_first - A.pose.p))
    second = fixed(B.pose.R.T @ (s.nearest_of_first - s.nearest - B.pose.p))
    apart, found = n @ (A.pose.point(first) - B.pose.point(second)), nearest_point(A, B, s)
    return found._replace(gap=held(found.gap) + (apart - held(apart)))


def fixed(x: Array) -> Array:
    """Numbers that derivatives take as constants."""
    return array([held(each) for each in x])


# -- contact points --------------------------------------------------------------------------------------


def nearest_point(A: Convex, B: Convex, s: Search) -> Point:
    """The contact where they are nearest."""
    n, gap = s.normal, s.value[0] - A.radius - B.radius
    second = s.nearest_of_first - s.nearest
    return Point(gap, (s.nearest_of_first + second + (B.radius - A.radius) * n) / 2, n)


def contact_points(A: Convex, B: Convex, s: Search) -> list[Point]:
    """Contacts where they are nearest, and at the corners of the overlap of the faces that look at each other.

    These are the edges of one clipped by the other, and the corners of the other; gaps are heights over its plane.
    """
    n = s.normal
    x, y, _ = axes_off(n)
    turns = [math.pi / 12 + 2 * math.pi * k / RING for k in range(RING)]
    along = [TILT * (math.cos(a) * x + math.sin(a) * y) for a in turns]
    own, others = [A.furthest(t - n) for t in along], [B.furthest(t + n) for t in along]
    low, high, radii = n @ A.furthest(-n), n @ B.furthest(n), A.radius + B.radius
    found = [nearest_point(A, B, s)]
    for k, end in enumerate(own):
        start = own[k - 1]
        enters, leaves = _clipped(start, end, others, x, y)
        there = select(enters < leaves, select(_same(start, end), 0.0, 1.0), 0.0)
        for share, this in ((least(enters, 1.0), there), (leaves, select(leaves < 1, there, 0.0))):
            p = start + share * (end - start)
            gap = n @ p - high - radii
            found.append(Point(select(this > 0.5, gap, FAR), p - (A.radius + gap / 2) * n, n))
    for k, p in enumerate(others):
        enters, leaves = _clipped(p, p, own, x, y)
        there = select(enters < leaves, select(_same(p, others[k - 1]), 0.0, 1.0), 0.0) > 0.5
        gap = low - n @ p - radii
        found.append(Point(select(there, gap, FAR), p + (B.radius + gap / 2) * n, n))
    return found


def _same(p: Array, q: Array) -> Scalar:
    return (p - q) @ (p - q) < SAME * SAME


def _clipped(start: Array, end: Array, corners: list[Array], x: Array, y: Array) -> tuple[Scalar, Scalar]:
    """Shares of a line between which its shadow is in that of a polygon, whose corners go once around.

    It is clipped by the sides and, since the polygon may be an edge or a corner, by the rectangle around it.
    """
    enters: Scalar = 0.0
    leaves: Scalar = 1.0
    for none, reach, beyond in (*_sides(corners, x, y), *_rectangle(corners, x, y)):
        first, last = beyond(start), beyond(end)
        out, ends_out = (select(g > 0, g * g, 0.0) > reach for g in (first, last))
        change = first - last
        crossing = first / select(change * change < TINY, 1.0, change)
        enters = select(none, enters, select(out, select(ends_out, 2.0, greatest(enters, crossing)), enters))
        leaves = select(none, leaves, select(out, leaves, select(ends_out, least(leaves, crossing), leaves)))
    return enters, leaves


#: a half-plane: whether there is none, the square of the height over it that is none, and the height of a point
HalfPlane = tuple[Scalar, Scalar, Callable[[Array], Scalar]]


def _sides(corners: list[Array], x: Array, y: Array) -> Iterator[HalfPlane]:
    for k, corner in enumerate(corners):
        before = corners[k - 1]
        side = corner - before
        u, w = side @ x, side @ y
        squared = u * u + w * w

        def beyond(p: Array, before: Array = before, u: Scalar = u, w: Scalar = w) -> Scalar:
            return w * ((p - before) @ x) - u * ((p - before) @ y)

        yield squared < SAME * SAME, SAME * SAME * squared, beyond


def _rectangle(corners: list[Array], x: Array, y: Array) -> Iterator[HalfPlane]:
    for axis in (x, -x, y, -y):
        end = reduce(greatest, (corner @ axis for corner in corners))
        yield False, SAME * SAME, partial(_beyond, axis, end)


def _beyond(axis: Array, end: Scalar, p: Array) -> Scalar:
    return p @ axis - end


# -- support functions, in the axes of the shapes ---------------------------------------------------------


def box(d: Array, half: Array) -> Array:
    """Corner of a box."""
    return array([toward(x, h) for x, h in zip(d, half, strict=True)])


def ellipsoid(d: Array, radii: Array) -> Array:
    """Point of an ellipsoid."""
    scaled = radii * d
    return radii * scaled / sqrt(scaled @ scaled + TINY)


def cylinder(d: Array, half: Scalar, radius: Scalar) -> Array:
    """Point of a rim."""
    along = radius / sqrt(d[0] * d[0] + d[1] * d[1] + TINY)
    return array([along * d[0], along * d[1], toward(d[2], half)])


def hull(d: Array, points: Array) -> Array:
    """Vertex of a convex hull, (n, 3)."""
    best, most = points[0], points[0] @ d
    for p in points[1:]:
        reach = p @ d
        further = most < reach
        best, most = chosen(further, p, best), select(further, reach, most)
    return best


def segment(d: Array, half: Scalar) -> Array:
    """End of a segment along z."""
    return array([0, 0, toward(d[2], half)])
