"""Obstacles of many shapes, of which the nearest counts: height fields and clouds of points."""

from typing import Any

import numpy as np

from ..algebra.spatial import Transform
from ..errors import ShapeError
from ..model.shapes import Hull, Sphere


def height_field(heights: Any, extent: Any, bottom: float) -> tuple[Hull, ...]:
    """Solid ground below two triangles in every cell of a grid, as prisms down to `bottom`.

    Parameters
    ----------
    heights : (nx, ny), one row for each x: m
    extent : (x from, x to, y from, y to), m
    bottom : height of its lower side, below all heights: m

    Returns
    -------
    2 (nx - 1) (ny - 1) prisms: together one obstacle of `Robot.distances`

    Examples
    --------
    >>> from articulated.geometry.obstacles import height_field
    >>> hills = height_field([[0, 0.1], [0, 0]], (-1, 1, -1, 1), bottom=-1.0)
    >>> panda = art.load("panda")
    >>> panda.distances(panda.poses["home"], obstacles=[hills]).shape
    (32,)
    """
    z, sides = np.array(heights, float), np.array(extent, float)
    if z.ndim != 2 or min(z.shape) < 2 or sides.shape != (4,) or not (z > bottom).all():
        raise ShapeError(
            f"height_field: heights are (nx, ny), two or more each way, above bottom = {bottom!r}, and extent is "
            f"(x from, x to, y from, y to); got shapes {z.shape} and {sides.shape}"
        )
    x, y = np.linspace(sides[0], sides[1], z.shape[0]), np.linspace(sides[2], sides[3], z.shape[1])
    top = np.stack([*np.meshgrid(x, y, indexing="ij"), z], axis=-1)
    corners = top[:-1, :-1], top[1:, :-1], top[1:, 1:], top[:-1, 1:]
    triangles = np.stack([np.stack([corners[k] for k in three], axis=-2) for three in ((0, 1, 2), (0, 2, 3))])
    floor = np.where([False, False, True], bottom, triangles)
    prisms = np.concatenate([triangles, floor], axis=-2).reshape(-1, 6, 3)
    return tuple(Hull(points=tuple(map(tuple, prism))) for prism in prisms.tolist())


def point_cloud(points: Any, radius: float) -> tuple[Sphere, ...]:
    """A ball around each point.

    Parameters
    ----------
    points : (n, 3), m
    radius : m

    Returns
    -------
    n balls: together one obstacle of `Robot.distances`

    Examples
    --------
    >>> from articulated.geometry.obstacles import point_cloud
    >>> cloud = point_cloud(np.random.default_rng(0).uniform(0.5, 1, (100, 3)), 0.02)
    >>> panda = art.load("panda")
    >>> panda.distances(panda.poses["home"], obstacles=[cloud]).shape
    (32,)
    """
    found = np.array(points, float)
    if found.ndim != 2 or found.shape[1] != 3 or not np.isfinite(found).all():
        raise ShapeError(f"point_cloud: points are (n, 3), finite numbers; got shape {found.shape}")
    return tuple(Sphere(radius, placement=Transform(p=p)) for p in found.tolist())
