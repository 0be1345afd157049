"""Visual and collision shapes of a link; the dynamics never reads them."""

from dataclasses import dataclass, field

import numpy as np

from ..algebra.spatial import Transform
from ..errors import ModelError
from ..inputs.frozen import Frozen

#: points of a convex hull: each is tried in every step of a search
MOST_POINTS = 64


@dataclass(frozen=True, eq=False)
class Shape(Frozen):
    """Something to draw, to collide with, or both, placed in the frame of its link."""

    placement: Transform = field(default_factory=Transform, kw_only=True)
    color: tuple[float, float, float] | None = field(default=None, kw_only=True)
    visual: bool = field(default=True, kw_only=True)
    collision: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, (list, np.ndarray)):
                object.__setattr__(self, name, tuple(value))


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """A box with the given edge lengths, centered."""

    size: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """A ball, centered."""

    radius: float


@dataclass(frozen=True, eq=False)
class Cylinder(Shape):
    """A cylinder along z, centered."""

    radius: float
    length: float


@dataclass(frozen=True, eq=False)
class Capsule(Shape):
    """A cylinder along z with rounded ends; `length` is that of the cylindrical part."""

    radius: float
    length: float


@dataclass(frozen=True, eq=False)
class Ellipsoid(Shape):
    """An ellipsoid with the given lengths of its axes, centered."""

    size: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """A mesh file; its address is kept as written and never opened for dynamics.

    `file` is where `load` found it: beside the robot's file or in one of the packages; "" if nowhere.
    """

    address: str
    scale: tuple[float, ...] = (1.0, 1.0, 1.0)
    file: str = field(default="", kw_only=True)


@dataclass(frozen=True, eq=False)
class Hull(Mesh):
    """The convex hull of points (n, 3) in the frame of the shape, at most 64, in the place of the mesh they are of."""

    address: str = ""
    points: tuple[tuple[float, ...], ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        points = np.array(self.points, float)
        if points.ndim != 2 or points.shape[1] != 3 or not 0 < len(points) <= MOST_POINTS:
            raise ModelError(f"Hull: points are (n, 3), n from 1 to {MOST_POINTS}; got shape {points.shape}")
        if not np.isfinite(points).all():
            raise ModelError(f"Hull: point {int(np.argmin(np.isfinite(points).all(axis=1)))} is not finite")
        object.__setattr__(self, "points", tuple(map(tuple, points.tolist())))
