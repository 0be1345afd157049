"""Objects of a scene: solid bodies of one shape, and where they are at the start."""

from __future__ import annotations  # help shows types as they are written here

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import ModelError
from ..inputs.choices import floats, number
from ..inputs.frozen import Frozen
from ..inputs.labels import XYZ
from ..joints import Fixed, Floating
from ..model import Link, shapes
from ..model.changes import placed
from ..text import shortened

#: a pose: a Transform, a 4×4 matrix, or (x, y, z) without a turn
Place = Transform | ArrayLike


class Solid(Frozen):
    """A body of uniform density, free or fixed; its frame is at its center of mass."""

    kind: ClassVar[str]
    shape: shapes.Shape
    mass: float | None  # None: it does not move
    gyration: tuple[float, ...]  # principal moments of inertia by mass, m²
    at: Transform

    def _set(self, shape: shapes.Shape, mass: Any, gyration: tuple[float, ...], at: Any) -> None:
        if mass is not None:
            mass = number(f"{type(self).__name__}: mass", mass, "a mass above zero, kg, or None", math.ulp(0.0))
        self.__setstate__({"shape": shape, "mass": mass, "gyration": gyration, "at": place(type(self).__name__, at)})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'that is fixed' if self.mass is None else f'of {self.mass:g} kg'}>"


class Box(Solid):
    """A solid box that moves freely, or is fixed, for `art.Scene`.

    Parameters
    ----------
    size : edge lengths along x, y and z, (3,) m
    mass : kg; None: it is fixed where it is
    at : pose at the start: (x, y, z), a Transform or a 4×4 matrix
    color : red, green, blue from 0 to 1

    Examples
    --------
    >>> import articulated as art
    >>> scene = art.Scene([art.Box(size=(0.2, 0.1, 0.1), mass=2.0, at=(0, 0, 0.05)), art.Ground(friction=0.5)])
    >>> scene.mass_matrix(scene.poses["start"])[5, 5].round(12)
    np.float64(0.008333333333)
    """

    kind = "box"

    def __init__(self, size: ArrayLike, mass: float | None, *, at: Place = (0, 0, 0), color: Any = None):
        edges = floats("Box: size", size, XYZ)
        if edges.shape != (3,) or not ((edges > 0) & (edges < 1e100)).all():
            raise ModelError(f"Box: size is three lengths above zero, m; got {shortened(repr(size))}")
        x, y, z = (edges**2 / 12).tolist()
        shape = shapes.Box(tuple(edges.tolist()), color=color, collision=True)
        self._set(shape, mass, (y + z, x + z, x + y), at)


class Ball(Solid):
    """A solid ball that moves freely, or is fixed, for `art.Scene`.

    Parameters
    ----------
    radius : m
    mass : kg; None: it is fixed where it is
    at : pose at the start: (x, y, z), a Transform or a 4×4 matrix
    color : red, green, blue from 0 to 1

    Examples
    --------
    >>> import articulated as art
    >>> scene = art.Scene([art.Ball(radius=0.1, mass=1.0, at=(0, 0, 1.0)), art.Ground(restitution=0.5)])
    >>> run = art.simulate(scene, duration=0.5)
    >>> bool(run.v[-1, 2] > 0)
    True
    """

    kind = "ball"

    def __init__(self, radius: float, mass: float | None, *, at: Place = (0, 0, 0), color: Any = None):
        radius = number("Ball: radius", radius, "a length above zero, m", math.ulp(0.0))
        self._set(shapes.Sphere(radius, color=color, collision=True), mass, (0.4 * radius * radius,) * 3, at)


def link_of(solid: Solid, name: str, on: str, at: Transform) -> Link:
    """An object as a link on a floating joint, or fixed at a pose."""
    if solid.mass is None:
        return Link(name, on, Fixed(name=name), at, shapes=(solid.shape,))
    inertia = Inertia(solid.mass, (0, 0, 0), np.diag(solid.mass * np.array(solid.gyration)))
    return Link(name, on, Floating(name=name), IDENTITY, inertia, (solid.shape,))


def place(what: str, given: Any) -> Transform:
    """A pose: a Transform, a homogeneous matrix, or a position."""
    if isinstance(given, Transform):
        return given
    numbers = floats(f"{what}: at", given)
    if numbers.shape not in ((3,), (4, 4)) or not np.isfinite(numbers).all():
        raise ModelError(f"{what}: at is (x, y, z), a Transform or a 4×4 matrix; got {shortened(repr(given))}")
    return Transform(p=numbers) if numbers.ndim == 1 else placed(what, numbers)
