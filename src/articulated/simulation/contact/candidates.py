"""Candidates for contacts: points where a robot's shapes may meet the ground, and each other."""

import math
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, count, product
from typing import Any, NamedTuple

from ...algebra.spatial import Transform
from ...contacts.kinds import likely_feet
from ...errors import ModelError, ModelWarning, unknown
from ...geometry.pairs import Pair, Solid, ordered, paired, pairs, solids
from ...geometry.table import PAIRINGS, box, kind_of, rod
from ...model import Link, Model
from ...model.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Shape, Sphere
from .ground import Ground, Parts
from .meetings import MEETINGS, SIDES
from .surfaces import HeightField, Surface

Numbers = tuple[float, ...]
#: numbers of the law of a contact: arguments of `art.Ground`
LAWS = ("friction", "restitution", "rolling", "spinning")
#: of a cube, in its axes
CORNERS = tuple(product((-1, 1), repeat=3))
#: most cells of a height field that a shape is over: each has contacts
MOST_CELLS = 128
#: in the place of a number of a body: what does not move
WORLD = -1


class Candidate(NamedTuple):
    """A contact: one of the points where a shape meets the ground, or another shape.

    Forces act on the body of `frame`, and their opposites on that of `other`.
    """

    name: str
    kind: str  # of MEETINGS
    frame: str
    numbers: Numbers  # of the shapes, in the axes of the bodies that carry them
    other: str | None = None  # frame of the second; None: the ground
    point: int = 0  # among those of its shapes
    friction: Any = 0.0  # a number, or one for each run of a batch
    restitution: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0

    @property
    def link(self) -> str:
        """Name that stands for all contacts of a link, or of two."""
        return f"{self.frame}~{self.other}" if self.other else self.frame

    def carriers(self, model: Model) -> tuple[int, ...]:
        """Numbers of the bodies that carry its shapes; WORLD if it does not move."""
        frames = [self.frame] if MEETINGS[self.kind].ground else [self.frame, self.other]
        bodies = (model.frame(name).body if name else None for name in frames)
        return tuple(model.bodies.index(body) if body else WORLD for body in bodies)


def candidates(model: Model, ground: Ground, free: frozenset[str] = frozenset()) -> tuple[Candidate, ...]:
    """Contacts of a robot with this ground, by its feet if they are named, else by its collision shapes; and pairs.

    One kind after the other.  Links that are `free` of each other have no pairs among them.
    """
    if ground.feet is None:
        _warn_of_others(model)
    return _candidates(model, ground, free)


@lru_cache(maxsize=16)  # both are frozen, and a program takes the same for every run
def _candidates(model: Model, ground: Ground, free: frozenset[str]) -> tuple[Candidate, ...]:
    given = list(_on_ground(model, ground.surface) if ground.feet is None else _feet(model, ground.feet))
    given += _pairs(model, ground, free)
    if not given and not (ground.parts.of and ground.feet == ()):
        feet = ", ".join(f'"{name}"' for name in likely_feet(model)) or '"frame", …'
        raise ModelError(
            f"nothing of {model.name} touches the ground: it has no collision shape that is a ball, a capsule, a "
            f"cylinder or a box on a body that moves; name its feet, art.Ground(feet=[{feet}]) or --feet"
        )
    kinds = list(MEETINGS)
    given.sort(key=lambda touch: kinds.index(touch.kind))
    found = [touch._replace(point=k) for touch in given for k in range(MEETINGS[touch.kind].points)]
    names = _distinct([touch.name for touch in found])
    laws = {what: _each(names, found, what, getattr(ground, what), ground.parts) for what in LAWS}
    each = ({what: values[k] for what, values in laws.items()} for k in range(len(found)))
    return tuple(touch._replace(name=name, **law) for touch, name, law in zip(found, names, each, strict=True))


def feet(model: Model, ground: Ground) -> list[Candidate]:
    """Contacts that a robot stands on, by frame: those that touch, of these the outermost of likely feet."""
    touches = [touch for touch in candidates(model, ground) if touch.other is None]
    named = {model.frame(name).body for name in likely_feet(model)} if ground.feet is None else set()
    last = {body: touch.frame for touch in touches if (body := model.frame(touch.frame).body) in named}
    frames = list(dict.fromkeys(touch.frame for touch in touches))
    return sorted(
        [touch for touch in touches if touch.frame in last.values()] or touches, key=lambda x: frames.index(x.frame)
    )


