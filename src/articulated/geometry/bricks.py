"""Signed distance of two bricks: boxes, segments and points, the cores of boxes, capsules and balls.

Apart, two bricks are nearest at a corner of one and the other brick, or at two edges; edges are nearest across the
plane that separates them, so that of each pair of directions one pair of edges counts.  Overlapping, they part along
the normal of a face or across two edges, whichever is the shortest way (separating axes, Gottschalk et al. 1996).
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ..algebra.rotations import cross
from ..algebra.scalars import Array, Scalar, array, chosen, eye, greatest, is_zero, least, select, sqrt, total, zeros
from ..algebra.spatial import Transform

#: keeps a quotient finite whose value is not used
TINY = 1e-200
#: squared sine of the angle between two edges that count as parallel
PARALLEL = 1e-12
#: m; bricks that are nearer have the direction of a separating axis, since that between nearest points is rounded
TOUCHING = 1e-10
#: m: the gap of a contact point that is not there
FAR = 1e3


class Brick(NamedTuple):
    """All points within `half` of a frame's axes; an exact 0 where it has no extent."""

    pose: Transform
    half: tuple[Scalar, Scalar, Scalar]

    @property
    def sides(self) -> list[int]:
        """Axes along which it extends."""
        return [i for i in range(3) if not is_zero(self.half[i])]

    def corners(self) -> Iterator[Array]:
        """Corners in its own axes."""
        yield from (array(list(x)) for x in product(*((0,) if is_zero(h) else (-h, h) for h in self.half)))

    def nearest(self, p: Array) -> Array:
        """The point of it that is nearest to one in its own axes."""
        return array([within(x, h) for x, h in zip(p, self.half, strict=True)])


class Point(NamedTuple):
    """A contact: how far open, where, and the unit vector to the first of two shapes (or off the ground)."""

    gap: Scalar
    position: Array
    normal: Array

    def placed(self, X: Transform) -> "Point":
        """The contact in the axes in which its own are at X."""
        return Point(self.gap, X.point(self.position), X.R @ self.normal)


class Between(NamedTuple):
    """The shortest way between two shapes: its length (negative if they overlap), ends, and direction to the first."""

    distance: Scalar
    first: Array
    second: Array
    normal: Array


def within(x: Scalar, h: Scalar) -> Scalar:
    """x, but not beyond ±h."""
    return 0 if is_zero(h) else greatest(least(x, h), -h)


def magnitude(x: Scalar) -> Scalar:
    """|x|."""
    return select(x < 0, -x, x)


def toward(condition: Scalar, x: Scalar) -> Scalar:
    """x with the sign of another."""
    return select(condition < 0, -x, x)


def between(A: Brick, B: Brick) -> Between:
    """Between two bricks, world axes."""
    seen = A.pose.inverse() @ B.pose  # B in the axes of A, where everything is computed
    squared, first, off = _nearest(A, B, seen)
    distance = sqrt(squared + TINY)
    if len(A.sides) + len(B.sides) >= 3:  # a segment and a segment never overlap
        depth, parting, met = parted(A, B, seen)
        apart = depth > TOUCHING
        normal = chosen(apart, off / distance, -parting)
        distance, first = select(apart, distance, depth), chosen(apart, first, met)
    else:
        normal = off / distance
    turned = A.pose.R @ normal
    point = A.pose.point(first)
    return Between(distance, point, point - distance * turned, turned)


def first_of(A: Brick, direction: Array) -> Array:
    """The corner of a brick that is furthest in a direction, both in its own axes."""
    return array([0 if is_zero(h) else toward(x, h) for x, h in zip(direction, A.half, strict=True)])


