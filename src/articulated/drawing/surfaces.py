"""Triangles: of shapes and mesh files by trimesh, of fewer by fast-simplification; with sharp edges kept sharp."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import aligning_z
from ..errors import MissingExtra
from ..model.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Shape, Sphere

#: segments of a full turn
AROUND = 32
#: cosine of the angle between two faces beyond which their edge is sharp: 40 degrees
SHARP = 0.766
#: height of a point over a face that is none, in parts of the size of a hull
FLAT = 1e-9


class Surface(NamedTuple):
    """Triangles in some frame; corners that share a vertex are shaded as one smooth surface."""

    vertices: np.ndarray  # (n, 3) m
    faces: np.ndarray  # (m, 3) vertices, counterclockwise from outside
    normals: np.ndarray  # (n, 3) unit vectors
    closed: bool = True  # so that only its outside is ever seen

    def moved(self, pose: np.ndarray) -> "Surface":
        """The surface moved by `pose` (4, 4)."""
        R = pose[:3, :3]
        return self._replace(vertices=self.vertices @ R.T + pose[:3, 3], normals=self.normals @ R.T)

    def scaled(self, factors: np.ndarray) -> "Surface":
        """Stretched along the axes; a reflection turns the faces round."""
        faces = self.faces if np.prod(factors) > 0 else self.faces[:, ::-1]
        return Surface(self.vertices * factors, faces, _unit(self.normals / factors), self.closed)


def along(point: Any, direction: Any) -> np.ndarray:
    """Pose at a point, its z axis along a direction, (4, 4)."""
    pose, z = np.eye(4), np.array(direction, float)
    pose[:3, :3], pose[:3, 3] = np.array(aligning_z(z / np.linalg.norm(z)), float), point
    return pose


def joined(surfaces: list[Surface]) -> Surface:
    """Several surfaces as one."""
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces[:-1])])
    faces = [s.faces + start for s, start in zip(surfaces, starts, strict=True)]
    vertices, normals = (np.concatenate([s[k] for s in surfaces]) for k in (0, 2))
    return Surface(vertices, np.concatenate(faces), normals, all(s.closed for s in surfaces))


def trimesh_module() -> Any:
    """trimesh; MissingExtra where it is not installed."""
    try:
        import trimesh
    except ModuleNotFoundError:
        raise MissingExtra("drawing a robot needs trimesh: pip install 'articulated[view]'") from None
    return trimesh


def _hull(points: Any) -> Any:
    """The convex hull of at most 64 points: all triangles that have no point beyond them."""
    p = np.array(points, float)
    faces = np.array([*combinations(range(len(p)), 3)], int).reshape(-1, 3)
    a, b, c = np.moveaxis(p[faces], 1, 0)
    n = np.cross(b - a, c - a)
    heights = n @ p.T - (n * a).sum(axis=1)[:, None]
    flat = FLAT * np.linalg.norm(n, axis=1) * np.ptp(p, axis=0).max(initial=0.0)
    out, inwards, real = heights.max(axis=1) <= flat, heights.min(axis=1) >= -flat, flat > 0
    return trimesh_module().Trimesh(p, np.concatenate([faces[out & real], faces[inwards & real & ~out, ::-1]]))


#: surface of each shape in its own frame, by trimesh.creation; a mesh is a file
SOLIDS: dict[type[Shape], Callable[[Any, Any], Any]] = {
    Box: lambda creation, s: creation.box(s.size),
    Sphere: lambda creation, s: creation.uv_sphere(s.radius, count=(AROUND // 2, AROUND)),
    Cylinder: lambda creation, s: creation.cylinder(s.radius, s.length, sections=AROUND),
    Capsule: lambda creation, s: creation.capsule(s.length, s.radius, count=(AROUND, AROUND // 2)),
    Ellipsoid: lambda creation, s: creation.uv_sphere(0.5, count=(AROUND // 2, AROUND)).apply_scale(s.size),
    Hull: lambda creation, s: _hull(s.points),
}


def solid(shape: Shape) -> Surface:
    """The surface of a shape in its own frame."""
    return creased(SOLIDS[type(shape)](trimesh_module().creation, shape))


def ball(radius: float) -> Surface:
    """Sphere about the origin."""
    return solid(Sphere(radius))


def revolved(profile: list[tuple[float, float]], around: int = AROUND) -> Surface:
    """Surface of revolution of the profile (radius, z) about z, from below to above outside."""
    return creased(trimesh_module().creation.revolve(np.array(profile, float), sections=around))


def arrow(shaft: float, head: float) -> Surface:
    """Arrow along z from 0 to 1; its radii are parts of its length."""
    return revolved([(0, 0), (shaft, 0), (shaft, 1 - 2.2 * head), (head, 1 - 2.2 * head), (0, 1)])


def creased(mesh: Any) -> Surface:
    """A trimesh with vertices of their own for the faces on either side of a sharp edge."""
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    closed = bool(mesh.is_watertight and mesh.is_winding_consistent)
    if closed and mesh.volume < 0:
        mesh.invert()
    vertices, faces = np.array(mesh.vertices, float), np.array(mesh.faces, int)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    unit = _unit(area)
    # every pair of corners at one vertex: the normal of a corner is the mean over faces not beyond a sharp edge
    at = faces.ravel()
    count, order = np.bincount(at, minlength=len(vertices)), np.argsort(at, kind="stable")
    start = np.concatenate([[0], np.cumsum(count)[:-1]])
    one = np.repeat(np.arange(len(at)), count[at])
    within = np.arange(len(one)) - np.repeat(np.cumsum(count[at]) - count[at], count[at])
    other = order[start[at[one]] + within]
    near = np.einsum("ni,ni->n", unit[one // 3], unit[other // 3]) > SHARP
    one, other = one[near], other[near]
    normals = _unit(np.stack([np.bincount(one, area[other // 3, k], len(at)) for k in range(3)], axis=1))
    _, first, which = np.unique(
        np.column_stack([at, np.round(normals, 2)]), axis=0, return_index=True, return_inverse=True
    )
    return Surface(vertices[at[first]], which.reshape(-1, 3), normals[first], closed)


def simplified(mesh: Any, most: int) -> Any:
    """A trimesh with about `most` triangles at most (Garland, Heckbert 1997); as it is if it has no more."""
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    if len(mesh.faces) <= most:
        return mesh
    import fast_simplification

    vertices, faces = fast_simplification.simplify(mesh.vertices, mesh.faces, target_count=most, agg=4)
    return trimesh_module().Trimesh(vertices, faces) if len(faces) else mesh


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
