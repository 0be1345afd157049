"""Contact schedules, and the curves of swinging feet."""

from __future__ import annotations  # help shows types as they are written here

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ShapeError
from ...inputs.choices import names, number
from ...text import shortened
from ..checks import vector

Floats = NDArray[np.floating]
#: most periods of a gait
MOST = 1e6


class Swing(NamedTuple):
    """A foot is in the air from `begin` to `end`, s."""

    foot: str
    begin: float
    end: float


class Motion(NamedTuple):
    """Motion of a foot: position (3,) m, velocity m/s, acceleration m/s²."""

    position: Floats
    velocity: Floats
    acceleration: Floats


class Gait:
    """The times at which feet are in the air: swings (foot, begin, end), s; all other feet are on the ground.

    Gaits are added: `art.Gait([("FL_FOOT", 1.0, 1.4)]) + art.Gait.trot(feet, 2.0, 4.0)`.

    Parameters
    ----------
    swings : (foot, begin, end) of each time a foot is in the air, s

    Examples
    --------
    >>> import articulated as art
    >>> gait = art.Gait.trot(["FL", "FR", "HL", "HR"], begin=1.0, end=3.0)
    >>> gait.lifted(0.5), gait.lifted(1.1), gait.lifted(1.3)
    ((), ('FL', 'HR'), ('FR', 'HL'))
    """

    def __init__(self, swings: Iterable[tuple[str, float, float]] = ()):
        if isinstance(swings, str) or not isinstance(swings, Iterable):
            raise ShapeError(f"Gait takes a list of swings (foot, begin, end); got {shortened(repr(swings))}")
        self.swings = tuple(sorted(map(_swing, swings), key=lambda swing: swing.begin))
        last: dict[str, Swing] = {}
        for swing in self.swings:
            before = last.get(swing.foot)
            if before and swing.begin < before.end:
                raise ShapeError(f"Gait: {swing.foot} is lifted at {swing.begin:g} s and lands at {before.end:g} s")
            last[swing.foot] = swing
        self._begins = [swing.begin for swing in self.swings]
        self._ended = list(accumulate((swing.end for swing in self.swings), max))  # by then, this swing and all before

    @classmethod
    def trot(cls, feet: Sequence[str], begin: float, end: float, period: float = 0.4, ground: float = 0.5) -> Gait:
        """Diagonal pairs in turn, FL with HR and FR with HL; `feet` in the order FL, FR, HL, HR.

        Each foot is on the ground for the part `ground` of a period, from 0.5.  Whole periods from `begin` to `end`.

        Parameters
        ----------
        feet : four frames in the order FL, FR, HL, HR
        begin : s
        end : s; whole periods until then
        period : s
        ground : the part of a period that each foot is on the ground, from 0.5

        Returns
        -------
        a Gait

        Examples
        --------
        >>> import articulated as art
        >>> art.Gait.trot(["FL", "FR", "HL", "HR"], 0.0, 0.8).lifted(0.1)
        ('FL', 'HR')
        """
        period = number("Gait: period", period, "a time above zero", np.nextafter(0, 1))
        ground = number("Gait: ground", ground, "the part of a period on the ground, 0.5 to 1", 0.5, 1.0)
        begin = number("Gait: begin", begin, "a time", -np.inf)
        end = number("Gait: end", end, "a time, finite", begin)
        if len(four := names("Gait: feet", feet)) != 4:
            raise ShapeError(f"Gait: trot takes four feet, in the order FL, FR, HL, HR; got {len(four)}")
        if not (end - begin) / period < MOST:
            raise ShapeError(f"Gait: {(end - begin) / period:.3g} periods of {period:g} s are too many")
        swings = []
        for k in range(int((end - begin) / period * (1 + 1e-12))):
            for half, pair in enumerate(((four[0], four[3]), (four[1], four[2]))):
                up, down = (begin + (k + half / 2 + part) * period for part in (0, 1 - ground))
                swings += [(foot, up, down) for foot in pair]
        return cls(swings)

    def __add__(self, other: Any) -> Gait:
        return Gait([*self.swings, *other.swings]) if isinstance(other, Gait) else NotImplemented

    def swinging(self, t: float) -> tuple[Swing, ...]:
        """The swings at a time.

        Parameters
        ----------
        t : a time, s

        Returns
        -------
        Swing(foot, begin, end) of each foot in the air

        Examples
        --------
        >>> import articulated as art
        >>> art.Gait([("FL", 1.0, 1.4)]).swinging(1.2)[0].end
        1.4
        """
        now = number("Gait: t", t, "a time", -np.inf)
        begun = self.swings[bisect_right(self._ended, now) : bisect_right(self._begins, now)]
        return tuple(swing for swing in begun if now < swing.end)

    def lifted(self, t: float) -> tuple[str, ...]:
        """The feet in the air at a time.

        Parameters
        ----------
        t : a time, s

        Returns
        -------
        names of feet

        Examples
        --------
        >>> import articulated as art
        >>> art.Gait([("FL", 1.0, 1.4)]).lifted(1.2)
        ('FL',)
        """
        return tuple(swing.foot for swing in self.swinging(t))

    @property
    def feet(self) -> tuple[str, ...]:
        """Feet that are lifted at some time."""
        return tuple(dict.fromkeys(swing.foot for swing in self.swings))

    def __repr__(self) -> str:
        return f"<Gait: {len(self.swings)} swings of {', '.join(self.feet) or 'no foot'}>"


