"""Joints with parallel axes, whose angles add up: c_12."""

from collections.abc import Sequence
from typing import Any

import sympy

from ...model import Model
from .convert import in_ring
from .polynomial import Ring, terms_of

Run = list[sympy.Expr]  # angles along a chain, the later ones with the sign of their axis
LONG = 4  # from so many joints on, sums of angles are the generators: c_1234 is one term instead of eight


def parallel_runs(model: Model, ring: Ring, q: Sequence[sympy.Symbol]) -> list[Run]:
    """The longest chains of revolute joints with parallel axes, sliders between them or not; two joints at least."""
    runs: dict[Any, tuple[Run, Any]] = {}  # body → its run, and the axis of the run's first joint in its frame
    for b in model.bodies:
        before, axis = runs.get(b.parent, ([], None))
        if b.joint.slides and before:
            runs[b] = before, (b.placement.R @ b.tail.R).T @ axis
        if not (b.joint.turns and b.leader is b) or q[b.coords.start] in ring.parts:
            continue
        own, angle, sign = b.placement.R @ b.joint.S[3:, 0], q[b.coords.start], 0
        if before:
            sign = next((s for s in (1, -1) if all(_vanishes(ring, x) for x in own - s * axis)), 0)
        runs[b] = [*before, sign * angle] if sign else [angle], b.S[3:, 0] * (sign or 1)
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
