"""Pile: the free bodies of a scene as numbers, the robots among them, and how deep they begin inside each other."""

from typing import Any, NamedTuple

import numpy as np

from ...algebra.rotations import quaternion
from ...algebra.spatial import Transform
from ...errors import ModelError
from ...geometry.table import kind_of
from ...model import Body, Model
from ...model.findings import radius_around
from ...model.shapes import Box, Hull, Shape, Sphere
from ..contact.candidates import Candidate
from ..contact.dynamics import unflat
from ..contact.ground import Parts
from ..contact.meetings import MEETINGS
from ..contact.system import Group, System
from .blocks import ball_on_body, box_on_box

#: scenes of at most so many bodies are solved as one robot, to a smaller residual
FEW = 16
#: most bodies: all pairs of them are tested for being near, and have a row in the arrays of contacts
MOST = 1500
#: distance within which bodies are neighbors, as a part of the smallest radius
MARGIN = 0.25


class Pile(NamedTuple):
    """Free bodies, each with one shape about its center of mass, a ball or a box; then those that are fixed; robots."""

    names: tuple[str, ...]
    bodies: tuple[tuple[float, ...], ...]  # mass and principal moments, kg and kg m²
    shapes: tuple[tuple[float, ...], ...]  # half the edges of a box, zeros for a ball, and the radius, m
    friction: float
    restitution: float
    fixed: tuple[tuple[float, ...], ...] = ()  # R and p of those that do not move
    robots: Model | None = None  # everything else
    links: tuple[str, ...] = ()  # of robots, with shapes
    spheres: tuple[tuple[float, ...], ...] = ()  # around these: center, on the body, and radius, m
    groups: tuple[Group, ...] = ()  # contacts of robots with each other and with bodies, by kind
    meetings: tuple[Candidate, ...] = ()  # these, if they are too many to be recorded

    @property
    def moving(self) -> int:
        """Number of bodies that move."""
        return len(self.names) - len(self.fixed)

    @property
    def row(self) -> dict[str, int]:
        """Row of each body in arrays: those that move, the ground, those that are fixed, links of robots."""
        number = [*self.names[: self.moving], "", *self.names[self.moving :], *self.links]
        return {name: k for k, name in enumerate(number)}

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of bodies, (n, 2) each: those whose first is a ball, and those of two boxes."""
        boxes = np.array([any(shape[:3]) for shape in self.shapes])
        first, second = np.triu_indices(len(self.names), 1)
        turned = boxes[first] & ~boxes[second]
        both = np.stack([np.where(turned, second, first), np.where(turned, first, second)], axis=1)
        both = both[(both < self.moving).any(axis=1)]
        angular = boxes[both[:, 0]]
        return both[~angular], both[angular]

    @property
    def radii(self) -> np.ndarray:
        """Radii of balls around the bodies, (nb,)."""
        sizes = np.array(self.shapes)
        return np.linalg.norm(sizes[:, :3], axis=1) + sizes[:, 3]

    @property
    def coded(self) -> "Pile":
        """Part that compiled code depends on: the number of bodies and of pairs, and whether they bounce."""
        boxes = tuple((float(any(shape[:3])),) for shape in self.shapes)
        return Pile(
            ("",) * len(self.names), (), boxes, 0.0, float(self.restitution > 0), ((),) * len(self.fixed),
            links=self.links, groups=self.groups,
        )  # fmt: skip


def pile_of(model: Model, parts: Parts, robots: bool = False) -> Pile | None:
    """The pile that a scene is; None if it has few objects, or others than balls and boxes, or robots if it may not."""
    objects = {link.name: link for link in model.links if parts.of.get(link.name) == link.name}
    free = [b for b in model.bodies if b.name in objects]
    if len(free) <= FEW or (len(free) < len(model.bodies) and not robots):
        return None
    shapes = {link.name: [shape for shape in link.shapes if shape.collision] for link in model.links}
    found = [_shape(b, shapes[b.name]) for b in free]
    still = [link for link in objects.values() if not model.frames[link.name].body and shapes[link.name]]
    found += [_halves(shapes[link.name]) for link in still]
    if not all(found):
        return None
    if len(free) > MOST:
        raise ModelError(f"a scene has at most {MOST} objects that move; {model.name} has {len(free)}")
    moments = [(float(b.inertia.mass), *map(float, np.diag(b.inertia.about_com))) for b in free]
    names = (*(b.name for b in free), *(link.name for link in still))
    poses = [model.frames[link.name].placement for link in still]
    fixed = tuple(tuple(map(float, (*X.R.ravel(), *X.p))) for X in poses)
    known = (names, tuple(moments), tuple(x for x in found if x), parts.friction, parts.restitution, fixed)
    own = [link for link in model.links if link.name not in objects]
    if len(free) == len(model.bodies):
        return Pile(*known)
    touching = tuple(link.name for link in own if any(kind_of(shape) for shape in shapes[link.name]))
    spheres = tuple(_sphere(model.frames[name].placement, shapes[name]) for name in touching)
    return Pile(*known, model.changed(own, poses={}), touching, spheres)


def _sphere(at: Transform, shapes: list[Shape]) -> tuple[float, ...]:
    """Center and radius of a ball around shapes, in the axes of the body that carries them."""
    centers = np.array([(at @ shape.placement).p for shape in shapes], float)
    middle = (centers.min(axis=0) + centers.max(axis=0)) / 2
    each = zip(centers, shapes, strict=True)
    return (*map(float, middle), max(float(np.linalg.norm(x - middle)) + _around(shape) for x, shape in each))


def _around(shape: Shape) -> float:
    """Radius of the ball around a shape, about its placement."""
    return float(np.linalg.norm(shape.points, axis=1).max()) if isinstance(shape, Hull) else radius_around(shape)


def _shape(body: Body, shapes: list[Shape]) -> tuple[float, ...] | None:
    """Half edges and radius of a free body of one shape at its center of mass, along its principal axes."""
    about, first = body.inertia.about_com, body.inertia.first
    principal = not any(first) and not np.any(about - np.diag(np.diag(about)))
    return _halves(shapes) if body.joint.floats and principal else None


def _halves(shapes: list[Shape]) -> tuple[float, ...] | None:
    """Half edges and radius of one shape at the origin."""
    if len(shapes) != 1 or np.any(shapes[0].placement.matrix() - np.eye(4)):
        return None
    if isinstance(shapes[0], Sphere):
        return (0.0, 0.0, 0.0, float(shapes[0].radius))
    return (*(float(x) / 2 for x in shapes[0].size), 0.0) if isinstance(shapes[0], Box) else None


class Entries(NamedTuple):
    """Where bodies begin in q and v, and which entries are those of robots."""

    q: np.ndarray
    v: np.ndarray
    robots_q: np.ndarray
    robots_v: np.ndarray


def entries(model: Model, pile: Pile) -> Entries:
    """Entries of a scene."""
    body = {b.name: b for b in model.bodies}
    own = [body[name] for name in pile.names[: pile.moving]]
    bodies = [np.array([getattr(b, place).start for b in own]) for place in ("coords", "dofs")]
    robots = pile.robots.bodies if pile.robots else ()
    theirs = [np.zeros(getattr(pile.robots, size, 0), np.int64) for size in ("nq", "nv")]
    for b in robots:
        theirs[0][b.coords], theirs[1][b.dofs] = np.r_[body[b.name].coords], np.r_[body[b.name].dofs]
    return Entries(*bodies, *theirs)


def deepest(
    pile: Pile, system: System, entries: Entries, q: np.ndarray, links: np.ndarray
) -> tuple[float, int, tuple[str, str | None]]:
    """The largest penetration at configurations (n, nq): how deep, in which state, of what in what or in the ground.

    `links` are poses of the links of robots, (n, links, 12).
    """
    row, found = pile.row, list[tuple[float, int, tuple[str, str | None]]]()
    radii = np.concatenate([pile.radii, [x[3] for x in pile.spheres]])
    for state, each in enumerate(q):
        poses = [Transform.computed(quaternion(each[k + 3 : k + 7]), each[k : k + 3]) for k in entries.q]
        poses += [unflat(np.array(x)) for x in (np.r_[np.eye(3).ravel(), np.zeros(3)], *pile.fixed, *links[state])]
        around = [*poses[: pile.moving], *poses[pile.moving + 1 :]]
        middles = [np.zeros(3)] * len(pile.names) + [np.array(x[:3]) for x in pile.spheres]
        places = np.array([X.point(x) for X, x in zip(around, middles, strict=True)], float)
        number = {name: k for k, name in enumerate((*pile.names, *pile.links))}
        for touch in (x for x in (*system.grounded, *system.pairs) if x.point == 0):
            names = [touch.frame, touch.other] if touch.other else [touch.frame]
            here = [poses[row[name]] for name in names]
            if touch.other:
                i, j = (number[name] for name in names)
                if np.linalg.norm(places[i] - places[j]) > radii[i] + radii[j]:
                    continue
            meeting, numbers = MEETINGS[touch.kind], np.array(touch.numbers)
            points = meeting.meet(here, numbers) if touch.other else meeting.meet(here[0], numbers, system.surface)
            whose = (touch.name if touch.other is None else touch.frame, touch.other)
            found += [(-float(point.gap), state, whose) for point in points]
        for pairs, meet in zip(pile.pairs, (ball_on_body, box_on_box), strict=True):
            apart = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
            for i, j in pairs[apart < pile.radii[pairs].sum(axis=1)]:
                met: Any = meet(around[i], around[j], *(np.array(pile.shapes[k]) for k in (i, j)))
                gap = min(point.gap for point in (met if isinstance(met, list) else [met]))
                found.append((-float(gap), state, (pile.names[min(i, j)], pile.names[max(i, j)])))
    return max(found, key=lambda x: x[0], default=(-np.inf, 0, ("", None)))
