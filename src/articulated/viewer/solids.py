"""Surfaces of boxes, balls, cylinders, capsules and ellipsoids, as triangles."""

from typing import NamedTuple

import numpy as np

from ..model.shapes import Box, Capsule, Cylinder, Shape, Sphere

#: segments of a full turn, and from pole to pole
AROUND, ALONG = 24, 12


class Surface(NamedTuple):
    """Triangles in some frame; corners that share a vertex are shaded as one smooth surface."""

    vertices: np.ndarray  # (n, 3) m
    faces: np.ndarray  # (m, 3) vertices, counterclockwise from outside
    closed: bool = True  # so that only its outside is ever seen

    def moved(self, pose: np.ndarray) -> "Surface":
        """The surface moved by `pose` (4, 4)."""
        return self._replace(vertices=self.vertices @ pose[:3, :3].T + pose[:3, 3])

    def scaled(self, factors: np.ndarray) -> "Surface":
        """Stretched along the axes; a reflection turns the faces round."""
        faces = self.faces if np.prod(factors) > 0 else self.faces[:, ::-1]
        return self._replace(vertices=self.vertices * factors, faces=faces)


def joined(surfaces: list[Surface]) -> Surface:
    """Several as one."""
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces[:-1])])
    faces = [s.faces + start for s, start in zip(surfaces, starts, strict=True)]
    closed = all(s.closed for s in surfaces)
    return Surface(np.concatenate([s.vertices for s in surfaces]), np.concatenate(faces), closed)


def solid(shape: Shape) -> Surface | None:
    """The surface of a shape in its own frame; None for a mesh, which is a file."""
    if isinstance(shape, Box):
        return box(np.asarray(shape.size, float))
    if isinstance(shape, Sphere):
        return ball(shape.radius)
    if isinstance(shape, Cylinder):
        r, h = shape.radius, shape.length / 2
        return joined([revolved([(0, -h), (r, -h)]), revolved([(r, -h), (r, h)]), revolved([(r, h), (0, h)])])
    if isinstance(shape, Capsule):
        angles = np.linspace(-np.pi / 2, np.pi / 2, ALONG + 2)
        ends = np.where(np.arange(ALONG + 2) <= ALONG // 2, -1, 1) * shape.length / 2
        return revolved(list(zip(shape.radius * np.cos(angles), shape.radius * np.sin(angles) + ends, strict=True)))
    return None


def ball(radius: float) -> Surface:
    """About the origin."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, ALONG + 1)
    return revolved(list(zip(radius * np.cos(angles), radius * np.sin(angles), strict=True)))


def box(size: np.ndarray) -> Surface:
    """About the origin, its faces apart, so that its edges stay sharp."""
    sides = []
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for sign in (1.0, -1.0):
            corners = [sign * np.eye(3)[axis] + a * sign * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            sides.append(Surface(np.array(corners) * size / 2, np.array([[0, 1, 2], [0, 2, 3]])))
    return joined(sides)


def revolved(profile: list[tuple[float, float]]) -> Surface:
    """Surface of revolution of the profile (radius, z) about z, from below to above outside."""
    r, z = np.asarray(profile, float).T
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    points = np.concatenate([r[:, None, None] * ring, np.broadcast_to(z[:, None, None], (len(r), AROUND, 1))], axis=-1)
    low = np.arange((len(r) - 1) * AROUND).reshape(-1, AROUND)
    right = np.roll(low, -1, axis=1)
    triangles = [low, right, right + AROUND], [low, right + AROUND, low + AROUND]
    faces = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in triangles])
    corners = points.reshape(-1, 3)
    flat = (corners[faces] == np.roll(corners[faces], 1, axis=1)).all(axis=-1).any(axis=-1)  # at the poles
    return Surface(corners, faces[~flat])


def cone(height: float, slope: float) -> Surface:
    """From its tip at the origin up along z, open; `slope` is its radius over its height."""
    return revolved([(0, 0), (slope * height, height)])
