"""Surfaces of the ground: distance of a point and the normal there, on any scalar; and the table of them."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...algebra.rotations import aligning_z
from ...algebra.scalars import Array, Scalar, array, exact_array, greatest, select, sqrt
from ...algebra.spatial import Transform
from ...errors import ShapeError
from ...geometry.bricks import axes_off
from ...inputs.choices import floats, number
from ...inputs.labels import XYZ
from ...model.shapes import Capsule
from ...text import shortened
from .laws import TINY

Axes = tuple[tuple[float, ...], ...]
#: most nodes of a height field: every contact sums them all
MOST_NODES = 1024


class Met(NamedTuple):
    """A point over the ground."""

    distance: Scalar  # negative below it
    axes: Array  # two directions along the ground and the one off it, as rows, in world axes


class Surface(Protocol):
    """Shape of the ground."""

    def meet(self, p: Array) -> Met:
        """Distance and axes of the ground nearest to a point."""

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """Edges that stick out, as capsules of no radius: they meet the faces of boxes and the middle of capsules."""


class Plane(NamedTuple):
    """All points x with normal · x = offset; the axes are rows, the normal last."""

    axes: Axes
    offset: float

    def meet(self, p: Array) -> Met:
        """The ground nearest to a point."""
        axes = exact_array(self.axes)
        return Met(axes[2] @ p - self.offset, axes)

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """None."""
        return ()


#: the ground at z = 0
FLAT = Plane(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 0)


def level(height: float) -> Plane:
    """Plane at z = height."""
    return _plane(height, np.array([0.0, 0.0, 1.0]))


def sloping(height: float, slope: Any) -> Plane:
    """Plane that rises along x by an angle, rad."""
    angle = number("Ground: slope", slope, "an angle in radians, less than a quarter turn", -1.55, 1.55)
    return _plane(height, np.array([-math.sin(angle), 0.0, math.cos(angle)]))


def tilted(height: float, normal: Any) -> Plane:
    """Plane by a direction off it, (3,)."""
    off = floats("Ground: normal", normal, XYZ)
    if off.shape != (3,) or not np.isfinite(off).all() or not off[2] > 0:
        raise ShapeError(f"Ground: normal is a direction off the ground, (x, y, z) with z > 0; got {normal!r}")
    off = off / np.abs(off).max()
    return _plane(height, off / np.linalg.norm(off))


def _plane(height: float, off: np.ndarray) -> Plane:
    axes = exact_array(aligning_z(exact_array(off)).T, 1e-15)
    return Plane(tuple(map(tuple, axes.tolist())), float(height * off[2]))


class Tread(NamedTuple):
    """Solid ground below `height` from `start` to `end` along x."""

    start: float
    end: float
    height: float


class Steps(NamedTuple):
    """Treads and the risers between them, everything the same along y."""

    treads: tuple[Tread, ...]

    def meet(self, p: Array) -> Met:
        """The nearest of all treads, edges and risers."""
        distance, x, z = _off_tread(self.treads[0], p)
        for tread in self.treads[1:]:
            other, other_x, other_z = _off_tread(tread, p)
            nearer = other < distance
            distance = select(nearer, other, distance)
            x, z = select(nearer, other_x, x), select(nearer, other_z, z)
        return Met(distance, array([[z, 0, -x], [0, 1, 0], [x, 0, z]]))

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """Edges of the treads, along y."""
        corners = {(x, t.height) for t in self.treads for x in (t.start, t.end) if abs(x) < INFINITE}
        turn = ((1, 0, 0), (0, 0, 1), (0, -1, 0))  # z along y
        return tuple(Capsule(0.0, LONG, placement=Transform(turn, (x, 0, z))) for x, z in sorted(corners))


def _off_tread(tread: Tread, p: Array) -> tuple[Scalar, Scalar, Scalar]:
    """Distance of a point from one tread, and the direction away from it in the plane of x and z."""
    before, beyond, above = tread.start - p[0], p[0] - tread.end, p[2] - tread.height
    beside = greatest(before, beyond)
    side = select(before < beyond, 1.0, -1.0)
    # beyond an edge: the way to it; beside the riser, or over the tread: straight
    edge = sqrt(beside * beside + above * above + TINY)
    flat = select(beside < above, 1.0, 0.0)
    outside = select(beside > 0, select(above > 0, 1.0, 0.0), 0.0) > 0.5
    return (
        select(outside, edge, greatest(beside, above)),
        select(outside, side * beside / edge, side * (1 - flat)),
        select(outside, above / edge, flat),
    )


def stairs(height: float, steps: Any) -> Steps:
    """Steps by a list of (x, z): from each x on the ground is at z; before, at `height`."""
    members = list(steps) if isinstance(steps, Iterable) and not isinstance(steps, (str, bytes)) else steps
    found = floats("Ground: steps", members, ("x", "z"))
    if found.ndim != 2 or found.shape[1] != 2 or not np.isfinite(found).all() or not (np.diff(found[:, 0]) > 0).all():
        raise ShapeError(f"Ground: steps is a list of (x, z), each x beyond the last; got {shortened(repr(steps))}")
    return Steps(treads(height, tuple(map(tuple, found.tolist()))))


def treads(base: float, risers: tuple[tuple[float, float], ...]) -> tuple[Tread, ...]:
    """Treads of a profile at `base`, and from each x on at the height given with it; each as long as solid ground is.

    A tread goes on below those that are higher, so that no seam shows between them.
    """
    starts = [-INFINITE, *(x for x, _ in risers)]
    ends = [*(x for x, _ in risers), INFINITE]
    heights = [base, *(h for _, h in risers)]
    found = []
    for k, height in enumerate(heights):
        first, last = k, k
        while first > 0 and heights[first - 1] >= height:
            first -= 1
        while last + 1 < len(heights) and heights[last + 1] >= height:
            last += 1
        found.append(Tread(starts[first], ends[last], height))
    return tuple(dict.fromkeys(found))


class HeightField(NamedTuple):
    """Heights over a grid of x and y, bilinear between its nodes, and level with its border beyond it.

    All nodes are summed, each with its hat: straight-line code that looks nothing up, for grids of moderate size.
    """

    extent: tuple[float, float, float, float]  # x from, to; y from, to
    heights: tuple[tuple[float, ...], ...]  # one row for each x

    def meet(self, p: Array) -> Met:
        """The ground below a point, as its tangent plane there has it."""
        x0, x1, y0, y1 = self.extent
        x, x_rate = _hats(p[0], x0, x1, len(self.heights))
        y, y_rate = _hats(p[1], y0, y1, len(self.heights[0]))
        H = exact_array(self.heights)
        along_x = H @ y
        slope_x, slope_y = x_rate @ along_x, x @ (H @ y_rate)
        normal = array([-slope_x, -slope_y, 1.0]) / sqrt(1 + slope_x * slope_x + slope_y * slope_y)
        return Met((p[2] - x @ along_x) * normal[2], axes_off(normal))

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """None: points of faces and of the middle of capsules meet it."""
        return ()


def nearest(surface: Surface, p: Array) -> Met:
    """The ground nearest to a point; of a height field the tangent plane where the perpendicular meets it."""
    met = surface.meet(p)
    for _ in range(PERPENDICULARS if isinstance(surface, HeightField) else 0):
        foot = p - met.distance * met.axes[2]
        there = surface.meet(foot)
        met = Met(there.distance + there.axes[2] @ (p - foot), there.axes)
    return met


def height_field(height: float, heights: Any, extent: Any = None) -> HeightField:
    """Height field by its nodes (nx, ny) and its extent."""
    if extent is None:
        raise ShapeError("Ground: heights (nx, ny) and extent (x from, x to, y from, y to) come together")
    nodes, sides = floats("Ground: heights", heights, rows=()), floats("Ground: extent", extent)
    if nodes.ndim != 2 or min(nodes.shape) < 2 or not np.isfinite(nodes).all():
        raise ShapeError(f"Ground: heights (nx, ny) are finite numbers, two or more each way; got shape {nodes.shape}")
    if nodes.size > MOST_NODES:
        raise ShapeError(
            f"Ground: heights {nodes.shape} are {nodes.size} numbers; at most {MOST_NODES}: take a part of them, or "
            "every other one"
        )
    if sides.shape != (4,) or not np.isfinite(sides).all() or sides[0] >= sides[1] or sides[2] >= sides[3]:
        raise ShapeError(f"Ground: extent is (x from, x to, y from, y to); got {shortened(repr(extent))}")
    x0, x1, y0, y1 = sides.tolist()
    return HeightField((x0, x1, y0, y1), tuple(map(tuple, (nodes + height).tolist())))


def _hats(x: Scalar, first: float, last: float, nodes: int) -> tuple[Array, Array]:
    """Weights of the nodes of a line, linear from each to the next, and their rates."""
    step = (last - first) / (nodes - 1)
    at = greatest(greatest(x - first, 0.0) - (last - first), 0.0)  # how far beyond the end
    at = (greatest(x - first, 0.0) - at) / step
    inside = select(x > first, select(x < last, 1 / step, 0.0), 0.0)
    weights, rates = [], []
    for k in range(nodes):
        rises = at < k
        weights.append(greatest(select(rises, at - (k - 1), (k + 1) - at), 0.0))
        slope = select(rises, select(at < k - 1, 0.0, 1.0), select(at < k + 1, -1.0, 0.0))  # at a node, that beyond
        rates.append(inside * slope)
    return array(weights), array(rates)


#: steps from the tangent plane below a point to that nearest to it
PERPENDICULARS = 2
#: further than anything goes; its square is still a number
INFINITE = 1e30
#: m: length of an edge of the ground
LONG = 1e4


#: keyword of `art.Ground` → surface, from the height of the ground and the value of the keyword
SURFACES: dict[str, Callable[..., Surface]] = {
    "slope": sloping,
    "normal": tilted,
    "steps": stairs,
    "heights": height_field,
}
