"""Motion of the center of mass of a robot that steps, by the divergent component of motion.

The center of mass c above feet whose loads have their mean at r is a pendulum, c̈ = ω² (c - r); its divergent component
ξ = c + ċ / ω obeys ξ̇ = ω (ξ - r).  Of all ξ only one stays bounded, the mean of all r to come, the later the less:
ξ(t) = ∫ ω exp(-ω s) r(t + s) ds.  Source: Takenaka et al. 2009; Englsberger et al. 2015.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
#: parts of a period between which the mean of the loads is taken to move straight
PARTS = 40
#: 1 - this of the weight of all r to come is looked at
REST = 1e-3
#: rad/s, a turn whose square is rounding at any time
STRAIGHT = 1e-12


class Path(NamedTuple):
    """Where the middle of the feet is wanted: place (2,) m, heading rad, and how both change, in its own axes."""

    place: Floats
    heading: float
    velocity: Floats
    turn: float
    wait: float = 0.0  # s, until it sets out

    def after(self, s: Any) -> tuple[Floats, Any]:
        """Places (…, 2) and headings (…) after so many seconds, along an arc."""
        some: Any = math if isinstance(s, float) else np
        # a path that waits is at its place until it sets out
        s = max(min(s, 0.0), s - self.wait) if isinstance(s, float) else s - np.clip(s, 0, self.wait)
        half = self.turn * s / 2
        chord = some.sin(half) * (2 / self.turn) if abs(self.turn) > STRAIGHT else s
        c, w = chord * some.cos(self.heading + half), chord * some.sin(self.heading + half)
        (x, y), (vx, vy) = self.place.tolist(), self.velocity.tolist()
        return _points(x + c * vx - w * vy, y + w * vx + c * vy), self.heading + 2 * half

    def footholds(self, s: Floats, offsets: Floats) -> Floats:
        """Places (…, 2) after so many seconds of feet at `offsets` (…, 2) from the path."""
        place, heading = self.after(s)
        c, w, x, y = np.cos(heading), np.sin(heading), offsets[..., 0], offsets[..., 1]
        return place + _points(c * x - w * y, w * x + c * y)


def _points(x: Floats, y: Floats) -> Floats:
    """(…, 2)"""
    out = np.empty((*np.shape(x), 2))
    out[..., 0], out[..., 1] = x, y
    return out


def preview(rate: float, step: float) -> Floats:
    """Weights of r now, after one step, after two, …, of which ξ is the sum; r moves straight in between."""
    count = int(np.ceil(-np.log(REST) / (rate * step)))
    decay, x = np.exp(-rate * step), rate * step
    # ∫ of ω exp(-ω s) times what falls from 1 to 0 in a step, and what rises
    falls = 1 - (1 - decay) / x
    rises = 1 - decay - falls
    weights = np.zeros(count + 1)
    weights[:-1] += falls * decay ** np.arange(count)
    weights[1:] += rises * decay ** np.arange(count)
    weights[-1] += decay**count
    return weights


def repeating(acceleration: Floats, period: float) -> Floats:
    """A motion that repeats, at rest in the mean: (value, rate, acceleration) at equal times of a period, (3, n, …)."""
    step, parts = period / len(acceleration), [acceleration - acceleration.mean(axis=0)]
    for _ in range(2):
        # from the middles of the intervals, so that a round ends where it began
        own = np.cumsum((parts[0] + np.roll(parts[0], -1, axis=0)) / 2, axis=0) * step
        parts.insert(0, np.roll(own, 1, axis=0) - own.mean(axis=0))
    return np.array(parts)
