"""Lower levels of tasks, in the null space of the active constraints and of the levels above."""

import numpy as np
from numpy.typing import NDArray

from ...contacts.ranks.subspaces import TOLERANCE, kept
from ..qp.feasibility import slowly
from ..qp.solver import EQUALITY, Program, Solved, quickly

Floats = NDArray[np.floating]


def choices(program: Program) -> Floats:
    """Null space of the equalities of a program: orthonormal columns."""
    equal = (program.kind == EQUALITY)[len(program.kind) - len(program.A) :]
    return narrowed(np.eye(len(program.f)), program.A[equal])


def narrowed(Z: Floats, rows: Floats) -> Floats:
    """Directions within the span of Z that do not change `rows` @ x."""
    # rows of forces and rows of accelerations have other lengths
    lengths = np.linalg.norm(rows, axis=1)
    rows = rows[lengths > 0] / lengths[lengths > 0, None] @ Z
    if not rows.size:
        return Z
    _, values, directions = np.linalg.svd(rows)
    # what is small against the rows as they were is rounding: the levels above have used it up
    significant = int((kept(values, TOLERANCE) & (values > TOLERANCE)).sum())
    return Z @ directions[significant:].T


def next_level(program: Program, x: Floats, Z: Floats) -> tuple[Solved, bool]:
    """From a feasible x, the least x' = x + Z y of a program, and whether it is confirmed to be that.

    In the coordinates y there are no equalities, and y = 0 is always allowed: that rows meet in one point, as they do
    where a higher level was held back, makes no program infeasible.  Where they nearly do, neither method may find an
    x' that its residuals confirm; then it is x.
    """
    H, f, A, lower, upper, kind, _ = program
    multipliers = np.zeros(len(kind))
    if not Z.shape[1]:
        return Solved(x, multipliers, 0), True
    free = kind != EQUALITY
    G = np.concatenate([np.eye(len(kind) - len(A), len(x)), A])[free]
    now = G @ x
    low, high = np.minimum(lower[free] - now, 0), np.maximum(upper[free] - now, 0)
    reduced = Program(Z.T @ H @ Z, Z.T @ (H @ x + f), G @ Z, low, high, kind[free])
    found = quickly(reduced) or slowly(reduced)
    if found is None:
        return Solved(x, multipliers, 0), False
    multipliers[free] = found.multipliers
    return Solved(x + Z @ found.x, multipliers, found.iterations), True
