"""Contact points of balls, capsules and boxes with each other: as many as keep a body at rest.

A function takes the poses of two bodies and the numbers of their shapes, and gives points with their gaps and normals.
A capsule is its two ends and its radius, a ball the same with equal ends; a box is its pose and the halves of its
sides.  A face on a face has the corners of what they share: the edges of one clipped by the other, and the corners of
the other.  Points that are not there have a gap of `FAR`.
"""

from typing import NamedTuple

from ..algebra.scalars import Array, Scalar, array, chosen, greatest, least, select, total
from ..algebra.spatial import Transform
from .bricks import (
    FAR,
    TOUCHING,
    Axis,
    Brick,
    Point,
    between,
    between_segments,
    crossed,
    directions_of,
    edge_axes,
    face_axes,
    first_of,
    furthest,
    magnitude,
    toward,
)

Poses = tuple[Transform, Transform]
#: part of the smallest half side by which the gap of edges must exceed that of faces to be the contact
EDGES = 1e-3
#: the same for the face of the second box to be met rather than that of the first: a box at rest keeps its contacts
FACES = 1e-4
#: cosine of the angle up to which a capsule meets a face rather than an edge
ALIGNED = 0.99
#: numbers of a capsule by its ends and radius, of one by its pose, half length and radius, and of a box
CAPSULE, ROD, BOX = 7, 14, 15


def box_of(numbers: Array, pose: Transform) -> Brick:
    """A box from its numbers: R and p in its body, halves of its sides."""
    return Brick(placed(numbers, pose), tuple(numbers[12:15]))


def rod_of(numbers: Array, pose: Transform) -> Brick:
    """The line of a capsule from its numbers: R and p in its body, half its length along z."""
    return Brick(placed(numbers, pose), (0, 0, numbers[12]))


def placed(numbers: Array, pose: Transform) -> Transform:
    """Pose of a shape whose numbers begin with R and p in its body."""
    return pose @ Transform.computed(numbers[:9].reshape(3, 3), numbers[9:12])


def capsule_line(numbers: Array, pose: Transform) -> tuple[Array, Array]:
    """The start of a capsule and the way to its end."""
    start = pose.point(numbers[:3])
    return start, pose.point(numbers[3:6]) - start


def capsules(poses: Poses, numbers: Array) -> list[Point]:
    """Two capsules or balls, where they are nearest."""
    first, second = numbers[:CAPSULE], numbers[CAPSULE:]
    found = between_segments(*capsule_line(first, poses[0]), *capsule_line(second, poses[1]))
    gap = found.distance - first[6] - second[6]
    return [Point(gap, found.second + found.normal * (second[6] + gap / 2), found.normal)]


def capsule_on_box(poses: Poses, numbers: Array) -> list[Point]:
    """A capsule and a box: where they are nearest, and the ends of the part that lies over the face they meet at."""
    rod, box = rod_of(numbers[:ROD], poses[0]), box_of(numbers[ROD:], poses[1])
    radius, nearest = numbers[ROD - 1], between(rod, box)
    here = box.pose.inverse()
    normal, middle = here.R @ nearest.normal, here.point(rod.pose.p)
    along = here.R @ rod.pose.R[:, 2] * rod.half[2]
    start, way = middle - along, 2 * along
    met, spans = _largest(normal), [_clip(*x) for x in zip(start, way, box.half, strict=True)]

    # shares of the line over the face, and inside the box where they overlap
    low: Scalar = 0.0
    high: Scalar = 1.0
    enters, leaves = low, high
    for across, (first, last) in zip(met, spans, strict=True):
        low, high = greatest(low, select(across, 0.0, first)), least(high, select(across, 1.0, last))
        enters, leaves = greatest(enters, first), least(leaves, last)
    chord = start + least(greatest((enters + leaves) / 2, 0.0), 1.0) * way
    foot = chosen(nearest.distance > TOUCHING, here.point(nearest.second), chord - nearest.distance * normal)
    found = [_raised(nearest.distance, foot, normal, radius)]

    off = array([select(across, toward(n, 1.0), 0.0) for across, n in zip(met, normal, strict=True)])
    there = select(off @ normal > ALIGNED, select(low < high, 1.0, 0.0), 0.0) > 0.5
    height = total(select(across, h, 0.0) for across, h in zip(met, box.half, strict=True))
    for share in (low, high):
        end = start + least(greatest(share, 0.0), 1.0) * way
        above = off @ end - height
        found.append(_raised(above, end - above * off, off, radius, there))
    return [x.placed(box.pose) for x in found]


def _largest(x: Array) -> list[Scalar]:
    """Conditions that each component is the largest; one of them holds."""
    a, b, c = (magnitude(entry) for entry in x)
    first = greatest(b, c) < a
    second = select(first, 0.0, select(c < b, 1.0, 0.0))
    return [first, second > 0.5, select(first, 1.0, second) < 0.5]


def _clip(start: Scalar, way: Scalar, half: Scalar) -> tuple[Scalar, Scalar]:
    """Shares of a line at which it enters and leaves the box ±half (Liang, Barsky 1984)."""
    slow = select(magnitude(way) < 1e-12, 1e-12, way)
    a, b = (-half - start) / slow, (half - start) / slow
    return least(a, b), greatest(a, b)


def _raised(distance: Scalar, foot: Array, normal: Array, radius: Scalar, there: Scalar | None = None) -> Point:
    """The contact of a ball of this radius over a foot point; FAR away if it is not there."""
    gap = distance - radius
    position = foot + normal * (gap / 2)
    return Point(gap if there is None else select(there, gap, FAR), position, normal)