def _nearest(A: Brick, B: Brick, seen: Transform) -> tuple[Scalar, Array, Array]:
    """Squared distance, the point of A, and the way to it from that of B; in the axes of A."""
    found: list[tuple[Array, Array]] = []
    if B.sides:
        back = seen.inverse()
        for corner in A.corners():
            there = back.point(corner)
            found.append((corner, seen.R @ (there - B.nearest(there))))
    if A.sides or not B.sides:
        for corner in B.corners():
            here = seen.point(corner)
            found.append((A.nearest(here), A.nearest(here) - here))
    for i in A.sides:
        for j in B.sides:
            found.append(_edges(A, B, seen, i, j))
    first, off = found[0]
    squared = off @ off
    for point, way in found[1:]:
        other = way @ way
        nearer = other < squared
        squared, first, off = select(nearer, other, squared), chosen(nearer, point, first), chosen(nearer, way, off)
    return squared, first, off


def _edges(A: Brick, B: Brick, seen: Transform, i: int, j: int) -> tuple[Array, Array]:
    """Edges along axis i of A and j of B that face each other."""
    along, n = seen.R[:, j], _across(seen, i, j)
    n = chosen(n @ seen.p < 0, -n, n)
    start = first_of(A, n)
    start[i] = 0
    facing = first_of(B, -(seen.R.T @ n))
    facing[j] = 0
    way = seen.point(facing) - start
    cosine, reach = along[i], way @ along
    s = within((way[i] - cosine * reach) / (1 - cosine * cosine + 1e-14), A.half[i])
    t = within(s * cosine - reach, B.half[j])
    s = within(way[i] + t * cosine, A.half[i])
    unit = eye(3)[i]
    return start + s * unit, s * unit - way - t * along


def _across(seen: Transform, i: int, j: int) -> Array:
    """The direction across axis i of A and j of B, not of unit length."""
    return cross(eye(3)[i], seen.R[:, j])


class Axis(NamedTuple):
    """A direction (unit, to the second brick) and how far apart two bricks are along it; A's axes."""

    distance: Scalar
    normal: Array


def face_axes(A: Brick, B: Brick, seen: Transform) -> tuple[list[Axis], list[Axis]]:
    """Normals of the faces of A and of B; of a segment none."""
    own, others = [], []
    for i in range(3) if len(A.sides) == 3 else ():
        reach = total(magnitude(seen.R[i, j]) * B.half[j] for j in B.sides)
        own.append(Axis(magnitude(seen.p[i]) - A.half[i] - reach, toward(seen.p[i], 1.0) * eye(3)[i]))
    for j in range(3) if len(B.sides) == 3 else ():
        normal = seen.R[:, j]
        height = normal @ seen.p
        reach = total(magnitude(normal[i]) * A.half[i] for i in A.sides)
        others.append(Axis(magnitude(height) - B.half[j] - reach, toward(height, 1.0) * normal))
    return own, others


def edge_axes(A: Brick, B: Brick, seen: Transform) -> dict[tuple[int, int], Axis]:
    """Directions across an edge of A and one of B; far below all others if these are parallel."""
    found = {}
    for i in A.sides:
        for j in B.sides:
            n = _across(seen, i, j)
            squared = n @ n
            n = n / sqrt(squared + TINY)
            height = n @ seen.p
            reach = total(magnitude(n[k]) * A.half[k] for k in A.sides if k != i)
            reach = reach + total(magnitude(n @ seen.R[:, k]) * B.half[k] for k in B.sides if k != j)
            apart = select(squared < PARALLEL, -1e9, magnitude(height) - reach)
            found[i, j] = Axis(apart, toward(height, 1.0) * n)
    return found


def parted(A: Brick, B: Brick, seen: Transform) -> tuple[Scalar, Array, Array]:
    """The largest distance along a separating axis, that axis, from A to B, and the point of A there; A's axes.

    A corner meets a face, or two edges cross: carried by A or B, the point moves along the axis as the distance does.
    """
    own, others = face_axes(A, B, seen)
    best, corner = (furthest(own), 1.0) if own else (furthest(others), 0.0)  # whether it is one of B, or of A
    if own and others:
        axis = furthest(others)
        further = best.distance < axis.distance
        best, corner = either(further, axis, best), select(further, 0.0, corner)
    crossing = edge_axes(A, B, seen)
    edges = furthest(list(crossing.values())) if crossing else best
    by_edges = best.distance < edges.distance
    best = either(by_edges, edges, best)
    start, facing = first_of(A, best.normal), seen.point(first_of(B, -(seen.R.T @ best.normal)))
    point = chosen(corner > 0.5, facing - best.distance * best.normal, start)
    if crossing:
        along, across = directions_of(crossing, edges)
        point = chosen(by_edges, crossed(start, along, facing, seen.R @ across), point)
    return best.distance, best.normal, point