def _feet(model: Model, feet: Any) -> Iterator[Candidate]:
    for name, what in feet:
        if model.frame(name).body is None:
            raise ModelError(f"the foot {name!r} of {model.name} does not move; robot.floating() frees its base")
        if isinstance(what, float):
            yield _ball(model, name, name, (0, 0, 0), what)
        else:
            for k, point in enumerate(what):
                yield _ball(model, f"{name}.{k}", name, point, 0.0)


def _ball(model: Model, name: str, frame: str, point: Any, radius: float) -> Candidate:
    return Candidate(name, "ball", frame, (*model.frame(frame).placement.point(point), radius))


def _on_ground(model: Model, surface: Surface) -> Iterator[Candidate]:
    """Balls, the ends of capsules, the rims of cylinders and the corners of boxes; edges of the ground against them."""
    field = surface if isinstance(surface, HeightField) else None
    for link, shape in _collision_shapes(model):
        at = model.frame(link.name).placement
        if isinstance(shape, Cylinder):
            yield Candidate(link.name, "rims", link.name, tuple(rod(shape, at)))
        if isinstance(shape, Ellipsoid):
            yield Candidate(link.name, "ellipsoid", link.name, tuple(map(float, box(shape, at))))
        for point, radius in _tips(shape):
            ball = _ball(model, link.name, link.name, point, radius)
            yield ball
            for kind, side in _sides(shape, at, field) if field and radius else ():
                yield ball._replace(kind=kind, numbers=(*ball.numbers, *side))
        kind = "ball" if isinstance(shape, Sphere) else str(kind_of(shape))
        if field and f"{kind}_over_side" in MEETINGS and (kind != "ball" or _wide(shape, field)):
            numbers = PAIRINGS[str(kind_of(shape)), "capsule"].first(shape, at)
            for place, side in product(_within_shape(shape, at, min(field.steps)), SIDES):
                own = tuple(map(float, (*numbers, *place, *side)))
                yield Candidate(link.name, f"{kind}_over_side", link.name, own)
        if kind_of(shape) and not isinstance(shape, Sphere):
            for edge in surface.edges:
                pair = paired(model, Solid(link, shape), Solid(None, edge))
                yield _met(pair)


def _warn_of_others(model: Model) -> None:
    """Say which links have collision shapes that do not touch."""
    others = {link.name: shape for link, shape in _collision_shapes(model) if not kind_of(shape)}
    if others:
        kinds = ", ".join(sorted({f"{type(shape).__name__.lower()}" for shape in others.values()}))
        names = ", ".join(map(repr, list(others)[:8])) + (" …" if len(others) > 8 else "")
        text = f"{model.name}: collision shapes of the kind {kinds} do not touch the ground, those of {names}"
        warnings.warn(
            f"{text}; name what touches, art.Ground(feet=…) or --feet, or take robot.with_hulls() or --hulls",
            ModelWarning,
            stacklevel=7,
        )


def _tips(shape: Shape) -> list[tuple[Numbers, float]]:
    """Points that stick out, and the radius about them."""
    at = shape.placement.exact()
    if isinstance(shape, Sphere):
        return [(tuple(at.p), float(shape.radius))]
    if isinstance(shape, Capsule):
        return [(_place(at, (0, 0, x * shape.length / 2)), float(shape.radius)) for x in (-1, 1)]
    if isinstance(shape, Box):
        return [(_place(at, [a * b / 2 for a, b in zip(x, shape.size, strict=True)]), 0.0) for x in CORNERS]
    if isinstance(shape, Hull):
        return [(_place(at, x), 0.0) for x in shape.points]
    return []


def _wide(ball: Any, field: HeightField) -> bool:
    """Whether a ball, or an end of a capsule, is over more cells than that below it and those at its sides."""
    return bool(ball.radius > min(field.steps))


def _sides(shape: Any, at: Transform, field: HeightField) -> list[tuple[str, Numbers]]:
    """Where facets are looked for beside a ball, by its radius."""
    if not _wide(shape, field):
        return [("facet", side) for side in SIDES]
    radius, places = shape.radius, _within_shape(Sphere(shape.radius), at, min(field.steps))
    return [("cell", (x / radius, y / radius)) for x, y, _ in places]


