"""Sine and cosine of polynomials: sums of angles by the addition theorems, down to generators."""

from collections.abc import Sequence
from typing import Any

import sympy

from ...algebra import scalars
from ...model import Model
from .convert import in_ring
from .polynomial import Polynomial, Ring, terms_of

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


Run = list[sympy.Expr]  # angles along a chain, the later ones with the sign of their axis
LONG = 4  # from so many joints on, sums of angles are the generators: c_1234 is one term instead of eight


def parallel_runs(model: Model, ring: Ring, q: Sequence[sympy.Symbol]) -> list[Run]:
    """The longest chains of rotations about parallel axes, sliders between them or not; two joints at least."""
    runs: dict[Any, tuple[Run, Any]] = {}  # body → its run, and the axis of the run's first joint in its frame
    for b in model.bodies:
        before, axis = runs.get(b.parent, ([], None))
        if b.joint.slides and before:
            runs[b] = before, (b.placement.R @ b.tail.R).T @ axis
        if not ((b.joint.turns or b.joint.in_plane) and b.leader is b) or q[b.coords][-1] in ring.parts:
            continue
        own, angle, sign = b.placement.R @ b.joint.S[3:, -1], q[b.coords][-1], 0
        if before:
            sign = next((s for s in (1, -1) if all(_vanishes(ring, x) for x in own - s * axis)), 0)
        runs[b] = [*before, sign * angle] if sign else [angle], b.S[3:, -1] * (sign or 1)
    several = list({tuple(run): run for run, _ in runs.values() if len(run) > 1}.values())
    return [run for run in several if not any(run == other[: len(run)] != other for other in several)]


def _vanishes(ring: Ring, x: Any) -> bool:
    return all(abs(c) < 1e-12 for c in terms_of(in_ring(ring, x)).values())


def turn_by_sums(ring: Ring, runs: list[Run]) -> bool:
    """Make sums of angles the generators, if a run is long; says whether it did."""
    if not any(len(run) >= LONG for run in runs):
        return False
    for run in runs:
        for k in range(1, len(run)):
            sign = 1 if run[k].is_Symbol else -1
            ring.turns[sign * run[k]] = difference(ring, sum(run[:k]), sum(run[: k + 1]), sign)
    return True


def difference(ring: Ring, rest: sympy.Expr, total: sympy.Expr, sign: int) -> tuple[Any, Any]:
    """Cosine and sine of ±(total - rest)."""
    (cr, sr), (ct, st) = ring.circle(rest), ring.circle(total)
    return ct * cr + st * sr, sign * (st * cr - ct * sr)
