"""Triangles of mesh files, by trimesh; of large ones as many as a page draws well."""

from typing import Any, NamedTuple

import numpy as np

from ..model.shapes import Mesh
from .solids import Surface

Color = tuple[int, int, int]
#: a mesh with more is thinned out: a robot has dozens, and a page shall draw it 30 times a second
MOST_TRIANGLES = 4000


class Part(NamedTuple):
    """Some of a mesh, in one colour; None: its file gives none."""

    surface: Surface
    color: Color | None


def parts_of(shape: Mesh) -> list[Part]:
    """What the file of a mesh holds, in the frame of the shape; raises ValueError with a reason if nothing."""
    if not shape.file:
        raise ValueError(f"{shape.address}: no such file")
    try:
        import trimesh
    except ModuleNotFoundError:
        raise ValueError("meshes need trimesh: pip install 'articulated[view]'") from None
    try:
        scene = trimesh.load_scene(shape.file)
        found = [mesh for mesh in scene.dump() if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces)]
    except Exception as problem:  # of many readers of many formats
        raise ValueError(f"{shape.address}: {type(problem).__name__}: {problem}") from None
    if not found:
        raise ValueError(f"{shape.address}: no triangles in it")
    most = max(200, MOST_TRIANGLES // len(found))
    scale = np.asarray(shape.scale, float)
    return [Part(_surface(mesh, most).scaled(scale), _color(mesh)) for mesh in found]


def _surface(mesh: Any, most: int) -> Surface:
    whole = Surface(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, int))
    if not np.isfinite(whole.vertices).all():
        raise ValueError("a mesh has a vertex that is not finite")
    return thinned(whole, most)


def _color(mesh: Any) -> Color | None:
    """That of its material; STL files have none."""
    material = getattr(mesh.visual, "material", None)
    if material is None:
        return None
    red, green, blue = (int(x) for x in material.main_color[:3])
    return red, green, blue


def thinned(surface: Surface, most: int) -> Surface:
    """At most so many triangles: vertices of one cell of a grid become their mean (Rossignac, Borrel 1993)."""
    cells = 256
    found = surface
    while len(found.faces) > most and cells > 4:
        found = _clustered(surface, cells)
        cells = int(cells / 1.3)
    return found


def _clustered(surface: Surface, cells: int) -> Surface:
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    size = float((high - low).max()) / cells or 1.0
    keys = np.floor((surface.vertices - low) / size).astype(np.int64) @ [1, 1 << 20, 1 << 40]
    _, of, counts = np.unique(keys, return_inverse=True, return_counts=True)
    vertices = np.stack([np.bincount(of, x) for x in surface.vertices.T], axis=-1) / counts[:, None]
    faces = of[surface.faces]
    different = (faces != np.roll(faces, 1, axis=1)).all(axis=1)
    return Surface(vertices, np.unique(faces[different], axis=0))
