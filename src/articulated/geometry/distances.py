"""Distances between the shapes of a robot, and to obstacles; exact derivatives follow from the recursion itself."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import Array, array, exact_array, least
from ..algorithms.kinematics import world_poses
from ..errors import warn
from ..model import Model
from ..model.shapes import Shape
from .bricks import Point
from .manifolds import CAPSULE, Poses
from .pairs import Solid, check, pairs, solids
from .table import KINDS, PAIRINGS, kind_of

#: a capsule without length, of which less is to be computed
BALL = "ball"
#: an obstacle: a shape, or several of which the nearest counts
Obstacle = Shape | Sequence[Shape]
#: kinds in the order in which two shapes are taken: fewer kinds of pairs, less code
ORDER = (BALL, *KINDS)


class Placed(NamedTuple):
    """A shape: the frame that carries it (None: the world), its kind and numbers in the axes of the body."""

    frame: str | None
    kind: str
    numbers: tuple[float, ...]


class Near(NamedTuple):
    """Two links, or a link and the number of an obstacle, and the pairs of their shapes."""

    names: tuple[str, str | int]
    shapes: tuple[tuple[Placed, Placed], ...]


def distances(model: Model, q: Array, obstacles: tuple[Near, ...]) -> Array:
    """Distance of every pair of links, negative if they overlap: that of their nearest shapes."""
    poses, found = world_poses(model, q), []

    def distance(first: Placed, second: Placed) -> Any:
        one, other = (poses[model.frames[x.frame].body if x.frame else None] for x in (first, second))
        numbers = exact_array(first.numbers), exact_array(second.numbers)
        return nearest((first.kind, second.kind), (one, other), numbers).gap

    for near in obstacles:
        least_so_far, *others = [distance(*shapes) for shapes in near.shapes]
        for other in others:
            least_so_far = least(least_so_far, other)
        found.append(least_so_far)
    return array(found)


def nearest(kinds: tuple[str, str], poses: Poses, numbers: tuple[Array, Array]) -> Point:
    """The nearest points of two shapes of bodies at these poses."""
    pairing = PAIRINGS["capsule" if kinds[0] == BALL else kinds[0], "capsule" if kinds[1] == BALL else kinds[1]]
    if pairing.sizes[0] == CAPSULE:
        numbers = _ends(numbers[0]), _ends(numbers[1])
    return pairing.nearest(poses, np.concatenate(numbers))


def _ends(rod: Array) -> Array:
    """The ends and the radius of a capsule, from its pose, half its length, and the radius."""
    half = rod[12] * rod[2:9:3]
    return array([*(rod[9:12] - half), *(rod[9:12] + half), rod[13]])


class Nears(tuple[Near, ...]):
    """Pairs of links; their hash, which every call asks for, is computed once."""

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:  # hashes are those of a process
        return Nears, (tuple(self),)

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()


def near(model: Model, obstacles: Sequence[Obstacle] = ()) -> Nears:
    """Pairs of links that can meet; then, for each obstacle in turn, the links that move."""
    given = tuple((x,) if isinstance(x, Shape) else tuple(x) for x in obstacles)
    return _with_obstacles(model, given) if given else _links(model)


@lru_cache(maxsize=64)
def _links(model: Model) -> Nears:
    if others := [k.name for k in model.links for x in k.shapes if x.collision and not kind_of(x)]:
        names = ", ".join(map(repr, others[:8])) + (" …" if len(others) > 8 else "")
        warn(f"{model.name}: collision meshes have no distances, those of {names}; take robot.with_hulls()")
    return Nears(
        Near(names, tuple(_ordered(_placed(model, x.first), _placed(model, x.second)) for x in shapes))
        for names, shapes in pairs(model).items()
    )


@lru_cache(maxsize=64)
def _with_obstacles(model: Model, obstacles: tuple[tuple[Shape, ...], ...]) -> Nears:
    found: dict[Any, list[tuple[Placed, Placed]]] = {}
    moving = [(x.link.name, _placed(model, x)) for x in solids(model) if x.link and x.frame(model).body]
    for k, parts in enumerate(obstacles):
        for part in parts:
            check(part, f"obstacle {k}")
        placed = [_placed(model, Solid(None, part)) for part in parts]
        for link, one in moving:
            found.setdefault((link, k), []).extend(_ordered(one, other) for other in placed)
    return Nears((*_links(model), *(Near(names, tuple(shapes)) for names, shapes in found.items())))


def _ordered(a: Placed, b: Placed) -> tuple[Placed, Placed]:
    return (b, a) if ORDER.index(b.kind) < ORDER.index(a.kind) else (a, b)


def _placed(model: Model, solid: Solid) -> Placed:
    kind = str(kind_of(solid.shape))
    numbers = tuple(map(float, KINDS[kind].numbers(solid.shape, solid.frame(model).placement)))
    name = solid.link.name if solid.link else None
    return Placed(name, BALL if kind == "capsule" and not numbers[12] else kind, numbers)