def furthest(axes: list[Axis]) -> Axis:
    """The axis along which two bricks are furthest apart, the first of equal ones."""
    best = axes[0]
    for axis in axes[1:]:
        best = either(best.distance < axis.distance, axis, best)
    return best


def either(condition: Scalar, yes: Axis, no: Axis) -> Axis:
    """One of two axes."""
    return Axis(select(condition, yes.distance, no.distance), chosen(condition, yes.normal, no.normal))


def directions_of(crossing: dict[tuple[int, int], Axis], best: Axis) -> tuple[Array, Array]:
    """Directions of the edges of A and of B, each in its own axes, that the best of their axes is across."""
    i, j = next(iter(crossing))
    along, across = eye(3)[i] + 0.0, eye(3)[j] + 0.0
    for (i, j), axis in list(crossing.items())[1:]:
        this = select(magnitude(axis.distance - best.distance) > 0, 0.0, 1.0) > 0.5
        along, across = chosen(this, eye(3)[i] + 0.0, along), chosen(this, eye(3)[j] + 0.0, across)
    return along, across


def crossed(start: Array, along: Array, other: Array, turned: Array) -> Array:
    """The point of a line that is nearest to another."""
    way = other - start
    cosine = along @ turned
    s = (way @ along - cosine * (way @ turned)) / (1 - cosine * cosine + TINY)
    return start + s * along


def between_segments(p: Array, u: Array, r: Array, w: Array) -> Between:
    """Between the segments from p along u and from r along w; either may be a point."""
    # of the first line the point nearest to the second, then back and forth once: exact, parallel segments included
    uu, ww, uw, apart = u @ u, w @ w, u @ w, r - p
    s = _share((u @ apart * ww - w @ apart * uw) / (uu * ww - uw * uw + 1e-14 * uu * ww + TINY))
    t = _share(w @ (p + s * u - r) / (ww + TINY))
    s = _share(u @ (r + t * w - p) / (uu + TINY))
    first, second = p + s * u, r + t * w
    off = first - second
    distance = sqrt(off @ off + TINY)
    return Between(distance, first, second, off / distance)


def _share(x: Scalar) -> Scalar:
    return greatest(least(x, 1.0), 0.0)


def beside(x: Array, half: Array) -> tuple[Scalar, Array]:
    """Signed distance of a point from a box in its axes, and the direction off it."""
    off = array([a - within(a, h) for a, h in zip(x, half, strict=True)])
    outside = sqrt(off @ off + TINY)
    depths = [magnitude(a) - h for a, h in zip(x, half, strict=True)]
    inside, direction = depths[0], array([toward(x[0], 1.0), 0.0, 0.0])
    for k in (1, 2):
        nearer = inside < depths[k]
        unit = zeros(3) + 0.0
        unit[k] = toward(x[k], 1.0)
        inside, direction = select(nearer, depths[k], inside), chosen(nearer, unit, direction)
    apart = inside > TOUCHING
    return select(apart, outside, inside), chosen(apart, off / outside, direction)


def axes_off(normal: Array) -> Array:
    """Two directions across a unit vector, and the vector, as rows; any scalar (Duff et al. 2017)."""
    x, y, z = normal
    side = select(z < 0, -1.0, 1.0)
    a = -1 / (side + z)
    b = a * x * y
    return array([[1 + side * a * x * x, side * b, -side * x], [b, side + a * y * y, -y], [x, y, z]])
