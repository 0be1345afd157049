"""Scalars of mpmath for the recursions: as many digits as one asks for."""

import mpmath

from articulated.algebra import scalars


def _root(x):
    if x < 0:
        raise ValueError("no real root")
    return mpmath.sqrt(x)


for function, own in ((scalars.sin, mpmath.sin), (scalars.cos, mpmath.cos), (scalars.sqrt, _root)):
    function.register(mpmath.mpf, own)
scalars.atan2.register(mpmath.mpf, lambda y, x: mpmath.atan2(y, x))
