"""Surfaces of the ground: distance of a point and the normal there, on any scalar; and the table of them."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...algebra.rotations import aligning_z
from ...algebra.scalars import Array, Scalar, array, chosen, exact_array, greatest, least, select, sqrt, total
from ...algebra.spatial import Transform
from ...errors import ShapeError
from ...geometry.bricks import TOUCHING, axes_off
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
    """Shape of the ground.  Its numbers are arguments of compiled code, which depends on `like` alone."""

    def meet(self, p: Array) -> Met:
        """Distance and axes of the ground nearest to a point."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """All of them in a row."""

    @property
    def like(self) -> "Surface":
        """One that is the same for all numbers."""

    def of(self, numbers: Array) -> "Surface":
        """The same with other numbers, on any scalar."""

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """Edges that stick out, as capsules of no radius: they meet the faces of boxes and the middle of capsules."""


class Plane(NamedTuple):
    """All points x with normal · x = offset; the axes are rows, the normal last."""

    axes: Axes
    offset: float

    @property
    def numbers(self) -> tuple[float, ...]:
        """Axes and offset."""
        return *(x for axis in self.axes for x in axis), self.offset

    @property
    def like(self) -> "Plane":
        """The ground at z = 0."""
        return FLAT

    def of(self, numbers: Array) -> "Plane":
        """A plane by its numbers."""
        return Plane(numbers[:9].reshape(3, 3), numbers[9])  # type: ignore[arg-type]

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

    @property
    def numbers(self) -> tuple[float, ...]:
        """Those of the treads."""
        return tuple(x for tread in self.treads for x in tread)

    @property
    def like(self) -> "Steps":
        """As many treads."""
        return Steps((Tread(0.0, 0.0, 0.0),) * len(self.treads))

    def of(self, numbers: Array) -> "Steps":
        """As many treads by their numbers."""
        return Steps(tuple(Tread(*row) for row in numbers.reshape(-1, 3)))

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


class Cell(NamedTuple):
    """Part of a height field between four nodes, a bilinear patch; beyond the field it has no end on that side."""

    start: tuple[Scalar, Scalar]  # x and y of the first node
    size: tuple[float, float]
    ends: tuple[tuple[Scalar, Scalar], tuple[Scalar, Scalar]]  # of x and of y
    heights: Array  # of its nodes, (2, 2), one row for each x

    def at(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Height and slopes along x and y."""
        u, w = (x - self.start[0]) / self.size[0], (y - self.start[1]) / self.size[1]
        (low, left), (right, high) = self.heights
        along, across, twist = right - low, left - low, low + high - left - right
        height = low + u * along + w * (across + u * twist)
        return height, (along + w * twist) / self.size[0], (across + u * twist) / self.size[1]

    def meet(self, p: Array) -> Met:
        """The tangent plane below a point."""
        height, *slopes = self.at(p[0], p[1])
        normal = _off(*slopes)
        return Met((p[2] - height) * normal[2], axes_off(normal))

    def nearest(self, p: Array) -> tuple[Met, Scalar]:
        """The point of the patch nearest to p, and 1 if that is straight below it, not beyond the border.

        Newton's steps, each to the best place within the ends.
        """
        (low, left), (right, high) = self.heights
        twist = (low + high - left - right) / (self.size[0] * self.size[1])
        ends, x, y = self.ends, _between(p[0], self.ends[0]), _between(p[1], self.ends[1])
        for _ in range(STEPS):
            height, along, across = self.at(x, y)
            off = p[2] - height
            a, c = 1 + along * along, 1 + across * across
            most = CONVEX * sqrt(a * c)
            b = _between(along * across - off * twist, (-most, most))
            f, g = p[0] - x + along * off, p[1] - y + across * off
            dx = _between(x + (c * f - b * g) / (a * c - b * b), ends[0]) - x
            dy = _between(y + (g - b * dx) / c, ends[1]) - y
            x, y = _between(x + (f - b * dy) / a, ends[0]), y + dy
        height, *slopes = self.at(x, y)
        off, normal = p - array([x, y, height]), _off(*slopes)
        length, above = sqrt(off @ off + TINY), normal @ off
        # beyond the border the way to it; on the ground, and inside of it, the patch has the direction
        beyond = select(above > TOUCHING, select(above < ALONG * length, 1.0, 0.0), 0.0)
        normal = chosen(beyond > 0.5, off / length, normal)
        return Met(normal @ off, axes_off(normal)), 1 - beyond

    def side(self, way: Array) -> tuple[Array, Array]:
        """Ends of the straight line around the patch on one of its sides: (1, 0), (-1, 0), (0, 1) or (0, -1)."""
        x, y = ((a, a + size) for a, size in zip(self.start, self.size, strict=True))
        n = [[array([x[i], y[j], self.heights[i, j]]) for j in range(2)] for i in range(2)]
        far = way[0] + way[1] > 0
        first = chosen(far, chosen(way[0] > 0.5, n[1][0], n[0][1]), n[0][0])
        return first, chosen(far, n[1][1], chosen(way[0] < -0.5, n[0][1], n[1][0]))

    def middle(self, way: Array) -> Array:
        """The middle of the cell, or of the one on its side."""
        return array([a + (0.5 + w) * size for a, size, w in zip(self.start, self.size, way, strict=True)])

    def onto(self, p: Array, way: Array) -> Array:
        """Direction up or down the patch, whose horizontal part is `way`."""
        _, along, across = self.at(p[0], p[1])
        return array([way[0], way[1], way[0] * along + way[1] * across])