# -- two boxes --------------------------------------------------------------------------------------


class Face(NamedTuple):
    """A face of a box: its middle, outward normal, and the two sides that span it with their halves; world axes."""

    middle: Array
    normal: Array
    sides: tuple[Array, Array]
    halves: tuple[Scalar, Scalar]


def boxes(poses: Poses, numbers: Array) -> list[Point]:
    """Two boxes: corners of the overlap of two faces, 12 at most and 8 at a time; or the crossing of two edges."""
    A, B = box_of(numbers[:BOX], poses[0]), box_of(numbers[BOX:], poses[1])
    seen = A.pose.inverse() @ B.pose
    own, others = face_axes(A, B, seen)
    crossing = edge_axes(A, B, seen)
    a, b, edges = furthest(own), furthest(others), furthest(list(crossing.values()))
    smallest = least(least(A.half[0], least(A.half[1], A.half[2])), least(B.half[0], least(B.half[1], B.half[2])))
    ours = b.distance < a.distance + FACES * smallest
    faces = select(ours, a.distance, b.distance)
    by_edges = faces + EDGES * smallest < edges.distance

    # the face that is met, and that of the other box which looks at it
    direction = A.pose.R @ chosen(ours, a.normal, -b.normal)
    met = _either(ours, facing(A, direction), facing(B, direction))
    other = _either(ours, facing(B, -direction), facing(A, -direction))
    found = [
        Point(select(by_edges, FAR, x.gap), x.position, chosen(ours, -x.normal, x.normal)) for x in _shared(met, other)
    ]
    edge = _crossing(A, B, seen, crossing, edges)
    first = found[0]
    found[0] = Point(
        select(by_edges, edge.gap, first.gap),
        chosen(by_edges, edge.position, first.position),
        chosen(by_edges, edge.normal, first.normal),
    )
    return found


def facing(box: Brick, direction: Array) -> Face:
    """The face of a box that looks most in a direction."""
    there = box.pose.R.T @ direction
    x, y, _ = _largest(there)

    def of(k: int) -> Array:
        """Axis k of the box and half its side, counted from the one that is chosen."""
        each = [array([*box.pose.R[:, (i + k) % 3], box.half[(i + k) % 3]]) for i in range(3)]
        return chosen(x, each[0], chosen(y, each[1], each[2]))

    off, u, w = of(0), of(1), of(2)
    normal = off[:3] * toward(off[:3] @ direction, 1.0)
    return Face(box.pose.p + off[3] * normal, normal, (u[:3], w[:3]), (u[3], w[3]))


def _either(condition: Scalar, yes: Face, no: Face) -> Face:
    return Face(
        chosen(condition, yes.middle, no.middle), chosen(condition, yes.normal, no.normal),
        (chosen(condition, yes.sides[0], no.sides[0]), chosen(condition, yes.sides[1], no.sides[1])),
        (select(condition, yes.halves[0], no.halves[0]), select(condition, yes.halves[1], no.halves[1])),
    )  # fmt: skip


def _shared(met: Face, other: Face) -> list[Point]:
    """Corners of the overlap of a face with the shadow of another, and heights of the other over them."""
    axes = array([met.sides[0], met.sides[1], met.normal])
    middle = axes @ (other.middle - met.middle)
    u, w = (axes @ side * half for side, half in zip(other.sides, other.halves, strict=True))
    found = []
    # once around the shadow: each edge where it enters the face, and where it leaves unless that is at its end
    for start, way in ((-u - w, 2 * u), (u - w, 2 * w), (u + w, -2 * u), (w - u, -2 * w)):
        start = middle + start
        spans = [_clip(start[k], way[k], met.halves[k]) for k in range(2)]
        low = greatest(0.0, greatest(spans[0][0], spans[1][0]))
        high = least(1.0, least(spans[0][1], spans[1][1]))
        there = select(low > high, 0.0, 1.0)
        found.append((start + least(low, 1.0) * way, there))
        found.append((start + greatest(high, 0.0) * way, select(high < 1.0, there, 0.0)))
    area = u[0] * w[1] - u[1] * w[0]
    inverse = 1 / select(magnitude(area) < 1e-12, 1e-12, area)
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x, y = x * met.halves[0], y * met.halves[1]
        dx, dy = x - middle[0], y - middle[1]
        s, t = inverse * (dx * w[1] - dy * w[0]), inverse * (u[0] * dy - u[1] * dx)
        inside = select(magnitude(s) < 1, select(magnitude(t) < 1, 1.0, 0.0), 0.0)
        found.append((array([x, y, middle[2] + s * u[2] + t * w[2]]), inside))
    return [
        Point(
            select(there > 0.5, p[2], FAR),
            met.middle + p[0] * met.sides[0] + p[1] * met.sides[1] + p[2] / 2 * met.normal,
            met.normal,
        )
        for p, there in found
    ]


def _crossing(A: Brick, B: Brick, seen: Transform, crossing: dict[tuple[int, int], Axis], best: Axis) -> Point:
    """Half way between the edges that cross along the best axis."""
    start, facing = first_of(A, best.normal), first_of(B, -(seen.R.T @ best.normal))
    along, across = directions_of(crossing, best)
    point = crossed(start, along, seen.point(facing), seen.R @ across) + best.distance / 2 * best.normal
    return Point(best.distance, A.pose.point(point), -(A.pose.R @ best.normal))
