"""Least squares with equalities and two-sided rows, by the dual active set of Goldfarb and Idnani (1983).

This is the definition, in NumPy; `active_set.c` is the same algorithm with updated factors, and runs where the package
was built with a compiler.  Lower levels of a law are solved by it from the answer of the level above, by a primal
active set.  An answer counts once its residuals confirm it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ArticulatedError

try:
    from . import _native as native  # type: ignore[attr-defined]
except ImportError:  # built without a compiler
    native = None

Floats = NDArray[np.floating]

SOLVED, INFEASIBLE, STEPS, DEFICIENT, UNCONFIRMED = range(5)
#: smaller beside the other coefficients of its row, a pivot loses digits; and is rounding
SMALL, ROUNDING = 1e-2, 1e-9
#: primal and dual feasibility tolerances, relative to the terms that are added up
ROW, CONFIRMED = 1e-10, 1e-8
MOST_STEPS = 200
#: of the terms whose sum is a row's part beyond the active rows, below which it depends on them, squared: rounding, far
#: below the 1e-18 or so that a row with a slack of large cost has there
DEPENDENT = 1e-22


class SolverFailed(ArticulatedError, RuntimeError):
    """No solution was found that its residuals confirm."""


class Problem(NamedTuple):
    """Least ½ Σ w (T x - b)² + ½ Σ d x² with E x = e and lower <= G x <= upper.

    An equality is solved for one of the columns that it prefers, (first, end), where that keeps digits.
    """

    T: Floats
    b: Floats
    w: Floats
    d: Floats
    E: Floats
    e: Floats
    G: Floats
    lower: Floats
    upper: Floats
    prefer: NDArray[np.intc]


#: number of axes of each
_AXES = (2, 1, 1, 1, 2, 1, 2, 1, 1, 2)


class Solved(NamedTuple):
    """The least x, the multipliers of its rows (positive at an upper bound), the number of steps, and the status."""

    x: Floats
    multipliers: Floats
    steps: Any  # number of them
    status: Any


def least(problem: Problem, most: int = MOST_STEPS) -> Solved:
    """The least x of a problem, or of many: each array once for all, or with the same leading axis."""
    n, tasks, equalities, rows = problem.d.shape[-1], *(x.shape[-2] for x in (problem.T, problem.E, problem.G))
    states = max((len(x) for x, axes in zip(problem, _AXES, strict=True) if x.ndim > axes), default=None)
    many = () if states is None else (states,)
    x, multipliers, about = np.empty((*many, n)), np.zeros((*many, rows)), np.empty((*many, 2), np.intc)
    if native is not None:
        sizes = np.array([n, tasks, equalities, rows, most], np.intc)
        native.solve(sizes, *map(np.ascontiguousarray, problem), x, multipliers, about)
    for k in np.ndindex(*many) if native is None else ():
        own = (p[k] if p.ndim > axes else p for p, axes in zip(problem, _AXES, strict=True))
        one = active_set(Problem._make(own), most)
        x[k], multipliers[k], about[k] = one.x, one.multipliers, (one.status, one.steps)
    return Solved(x, multipliers, about[..., 1], about[..., 0])


def active_set(problem: Problem, most: int = MOST_STEPS) -> Solved:
    """The least x of a problem."""
    T, b, w, d, E, e, G, lower, upper, prefer = problem
    multipliers = np.zeros(len(G))
    space = _null_space(E, e, prefer)
    if space is None:
        return Solved(np.zeros(len(d)), multipliers, 0, DEFICIENT)
    x0, Z = space
    H = (Z.T * d) @ Z + (T @ Z).T @ (w[:, None] * (T @ Z))
    f = Z.T @ (d * x0) + (T @ Z).T @ (w * (T @ x0 - b))
    at, left = G @ x0, G @ Z
    # combinations of equalities
    G = np.where(np.linalg.norm(left, axis=1) > ROUNDING * np.linalg.norm(G, axis=1), left.T, 0.0).T
    lower, upper, tolerance = lower - at, upper - at, ROW * (1 + np.linalg.norm(G, axis=1) + abs(at))
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(H))
    except np.linalg.LinAlgError:
        return Solved(x0, multipliers, 0, DEFICIENT)
    lengths = np.maximum(np.linalg.norm(G, axis=1), 1e-300)
    y: Floats = -inverse.T @ (inverse @ f)
    y -= inverse.T @ (inverse @ (H @ y + f))
    active: dict[int, float] = {}  # multipliers of the active rows, not negative
    side: dict[int, int] = {}  # 1 at a lower bound, -1 at an upper one
    steps = 0
    while True:
        for _ in range(3):
            y, active = _refined(H, f, inverse, G, lower, upper, y, active, side)
        if active and min(active.values()) < 0 and (steps := steps + 1) <= most:
            del active[min(active, key=active.__getitem__)]
            continue
        below, above = lower - G @ y, G @ y - upper
        missed = np.where(np.isin(np.arange(len(G)), list(active)), -np.inf, np.maximum(below, above))
        entering = int(np.argmax(np.where(missed > tolerance, missed / lengths, -np.inf))) if len(G) else 0
        if not (missed > tolerance).any():
            break
        side[entering], multiplier = 1 if below[entering] > above[entering] else -1, 0.0
        row = inverse @ (side[entering] * G[entering])
        while entering not in active:
            if (steps := steps + 1) > most:
                return Solved(x0 + Z @ y, multipliers, steps, STEPS)
            # the step in y, and what it does to the multipliers of the active rows
            normals = inverse @ np.array([side[i] * G[i] for i in active]).reshape(len(active), len(y)).T
            Q, R = np.linalg.qr(normals)
            ratio, step = np.linalg.solve(R, Q.T @ row), row - Q @ (Q.T @ row)
            square, left = step @ step, missed[entering]
            shorter = {i: u / r for (i, u), r in zip(active.items(), ratio, strict=True) if r > 1e-14}
            out = min(shorter, key=shorter.__getitem__, default=-1)
            terms = np.linalg.norm(row) + abs(ratio) @ np.linalg.norm(normals, axis=0)  # whose rounding is no step
            moves = len(active) < len(y) and square > DEPENDENT * terms**2
            full = left / square if moves else np.inf
            length = min(full, shorter.get(out, np.inf))
            if length == np.inf:
                return Solved(x0 + Z @ y, multipliers, steps, INFEASIBLE)
            active = {i: u - length * r for (i, u), r in zip(active.items(), ratio, strict=True)}
            multiplier += length
            if moves:
                y = y + length * (inverse.T @ step)
                missed[entering] -= length * square
            if full <= shorter.get(out, np.inf):
                active[entering] = multiplier
            else:
                del active[out]
    for i, u in active.items():
        multipliers[i] = -side[i] * u
    slope = H @ y + f + multipliers @ G
    size = 1 + (abs(H) @ abs(y) + abs(f) + abs(multipliers) @ abs(G)).max(initial=0.0)
    beyond = (np.maximum(lower - G @ y, G @ y - upper) / (1 + abs(G) @ abs(y))).max(initial=0.0)
    sure = abs(slope).max(initial=0.0) <= CONFIRMED * size and beyond <= CONFIRMED
    return Solved(x0 + Z @ y, multipliers, steps, SOLVED if sure else UNCONFIRMED)


def _refined(
    H: Floats, f: Floats, inverse: Floats, G: Floats, lower: Floats, upper: Floats, y: Floats,
    active: dict[int, float], side: dict[int, int],
) -> tuple[Floats, dict[int, float]]:  # fmt: skip
    """One step of refinement of y and the multipliers u of the active rows N: H dy - N du = -slope, Nᵀ dy = missed."""
    k, n = len(active), len(y)
    N = np.array([side[i] * G[i] for i in active]).reshape(k, n).T
    missed = np.array([lower[i] - G[i] @ y if side[i] > 0 else G[i] @ y - upper[i] for i in active])
    slope = H @ y + f - N @ np.array(list(active.values()))
    Q, R = np.linalg.qr(inverse @ N)
    towards, onto = -inverse @ slope, np.linalg.solve(R.T, missed)
    z = towards + Q @ (onto - Q.T @ towards)
    du = np.linalg.solve(R, onto - Q.T @ towards)
    return y + inverse.T @ z, {i: u + d for (i, u), d in zip(active.items(), du, strict=True)}


def _null_space(E: Floats, e: Floats, prefer: NDArray[np.intc]) -> tuple[Floats, Floats] | None:
    """x0 and Z such that x0 + Z y are the solutions of E x = e, by Gauss-Jordan; None if rows contradict each other.

    Rows that are combinations of those before are left out.
    """
    n, rows, pivots = E.shape[1], np.column_stack([E, e]), dict[int, int]()
    for i, (first, end) in enumerate(prefer):
        size = abs(E[i]).max(initial=0.0)
        left = abs(rows[i, :n])
        left[list(pivots)] = 0
        near = np.zeros(n)
        near[first:end] = left[first:end]
        column = int(np.argmax(near if near.max() >= SMALL * size else left))
        if left[column] <= ROUNDING * size:
            if abs(rows[i, n]) > CONFIRMED * (1 + max(size, abs(e[i]))):
                return None
            rows[i] = 0
            continue
        pivots[column] = i
        rows[i] /= rows[i, column]
        others = np.arange(len(rows)) != i
        rows[others] -= rows[others, column, None] * rows[i]
    free = [j for j in range(n) if j not in pivots]
    x0, Z = np.zeros(n), np.zeros((n, len(free)))
    for j, i in pivots.items():
        x0[j], Z[j] = rows[i, n], -rows[i, free]
    Z[free, range(len(free))] = 1
    return x0, Z
