"""Limits of the joints: torques as they are, positions and velocities as bounds on accelerations."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.limits import ranges
from ...errors import ShapeError, unknown
from ...inputs.choices import number
from ...robot import Robot
from ..checks import array
from .groups import POSITION, VELOCITY, velocity_names

Floats = NDArray[np.floating]
#: a joint that has come to its limit stops within this part of the horizon, not at once: that would throw it back
HARDEST = 100


def torque_limits(robot: Robot, actuated: list[int], given: Any) -> Floats:
    """Torque limit of every actuated velocity: the model's (True), none (False), or a number, array or mapping."""
    own = [b.joint.limits.effort for b in robot.model.bodies if b.leader is b for _ in range(b.joint.nv)]
    found: Floats = np.array(own, float)[actuated]
    if given is False or given is None:
        return np.full(len(actuated), np.inf)
    if isinstance(given, Mapping):
        names = [velocity_names(robot)[i] for i in actuated]
        for name, limit in given.items():
            if name not in names:
                raise unknown("actuated joint", name, robot.name, names)
            if not isinstance(limit, Real):
                raise ShapeError(f"the torque limit of {name} is a number; got {limit!r}")
            found[names.index(name)] = float(limit)
    elif given is not True:
        names = [robot.kernels.vectors["tau"].names[k] for k in actuated]
        found = array("torque_limits", given, f"a number, ({len(actuated)},) or a mapping", names)
        if found.shape not in ((), (len(actuated),)):
            raise ShapeError(f"torque_limits has shape {found.shape}; it is a number, ({len(actuated)},) or a mapping")
        found = np.full(len(actuated), found) if found.ndim == 0 else found
    if not np.all(found >= 0):
        raise ShapeError(f"torque_limits must not be negative or NaN; got {found}")
    return found


class Bounds(NamedTuple):
    """Accelerations a joint may have so as to stay in its range."""

    lower: Floats
    upper: Floats


class JointLimits:
    """Bounds on the accelerations of joints with one coordinate, constant over the `horizon` (seconds)."""

    def __init__(self, robot: Robot, horizon: Any):
        horizon = number("horizon", horizon, "a time in seconds", 1e-100, 1e100)
        own = {b: x for b, x in ranges(robot.model).items() if b.joint.nq == b.joint.nv == 1}
        self.horizon, self.nv = float(horizon), robot.nv
        self.q = np.array([b.coords.start for b in own], int)
        self.v = np.array([b.dofs.start for b in own], int)
        limits = np.array([x[:3] for x in own.values()], float).reshape(-1, 3)
        self.lower, self.upper, self.velocity = limits.T

    def position(self, q: Floats, v: Floats) -> Bounds:
        """With which q + v t + a t²/2 is in the range, at the end of the horizon and where it turns before.

        A turn is not asked for where it needs more than the other bounds allow.
        """
        here, now, scale = q[self.q], v[self.v], 2 / self.horizon**2
        end = Bounds(*(scale * (limit - here - self.horizon * now) for limit in (self.lower, self.upper)))
        speed = self.speed(v)
        up, down = self._braking(here - self.lower, -now), -self._braking(self.upper - here, now)
        return Bounds(
            np.maximum(end.lower, np.minimum(up, np.minimum(end.upper, speed.upper))),
            np.minimum(end.upper, np.maximum(down, np.maximum(end.lower, speed.lower))),
        )

    def _braking(self, left: Floats, speed: Floats) -> Floats:
        """The least deceleration that turns back before the way `left` is used up; -inf if the horizon ends before."""
        turns = (speed > 0) & (2 * left < self.horizon * speed)
        with np.errstate(divide="ignore", invalid="ignore"):
            needed = np.where(left > 0, speed**2 / (2 * left), np.inf)
        return np.where(turns, np.minimum(needed, speed * HARDEST / self.horizon), -np.inf)

    def speed(self, v: Floats) -> Bounds:
        """With which v + a t at the end of the horizon is in the range."""
        now = v[self.v]
        return Bounds((-self.velocity - now) / self.horizon, (self.velocity - now) / self.horizon)

    def bounds(self, q: Floats, v: Floats) -> Bounds:
        """Both, for every velocity."""
        position, speed = self.position(q, v), self.speed(v)
        lower, upper = np.full(self.nv, -np.inf), np.full(self.nv, np.inf)
        lower[self.v] = np.maximum(position.lower, speed.lower)
        upper[self.v] = np.minimum(position.upper, speed.upper)
        return Bounds(lower, upper)

    def which(self, i: int, above: bool, q: Floats, v: Floats) -> str:
        """The kind of the tighter bound on the acceleration of velocity i: POSITION or VELOCITY."""
        place, side = int(np.flatnonzero(self.v == i)[0]), int(above)
        position, speed = self.position(q, v)[side][place], self.speed(v)[side][place]
        return POSITION if (position < speed) == above else VELOCITY
