"""Contact points of cylinders: their rims, their sides and the corners of others.

A rim meets something at the point of it that is furthest toward that, and at three more, a quarter turn apart: exact
on a plane, standing, lying and rolling.  Where a rim crosses an edge away from these points it may be inside by what
the chord between them leaves out.
"""

from ..algebra.scalars import Array, Scalar, array, greatest, least, select, sqrt
from ..algebra.spatial import Transform
from .bricks import TINY, TOUCHING, Brick, beside, between_segments, magnitude, toward
from .manifolds import FAR, ROD, Face, Point, Poses, box_of, capsule_on_box, facing, rod_of

#: numbers of a cylinder: its pose, half its length, its radius
CYLINDER = ROD
#: cosine of the angle up to which a cylinder stands; part of its disc in which edges are met by its end, not its side
UPRIGHT, WITHIN = 0.99, 0.999
#: steps of the search for the point of a line that is nearest to a cylinder
STEPS = 16


def rims(axis: Brick, radius: Scalar, direction: Array, within: float = 1.0) -> list[Array]:
    """Points of both rims: furthest in a direction, each a quarter turn on; `within` them if the cylinder stands."""
    here = axis.pose.R.T @ direction
    along = sqrt(here[0] * here[0] + here[1] * here[1])
    flat = along < 1e-6  # any points of the rim are as good
    radius = radius * select(magnitude(here[2]) > UPRIGHT, within, 1.0)
    x, y = select(flat, 1.0, here[0] / (along + TINY)), select(flat, 0.0, here[1] / (along + TINY))
    turns = ((x, y), (-y, x), (-x, -y), (y, -x))
    ends = (axis.half[2], -axis.half[2])
    return [axis.pose.point(array([radius * a, radius * b, z])) for z in ends for a, b in turns]


def beside_cylinder(p: Array, half: Scalar, radius: Scalar) -> tuple[Scalar, Array]:
    """Signed distance of a point from a cylinder in its axes, and the direction off it."""
    out = sqrt(p[0] * p[0] + p[1] * p[1] + TINY)
    across, above = out - radius, magnitude(p[2]) - half
    a, b = greatest(across, 0.0), greatest(above, 0.0)
    outside, inside = sqrt(a * a + b * b + TINY), greatest(across, above)
    apart = inside > TOUCHING
    side = select(apart, a / outside, select(above < across, 1.0, 0.0))
    end = select(apart, b / outside, select(above < across, 0.0, 1.0))
    return select(apart, outside, inside), array([side * p[0] / out, side * p[1] / out, toward(p[2], end)])


def _by_point(p: Array, radius: Scalar, pose: Transform, measured: tuple[Scalar, Array], sign: int = 1) -> Point:
    """The contact of a ball about p, in the axes of `pose`, from its distance and direction."""
    distance, off = measured
    gap = distance - radius
    position = p - off * (distance - gap / 2)
    return Point(gap, pose.point(position), sign * (pose.R @ off))


def cylinder_on_box(poses: Poses, numbers: Array) -> list[Point]:
    """Rims against the box, corners of the face that looks at the cylinder against it, and its side over edges."""
    axis, box, radius = rod_of(numbers[:ROD], poses[0]), box_of(numbers[ROD:], poses[1]), numbers[ROD - 1]
    side = capsule_on_box(poses, numbers)
    normal = side[0].normal
    found = [_unless_beyond(x, axis) for x in side]
    here = box.pose.inverse()
    for point in rims(axis, radius, -normal, WITHIN):
        p = here.point(point)
        found.append(_by_point(p, 0, box.pose, beside(p, array(box.half))))
    found += _face_of_box(facing(box, normal), axis, radius)
    return found


def _face_of_box(face: Face, axis: Brick, radius: Scalar) -> list[Point]:
    """Corners of a face against a cylinder, and its edges where they cross the rim of one that stands on it."""
    here = axis.pose.inverse()
    u, w = (here.R @ side * half for side, half in zip(face.sides, face.halves, strict=True))
    middle, upright = here.point(face.middle), magnitude((here.R @ face.normal)[2]) > UPRIGHT
    found = []
    for start, way in ((-u - w, 2 * u), (u - w, 2 * w), (u + w, -2 * u), (w - u, -2 * w)):
        start = middle + start
        found.append(_by_point(start, 0, axis.pose, beside_cylinder(start, axis.half[2], radius), -1))
        length, toward_axis = way[0] * way[0] + way[1] * way[1] + TINY, start[0] * way[0] + start[1] * way[1]
        beyond = start[0] * start[0] + start[1] * start[1] - (WITHIN * radius) * (WITHIN * radius)
        root = toward_axis * toward_axis - length * beyond
        crosses = select(upright, select(root > 0, 1.0, 0.0), 0.0)
        for sign in (-1, 1):
            share = (sign * sqrt(greatest(root, 0.0)) - toward_axis) / length
            there = select(share > 0, select(share < 1, crosses, 0.0), 0.0) > 0.5
            p = start + share * way
            point = _by_point(p, 0, axis.pose, beside_cylinder(p, axis.half[2], radius), -1)
            found.append(point._replace(gap=select(there, point.gap, FAR)))
    return found


