"""The law of one contact and of one scalar row, each solved exactly with everything else held; any scalar.

Impulses λ change velocities by G λ.  A contact has three, two along the ground and one off it; s is the velocity of the
contact that its own impulse could not yet change.
"""

from typing import NamedTuple

from ...algebra.scalars import Array, Scalar, array, chosen, greatest, is_zero, least, select, sqrt

#: steps of the search for a sliding contact: to rounding for 999 random contacts of 1000
SLIDE_STEPS = 5
#: added to mobilities, relative to their sum: a direction in which nothing can move takes no impulse
ROUNDING = 1e-14
#: keeps a quotient finite whose value is not used
TINY = 1e-200
#: a slope of this steepness is vertical
STEEPEST = 1e12
#: the end of a window that has none
NONE = 1e30


class _Pushed(NamedTuple):
    """Impulses of a contact whose ground resists by σ along itself, and their rate with σ."""

    x: Scalar
    y: Scalar
    normal: Scalar
    x_rate: Scalar
    y_rate: Scalar


class Mobility(NamedTuple):
    """A contact with its normal eliminated: along the ground its velocity is A t + b under the impulse t."""

    xx: Scalar
    xy: Scalar
    yy: Scalar
    kx: Scalar  # the normal impulse is n - k · t
    ky: Scalar
    inverse: Scalar  # of the mobility off the ground

    def pushed(self, bx: Scalar, by: Scalar, n: Scalar, resistance: Scalar) -> _Pushed:
        """t = -(A + σ)⁻¹ b, the normal impulse with it, and -dt/dσ = (A + σ)⁻¹ t."""
        xx, yy = self.xx + resistance, self.yy + resistance
        inverse = 1 / (xx * yy - self.xy * self.xy)
        x, y = inverse * (self.xy * by - yy * bx), inverse * (self.xy * bx - xx * by)
        return _Pushed(
            x, y, n - self.kx * x - self.ky * y,
            inverse * (yy * x - self.xy * y), inverse * (xx * y - self.xy * x),
        )  # fmt: skip

    def newton(self, p: _Pushed, friction: Scalar, sigma: Scalar) -> Scalar:
        """The next σ on the way to friction × normal / |t| = 1."""
        squared = p.x * p.x + p.y * p.y + TINY
        length, reach = sqrt(squared), friction * p.normal
        rate = friction * (self.kx * p.x_rate + self.ky * p.y_rate) * squared
        slope = rate + reach * (p.x * p.x_rate + p.y * p.y_rate)
        return sigma + (length - reach) * squared / greatest(slope, TINY)


def mobility(G: Array) -> Mobility:
    """Mobility of a contact with the 3×3 block G: rows along, along and off the ground."""
    rounding = ROUNDING * (G[0, 0] + G[1, 1] + G[2, 2]) + TINY
    inverse = 1 / (G[2, 2] + rounding)
    kx, ky = G[0, 2] * inverse, G[1, 2] * inverse
    return Mobility(
        G[0, 0] - kx * G[0, 2] + rounding, G[0, 1] - kx * G[1, 2], G[1, 1] - ky * G[1, 2] + rounding, kx, ky, inverse
    )


def coulomb(G: Array, s: Array, friction: Scalar, steps: int = SLIDE_STEPS) -> Array:
    """The impulse of one contact: open, sticking or sliding, whichever it is."""
    still, settled = resting(G, s, friction)
    return still if is_zero(friction) else chosen(settled > 0.5, still, sliding(G, s, friction, steps))


def resting(G: Array, s: Array, friction: Scalar) -> tuple[Array, Scalar]:
    """The impulse of a contact that is open or sticks, and whether it is one of these.

    Open if s parts it.  It sticks if the impulse that stops it lies in the cone.
    """
    m, (bx, by, n) = _eliminated(G, s)
    if is_zero(friction):
        return array([0, 0, select(s[2] < 0, n, 0.0)]), 1.0
    held = m.pushed(bx, by, n, 0)
    settled = select(s[2] < 0, select(_within(held, friction), 1.0, 0.0), 1.0)
    return array([select(s[2] < 0, x, 0.0) for x in held[:3]]), settled


