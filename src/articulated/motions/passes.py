"""Reachability passes of time-optimal path tracking (Pham and Pham 2018, TOPP-RA), as one compiled loop.

With x = ṡ² and u = s̈ every limit at a point of the path is two-sided and linear, low ≤ u - slope x ≤ high, and so is
the set that the next point can be reached from, x + 2 Δ u in [K-, K+]. The largest x for which some u is left is found
by Newton's method on min(high + slope x) - max(low + slope x), which is concave and piecewise linear: from the right
it goes down to the root in as many steps as there are pieces on the way.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ..algebra.scalars import Array, Scalar, array, greatest, least, select
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector

Floats = np.ndarray
#: Newton steps of a point, at most; each leaves a piece of the envelope behind
STEPS = 100
#: relative size of u that is rounding
CLOSE = 1e-13
#: an inertia along the path below this part of the limit is zero
NO_INERTIA = 1e-14
#: a bound of u where a limit does not act
FAR = 1e20
#: an x that nothing has: of a range that is empty
EMPTY = 1e30


def passes(robot: Robot, rows: Any, top: Floats, gaps: Floats) -> tuple[Floats, Floats, Floats]:
    """x (N,) and u (N - 1,) of the fastest motion from rest to rest, and the controllable sets (N, 2).

    `rows` are (N, m) each: |inertia u + velocity x + rest| ≤ most (m,).  top (N,) are bounds of x, gaps (N - 1,) those
    of s.  An empty set has K+ < K-.
    """
    lines, stages, kernels = rows.inertia.shape[1], len(gaps), robot.kernels

    numbers = np.concatenate([rows.inertia, rows.velocity, rows.rest], axis=1)
    given = {"start": numbers[:-1], "end": numbers[1:], "most": rows.most, "gap": gaps[:, None], "top": top[:-1, None]}
    vectors = {name: Vector(x.shape[-1], "of an interval") for name, x in given.items()}
    intervals = kernels.once(("intervals", lines), lambda: kernels.under("", vectors))
    found = intervals.evaluate("time_optimal", _lines, given)
    out = {name: np.empty((1, rows, 2)) for name, rows in (("next", stages), ("first", 1), ("xu", stages))}
    key = "passes between points", lines
    between = kernels.once(key, lambda: kernels.routine("time_optimal", key, lambda: _routine(lines)))
    between({"lines": found[None], "gap": gaps.reshape(1, -1, 1), **out}, {"stages": stages})
    x, u = out["xu"][0].T
    return np.append(x, 0.0), u, np.concatenate([out["first"][0], out["next"][0]])


def _size(count: int) -> int:
    """Numbers of an interval: bounds and slopes of both ends, the largest x, and the range of u at x = 0."""
    return 6 * count + 3


def _routine(count: int) -> Routine:
    """Backward over the controllable sets, forward with the largest u."""
    r = Builder()
    lines, gap = r.input("lines", _size(count), "stages"), r.input("gap", 1, "stages")
    sets, first, xu = r.output("next", 2, "stages"), r.output("first", 2), r.output("xu", 2, "stages")
    here = {"lines": r.local("lines here", _size(count)), "gap": r.local("gap here", 1)}
    ends = {name: (r.local(name, 1), r.local(f"{name} done", 1)) for name in ("least", "most")}
    after, kept, x, state = r.local("after", 2), r.local("kept", 2, "stages"), r.local("x", 1), r.local("state", 2)
    r.run(lambda: array([0.0, 0.0]), {}, [after])
    r.run(lambda: array([0.0]), {}, [x])

    def look() -> None:
        r.copy(lines.row("k"), here["lines"])
        r.copy(gap.row("k"), here["gap"])

    with r.loop("k", "stages", reverse=True):
        look()
        r.copy(after, sets.row("k"))
        r.copy(after, kept.row("k"))
        r.run(_range, {**here, "after": after}, [each for pair in ends.values() for each in pair])
        for name, outwards in (("most", -1), ("least", 1)):
            end, done = ends[name]
            with r.loop("newton", STEPS, until=done, ahead=True):
                r.run(partial(_newton, outwards), {**here, "after": after, "x": end}, [end, done])
        r.run(lambda least, most: np.concatenate([least, most]), {k: end for k, (end, _) in ends.items()}, [after])
    r.copy(after, first)

    with r.loop("k", "stages"):
        look()
        r.copy(kept.row("k"), after)
        r.run(_forward, {**here, "after": after, "x": x}, [state, x])
        r.copy(state, xu.row("k"))
    return r.routine()


def _lines(model: Model, start: Array, end: Array, most: Array, gap: Array, top: Array) -> Array:
    """Bounds of u - slope x at both ends of an interval, the largest x, and the range of u at x = 0."""
    n, low, high, slope, largest = len(most), [], [], [], top[0]
    for row, ahead in ((start, 0), (end, 2 * gap[0])):
        for a, b, c, limit in zip(row[:n], row[n : 2 * n], row[2 * n :], most, strict=True):
            inertia = a + ahead * b
            acts = select(inertia < 0, -inertia, inertia) > NO_INERTIA * limit
            inverse = 1 / select(acts, inertia, 1.0)
            middle, width = -c * inverse, limit * select(inertia < 0, -inverse, inverse)
            low.append(select(acts, middle - width, -FAR))
            high.append(select(acts, middle + width, FAR))
            slope.append(select(acts, -b * inverse, 0.0))
            # without inertia a limit bounds x
            rising = select(b < 0, -b, b) > 0
            alone = (limit - select(b < 0, -c, c)) / select(rising, select(b < 0, -b, b), 1.0)
            bound = select(acts, FAR, select(rising, alone, FAR))
            largest = select(bound < largest, bound, largest)
    lowest, highest = _smallest([(-x,) for x in low])[0], _smallest([(x,) for x in high])[0]
    return array([*low, *high, *slope, largest, -lowest, highest])


def _range(lines: Array, gap: Array, after: Array) -> tuple[Array, ...]:
    """The range of x before the first Newton steps, and whether its ends need none: x = 0 if a u is left there.

    The tangent of a concave function at the x after this one is zero beyond its root.
    """
    largest, low, high = lines[-3:]
    inverse = 0.5 / gap[0]
    left = least(high, after[1] * inverse) - greatest(low, after[0] * inverse)
    (_, high_at, down), (_, low_at, up) = _envelope(lines, gap, after, least(largest, after[1]))
    meets = (low_at - high_at) / select(down < up, down - up, 1.0)
    most = select(down < up, least(meets, largest), largest)
    return array([0.0]), array([select(left < 0, 0.0, 1.0)]), array([most]), array([select(largest < 0, 1.0, 0.0)])


def _newton(outwards: int, lines: Array, gap: Array, after: Array, x: Array) -> tuple[Array, Array]:
    """An end of the range moves inwards where no u is left; done where some is, or where it never will be."""
    (top, high_at, down), (bottom, low_at, up) = _envelope(lines, gap, after, x[0])
    left, falling = top - bottom, outwards * (down - up)
    size = select(top < 0, -top, top) + select(bottom < 0, -bottom, bottom)
    short = left < -CLOSE * size
    # where the two lines meet, to rounding of the root, however far x is; if they do not, no x is left
    moved = (low_at - high_at) / select(falling > 0, down - up, 1.0)
    there = select(short, select(falling > 0, moved, outwards * EMPTY), x[0])
    further = select(outwards * moved > outwards * x[0], 0.0, 1.0)  # rounding can keep it where it is
    return array([there]), array([select(short, select(falling > 0, further, 1.0), 1.0)])


def _forward(lines: Array, gap: Array, after: Array, x: Array) -> tuple[Array, Array]:
    """The largest u, and the x of the next point."""
    (top, *_), (bottom, *_) = _envelope(lines, gap, after, x[0])
    u = select(top < bottom, (top + bottom) / 2, top)
    there = x[0] + 2 * gap[0] * u
    there = select(there < after[0], after[0], select(after[1] < there, after[1], there))
    return array([x[0], u]), array([there])


def _envelope(lines: Array, gap: Array, after: Array, x: Scalar) -> Any:
    """Smallest upper and largest lower bound of u at x, each with its value at x = 0 and its slope."""
    low, high, slope = lines[:-3].reshape(3, -1)
    inverse = 0.5 / gap[0]
    slopes = [*slope, -inverse]
    above = [(p + m * x, p, m) for p, m in zip([*high, after[1] * inverse], slopes, strict=True)]
    below = [(-(p + m * x), p, m) for p, m in zip([*low, after[0] * inverse], slopes, strict=True)]
    (bottom, *line) = _smallest(below)
    return _smallest(above), (-bottom, *line)


def _smallest(bounds: Sequence[tuple[Scalar, ...]]) -> tuple[Scalar, ...]:
    """The one with the smallest first number, halves first: short chains of operations."""
    if len(bounds) == 1:
        return bounds[0]
    half = len(bounds) // 2
    one, other = _smallest(bounds[:half]), _smallest(bounds[half:])
    first = one[0] < other[0]
    return tuple(select(first, a, b) for a, b in zip(one, other, strict=True))
