"""Triangles of mesh files, by trimesh; of large ones as many as a page draws well."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..model.shapes import Mesh
from .creases import closed, creased, outward
from .solids import Surface
from .thinning import thinned

Color = tuple[int, int, int]
#: triangles of all meshes of a robot: what software that draws can do 30 times a second
MOST_TRIANGLES = 20_000
#: triangles of a file beyond which it is not drawn
MOST_READ = 1_000_000
#: triangles of one part, however many parts there are
LEAST = 60


class Part(NamedTuple):
    """Some of a mesh, in one colour; None: its file gives none."""

    surface: Surface
    color: Color | None
    points: np.ndarray  # (n, 3) m, all that were in the file

    def moved(self, pose: np.ndarray) -> "Part":
        """The part moved by `pose` (4, 4)."""
        return Part(self.surface.moved(pose), self.color, self.points @ pose[:3, :3].T + pose[:3, 3])


class Meshes:
    """The files of one robot, each read and thinned once."""

    def __init__(self, shapes: Sequence[Mesh]):
        self._read: dict[str, list[Part] | ValueError] = {}
        counts = []
        for shape in shapes:
            key = _key(shape)
            if key not in self._read:
                try:
                    self._read[key] = _read(shape)
                except ValueError as problem:
                    self._read[key] = problem
            found = self._read[key]
            counts += [] if isinstance(found, ValueError) else [len(part.surface.faces) for part in found]
        self._share = share(np.array(counts, float), MOST_TRIANGLES)
        self._thinned: dict[str, list[Part]] = {}

    def parts_of(self, shape: Mesh) -> list[Part]:
        """Parts of a mesh file in the frame of the shape; raises ValueError with the reason if there are none."""
        key = _key(shape)
        found = self._read[key]
        if isinstance(found, ValueError):
            raise found
        if key not in self._thinned:
            self._thinned[key] = [part._replace(surface=self._drawn(part.surface)) for part in found]
        scale = np.asarray(shape.scale, float)
        return [Part(p.surface.scaled(scale), p.color, p.points * scale) for p in self._thinned[key]]

    def _drawn(self, surface: Surface) -> Surface:
        whole = outward(surface) if closed(surface) else surface._replace(closed=False)
        count = len(surface.faces)
        return creased(thinned(whole, max(LEAST, int(min(count, self._share * count**0.5)))))


def _key(shape: Mesh) -> str:
    return str(shape.file or shape.address)


def share(counts: np.ndarray, most: int) -> float:
    """The share for which min(count, share · √count) of all parts add up to `most`: fine parts give up more."""
    if counts.sum() <= most:
        return np.inf
    roots, found = np.sqrt(counts), 0.0
    for _ in range(len(counts) + 1):  # parts that keep all they have leave their rest to the others
        whole = roots <= found
        again = (most - counts[whole].sum()) / roots[~whole].sum()
        if again <= found:
            break
        found = again
    return float(found)


def _read(shape: Mesh) -> list[Part]:
    """The parts of a file, as they are in it."""
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
    if (count := sum(len(mesh.faces) for mesh in found)) > MOST_READ:
        raise ValueError(
            f"{shape.address}: {count:,} triangles, more than {MOST_READ:,}; save it with fewer, the page draws "
            f"{MOST_TRIANGLES:,}"
        )
    surfaces = [_surface(mesh) for mesh in found]
    return [Part(s, _color(mesh), s.vertices) for s, mesh in zip(surfaces, found, strict=True)]


def _surface(mesh: Any) -> Surface:
    whole = Surface(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, int))
    if not np.isfinite(whole.vertices).all():
        raise ValueError("a mesh has a vertex that is not finite")
    return whole


def _color(mesh: Any) -> Color | None:
    """Colour of the material; STL files have none."""
    material = getattr(mesh.visual, "material", None)
    if material is None:
        return None
    red, green, blue = (int(x) for x in material.main_color[:3])
    return red, green, blue