def _eliminated(G: Array, s: Array) -> tuple["Mobility", tuple[Scalar, ...]]:
    """A contact with its normal eliminated: its velocity along the ground, and the normal impulse that stops it."""
    m = mobility(G)
    return m, (s[0] - m.kx * s[2], s[1] - m.ky * s[2], -m.inverse * s[2])


def _within(held: _Pushed, friction: Scalar) -> Scalar:
    """Whether an impulse lies in the cone."""
    widest = friction * held.normal
    squared = select(widest > 0, widest * widest, -1.0)
    return held.x * held.x + held.y * held.y < squared


def sliding(G: Array, s: Array, friction: Scalar, steps: int = SLIDE_STEPS) -> Array:
    """The impulse of a contact that slides: t = -(A + σ)⁻¹ b along the ground, with |t| = friction × normal impulse.

    Newton on friction × normal / |t| = 1, a function of σ > 0 that rises and bends down.  It begins at the larger of
    two estimates, mostly too small both: Newton's own from σ = 0, and where the line is 1 that the function approaches
    as t turns to -b.
    """
    m, (bx, by, n) = _eliminated(G, s)
    held = m.pushed(bx, by, n, 0)
    size, squared = m.xx + m.yy, bx * bx + by * by + TINY
    length = sqrt(squared)
    turned = (bx * (m.xx * bx + 2 * m.xy * by) + m.yy * by * by) / squared
    far = (length - friction * (m.kx * bx + m.ky * by)) / greatest(friction * n, TINY) - turned
    low: Scalar = 0.0
    high: Scalar = STEEPEST * size
    sigma = least(greatest(m.newton(held, friction, 0.0), far), high)
    for _ in range(steps):
        p = m.pushed(bx, by, n, sigma)
        outside = friction * p.normal < sqrt(p.x * p.x + p.y * p.y)
        low, high = select(outside, sigma, low), select(outside, high, sigma)
        better = m.newton(p, friction, sigma)
        # beyond what is known to be too much: half way there
        middle = least((low + high) / 2, 2 * sigma + size)
        sigma = select(better < low, middle, select(high < better, middle, better))
    p = m.pushed(bx, by, n, sigma)
    normal = greatest(p.normal, 0.0)
    scale = friction * normal / sqrt(p.x * p.x + p.y * p.y + TINY)
    return array([scale * p.x, scale * p.y, normal])


def stopped(mobility: Scalar, s: Scalar, lower: Scalar, upper: Scalar, dry: Scalar) -> Scalar:
    """The impulse of one scalar row: dry friction first brings it to rest, then the ends of its window push.

    The window is a velocity from `lower` to `upper`, and `dry` the largest impulse of friction: a joint limit is one
    end, the other is NONE away; a constraint that holds is two equal ends.
    """
    most = mobility * dry
    moved = s - greatest(least(s, most), -most)
    return (least(greatest(moved, lower), upper) - s) / mobility


def on_cone(x: Array, friction: Scalar) -> Array:
    """The point of the cone |along| <= friction × off that is nearest to x."""
    if is_zero(friction):
        return array([0, 0, greatest(x[2], 0.0)])
    squared = x[0] * x[0] + x[1] * x[1]
    along = sqrt(squared + TINY)
    normal = (friction * along + x[2]) / (1 + friction * friction)
    scale = friction * normal / along
    inside = along < friction * x[2]
    polar = normal < 0
    nearest = [
        select(inside, a, select(polar, 0.0, b)) for a, b in zip(x, (x[0] * scale, x[1] * scale, normal), strict=True)
    ]
    return array(nearest)


def in_cone(x: Array, friction: Scalar) -> Array:
    """x with what pulls taken away and what exceeds the friction cut off: an impulse the contact can give."""
    normal = greatest(x[2], 0.0)
    along = sqrt(x[0] * x[0] + x[1] * x[1] + TINY)
    scale = least(friction * normal / along, 1.0)
    return array([x[0] * scale, x[1] * scale, normal])


def in_window(x: Scalar, lower: Scalar, upper: Scalar, dry: Scalar) -> Scalar:
    """x as far as a scalar row can give it: an end pushes one way, friction both ways."""
    most = select(lower > -NONE, NONE, dry)
    fewest = select(upper < NONE, -NONE, -dry)
    return least(greatest(x, fewest), most)
