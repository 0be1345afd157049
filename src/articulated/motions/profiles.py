"""Time laws of a leg, s(t) from 0 to 1 and from rest to rest: a table, one row a kind.

A row gives the fastest law whose derivatives keep within (speed, acceleration, jerk), or, of the polynomials, the law
of unit time: what is left of the limits is met by stretching the time (`limits.py`), which keeps the shape of a law.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Floats = np.ndarray


class Profile(NamedTuple):
    """A piecewise polynomial s(t)."""

    breaks: Floats  # (m + 1,), s
    coefficients: Floats  # (m, degree + 1), of (t - break), ascending

    @property
    def duration(self) -> float:
        """Time from rest to rest, s."""
        return float(self.breaks[-1])

    def at(self, t: Floats) -> Floats:
        """s and its first three derivatives at times, (4, N)."""
        piece = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.coefficients) - 1)
        since, c = t - self.breaks[piece], self.coefficients[piece].T
        found = []
        for _ in range(4):
            found.append(sum((row * since**k for k, row in enumerate(c)), np.zeros_like(since)))
            c = c[1:] * np.arange(1, len(c))[:, None]
        return np.array(found)

    def stretched(self, factor: float) -> "Profile":
        """The same law in `factor` times the time."""
        return Profile(self.breaks * factor, self.coefficients / factor ** np.arange(self.coefficients.shape[1]))


class Bounds(NamedTuple):
    """Largest derivatives of s; infinite where there is no limit."""

    speed: float
    acceleration: float
    jerk: float


@dataclass(frozen=True)
class Kind:
    """A kind of motion: its law, the limits it needs to be a law at all, and its continuous derivatives."""

    law: Callable[[Bounds], Profile]
    needs: tuple[str, ...]
    continuous: int


def _polynomial(*coefficients: float) -> Callable[[Bounds], Profile]:
    unit = Profile(np.array([0.0, 1.0]), np.array([coefficients]))
    return lambda bounds: unit


def trapezoidal(bounds: Bounds) -> Profile:
    """Constant acceleration, constant speed, constant deceleration."""
    A = bounds.acceleration
    ramp = min(bounds.speed / A, 1 / np.sqrt(A))
    top = A * ramp
    return _integrated([(ramp, A), (1 / top - ramp, 0.0), (ramp, -A)], 2)


def jerk_limited(bounds: Bounds) -> Profile:
    """Seven pieces of constant jerk (the double S; Biagiotti and Melchiorri 2008, section 3.4)."""
    J = bounds.jerk
    alone = (1 / (2 * J)) ** (1 / 3)  # of the law that only the jerk limits
    t1, ramp = _ramps(min(bounds.speed, J * alone**2), min(bounds.acceleration, J * alone), J)
    top = J * t1 * (ramp - t1)
    pieces = [(t1, J), (ramp - 2 * t1, 0.0), (t1, -J)]
    return _integrated([*pieces, (1 / top - ramp, 0.0), *[(h, -j) for h, j in pieces]], 3)


def _ramps(V: float, A: float, J: float) -> tuple[float, float]:
    """Time of constant jerk, and of the whole way up to the highest speed that half of the leg allows."""
    t1 = min(A / J, np.sqrt(V / J))
    ramp = t1 + V / (J * t1)
    if V * ramp <= 1:
        return t1, ramp
    # no piece of constant speed: top * ramp = 1 with top = J t1 (ramp - t1)
    t1 = A / J
    ramp = (t1 + np.sqrt(t1 * t1 + 4 / A)) / 2
    if ramp >= 2 * t1:
        return t1, ramp
    t1 = (1 / (2 * J)) ** (1 / 3)  # nor one of constant acceleration: 2 J t1³ = 1
    return t1, 2 * t1


def _integrated(pieces: list[tuple[float, float]], order: int) -> Profile:
    """The law whose derivative of this order is constant in pieces (duration, value), from rest at 0."""
    state = np.zeros(order)
    breaks, rows = [0.0], []
    factorial = np.cumprod([1, *range(1, order + 1)])
    for duration, value in pieces:
        if duration <= 0:
            continue
        row = np.array([*state, value]) / factorial
        rows.append(row)
        state = np.array([np.polyval(np.polyder(row[::-1], k), duration) for k in range(order)])
        breaks.append(breaks[-1] + duration)
    return Profile(np.array(breaks), np.array(rows))


KINDS = {
    "cubic": Kind(_polynomial(0, 0, 3, -2), (), continuous=1),
    "quintic": Kind(_polynomial(0, 0, 0, 10, -15, 6), (), continuous=2),
    "septic": Kind(_polynomial(0, 0, 0, 0, 35, -84, 70, -20), (), continuous=3),
    "trapezoidal": Kind(trapezoidal, ("acceleration",), continuous=1),
    "jerk_limited": Kind(jerk_limited, ("jerk",), continuous=2),
    "spline": Kind(_polynomial(0, 1), (), continuous=2),  # its path is at rest at both ends
}