def _within_shape(shape: Any, at: Transform, cell: float) -> list[Numbers]:
    """Points whose cells a shape may be over, a cell apart, in the axes of its body; of a ball they do not turn."""
    width, length = 2 * getattr(shape, "radius", 0.0), getattr(shape, "length", 0.0)
    ball, rounded = isinstance(shape, Sphere), not isinstance(shape, Cylinder)
    size = (width, width, 0.0) if ball else getattr(shape, "size", (width, width, length + width * rounded))
    counts = [max(1, math.ceil(x / cell)) for x in size]
    if math.prod(counts) > MOST_CELLS:
        raise ModelError(
            f"a shape of {' × '.join(f'{x:g}' for x in size if x)} m is over {math.prod(counts)} cells of the height "
            f"field, {cell:g} m each, and at most {MOST_CELLS} are looked at: take every other node of the field"
        )
    points = product(*([x * ((k + 0.5) / n - 0.5) for k in range(n)] for x, n in zip(size, counts, strict=True)))
    return list(points) if ball else [tuple(at.point(_place(shape.placement.exact(), x))) for x in points]


def _collision_shapes(model: Model) -> Iterator[tuple[Link, Shape]]:
    for link in model.links:
        if model.frames[link.name].body is not None:
            yield from ((link, shape) for shape in link.shapes if shape.collision)


def _pairs(model: Model, ground: Ground, free: frozenset[str]) -> Iterator[Candidate]:
    """Shapes of different bodies, but for neighbors, whose joint keeps them apart or lets them overlap."""
    yield from map(_met, _within(model, ground.self_collision, ground.parts))
    known = solids(model)
    bound = [k for k, x in enumerate(known) if _link(x) not in free]
    for i, a in enumerate(known):
        for k in (k for k in (bound if _link(a) in free else range(len(known))) if k > i):
            b = known[k]
            moves = a.frame(model).body or b.frame(model).body
            if moves and ground.parts.apart(_link(a), _link(b)):
                yield _met(ordered(model, a, b))


def _link(solid: Solid) -> str:
    return solid.link.name if solid.link else ""


def _within(model: Model, wanted: Any, parts: Parts) -> list[Pair]:
    """Pairs of the shapes of a robot, or of one part of a scene."""
    if wanted is False:
        return []
    if wanted is True:
        return [
            pair
            for shapes in pairs(model).values()
            for pair in shapes
            if not parts.apart(_link(pair.first), _link(pair.second))
        ]
    known = solids(model)
    asked, names = {frozenset(pair) for pair in wanted}, [x.link.name for x in known if x.link]
    for name in sorted({name for pair in asked for name in pair}.difference(names)):
        raise unknown("link with a shape to collide:", name, model.name, names)
    for pair in asked:
        if len({model.frames[name].body for name in pair}) == 1:
            raise ModelError(f"{' and '.join(map(repr, sorted(pair)))} are fixed to one body of {model.name}")
    both = ((a, b) for a, b in combinations(known, 2) if frozenset((_link(a), _link(b))) in asked)
    return [ordered(model, a, b) for a, b in both]


def _met(pair: Pair) -> Candidate:
    first, second = pair.frames
    assert first
    return Candidate(f"{first}~{second or 'edge'}", "_on_".join(pair.kinds), first, pair.numbers, second)


def _place(X: Transform, point: Any) -> Numbers:
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


def _each(names: list[str], touches: list[Candidate], what: str, given: Any, parts: Parts) -> list[Any]:
    """A number for each contact; by name, or by link for all contacts of one.  Parts of a scene have their own."""
    between = [bool(x.other) and parts.apart(x.frame, x.other or "") for x in touches]
    law = getattr(parts, what)
    if not isinstance(given, Mapping):
        return [law if apart else given for apart in between]
    named = [(name, x.link) for name, x, apart in zip(names, touches, between, strict=True) if not apart]
    known = list(dict.fromkeys([*(name for name, _ in named), *(link for _, link in named)]))
    for key in given:
        if key not in known:
            raise unknown(f"contact for the {what} of", key, "the robot", known)
    for name, link in named:
        if name not in given and link not in given:
            raise ModelError(f"Ground: {what} is given by name and {name!r} is missing")
    return [
        law if apart else given.get(name, given.get(x.link))
        for name, x, apart in zip(names, touches, between, strict=True)
    ]
