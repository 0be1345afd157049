"""Pile: the free bodies of a scene as numbers, and how deep they begin inside each other."""

from typing import Any, NamedTuple

import numpy as np

from ...algebra.rotations import quaternion
from ...algebra.spatial import Transform
from ...errors import ModelError
from ...model import Body, Model
from ...model.shapes import Box, Shape, Sphere
from ..contact.dynamics import unflat
from ..contact.ground import Parts
from ..contact.meetings import MEETINGS
from ..contact.system import System
from .blocks import ball_on_body, box_on_box

#: scenes of at most so many bodies are solved as one robot, to a smaller residual
FEW = 16
#: most bodies: all pairs of them are tested for being near, and have a row in the arrays of contacts
MOST = 1500
#: distance within which bodies are neighbors, as a part of the smallest radius
MARGIN = 0.25


class Pile(NamedTuple):
    """Free bodies, each with one shape about its center of mass, a ball or a box; then those that are fixed."""

    names: tuple[str, ...]
    bodies: tuple[tuple[float, ...], ...]  # mass and principal moments, kg and kg m²
    shapes: tuple[tuple[float, ...], ...]  # half the edges of a box, zeros for a ball, and the radius, m
    friction: float
    restitution: float
    fixed: tuple[tuple[float, ...], ...] = ()  # R and p of those that do not move

    @property
    def moving(self) -> int:
        """Number of bodies that move."""
        return len(self.names) - len(self.fixed)

    @property
    def rows(self) -> np.ndarray:
        """Row of each body in arrays: the ground is between those that move and those that are fixed."""
        number = np.arange(len(self.names))
        return number + (number >= self.moving)

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
        return Pile(("",) * len(self.names), (), boxes, 0.0, float(self.restitution > 0), ((),) * len(self.fixed))


def pile_of(model: Model, parts: Parts) -> Pile | None:
    """The pile that a scene is; None if it is few bodies, or there are robots among them."""
    if not parts.of or len(model.bodies) <= FEW:
        return None
    shapes = {link.name: [shape for shape in link.shapes if shape.collision] for link in model.links}
    found = [_shape(b, shapes[b.name]) for b in model.bodies]
    still = [link for link in model.links if not model.frames[link.name].body and shapes[link.name]]
    found += [_halves(shapes[link.name]) for link in still]
    if not all(found):
        return None
    if len(model.bodies) > MOST:
        raise ModelError(f"a scene has at most {MOST} objects that move; {model.name} has {len(model.bodies)}")
    moments = [(float(b.inertia.mass), *map(float, np.diag(b.inertia.about_com))) for b in model.bodies]
    names = (*(b.name for b in model.bodies), *(link.name for link in still))
    poses = [model.frames[link.name].placement for link in still]
    fixed = tuple(tuple(map(float, (*X.R.ravel(), *X.p))) for X in poses)
    return Pile(names, tuple(moments), tuple(x for x in found if x), parts.friction, parts.restitution, fixed)


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


def deepest(pile: Pile, system: System, q: np.ndarray) -> tuple[float, int, tuple[str, str | None]]:
    """The largest penetration at configurations (n, nq): how deep, in which state, of what in what or in the ground."""
    number = {name: k for k, name in enumerate(pile.names)}
    found: list[tuple[float, int, tuple[str, str | None]]] = []
    for state, each in enumerate(q.reshape(len(q), -1, 7)):
        poses = [Transform.computed(quaternion(x[3:]), x[:3]) for x in each]
        poses += [unflat(np.array(x)) for x in pile.fixed]
        places = np.array([X.p for X in poses], float)
        for touch in (x for x in system.contacts if x.point == 0):
            points = MEETINGS[touch.kind].meet(poses[number[touch.frame]], np.array(touch.numbers), system.surface)
            found += [(-float(point.gap), state, (touch.name, None)) for point in points]
        for pairs, meet in zip(pile.pairs, (ball_on_body, box_on_box), strict=True):
            apart = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
            for i, j in pairs[apart < pile.radii[pairs].sum(axis=1)]:
                met: Any = meet(poses[i], poses[j], *(np.array(pile.shapes[k]) for k in (i, j)))
                gap = min(point.gap for point in (met if isinstance(met, list) else [met]))
                found.append((-float(gap), state, (pile.names[min(i, j)], pile.names[max(i, j)])))
    return max(found, key=lambda x: x[0], default=(-np.inf, 0, ("", None)))
