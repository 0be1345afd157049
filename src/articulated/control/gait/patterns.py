"""Gaits that repeat: a table of patterns, and their contact schedule."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .gait import Gait, Swing

Floats = NDArray[np.floating]


class Pattern(NamedTuple):
    """Timing of a gait: a foot swings from its phase on, then stands for the part `ground` of a period.

    A foot takes on its load, and gives it up, within the part `ramp` of a period.
    """

    period: float  # in units of √(height of the center of mass / g)
    ground: float
    ramp: float
    phases: tuple[float, ...]  # front left, front right, hind left, hind right; or left, right
    stance: tuple[float, float] = (1.0, 1.0)  # distances of footholds, forwards and sideways, in those of the home pose
    height: float = 0.25  # of the steps, in that of the center of mass
    capture: float = 1.3


LEGS, SOLES, POINTS = "four feet", "two soles", "two points"
#: the patterns of gaits by name and by what a robot stands on; every swing ends within the period in which it begins
GAITS: dict[str, dict[str, Pattern]] = {
    "stand": {SOLES: Pattern(5.0, 1.0, 0.1, (0, 0)), LEGS: Pattern(5.0, 1.0, 0.1, (0, 0, 0, 0))},
    "walk": {
        SOLES: Pattern(5.0, 0.65, 0.15, (0, 0.5), height=0.1),
        LEGS: Pattern(5.0, 0.77, 0.02, (0.25, 0.75, 0, 0.5)),
    },
    "trot": {
        # nothing but its steps holds a robot on two points: they are short, and make up for a whole error
        POINTS: Pattern(2.0, 0.6, 0.1, (0, 0.5), height=0.1, capture=2.0),
        LEGS: Pattern(2.5, 0.55, 0.05, (0, 0.5, 0.5, 0)),
    },
    "pace": {LEGS: Pattern(2.0, 0.6, 0.05, (0, 0.5, 0, 0.5), (1.0, 0.5))},
    "bound": {LEGS: Pattern(1.8, 0.6, 0.05, (0, 0, 0.5, 0.5), (0.7, 1.0))},
    "pronk": {LEGS: Pattern(2.5, 0.6, 0.05, (0, 0, 0, 0))},
}


class Cycle(Gait):
    """A pattern that repeats from `begin` on; before, all feet are on the ground."""

    def __init__(self, pattern: Pattern, feet: Sequence[str], period: float, begin: float):
        super().__init__()
        self.pattern, self.period, self.begin, self._feet = pattern, period, begin, tuple(feet)
        self.air = 1 - pattern.ground
        self._phases = np.array(pattern.phases)

    @property
    def feet(self) -> tuple[str, ...]:
        """Feet that are lifted at some time."""
        return self._feet if self.air > 0 else ()

    def turns(self, t: Floats) -> Floats:
        """Periods since each foot was first lifted, (feet, …); negative before, and -1 if it never is."""
        turns = (np.asarray(t) - self.begin) / self.period - self._phases.reshape(-1, *[1] * np.ndim(t))
        return turns if self.air > 0 else np.full_like(turns, -1.0)

    def swinging(self, t: float) -> tuple[Swing, ...]:
        """The swings at a time."""
        found = []
        for foot, phase in zip(self.feet, self.pattern.phases, strict=False):
            turn = ((t - self.begin) / self.period - phase) // 1
            up = self.begin + (turn + phase) * self.period
            if turn >= 0 and t < up + self.air * self.period:
                found.append(Swing(foot, up, up + self.air * self.period))
        return tuple(found)

    def loads(self, turns: Floats) -> Floats:
        """How much of its load each foot may carry after so many turns, 0 in the air to 1, (feet, …)."""
        part, ramp = turns % 1, self.pattern.ramp
        rises = np.where(turns < 0, 1.0, (part - self.air) / ramp)
        falls = np.where(turns < -1, 1.0, (1 - part) / ramp)
        return np.clip(np.minimum(rises, falls), 0, 1)

    def boundary(self, t: float) -> float:
        """The end of the period at a time; a stand may end at any time."""
        if not self.air:
            return t
        return self.begin + max(0.0, np.ceil((t - self.begin) / self.period)) * self.period

    def __repr__(self) -> str:
        return f"<Gait of {', '.join(self._feet)} that repeats every {self.period:.3g} s>"
