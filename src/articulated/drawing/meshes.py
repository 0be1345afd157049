"""Mesh files of a robot, each read once."""

from typing import Any, NamedTuple

import numpy as np

from ..model.shapes import Mesh
from .surfaces import Surface, creased, simplified, trimesh_module

Color = tuple[int, int, int]
#: triangles of one mesh file: what is drawn looks the same, and software draws it fast enough
LIGHT = 15_000
#: triangles of a file beyond which it is not drawn
MOST_READ = 1_000_000


class Part(NamedTuple):
    """Part of a mesh in one color; None: its file gives none."""

    surface: Surface
    color: Color | None
    points: np.ndarray  # (n, 3) m, all that were in the file

    def moved(self, pose: np.ndarray) -> "Part":
        """The part moved by `pose` (4, 4)."""
        return Part(self.surface.moved(pose), self.color, self.points @ pose[:3, :3].T + pose[:3, 3])


class Meshes:
    """Parts of mesh files; `full`: with every triangle of the files."""

    def __init__(self, full: bool = False):
        self.full = full
        self._read: dict[str, list[Part]] = {}

    def parts_of(self, shape: Mesh) -> list[Part]:
        """Parts of a mesh file in the frame of the shape; raises ValueError with the reason if there are none."""
        if shape.file not in self._read:
            found = _read(shape)
            count = sum(len(mesh.faces) for mesh in found)
            share = 1.0 if self.full else min(1.0, LIGHT / count)
            self._read[shape.file] = [_part(mesh, share) for mesh in found]
        scale = np.asarray(shape.scale, float)
        return [Part(p.surface.scaled(scale), p.color, p.points * scale) for p in self._read[shape.file]]


def _part(mesh: Any, share: float) -> Part:
    color, points = _color(mesh), np.array(mesh.vertices, float)
    return Part(creased(simplified(mesh, max(60, int(share * len(mesh.faces))))), color, points)


def _read(shape: Mesh) -> list[Any]:
    """The trimeshes in a file."""
    if not shape.file:
        raise ValueError(f"{shape.address}: no such file")
    trimesh = trimesh_module()
    try:
        scene = trimesh.load_scene(shape.file)
        found = [mesh for mesh in scene.dump() if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces)]
    except Exception as problem:  # of many readers of many formats
        raise ValueError(f"{shape.address}: {type(problem).__name__}: {problem}") from None
    if not found:
        raise ValueError(f"{shape.address}: no triangles in it")
    if (count := sum(len(mesh.faces) for mesh in found)) > MOST_READ:
        raise ValueError(f"{shape.address}: {count:,} triangles, more than {MOST_READ:,}; save it with fewer")
    if not all(np.isfinite(mesh.vertices).all() for mesh in found):
        raise ValueError(f"{shape.address}: a vertex is not finite")
    return found


def _color(mesh: Any) -> Color | None:
    """Color of the material; STL files have none."""
    material = getattr(mesh.visual, "material", None)
    if material is None:
        return None
    red, green, blue = (int(x) for x in material.main_color[:3])
    return red, green, blue
