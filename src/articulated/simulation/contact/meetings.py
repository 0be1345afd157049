"""Table of what meets: balls, rims and facets on the ground, and pairs of shapes; any scalar.

The numbers of shapes, in the axes of the bodies that carry them, are given by the caller: they are no part of the code.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...algebra.scalars import Array, array, select
from ...algebra.spatial import Transform
from ...geometry.bricks import axes_off
from ...geometry.cylinders import rims
from ...geometry.manifolds import FAR, Point, rod_of
from ...geometry.table import KINDS, PAIRINGS, Pairing
from .surfaces import Surface, nearest

#: a facet at the side of a ball leans toward it by this part of its radius, and its normal is the same where they meet
LEANING, ALIKE = 0.05, 0.99
#: sides of a ball at which facets are looked for
SIDES = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))


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


def ball_on_facet(pose: Transform, ball: Array, surface: Surface) -> list[Point]:
    """A ball (point, radius, x, y) and the facet of a height field at its side (x, y), a wall of its groove."""
    center, side = pose.point(ball[:3]), array([ball[4], ball[5], 0.0])
    start = center + ball[3] * side
    plane = surface.meet(start)
    foot = center - (plane.distance + plane.axes[2] @ (center - start)) * plane.axes[2]
    met = surface.meet(foot)
    normal, distance = met.axes[2], met.distance + met.axes[2] @ (center - foot)
    leans = (foot - center) @ side > LEANING * ball[3]
    there = select(leans, select(plane.axes[2] @ normal > ALIKE, 1.0, 0.0), 0.0) > 0.5
    return [Point(select(there, distance - ball[3], FAR), center - ball[3] * normal, normal)]


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
    shape = KINDS["ellipsoid"].convex(pose, ellipsoid)
    point = shape.furthest(-surface.meet(shape.pose.p).axes[2])
    met = surface.meet(point)
    return [Point(met.distance, point, met.axes[2])]


#: kind of a contact → how it is met; those with the ground first
MEETINGS: dict[str, Meeting] = {
    "ball": Meeting(ball_on_ground, 1, 4, ground=True),
    "facet": Meeting(ball_on_facet, 1, 6, ground=True),
    "rims": Meeting(rims_on_ground, 8, 14, ground=True),
    "ellipsoid": Meeting(ellipsoid_on_ground, 1, 15, ground=True),
}
MEETINGS |= {
    "_on_".join(kinds): Meeting(x.meet, x.points, sum(x.sizes), pairing=x if x.shapes else None)
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
