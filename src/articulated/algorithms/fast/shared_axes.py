"""Bodies that share axes: in which frame the motion of each body is written, so that few numbers are turned.

A body may be written in its own axes, in those of its parent, in which its joint stands still, or in those of another
body nearer to the base.  Bodies that share axes form a group; what belongs to a group is turned and moved once, where
it meets the group of its parent.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...algebra.spatial import IDENTITY, Transform
from ...model import Body, Model

#: whether a body joins the group of its parent, which begins with another one
Joins = Callable[[Body, Body], bool]


class Axes(NamedTuple):
    """The axes of every body of a robot at some configuration."""

    lead: dict[Body, Body]  # the first body of the group of each
    place: dict[Body, Transform]  # of each body in the axes of its group
    step: dict[Body, Transform]  # of the axes of a group, by its first body, in those of its parent's


def own(model: Model, q: Array) -> Axes:
    """Every body in its own axes."""
    return _shared(model, q, lambda b, lead: False)


def parents(model: Model, q: Array) -> Axes:
    """Every body in the axes of its parent, those on the world in their own."""
    lead, _, step = own(model, q)
    before = {b: b.transform(q) if b.parent else IDENTITY for b in model.bodies}
    steps = {b: (before[b.parent] if b.parent else step[b]) for b in model.bodies}
    return Axes(lead, before, steps)


def hinges(model: Model, q: Array) -> Axes:
    """A group ends where a hinge would not stand still in its axes, nor stay parallel to the one before it."""
    return _shared(model, q, lambda b, lead: b.parent is lead or _parallel(b))


def hinges_beyond_the_first(model: Model, q: Array) -> Axes:
    """The same with what is on the world by itself: a free base, or a first link that only turns."""
    return _shared(model, q, lambda b, lead: lead.parent is not None and (b.parent is lead or _parallel(b)))


def _shared(model: Model, q: Array, joins: Joins) -> Axes:
    found = Axes({}, {}, {})
    for b in model.bodies:
        X = b.transform(q)
        before = found.place[b.parent] if b.parent else IDENTITY
        if b.parent and joins(b, found.lead[b.parent]):
            found.lead[b], found.place[b] = found.lead[b.parent], before @ X
        else:
            found.lead[b], found.place[b], found.step[b] = b, IDENTITY, before @ X
    return found


def _parallel(b: Body) -> bool:
    """True if two hinges in a row are parallel: the outer one keeps its direction in axes that hold the inner."""
    if not (b.parent and b.joint.turns and b.parent.joint.turns):
        return False
    axis, inner = np.array(b.placement.R @ b.joint.S[3:, 0], float), np.array(b.parent.joint_subspace[3:, 0], float)
    return bool(np.linalg.norm(np.cross(axis, inner)) < 1e-12)


#: choices of axes: each a function of (model, q)
CHOICES = (own, parents, hinges, hinges_beyond_the_first)
