"""Blocks of distances in loops over pairs of shapes, on any scalar: places of shapes, nearest points, derivatives."""

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import NamedTuple

import numpy as np

from ..algebra.rotations import cross
from ..algebra.scalars import Array, array, chosen, eye, least, select, zeros
from ..algebra.spatial import Transform
from ..algorithms.kinematics import world_poses
from ..model import Body, Model
from .bricks import Point
from .distances import BALL, Near, Placed, distances, nearest
from .manifolds import placed
from .support import Convex, Search, nearest_point
from .table import PAIRINGS, Pairing

Kinds = tuple[str, str]


class Column(NamedTuple):
    """A column of the motion subspace of a body, and the velocity that moves it."""

    body: Body
    number: int
    velocity: int


def size_of(kind: str) -> int:
    """Numbers of the place of a shape."""
    return 3 if kind == BALL else 12


def moved(
    model: Model, shapes: Sequence[Sequence[Placed]], columns: Sequence[Column], near: Sequence[Near], q: Array
) -> tuple[Array, ...]:
    """Places of shapes, kind by kind; columns in world axes at the origin; distances of pairs of links."""
    poses, found = world_poses(model, q), []
    for each in shapes:
        places = []
        for x in each:
            pose = placed(np.array(x.numbers, object), poses[model.frames[x.frame or ""].body])
            places.append(pose.p if x.kind == BALL else np.concatenate([pose.R.ravel(), pose.p]))
        found.append(np.concatenate(places))
    if columns:
        found.append(np.concatenate([poses[c.body].motion_out(c.body.S[:, c.number]) for c in columns]))
    if near:
        found.append(distances(model, q, tuple(near)))
    return tuple(found)


@cache
def pairing_of(kinds: Kinds) -> Pairing:
    """How two kinds meet."""
    first, second = ("capsule" if kind == BALL else kind for kind in kinds)
    return PAIRINGS[first, second]


def searched(kinds: Kinds) -> bool:
    """True if nearest points of two kinds are found by a search."""
    return pairing_of(kinds).shapes is not None and kinds != (BALL, "cylinder")


def _pose(kind: str, place: Array) -> Transform:
    return Transform.computed(*((eye(3), place) if kind == BALL else (place[:9].reshape(3, 3), place[9:])))


def _numbers(kind: str, own: Array) -> Array:
    """The numbers of a shape in its own axes."""
    return np.concatenate([eye(3).ravel(), zeros(4 if kind == BALL else 3), own])


def seen_from(kinds: Kinds, first: Array, second: Array) -> Array:
    """The pose of the second shape in the axes of the first."""
    seen = _pose(kinds[0], first).inverse() @ _pose(kinds[1], second)
    return np.concatenate([seen.R.ravel(), seen.p])


def both(kinds: Kinds, seen: Array, own: Array, other: Array) -> tuple[Convex, Convex]:
    """Shapes that are searched, in the axes of the first."""
    pairing, numbers = pairing_of(kinds), np.concatenate([_numbers(kinds[0], own), _numbers(kinds[1], other)])
    assert pairing.shapes
    return pairing.shapes((Transform(), _pose("", seen)), numbers)


def _point(kinds: Kinds, own: Array, other: Array, first: Array, **given: Array) -> Point:
    """Where two shapes are nearest: in closed form, or where a search has ended."""
    if "search" in given:
        found = nearest_point(*both(kinds, given["seen"], own, other), Search.of(given["search"]))
        return found.placed(_pose(kinds[0], first))
    poses = _pose(kinds[0], first), _pose(kinds[1], given["second"])
    return nearest(kinds, poses, (_numbers(kinds[0], own), _numbers(kinds[1], other)))


def far() -> Array:
    """No distance yet."""
    return array([inf])


def closer(kinds: Kinds, gap: Array, **given: Array) -> Array:
    """The smaller distance."""
    return array([least(gap[0], _point(kinds, **given).gap)])


def closer_along(kinds: Kinds, gap: Array, wrench: Array, sign: Array, **given: Array) -> tuple[Array, Array]:
    """The same, and its wrench."""
    point = _point(kinds, **given)
    nearer = point.gap < gap[0]
    n = sign[0] * point.normal
    here = np.concatenate([n, cross(point.position, n)])
    return array([select(nearer, point.gap, gap[0])]), chosen(nearer, here, wrench)


def row(velocities: Sequence[int], nv: int, wrench: Array, axes: Array, signs: Array) -> Array:
    """Derivatives of a distance by all velocities."""
    found = zeros(nv)
    for k, (j, sign) in enumerate(zip(velocities, signs, strict=True)):
        found[j] = found[j] + sign * (axes[6 * k : 6 * k + 6] @ wrench)
    return found


def rate(velocities: Sequence[int], nv: int, v: Array, **given: Array) -> Array:
    """Rate of a distance as the robot moves with v."""
    return array([row(velocities, nv, **given) @ v])


def weighed(velocities: Sequence[int], nv: int, found: Array, weight: Array, **given: Array) -> Array:
    """A sum with the weighed derivatives of one more distance."""
    return found + weight[0] * row(velocities, nv, **given)
