"""Moving on the configuration manifold: joint by joint, mimic joints not counted; and the ranges of joints.

Ranges are those of joints and of all that follow them.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select, zeros
from ..model import Body, Model


def _joined(parts: Iterable[Array]) -> Array:
    return np.concatenate([zeros(0), *parts])


def _both(pairs: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The first of every pair, and the second."""
    first, second = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
    return _joined(first), _joined(second)


def neutral(model: Model) -> Array:
    """The configuration in which every joint is at its zero."""
    return _joined(b.joint.neutral() for b in model.independent)


def configuration_rate(model: Model, q: Array, v: Array) -> Array:
    """dq/dt for the velocity v."""
    return _joined(b.joint.rate(b.position(q), b.rate(v)) for b in model.independent)


def integrate(model: Model, q: Array, dv: Array) -> Array:
    """Configuration reached from q with the constant velocity dv in unit time."""
    return _joined(b.joint.integrate(b.position(q), b.rate(dv)) for b in model.independent)


def difference(model: Model, q0: Array, q1: Array) -> Array:
    """The dv with `integrate(q0, dv) = q1`."""
    return _joined(b.joint.difference(b.position(q0), b.position(q1)) for b in model.independent)


def straight(model: Model, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
    """Configuration after dt, origins of free bodies moving straight on, and v seen from there."""
    return _both(b.joint.straight(b.position(q), b.rate(v), dt) for b in model.independent)


def bending(model: Model, v: Array) -> Array:
    """The rate of v while origins of free bodies move straight on: that of the axes it is written in."""
    return _joined(b.joint.bending(b.rate(v)) for b in model.independent)


def steadied(model: Model, f: Array, v: Array, dt: Scalar) -> Array:
    """Generalized forces for which the midpoint rule changes momenta as f does, held in space while bodies turn."""
    return _joined(b.joint.steadied(f[b.dofs], v[b.dofs], dt) for b in model.independent)


def midway(model: Model, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
    """The middle of a step of dt at the velocity v, and v seen from there."""
    return _both(b.joint.midway(b.position(q), b.rate(v), dt) for b in model.independent)


def arrival(model: Model, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
    """Configuration after a step from q at a mean velocity, and v seen from there; both in the axes of `middle`."""
    own = [(b, b.position(q), b.position(middle)) for b in model.independent]
    return _both(b.joint.arrival(start, half, b.rate(v), b.rate(mean), dt) for b, start, half in own)


def halfway(model: Model, q: Array, d: Array) -> tuple[Array, Array]:
    """The configurations in the middle and at the end of a step of displacement d."""
    return _both(b.joint.halfway(q[b.coords], d[b.dofs]) for b in model.independent)


def end_momenta(model: Model, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
    """Momenta at both ends of a step, from the momentum and the impulse in its middle."""
    return _both(b.joint.momenta(d[b.dofs], p[b.dofs], f[b.dofs]) for b in model.independent)


class Range(NamedTuple):
    """Range of a coordinate and of its rate, and the joints whose limits the ends are."""

    lower: float
    upper: float
    velocity: float
    lower_of: str
    upper_of: str


def ranges(model: Model) -> dict[Body, Range]:
    """Ranges, by joint with coordinates of its own, in which it and all that follow it are within their limits.

    Where there is no such place, or a single point, the limits are the joint's own.  A quaternion has none.
    """
    own = {b: _range(b) for b in model.independent}
    found = dict(own)
    for b in model.bodies:
        if b.leader is not b and b.multiplier:
            found[b.leader] = _narrowed(found[b.leader], b)
    return {b: found[b] if found[b].lower < found[b].upper else own[b] for b in own}


def _range(b: Body) -> Range:
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