def swing(start: ArrayLike, end: ArrayLike, height: float, duration: float, t: float) -> Motion:
    """A foot on its way from `start` to `end`, a time t after it was lifted: at rest at both ends, accelerations too.

    Parameters
    ----------
    start : where it was lifted, (3,): m, world axes
    end : where it is put down, (3,): m, world axes
    height : of the arc above the straight line between them, m
    duration : of the swing, s
    t : since it was lifted, s; before and after the swing it is where it begins and ends

    Returns
    -------
    position (3,) m, velocity m/s, acceleration m/s²

    Examples
    --------
    >>> import articulated as art
    >>> art.swing([0, 0, 0], [0.1, 0, 0], 0.05, 0.2, 0.1).position.tolist()
    [0.05, 0.0, 0.05]
    """
    start, end = vector("swing: start", start, 3), vector("swing: end", end, 3)
    height = number("swing: height", height, "meters above the ground, from 0")
    whole = number("swing: duration", duration, "a time of at least a microsecond", 1e-6)
    with np.errstate(over="ignore", invalid="ignore"):  # NaN and infinity propagate to the result
        return arc(start, end, course(height, whole, number("swing: t", t, "a time", -np.inf)))


def course(height: float, duration: float, t: float) -> tuple[tuple[float, float], ...]:
    """Part of the way, and height above it, at a time of a swing; their rates and accelerations."""
    s, rate = min(max(t / duration, 0.0), 1.0), 1 / duration
    left, bend, over = s - s * s, 1 - 2 * s, 64 * height
    return (
        (s * s * s * (10 - 15 * s + 6 * s * s), over * left * left * left),
        (30 * rate * left * left, over * 3 * rate * left * left * bend),
        (60 * rate * rate * left * bend, over * 6 * rate * rate * left * (1 - 5 * left)),
    )


def arc(start: Floats, end: Floats, now: tuple[tuple[float, float], ...]) -> Motion:
    """`swing` of checked points at a time of its `course`."""
    (x, y, z), (to_x, to_y, to_z) = start.tolist(), end.tolist()
    dx, dy, dz = to_x - x, to_y - y, to_z - z
    (a, up), (b, rises), (c, pushed) = now
    place = [x + a * dx, y + a * dy, z + a * dz + up]
    return Motion(*np.array([place, [b * dx, b * dy, b * dz + rises], [c * dx, c * dy, c * dz + pushed]]))


def _swing(given: Any) -> Swing:
    if not isinstance(given, (tuple, list)) or len(given) != 3 or not isinstance(given[0], str):
        raise ShapeError(f"Gait: a swing is (foot, begin, end); got {shortened(repr(given))}")
    foot, begin, end = given
    begin = number(f"Gait: the begin of a swing of {foot}", begin, "a time", -np.inf)
    after = f"a time after its begin, {begin:g} s"
    return Swing(foot, begin, number(f"Gait: the end of a swing of {foot}", end, after, np.nextafter(begin, np.inf)))
