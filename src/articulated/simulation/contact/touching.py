"""Contact points of a robot: points and balls that meet the ground, balls and capsules that meet each other."""

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, count, product
from typing import Any, NamedTuple

from ...algebra.spatial import Transform
from ...contacts.feet import likely_feet
from ...errors import ModelError, ModelWarning, unknown
from ...model import Link, Model
from ...model.shapes import Box, Capsule, Shape, Sphere
from .ground import Ground

Point = tuple[float, ...]


class Touch(NamedTuple):
    """A ball about a point of a frame, or the point itself, that meets the ground."""

    name: str
    frame: str
    point: Point
    radius: float
    friction: Any = 0.0  # a number, or one for each run of a batch
    restitution: float = 0.0


class Rod(NamedTuple):
    """A capsule of the robot, or a ball if it has no length: all within `radius` of the line between two points."""

    frame: str
    start: Point
    end: Point
    radius: float


class Pair(NamedTuple):
    """Two rods of the robot that meet each other; forces act on the first, their opposites on the second."""

    name: str
    first: Rod
    second: Rod
    friction: Any = 0.0
    restitution: float = 0.0


class Touching(NamedTuple):
    """Everything that may touch."""

    touches: tuple[Touch, ...]
    pairs: tuple[Pair, ...]

    @property
    def names(self) -> list[str]:
        """Names of the contacts, in their order."""
        return [touch.name for touch in self.touches] + [pair.name for pair in self.pairs]


def touching(model: Model, ground: Ground) -> Touching:
    """Contacts of a robot with this ground, by its feet if they are named, else by its collision shapes."""
    points = list(_points(model) if ground.feet is None else _feet(model, ground.feet))
    if ground.feet is None:
        _warn_of_others(model)
    pairs = list(_pairs(model, ground.self_collision))
    if not points and not pairs:
        feet = ", ".join(f'"{name}"' for name in likely_feet(model)) or '"frame", …'
        raise ModelError(
            f"nothing of {model.name} touches the ground: it has no collision shape that is a sphere, a capsule or a "
            f"box on a body that moves; name its feet, art.Ground(feet=[{feet}])"
        )
    names = _distinct(Touching(tuple(points), tuple(pairs)).names)
    links = [point.frame for point in points] + [pair.name for pair in pairs]
    frictions, bounces = (_each(names, links, what, getattr(ground, what)) for what in ("friction", "restitution"))
    given: list[dict[str, Any]] = [
        {"name": name, "friction": friction, "restitution": bounce}
        for name, friction, bounce in zip(names, frictions, bounces, strict=True)
    ]
    return Touching(
        tuple(touch._replace(**own) for touch, own in zip(points, given, strict=False)),
        tuple(pair._replace(**own) for pair, own in zip(pairs, given[len(points) :], strict=True)),
    )


def _feet(model: Model, feet: Any) -> Iterator[Touch]:
    for name, what in feet:
        if model.frame(name).body is None:
            raise ModelError(f"the foot {name!r} of {model.name} does not move; robot.floating() frees its base")
        if isinstance(what, float):
            yield Touch(name, name, (0, 0, 0), what)
        else:
            for k, point in enumerate(what):
                yield Touch(f"{name}.{k}", name, point, 0.0)


def _points(model: Model) -> Iterator[Touch]:
    """Everything that sticks out of the collision shapes."""
    for link, shape in _collision_shapes(model):
        for point, radius in _tips(shape):
            yield Touch(link.name, link.name, point, radius)


def _warn_of_others(model: Model) -> None:
    """Say which links have collision shapes that do not touch."""
    others = {link.name: shape for link, shape in _collision_shapes(model) if not _tips(shape)}
    if others:
        kinds = ", ".join(sorted({f"{type(shape).__name__.lower()}" for shape in others.values()}))
        names = ", ".join(map(repr, list(others)[:8])) + (" …" if len(others) > 8 else "")
        text = f"{model.name}: collision shapes of the kind {kinds} do not touch the ground, those of {names}"
        warnings.warn(f"{text}; name what touches, art.Ground(feet=…)", ModelWarning, stacklevel=7)


def _tips(shape: Shape) -> list[tuple[Point, float]]:
    at = shape.placement.exact()
    if isinstance(shape, Sphere):
        return [(tuple(at.p), float(shape.radius))]
    if isinstance(shape, Capsule):
        return [(_place(at, (0, 0, z)), float(shape.radius)) for z in (-shape.length / 2, shape.length / 2)]
    if isinstance(shape, Box):
        sides = [(-x / 2, x / 2) for x in shape.size]
        return [(_place(at, corner), 0.0) for corner in product(*sides)]
    return []


def _collision_shapes(model: Model) -> Iterator[tuple[Link, Shape]]:
    for link in model.links:
        if model.frames[link.name].body is not None:
            yield from ((link, shape) for shape in link.shapes if shape.collision)


def _pairs(model: Model, wanted: Any) -> Iterator[Pair]:
    """Rods of different bodies, but for neighbours, whose joint keeps them apart or lets them overlap."""
    if wanted is False:
        return
    rods = [(link, rod) for link, shape in _collision_shapes(model) for rod in _rods(link, shape)]
    asked = None if wanted is True else {frozenset(pair) for pair in wanted}
    if asked:
        known = [link.name for link, _ in rods]
        for name in sorted({name for pair in asked for name in pair}.difference(known)):
            raise unknown("link with a sphere or capsule to collide:", name, model.name, known)
        for pair in asked:
            if len({model.frames[name].body for name in pair}) == 1:
                raise ModelError(f"{' and '.join(map(repr, sorted(pair)))} are one body of {model.name}: never closer")
    for (a, first), (b, second) in combinations(rods, 2):
        if _apart(model, a, b) if asked is None else frozenset((a.name, b.name)) in asked:
            yield Pair(f"{a.name}~{b.name}", first, second)


def _apart(model: Model, a: Link, b: Link) -> bool:
    """Whether two links are on different bodies with more than one joint between them."""
    first, second = model.frames[a.name].body, model.frames[b.name].body
    assert first and second
    return first is not second and first.parent is not second and second.parent is not first


def _rods(link: Link, shape: Shape) -> list[Rod]:
    tips = _tips(shape) if isinstance(shape, (Sphere, Capsule)) else []
    return [Rod(link.name, tips[0][0], tips[-1][0], tips[0][1])] if tips else []


def _place(X: Transform, point: Point) -> Point:
    return tuple(X.p + X.R @ point)


def _distinct(names: list[str]) -> list[str]:
    """Names with a number where several are the same: the next that makes no name of another contact."""
    counts, numbers = Counter(names), {name: count() for name in names}
    taken = {name for name in names if counts[name] == 1}
    found = []
    for name in names:
        own = name
        while counts[name] > 1 and (own == name or own in taken):
            own = f"{name}.{next(numbers[name])}"
        taken.add(own)
        found.append(own)
    return found


def _each(names: list[str], links: list[str], what: str, given: Any) -> list[Any]:
    """A number for each contact; by name, or by link for all contacts of one."""
    if not isinstance(given, Mapping):
        return [given] * len(names)
    for key in given:
        if key not in names and key not in links:
            raise unknown(f"contact for the {what} of", key, "the robot", list(dict.fromkeys([*names, *links])))
    for name, link in zip(names, links, strict=True):
        if name not in given and link not in given:
            raise ModelError(f"Ground: {what} is given by name, but not of {name!r}")
    return [given.get(name, given.get(link)) for name, link in zip(names, links, strict=True)]
