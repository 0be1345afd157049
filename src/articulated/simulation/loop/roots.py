"""Where a function of one number changes its sign (Chandrupatla 1997)."""

from collections.abc import Callable

#: halving alone would be done after this many
MOST = 120


def change_of_sign(f: Callable[[float], float], end: float, tolerance: float) -> float:
    """The x in (0, end] where f has just changed its sign, to `tolerance`; `end` if it does not."""
    a, b = 0.0, end
    fa, fb = f(a), f(b)
    if fb == 0 or (fa < 0) == (fb < 0):
        return end
    c, fc = a, fa  # the point that b was before
    first = fa < 0
    part = 0.5
    for _ in range(MOST):
        x = a + part * (b - a)
        fx = f(x)
        if (fx < 0) == (fa < 0) and fx != 0:
            c, fc, a, fa = a, fa, x, fx
        else:
            c, fc, b, fb = b, fb, a, fa
            a, fa = x, fx
        # a is the newest point, b lies on the other side of the change
        if fa == 0 or abs(b - a) <= tolerance:
            break
        part = _next(a, fa, b, fb, c, fc)
        least = 0.5 * tolerance / abs(b - a)
        part = min(max(part, least), 1 - least)
    old_side = (fa < 0) == first and fa != 0
    return b if old_side else a


def _next(a: float, fa: float, b: float, fb: float, c: float, fc: float) -> float:
    """Where to look, as a part of the way from a to b: inverse quadratic interpolation where it is safe, or halfway."""
    if fc == fb or fa == fc:
        return 0.5
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    if not (phi * phi < xi and (1 - phi) * (1 - phi) < 1 - xi):
        return 0.5
    return fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
