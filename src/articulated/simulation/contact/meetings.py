"""Table of what meets: balls, rims and facets on the ground, and pairs of shapes; any scalar.

The numbers of shapes, in the axes of the bodies that carry them, are given by the caller: they are no part of the code.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, array, select, sqrt
from ...algebra.spatial import Transform
from ...geometry.bricks import axes_off
from ...geometry.cylinders import rims
from ...geometry.manifolds import CAPSULE, FAR, Point, placed, rod_of
from ...geometry.table import KINDS, PAIRINGS, Pairing
from .surfaces import INFINITE, HeightField, Surface, nearest

#: cosine of the angle up to which facets at a ball are one
ALIKE = 0.999
#: sides of a ball at which facets are looked for, and of a cell
SIDES = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
#: sine of the angle by which the normal of a contact with a ridge may be off those of its cells
ASIDE = 1e-3


class Meeting(NamedTuple):
    """How a kind of shape meets the ground, or another shape."""

    meet: Callable[..., list[Point]]  # (pose, numbers, surface), or (poses, numbers)
    points: int
    size: int  # of its numbers
    ground: bool = False
    pairing: Pairing | None = None  # of shapes that are searched for their nearest points


def ball_on_ground(pose: Transform, ball: Array, surface: Surface) -> list[Point]:
    """A ball (point of its body, radius) over the ground."""
    center = pose.point(ball[:3])
    met = nearest(surface, center)
    return [Point(met.distance - ball[3], center - ball[3] * met.axes[2], met.axes[2])]


def ball_on_facet(pose: Transform, ball: Array, surface: HeightField, wide: bool = False) -> list[Point]:
    """A ball (point, radius, x, y) and the cell of a height field at its side (x, y), a wall of its groove.

    Of a ball that is not wide the cell is where its perpendicular on the plane there ends.
    """
    center = pose.point(ball[:3])
    foot = center + ball[3] * array([ball[4], ball[5], 0.0])
    if not wide:
        plane = surface.meet(foot)
        foot = center - (plane.distance + plane.axes[2] @ (center - foot)) * plane.axes[2]
    met, inside = surface.cell(foot).nearest(center)
    known, normal = nearest(surface, center), met.axes[2]
    apart = select(met.distance > 0, inside, 0.0)  # a patch that the center is below is not the one beside it
    most = select(normal @ known.axes[2] < ALIKE, INFINITE, known.distance)
    other = select(met.distance < most, apart, 0.0) > 0.5
    return [Point(select(other, met.distance - ball[3], FAR), center - ball[3] * normal, normal)]


def over_side(kind: str) -> "Meeting":
    """A shape and the line on one side of the cell of a height field below one of its points: a ridge.

    Of a line that is no ridge, or off to the side of it, its cells are nearer (and have other contacts).  The points of
    a ball are about its center and do not turn with it.
    """
    ball = kind == "ball"
    pairing = PAIRINGS["capsule" if ball else kind, "capsule"]

    def meet(pose: Transform, numbers: Array, surface: HeightField) -> list[Point]:
        shape, point, way = numbers[:-5], numbers[-5:-2], numbers[-2:]
        cell = surface.cell(pose.point(shape[:3]) + point if ball else pose.point(point))
        beside, (start, end) = surface.cell(cell.middle(way)), cell.side(way)
        line, none = end - start, array([0.0])
        length = sqrt(line @ line)
        line = line / length
        rod = [axes_off(line).T.ravel(), (start + end) / 2, array([length / 2]), none]
        both = np.concatenate([shape, *([start, end, none] if pairing.sizes[1] == CAPSULE else rod)])
        return [_unless_nearer(x, line, [cell.onto(x.position, -way), beside.onto(x.position, way)])
                for x in pairing.meet((pose, Transform()), both)]  # fmt: skip

    return Meeting(meet, pairing.points, pairing.sizes[0] + 5, ground=True)


def _unless_nearer(point: Point, line: Array, onto: list[Array]) -> Point:
    """A contact with a line, if its normal is between those of the cells beside it."""
    there: Scalar = 1.0
    for x in onto:
        across = x - (x @ line) * line
        there = select(point.normal @ across > ASIDE * sqrt(across @ across), 0.0, there)
    return point._replace(gap=select(there > 0.5, point.gap, FAR))


def rims_on_ground(pose: Transform, cylinder: Array, surface: Surface) -> list[Point]:
    """Both rims of a cylinder over the ground: the lowest point and each a quarter turn on."""
    axis = rod_of(cylinder, pose)
    found = []
    for point in rims(axis, cylinder[13], -surface.meet(axis.pose.p).axes[2]):
        met = surface.meet(point)
        found.append(Point(met.distance, point, met.axes[2]))
    return found


def ellipsoid_on_ground(pose: Transform, ellipsoid: Array, surface: Surface) -> list[Point]:
    """The point of an ellipsoid that is furthest toward the ground below its center."""
    shape = KINDS["ellipsoid"].at(placed(ellipsoid, pose), ellipsoid)
    point = shape.furthest(-surface.meet(shape.pose.p).axes[2])
    met = surface.meet(point)
    return [Point(met.distance, point, met.axes[2])]


#: kind of a contact → how it is met; those with the ground first
MEETINGS: dict[str, Meeting] = {
    "ball": Meeting(ball_on_ground, 1, 4, ground=True),
    "facet": Meeting(ball_on_facet, 1, 6, ground=True),
    "cell": Meeting(partial(ball_on_facet, wide=True), 1, 6, ground=True),
    "rims": Meeting(rims_on_ground, 8, 14, ground=True),
    "ellipsoid": Meeting(ellipsoid_on_ground, 1, 15, ground=True),
} | {f"{kind}_over_side": over_side(kind) for kind in ("ball", "capsule", "cylinder", "box")}
MEETINGS |= {
    "_on_".join(kinds): Meeting(x.meet, x.points, sum(x.sizes), pairing=x if x.found else None)
    for kinds, x in PAIRINGS.items()
}


def met(kind: str, surface: Any, poses: tuple[Transform, ...], numbers: Array) -> tuple[Array, Array, Array]:
    """Gaps (n,), positions (n, 3) and axes (n, 9: along, along, off) of the points of a kind."""
    meeting = MEETINGS[kind]
    return as_arrays(meeting.meet(poses[0], numbers, surface) if meeting.ground else meeting.meet(poses, numbers))


def as_arrays(found: list[Point]) -> tuple[Array, Array, Array]:
    """The same of points."""
    return (
        array([x.gap for x in found]),
        array([list(x.position) for x in found]),
        array([list(axes_off(x.normal).ravel()) for x in found]),
    )