def _unless_beyond(point: Point, axis: Brick) -> Point:
    """A contact of the capsule around a cylinder, if it is at its side and not deeper there than at its end."""
    z = axis.pose.R[:, 2] @ (point.position - axis.pose.p)
    across = magnitude(axis.pose.R[:, 2] @ point.normal) > 1e-6
    there = select(across, 0.0, select(magnitude(z) - axis.half[2] < least(point.gap, 0.0), 1.0, 0.0)) > 0.5
    return Point(select(there, point.gap, FAR), point.position, point.normal)


def capsule_on_cylinder(poses: Poses, numbers: Array) -> list[Point]:
    """Contacts where they are nearest, and at the ends of the capsule."""
    rod, axis = rod_of(numbers[:ROD], poses[0]), rod_of(numbers[ROD:], poses[1])
    thick, radius = numbers[ROD - 1], numbers[2 * ROD - 1]
    here = axis.pose.inverse()
    middle, along = here.point(rod.pose.p), here.R @ rod.pose.R[:, 2] * rod.half[2]
    found = []
    for share in (nearest_share(middle, along, axis.half[2], radius), -1.0, 1.0):
        p = middle + share * along
        found.append(_by_point(p, thick, axis.pose, beside_cylinder(p, axis.half[2], radius)))
    return found


def nearest_share(middle: Array, along: Array, half: Scalar, radius: Scalar) -> Scalar:
    """From -1 to 1: where a segment is nearest to a cylinder at the origin.

    The distance is convex along the segment: its slope is followed to zero (regula falsi, Illinois).
    """

    def slope(share: Scalar) -> Scalar:
        return beside_cylinder(middle + share * along, half, radius)[1] @ along

    low: Scalar = -1.0
    high: Scalar = 1.0
    below, above = slope(low), slope(high)
    share = select(below > 0, -1.0, 1.0)
    inner = select(below < 0, select(above > 0, 1.0, 0.0), 0.0) > 0.5
    kept: Scalar = 0.0  # 1 if the upper end was moved last, -1 if the lower one was
    for _ in range(STEPS):
        middle_share = (low * above - high * below) / (above - below + TINY)
        rate = slope(middle_share)
        rises = rate > 0
        # Illinois: the slope at an end that stays is halved, or the other end would converge slowly
        below = select(rises, select(kept > 0.5, below / 2, below), rate)
        above = select(rises, rate, select(kept < -0.5, above / 2, above))
        low, high = select(rises, low, middle_share), select(rises, middle_share, high)
        kept = select(rises, 1.0, -1.0)
    return select(inner, least(greatest(middle_share, -1.0), 1.0), share)


def cylinders(poses: Poses, numbers: Array) -> list[Point]:
    """Rims of each against the other, and where their sides are nearest."""
    A, B = rod_of(numbers[:ROD], poses[0]), rod_of(numbers[ROD:], poses[1])
    radii = numbers[ROD - 1], numbers[2 * ROD - 1]
    starts = [x.pose.p - x.pose.R[:, 2] * x.half[2] for x in (A, B)]
    ways = [2 * x.pose.R[:, 2] * x.half[2] for x in (A, B)]
    sides = between_segments(starts[0], ways[0], starts[1], ways[1])
    gap = sides.distance - radii[0] - radii[1]
    side = Point(gap, sides.second + sides.normal * (radii[1] + gap / 2), sides.normal)
    found = [_unless_beyond(_unless_beyond(side, A), B)]
    # toward the other: where the sides are nearest
    for own, radius, other, wide, sign in ((A, radii[0], B, radii[1], 1), (B, radii[1], A, radii[0], -1)):
        here = other.pose.inverse()
        for point in rims(own, radius, -sign * sides.normal, WITHIN):
            p = here.point(point)
            found.append(_by_point(p, 0, other.pose, beside_cylinder(p, other.half[2], wide), sign))
    return found + _rims_cross(A, B, radii)


def _rims_cross(A: Brick, B: Brick, radii: tuple[Scalar, Scalar]) -> list[Point]:
    """Points where the rims of two cylinders cross that stand on each other."""
    here = B.pose.inverse() @ A.pose
    axis = here.R[:, 2]
    end = here.p - toward(axis @ here.p, A.half[2]) * axis
    a, b = WITHIN * radii[0], WITHIN * radii[1]
    apart = sqrt(end[0] * end[0] + end[1] * end[1] + TINY)
    share = (apart * apart + b * b - a * a) / (2 * apart)
    aside = b * b - share * share
    there = select(magnitude(axis[2]) > UPRIGHT, select(aside > 0, 1.0, 0.0), 0.0) > 0.5
    x, y, reach, found = end[0] / apart, end[1] / apart, sqrt(greatest(aside, 0.0)), []
    for sign in (-1, 1):
        p = array([share * x - sign * reach * y, share * y + sign * reach * x, 0])
        p[2] = end[2] - (axis[0] * (p[0] - end[0]) + axis[1] * (p[1] - end[1])) / axis[2]
        point = _by_point(p, 0, B.pose, beside_cylinder(p, B.half[2], radii[1]))
        found.append(point._replace(gap=select(there, point.gap, FAR)))
    return found
