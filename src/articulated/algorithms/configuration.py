"""Moving on the configuration manifold: joint by joint, mimic joints not counted."""

import numpy as np

from ..algebra.scalars import Array, Scalar, zeros
from ..model import Model


def _own(model: Model) -> list:
    return [b for b in model.bodies if b.leader is b]


def neutral(model: Model) -> Array:
    """The configuration in which every joint is at its zero."""
    return np.concatenate([zeros(0), *(b.joint.neutral() for b in _own(model))])


def configuration_rate(model: Model, q: Array, v: Array) -> Array:
    """dq/dt for the velocity v."""
    return np.concatenate([zeros(0), *(b.joint.rate(b.position(q), b.rate(v)) for b in _own(model))])


def integrate(model: Model, q: Array, dv: Array) -> Array:
    """Configuration reached from q with the constant velocity dv in unit time."""
    return np.concatenate([zeros(0), *(b.joint.integrate(b.position(q), b.rate(dv)) for b in _own(model))])


def straight(model: Model, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
    """Configuration after dt, origins of free bodies moving straight on, and v seen from there."""
    moved = [b.joint.straight(b.position(q), b.rate(v), dt) for b in _own(model)]
    parts = list(zip(*moved, strict=True)) or [(), ()]
    return np.concatenate([zeros(0), *parts[0]]), np.concatenate([zeros(0), *parts[1]])


def steadied(model: Model, f: Array, v: Array, dt: Scalar) -> Array:
    """Generalized forces for which the midpoint rule changes momenta as f does, held in space while bodies turn."""
    return np.concatenate([zeros(0), *(b.joint.steadied(f[b.dofs], v[b.dofs], dt) for b in _own(model))])


def midway(model: Model, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
    """The middle of a step of dt at the velocity v, and v seen from there."""
    parts = list(zip(*(b.joint.midway(b.position(q), b.rate(v), dt) for b in _own(model)), strict=True)) or [(), ()]
    return np.concatenate([zeros(0), *parts[0]]), np.concatenate([zeros(0), *parts[1]])


def arrival(model: Model, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
    """Configuration after a step from q at a mean velocity, and v seen from there; both in the axes of `middle`."""
    own = [(b, b.position(q), b.position(middle)) for b in _own(model)]
    ends = [b.joint.arrival(start, half, b.rate(v), b.rate(mean), dt) for b, start, half in own]
    parts = list(zip(*ends, strict=True)) or [(), ()]
    return np.concatenate([zeros(0), *parts[0]]), np.concatenate([zeros(0), *parts[1]])


def bending(model: Model, v: Array) -> Array:
    """The rate of v while origins of free bodies move straight on: that of the axes it is written in."""
    return np.concatenate([zeros(0), *(b.joint.bending(b.rate(v)) for b in _own(model))])


def difference(model: Model, q0: Array, q1: Array) -> Array:
    """The dv with `integrate(q0, dv) = q1`."""
    return np.concatenate([zeros(0), *(b.joint.difference(b.position(q0), b.position(q1)) for b in _own(model))])
