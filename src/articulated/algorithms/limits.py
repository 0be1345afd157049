"""The ranges of joints, those that follow them included, and how far a configuration is from them."""

from math import inf
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select, zeros
from ..model import Body, Model


class Range(NamedTuple):
    """Range of a coordinate and of its rate, and the joints whose limits the ends are."""

    lower: float
    upper: float
    velocity: float
    lower_of: str
    upper_of: str


def ranges(model: Model) -> dict[Body, Range]:
    """By every joint with coordinates of its own: where it and all that follow it are within their limits.

    Where there is no such place, or a single point, the limits are the joint's own.  A quaternion has none.
    """
    own = {b: _own(b) for b in model.bodies if b.leader is b}
    found = dict(own)
    for b in model.bodies:
        if b.leader is not b and b.multiplier:
            found[b.leader] = _narrowed(found[b.leader], b)
    return {b: found[b] if found[b].lower < found[b].upper else own[b] for b in own}


def _own(b: Body) -> Range:
    lower, upper, velocity, _ = b.joint.limits
    ends = (lower, upper) if b.joint.quaternion is None else (-inf, inf)
    return Range(*ends, velocity, b.joint.name, b.joint.name)


def _narrowed(leader: Range, b: Body) -> Range:
    """The range of a joint that another follows: position = multiplier × (the leader's) + offset."""
    lower, upper, velocity, lower_of, upper_of = leader
    least, most = sorted((x - b.offset) / b.multiplier for x in b.joint.limits[:2])
    if least > lower:
        lower, lower_of = least, b.joint.name
    if most < upper:
        upper, upper_of = most, b.joint.name
    return Range(lower, upper, min(velocity, b.joint.limits.velocity / abs(b.multiplier)), lower_of, upper_of)


def distance_to_limits(model: Model, q: Array) -> Array:
    """Distance to the nearer limit of each coordinate, negative beyond it, infinite without limits."""
    found = (array([_distance(bounds, x) for x in q[b.coords]]) for b, bounds in ranges(model).items())
    return np.concatenate([zeros(0), *found])


def _distance(bounds: Range, x: Scalar) -> Scalar:
    lower, upper = bounds[:2]
    if lower == -inf:
        return upper - x if upper < inf else inf + 0.0 * x
    return x - lower if upper == inf else select(x + x < lower + upper, x - lower, upper - x)
