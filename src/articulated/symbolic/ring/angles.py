"""Sine and cosine of polynomials: sums of angles by the addition theorems, down to generators."""

from typing import Any

import sympy

from ...algebra import scalars
from .polynomial import Polynomial, Ring

#: multiples of an angle that are expanded in powers of its own sine and cosine; both kinds side by side are independent
#: as long as powers stay below that
MANY = 12


def circle_of(angle: Polynomial) -> tuple[Any, Any]:
    """Cosine and sine of a sum of angles, by the addition theorems."""
    c: Any = 1
    s: Any = 0
    for m, n in angle.terms.items():
        ct, st = _turn(angle.ring, m, n)
        c, s = c * ct - s * st, s * ct + c * st
    return c, s


def _turn(ring: Ring, m: int, n: Any) -> tuple[Any, Any]:
    """Cosine and sine of n times the monomial m."""
    if not m:
        return scalars.cos(float(n)), scalars.sin(float(n))
    angle = sympy.Mul(*(ring.atoms[k] ** e for k, e in ring.exponents(m)))
    part = ring.parts.get(angle, 1)
    times = round(n * part)
    if abs(n * part - times) < 1e-13 and abs(times) <= MANY:
        angle = angle / part
    else:
        angle, times = abs(sympy.Rational(n)) * angle, 1 if n > 0 else -1
    base = ring.turns.get(angle) or ring.circle(angle)
    c, s = base
    for _ in range(abs(times) - 1):
        c, s = c * base[0] - s * base[1], s * base[0] + c * base[1]
    return c, s if times > 0 else -s


scalars.cos.register(Polynomial, lambda x: circle_of(x)[0])
scalars.sin.register(Polynomial, lambda x: circle_of(x)[1])
scalars.is_zero.register(Polynomial, lambda x: not x.terms)