def _off(along: Scalar, across: Scalar) -> Array:
    """Normal of ground with these slopes."""
    return array([-along, -across, 1.0]) / sqrt(1 + along * along + across * across)


def _between(x: Scalar, ends: tuple[Scalar, Scalar]) -> Scalar:
    return greatest(least(x, ends[1]), ends[0])


class HeightField(NamedTuple):
    """Heights over a grid of x and y, bilinear between its nodes, and level with its border beyond it.

    All nodes are summed, those of a cell with 1: straight-line code that looks nothing up, for grids of moderate size.
    """

    extent: tuple[float, float, float, float]  # x from, to; y from, to
    heights: tuple[tuple[float, ...], ...]  # one row for each x

    @property
    def numbers(self) -> tuple[float, ...]:
        """Extent and heights."""
        return *self.extent, *(z for row in self.heights for z in row)

    @property
    def like(self) -> "HeightField":
        """Level ground of as many nodes."""
        return HeightField((0.0, 1.0, 0.0, 1.0), ((0.0,) * len(self.heights[0]),) * len(self.heights))

    def of(self, numbers: Array) -> "HeightField":
        """As many nodes by their numbers."""
        return HeightField(tuple(numbers[:4]), numbers[4:].reshape(len(self.heights), -1))  # type: ignore[arg-type]

    @property
    def steps(self) -> tuple[float, float]:
        """Sizes of a cell along x and y."""
        x0, x1, y0, y1 = self.extent
        return (x1 - x0) / (len(self.heights) - 1), (y1 - y0) / (len(self.heights[0]) - 1)

    def cell(self, p: Array) -> Cell:
        """The cell below a point; at a node that beyond it."""
        H, steps = exact_array(self.heights), self.steps
        x, *lines = _cell(p[0], self.extent[0], steps[0], len(H))
        y, *columns = _cell(p[1], self.extent[2], steps[1], len(H[0]))
        heights = array([[line @ each for each in (H @ column for column in columns[1:])] for line in lines[1:]])
        return Cell((x, y), steps, (lines[0], columns[0]), heights)

    def meet(self, p: Array) -> Met:
        """The ground below a point, as its tangent plane there has it."""
        return self.cell(p).meet(p)

    @property
    def edges(self) -> tuple[Capsule, ...]:
        """None: shapes meet those of the cell below them."""
        return ()


def _cell(x: Scalar, first: float, step: float, nodes: int) -> tuple[Any, ...]:
    """Start of the cell of x along a line of nodes, its ends, and weights that are 1 at its first, and last, node."""
    passed = [select(x < first + k * step, 0.0, 1.0) for k in range(nodes)]
    count = total(passed)
    start = first + (count - 1) * step
    ends = select(count < 0.5, -INFINITE, start), select(count > nodes - 0.5, INFINITE, start + step)
    low = [a - b for a, b in zip([1.0, *passed[1:]], [*passed[1:], 0.0], strict=True)]
    high = [a - b for a, b in zip([1.0, *passed[:-1]], [*passed[:-1], 0.0], strict=True)]
    return start, ends, array(low), array(high)


def nearest(surface: Surface, p: Array) -> Met:
    """The ground nearest to a point; of a height field that of the cell below it, or where its perpendicular ends."""
    if not isinstance(surface, HeightField):
        return surface.meet(p)
    below = surface.cell(p).nearest(p)[0]
    foot, plane = p, surface.meet(p)
    for _ in range(PERPENDICULARS):
        foot = p - (plane.distance + plane.axes[2] @ (p - foot)) * plane.axes[2]
        plane = surface.meet(foot)
    other = surface.cell(foot).nearest(p)[0]
    # behind a patch that is not below it a point is not in the ground
    nearer = select(other.distance > 0, other.distance, INFINITE) < below.distance
    normal = chosen(nearer, other.axes[2], below.axes[2])
    return Met(select(nearer, other.distance, below.distance), axes_off(normal))


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


#: steps to the point of a patch that is nearest to another, and to the cell where a perpendicular ends
STEPS, PERPENDICULARS = 4, 2
#: the most that the twist of a patch may bend a squared distance; at 1 it has no least place
CONVEX = 0.95
#: cosine of the angle up to which a direction is that of the normal
ALONG = 1 - 1e-9
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
