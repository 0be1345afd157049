"""Clearance between links, and to obstacles, as rows on accelerations."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...geometry.distances import near
from ...inputs.choices import number
from ...robot import Robot
from .groups import CLEARANCE, Group

Floats = NDArray[np.floating]
#: pairs that are watched, the nearest ones; the time over which a gradient is seen to change, s
PAIRS, CHANGE = 8, 1e-6
#: a change of ḋ in that time, m/s, by which another point has become the nearest: it has no rate
JUMP = 1e-3
#: gradient of a distance that no joint changes
FIXED = 1e-9


class Clearance:
    """The nearest pairs stay apart: d̈ >= -k (d - least) - c ḋ, with c = 2 √k, so that none is passed."""

    def __init__(self, robot: Robot, least: float, gain: float, obstacles: Sequence[Any]):
        self.robot, self.obstacles = robot, tuple(obstacles)
        self.least = number("clearance", least, "a distance, m", -np.inf)
        self.gain = number("clearance_gain", gain, "a number above 0, 1/s²", float(np.finfo(float).tiny))
        self.names = ["~".join(map(str, pair.names)) for pair in near(robot.model, self.obstacles)]
        self.gradient = robot.derivatives("distances")

    @property
    def groups(self) -> list[Group]:
        """One for every row."""
        return [Group(CLEARANCE, "", "m/s²")] * min(PAIRS, len(self.names))

    def rows(self, q: Any, v: Any) -> tuple[Floats, Floats, list[Group]]:
        """(given, least) of the nearest pairs, (…, rows, nv) and (…, rows), and their groups in one state."""
        v = np.asarray(v, float)
        soon = self.robot.integrate(q, CHANGE * v)
        d, here, then = (
            np.asarray(self.robot.distances(q, self.obstacles)),
            *(np.asarray(self.gradient(x, obstacles=self.obstacles).q) for x in (q, soon)),
        )
        d = np.where(abs(here).max(axis=-1, initial=0.0) > FIXED, d, np.inf)
        order = np.argsort(d, axis=-1)[..., :PAIRS]
        d = np.take_along_axis(d, order, -1)
        here, then = (np.take_along_axis(x, order[..., None], -2) for x in (here, then))
        rate, change = ((x @ v[..., None])[..., 0] for x in (here, then - here))
        drift = np.where(abs(change) < JUMP, change / CHANGE, 0.0)
        least = -self.gain * (d - self.least) - 2 * np.sqrt(self.gain) * rate - drift
        named = order.tolist() if order.ndim == 1 else []
        return here, least, [Group(CLEARANCE, self.names[i], "m/s²") for i in named] or self.groups
