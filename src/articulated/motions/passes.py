"""Reachability passes of time-optimal path tracking (Pham and Pham 2018, TOPP-RA), as one compiled loop.

With x = ṡ² and u = s̈ every limit at a point of the path is two-sided and linear, low ≤ u - slope x ≤ high, and so is
the set that the next point can be reached from, x + 2 Δ u in [K-, K+]. The largest x for which some u is left is found
by Newton's method on min(high + slope x) - max(low + slope x), which is concave and piecewise linear: from the right
it goes down to the root in as many steps as there are pieces on the way.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.scalars import Array, Scalar, array, select
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Routine
from ..robot import Robot

Floats = np.ndarray
#: Newton steps of a point, at most; each leaves a piece of the envelope behind
STEPS = 100
#: what is left of u below this, relative, is rounding
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
    (points, lines), stages = rows.inertia.shape, len(gaps)
    kernels, key = robot.kernels, ("passes", lines)
    kernel = kernels.once(key, lambda: kernels.routine("time_optimal", key, lambda: _routine(lines)))
    numbers = np.concatenate([rows.inertia, rows.velocity, rows.rest], axis=1)[None]
    arrays = {"rows": numbers, "most": rows.most[None], "top": np.array(top[None, :, None])}
    arrays["gap"] = np.array(gaps[None, :, None])
    out = {name: np.empty((1, rows, n)) for name, rows, n in (("next", stages, 2), ("first", 1, 2), ("xu", stages, 2))}
    kernel({**arrays, **out}, {"stages": stages, "points": points})
    x, u = out["xu"][0].T
    return np.append(x, 0.0), u, np.concatenate([out["first"][0], out["next"][0]])


def _routine(count: int) -> Routine:
    """Backward over the controllable sets, forward with the largest u."""
    r = Builder()
    rows, most = r.input("rows", 3 * count, "points"), r.input("most", count)
    top, gap = r.input("top", 1, "points"), r.input("gap", 1, "stages")
    sets, first, xu = r.output("next", 2, "stages"), r.output("first", 2), r.output("xu", 2, "stages")
    here = {name: r.local(f"{name} here", 3 * count) for name in ("start", "end")}
    here |= {"most": r.local("most here", count), "gap": r.local("gap here", 1), "top": r.local("top here", 1)}
    lines = {name: r.local(name, 2 * count) for name in ("low", "high", "slope")} | {"gap": here["gap"]}
    ends = {"range": r.local("range", 2), "done": r.local("done", 1)}
    after, kept, x, state = r.local("after", 2), r.local("kept", 2, "stages"), r.local("x", 1), r.local("state", 2)
    r.copy(most, here["most"])
    r.run(lambda: array([0.0, 0.0]), {}, [after])
    r.run(lambda: array([0.0]), {}, [x])

    def look() -> None:
        for place, row in (("start", rows.row("k")), ("end", rows.row("k", 1)), ("gap", gap.row("k"))):
            r.copy(row, here[place])
        r.copy(top.row("k"), here["top"])
        r.run(_lines, here, [lines["low"], lines["high"], lines["slope"], *ends.values()])

    with r.loop("k", "stages", reverse=True):
        look()
        r.copy(after, sets.row("k"))
        r.copy(after, kept.row("k"))
        with r.loop("newton", STEPS, until=ends["done"]):
            r.run(_newton, {**lines, **ends, "after": after}, list(ends.values()))
        r.copy(ends["range"], after)
    r.copy(after, first)

    with r.loop("k", "stages"):
        look()
        r.copy(kept.row("k"), after)
        r.run(_forward, {**lines, "after": after, "x": x}, [state, x])
        r.copy(state, xu.row("k"))
    return r.routine()


def _lines(start: Array, end: Array, most: Array, gap: Array, top: Array) -> tuple[Array, ...]:
    """Bounds of u - slope x at both ends of an interval, and the range of x before the first step."""
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
    return array(low), array(high), array(slope), array([0.0, largest]), array([0.0])


def _newton(
    low: Array, high: Array, slope: Array, gap: Array, range: Array, done: Array, after: Array
) -> tuple[Array, Array]:
    """Both ends of the range move inwards, where no u is left; an empty one stays as it is."""
    ends = []
    for x, outwards in zip(range, (1, -1), strict=True):
        (top, high_at, down), (bottom, low_at, up) = _envelope(low, high, slope, gap, after, x)
        left, falling = top - bottom, outwards * (down - up)
        size = select(top < 0, -top, top) + select(bottom < 0, -bottom, bottom)
        short = left < -CLOSE * size
        # where the two lines meet, to rounding of the root, however far x is; if they do not, no x is left
        moved = (low_at - high_at) / select(falling > 0, down - up, 1.0)
        ends.append((select(short, select(falling > 0, moved, -outwards * EMPTY), x), short))
    (least, below), (most, above) = ends
    over = select(done[0] > 0, 1.0, select(below, 0.0, select(above, 0.0, 1.0)))
    over = select(most < least, 1.0, over)
    return array([least, most]), array([over])


def _forward(low: Array, high: Array, slope: Array, gap: Array, after: Array, x: Array) -> tuple[Array, Array]:
    """The largest u, and the x of the next point."""
    (top, *_), (bottom, *_) = _envelope(low, high, slope, gap, after, x[0])
    u = select(top < bottom, (top + bottom) / 2, top)
    there = x[0] + 2 * gap[0] * u
    there = select(there < after[0], after[0], select(after[1] < there, after[1], there))
    return array([x[0], u]), array([there])


def _envelope(low: Array, high: Array, slope: Array, gap: Array, after: Array, x: Scalar) -> Any:
    """Smallest upper and largest lower bound of u at x, each with its value at x = 0 and its slope."""
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
