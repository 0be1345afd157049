"""Limits of the joints: torques as they are, positions and velocities as bounds on accelerations."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array, Scalar, array, least, select, sqrt
from ...algorithms.configuration import ranges
from ...errors import ShapeError, unknown
from ...inputs.choices import number
from ...robot import Robot
from ..checks import array as checked
from .groups import POSITION, VELOCITY, velocity_names

Floats = NDArray[np.floating]
#: a joint that has come to its limit stops within this part of the horizon, not at once: that would throw it back
HARDEST = 100
#: an acceleration that no bound excludes, (m or rad)/s²
NONE = 1e300


def per_motor(robot: Robot, actuated: list[int], what: str, given: Any, own: Floats) -> Floats:
    """Limits of every actuated velocity: the `own` (True), none (False), or a number, array or mapping."""
    found: Floats = own[actuated]
    if given is False or given is None:
        return np.full(len(actuated), np.inf)
    if isinstance(given, Mapping):
        names = [velocity_names(robot)[i] for i in actuated]
        for name, limit in given.items():
            if name not in names:
                raise unknown("actuated joint", name, robot.name, names)
            if not isinstance(limit, Real):
                raise ShapeError(f"{what} of {name} is a number; got {limit!r}")
            found[names.index(name)] = float(limit)
    elif given is not True:
        names = [robot.kernels.vectors["tau"].names[k] for k in actuated]
        found = checked(what, given, f"a number, ({len(actuated)},) or a mapping", names)
        if found.shape not in ((), (len(actuated),)):
            raise ShapeError(f"{what} has shape {found.shape}; it is a number, ({len(actuated)},) or a mapping")
        found = np.full(len(actuated), found) if found.ndim == 0 else found
    if not np.all(found >= 0):
        raise ShapeError(f"{what} must not be negative or NaN; got {found}")
    return found


class Bounds(NamedTuple):
    """Accelerations a joint may have so as to stay in its range."""

    lower: Scalar
    upper: Scalar


class JointRange(NamedTuple):
    """Range of a joint with one coordinate: its places in q and v, and its limits."""

    q: int
    v: int
    lower: float
    upper: float
    velocity: float
    acceleration: float = np.inf

    def position(self, q: Scalar, v: Scalar, horizon: float) -> Bounds:
        """With which q + v t + a t²/2 is in the range, at the end of the horizon and where it turns before.

        A turn is not asked for where it needs more than the other bounds allow.
        """
        scale, speed = 2 / horizon**2, self.speed(v, horizon)
        low, high = (
            sign * np.inf if np.isinf(limit) else scale * (limit - q - horizon * v)
            for sign, limit in ((-1, self.lower), (1, self.upper))
        )
        up = -np.inf if np.isinf(self.lower) else _braking(q - self.lower, -v, horizon)
        down = np.inf if np.isinf(self.upper) else -_braking(self.upper - q, v, horizon)
        return Bounds(
            _greatest(low, _least(up, _least(high, speed.upper))),
            _least(high, _greatest(down, _greatest(low, speed.lower))),
        )

    def speed(self, v: Scalar, horizon: float) -> Bounds:
        """With which v + a t at the end of the horizon is in the range."""
        if np.isinf(self.velocity):
            return Bounds(-np.inf, np.inf)
        return Bounds((-self.velocity - v) / horizon, (self.velocity - v) / horizon)

    def bounds(self, q: Scalar, v: Scalar, horizon: float) -> Bounds:
        """The tighter of both; with a limit on the acceleration, also such that braking within it stays possible."""
        position, speed = self.position(q, v, horizon), self.speed(v, horizon)
        lower, upper = _greatest(position.lower, speed.lower), _least(position.upper, speed.upper)
        if np.isinf(most := self.acceleration):
            return Bounds(lower, upper)
        lower = _greatest(lower, -_viable(q - self.lower, -v, horizon, most))
        upper = _least(upper, _viable(self.upper - q, v, horizon, most))
        return Bounds(*(_greatest(_least(x, most), -most) for x in (lower, upper)))


def _viable(left: Scalar, speed: Scalar, horizon: float, most: float) -> Scalar:
    """The largest acceleration after which periods of deceleration by `most` stop within the way that is left.

    With w = v + a t: w²/(2 most) + w t/2 = left - (v + w) t/2; where nothing stops it, that which ends at rest (after
    Del Prete 2018, and w t/2, as without it a stop falls between two periods, and the joint is thrown back and forth).
    """
    if isinstance(left, float) and np.isinf(left):
        return np.inf
    t = most * horizon
    square = t * t - t * speed + 2 * most * left
    root = sqrt(select(square > 0, square, 0.0))
    return select(square > 0, (root - t - speed) / horizon, -speed / horizon)


def _braking(left: Scalar, speed: Scalar, horizon: float) -> Scalar:
    """The least deceleration that turns back before the way `left` is used up; -NONE if the horizon ends before."""
    hardest = speed * (HARDEST / horizon)
    needed = select(left > 0, speed * speed / (2 * select(left > 0, left, 1.0)), hardest)
    turns = select(needed < hardest, needed, hardest)
    return select(speed > 0, select(2 * left < horizon * speed, turns, -NONE), -NONE)


def _least(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two numbers; infinity is a constant."""
    for x, other in ((a, b), (b, a)):
        if isinstance(x, float) and np.isinf(x):
            return other if x > 0 else x
    return least(a, b)


def _greatest(a: Scalar, b: Scalar) -> Scalar:
    return -_least(-a, -b)


class JointLimits(NamedTuple):
    """Bounds on the accelerations of joints with one coordinate, constant over the `horizon` (seconds)."""

    horizon: float
    ranges: tuple[JointRange, ...]

    def bounds(self, q: Array, v: Array) -> Array:
        """Least accelerations of all velocities, then the largest, (2 nv,)."""
        lower, upper = [-np.inf] * len(v), [np.inf] * len(v)
        for joint in self.ranges:
            lower[joint.v], upper[joint.v] = joint.bounds(q[joint.q], v[joint.v], self.horizon)
        return array([*lower, *upper])

    def which(self, i: int, above: bool, q: Floats, v: Floats) -> str:
        """The kind of the tighter bound on the acceleration of velocity i: POSITION or VELOCITY."""
        joint, side = next(joint for joint in self.ranges if joint.v == i), int(above)
        position = joint.position(float(q[joint.q]), float(v[i]), self.horizon)[side]
        return POSITION if (position < joint.speed(float(v[i]), self.horizon)[side]) == above else VELOCITY


def joint_limits(robot: Robot, horizon: Any, accelerations: Floats) -> JointLimits:
    """Limits of the joints of a robot with one coordinate; `accelerations` of every velocity."""
    horizon = float(number("horizon", horizon, "a time in seconds", 1e-100, 1e100))
    own = {b: x for b, x in ranges(robot.model).items() if b.joint.nq == b.joint.nv == 1}
    places = [JointRange(b.coords.start, b.dofs.start, *map(float, x[:3])) for b, x in own.items()]
    places = [joint._replace(acceleration=float(accelerations[joint.v])) for joint in places]
    return JointLimits(horizon, tuple(places))
