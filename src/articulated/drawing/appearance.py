"""Appearance of every body: its shapes, or else the ellipsoid of its inertia and bones to its joints."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..algebra.spatial import Inertia, Transform
from ..model import Body, Model
from ..model.shapes import Capsule, Mesh, Shape
from ..text import shortened
from .lines import Drawn, lines
from .meshes import Color, Meshes, Part
from .surfaces import Surface, along, ball, joined, solid

#: colors of bodies whose files give none, one after the other
USUAL: tuple[Color, ...] = ((96, 112, 134), (158, 168, 182))
GHOST: Color = (130, 150, 178)
DARKEST = 36
#: part of its size by which every other body is drawn smaller: surfaces at the same place flicker
APART = 0.006


class Looks(NamedTuple):
    """Surfaces by color for every body, in its frame; 0 is the world."""

    surfaces: dict[int, dict[Color, Surface]]
    points: dict[int, np.ndarray]  # (n, 3) m, of the surfaces before they were thinned: what the robot stands on
    notes: list[str]  # meshes that could not be read
    lines: list[Drawn]  # springs and actuators


def looks(model: Model, full: bool = False) -> Looks:
    """Surfaces of all bodies; an unreadable mesh is noted, and its body drawn by its inertia if nothing is left.

    `full`: with every triangle of the mesh files.
    """
    found: dict[int, list[Part]] = {k: [] for k in range(len(model.bodies) + 1)}
    notes: list[str] = []
    meshes = Meshes(full)
    for link in model.links:
        frame = model.frames[link.name]
        index = frame.body.index if frame.body else 0
        for shape in _shown(link.shapes):
            pose = numeric(frame.placement @ shape.placement)
            found[index] += [part.moved(pose) for part in _parts(shape, 1 - APART * (index % 2), meshes, notes)]
    length = size(model)
    for b in model.bodies:
        if not found[b.index]:
            found[b.index] = [Part(s, None, s.vertices) for s in _by_inertia(model, b, length)]
    merged = {k: _by_color(each, USUAL[k % 2]) for k, each in found.items()}
    points = {k: np.concatenate([part.points for part in each]) for k, each in found.items() if each}
    drawn = lines(model, length)
    for k, point in (end for line in drawn for end in line.ends):
        points[k] = np.vstack([points.get(k, np.zeros((0, 3))), point])
    return Looks(merged, points, list(dict.fromkeys(notes)), drawn)


def collision_shapes(model: Model) -> dict[int, Surface]:
    """Surfaces of all collision shapes of each body, in its frame; meshes that cannot be read are left out."""
    found: dict[int, list[Surface]] = {}
    for link in model.links:
        frame = model.frames[link.name]
        for shape in (s for s in link.shapes if s.collision):
            parts = _parts(shape, 1 + APART, Meshes(), [])  # outside of what is drawn at the same place
            pose = numeric(frame.placement @ shape.placement)
            found.setdefault(frame.body.index if frame.body else 0, []).extend(p.surface.moved(pose) for p in parts)
    return {k: joined(each) for k, each in found.items() if each}


def _by_color(parts: list[Part], usual: Color) -> dict[Color, Surface]:
    every = [(_seen(part.color or usual), part.surface) for part in parts]
    return {color: joined([s for other, s in every if other == color]) for color, _ in every}


def _seen(color: Color) -> Color:
    """A color that is not quite black, in which no form could be seen."""
    red, green, blue = (round(DARKEST + x * (255 - DARKEST) / 255) for x in color)
    return red, green, blue


def _shown(shapes: Sequence[Shape]) -> list[Shape]:
    """Visual shapes of a link; its collision shapes where it has none."""
    return [s for s in shapes if s.visual] or [s for s in shapes if s.collision]


def color_of(shape: Shape) -> Color | None:
    """Color that a shape gives."""
    if not shape.color:
        return None
    red, green, blue = (round(255 * min(1.0, max(0.0, x))) for x in shape.color)
    return red, green, blue


def _parts(shape: Shape, scale: float, meshes: Meshes, notes: list[str]) -> list[Part]:
    """Simple ones a little smaller, by `scale`."""
    own = color_of(shape)
    if not isinstance(shape, Mesh):
        surface = solid(shape)
        return [Part(surface.scaled(np.full(3, scale)), own, surface.vertices)]
    try:
        return [part._replace(color=part.color or own) for part in meshes.parts_of(shape)]
    except ValueError as problem:
        notes.append(shortened(problem, 200))
        return []


def _by_inertia(model: Model, b: Body, length: float) -> list[Surface]:
    """An ellipsoid, and bones from the body's origin to its center of mass and to the joints it carries."""
    solids = [] if (found := ellipsoid(b.inertia)) is None else [found]
    ends = [numeric(child.placement)[:3, 3] for child in model.bodies if child.parent is b]
    if b.inertia.mass:
        ends.append(np.array(b.inertia.com, float))
    for end in ends:
        if (reach := float(np.linalg.norm(end))) > 0.02 * length:
            solids.append(solid(Capsule(0.012 * length, reach)).moved(along(end / 2, end)))
    return solids or [ball(0.02 * length)]


def ellipsoid(inertia: Inertia) -> Surface | None:
    """The ellipsoid of even density with this mass and inertia; None without mass."""
    mass = float(inertia.mass)
    if not mass > 0:
        return None
    moments, axes = np.linalg.eigh(np.array(inertia.about_com, float))
    # of a solid ellipsoid: I_x = m (b² + c²) / 5 and so on
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    radii = np.sqrt(np.maximum(squares, 0.0))
    radii = np.maximum(radii, max(float(radii.max()) * 0.05, 0.004))
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = axes * np.sign(np.linalg.det(axes)), np.array(inertia.com, float)
    return ball(1.0).scaled(radii).moved(pose)


def numeric(X: Transform) -> np.ndarray:
    """(4, 4) of floats."""
    return np.array(X.matrix(), float)


def size(model: Model) -> float:
    """About how long a limb is in all, m: what arrows, axes and bones are measured by."""
    reach: dict[int, float] = {0: 0.0}
    for b in model.bodies:
        offset = numeric(b.placement)[:3, 3]
        before = reach[b.parent.index] if b.parent else 0.0
        reach[b.index] = before + float(np.linalg.norm(offset if b.parent else 0 * offset))
    centers = [float(np.linalg.norm(np.array(b.inertia.com, float))) for b in model.bodies if b.inertia.mass]
    return max(0.1, max(reach.values()) + max(centers, default=0.0))


def free_base(model: Model) -> bool:
    """True if everything hangs on one floating base: a robot that walks, not a scene of several."""
    roots = [b for b in model.bodies if b.parent is None]
    return len(roots) == 1 and roots[0].joint.floats
