"""Distances between the shapes of a robot, and to obstacles; exact derivatives follow from the recursion itself."""

from functools import lru_cache
from typing import Any, NamedTuple

from ..algebra.scalars import Array, array, least
from ..algorithms.kinematics import world_poses
from ..model import Model
from ..model.shapes import Shape
from .pairs import Pair, Solid, distance, ordered, pairs, solids


class Near(NamedTuple):
    """Two links, or a link and the number of an obstacle, and the pairs of their shapes."""

    names: tuple[str, str | int]
    shapes: tuple["Frames", ...]


class Frames(NamedTuple):
    """Two shapes by their numbers, and the frames that carry them: what code depends on."""

    frames: tuple[str | None, str | None]
    kinds: tuple[str, str]
    numbers: tuple[float, ...]


def distances(model: Model, q: Array, obstacles: tuple[Near, ...]) -> Array:
    """Distance of every pair of links, negative if they overlap: that of their nearest shapes."""
    poses, found = world_poses(model, q), []
    for near in obstacles:
        nearest, *others = [distance(shapes, model, poses) for shapes in near.shapes]
        for other in others:
            nearest = least(nearest, other)
        found.append(nearest)
    return array(found)


@lru_cache(maxsize=64)
def near(model: Model, obstacles: tuple[Shape, ...] = ()) -> tuple[Near, ...]:
    """Pairs of links that can meet; then, for each obstacle in turn, the links that move."""
    found: dict[Any, list[Pair]] = dict(pairs(model))
    for k, obstacle in enumerate(obstacles):
        for solid in solids(model):
            if solid.link and solid.frame(model).body:
                found.setdefault((solid.link.name, k), []).append(ordered(model, solid, Solid(None, obstacle)))
    return tuple(
        Near(names, tuple(Frames(x.frames, x.kinds, x.numbers) for x in shapes)) for names, shapes in found.items()
    )
