"""Convex hulls in the place of meshes that collide."""

import numpy as np

from ..drawing.meshes import Meshes
from ..errors import ModelError
from ..inputs.choices import whole_number
from ..model import Model
from ..model.shapes import MOST_POINTS, Hull, Mesh, Shape

#: directions in which the points of a mesh that are furthest are looked for
DIRECTIONS = 2000


def with_hulls(model: Model, most: int) -> Model:
    """The model whose collision meshes are hulls of at most so many of their points."""
    most = whole_number("with_hulls: most", most, 4)
    if most > MOST_POINTS:
        raise ModelError(f"with_hulls: a hull has at most {MOST_POINTS} points; got most={most}")
    meshes = Meshes(full=True)

    def hulled(shape: Shape) -> list[Shape]:
        if not isinstance(shape, Mesh) or isinstance(shape, Hull) or not shape.collision:
            return [shape]
        try:
            points = np.concatenate([part.points for part in meshes.parts_of(shape)])
        except ValueError as problem:
            raise ModelError(f"with_hulls: {problem}") from None
        hull = Hull(**{**vars(shape), "points": extreme_points(points, most), "visual": False})
        drawn = Mesh(**{**vars(shape), "collision": False})
        return [drawn, hull] if shape.visual else [hull]

    return model.changed(
        link.replace(shapes=[x for shape in link.shapes for x in hulled(shape)]) for link in model.links
    )


def extreme_points(points: np.ndarray, most: int) -> np.ndarray:
    """At most so many of the points (n, 3) that are furthest in some direction, as far from each other as possible."""
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k  # evenly over the sphere, on a spiral
    along = np.sqrt(1 - z * z)
    directions = np.stack([along * np.cos(turn), along * np.sin(turn), z])
    found = points[np.unique((points @ directions).argmax(axis=0))]
    apart = np.linalg.norm(found - found.mean(axis=0), axis=1)
    chosen: list[int] = []
    while len(chosen) < min(most, len(found)):
        chosen.append(int(apart.argmax()))
        apart = np.minimum(apart, np.linalg.norm(found - found[chosen[-1]], axis=1))
        if not apart.max() > 0:
            break
    return found[chosen]
