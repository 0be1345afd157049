"""Quadratic programs, solved by daqp (Arnström, Bemporad, Axehill 2022); an answer counts once its residuals say so.

daqp is fast; where rows are nearly dependent it returns wrong answers and false infeasibles, so its status does not
count.  `interior_point` is slower and has the last word.
"""

from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ArticulatedError

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]

#: primal and dual feasibility tolerance, relative to the terms of each row
TOLERANCE = 1e-8
EQUALITY = 5
_OPTIMAL, _INEXACT = 1, 4
_NEGLIGIBLE = 1e-10


class SolverMissing(ArticulatedError, ImportError):
    """The solver is not installed."""


class SolverFailed(ArticulatedError, RuntimeError):
    """Neither method found a solution that its residuals confirm, nor a proof that there is none."""


class Program(NamedTuple):
    """Least ½ xᵀ H x + fᵀ x with lower <= [x[:bounds], A x] <= upper; where `kind` is EQUALITY, both are the same."""

    H: Floats
    f: Floats
    A: Floats
    lower: Floats
    upper: Floats
    kind: NDArray[np.int32]
    heaviest: float = 1.0  # about the largest entry of H

    @property
    def rows(self) -> Floats:
        """G with lower <= G x <= upper: bounds written as rows."""
        bounds = len(self.kind) - len(self.A)
        return np.concatenate([np.eye(bounds, len(self.f)), self.A]) if bounds else self.A


class Solved(NamedTuple):
    """The least x, the multipliers of the rows (positive at an upper bound), the steps it took."""

    x: Floats
    multipliers: Floats
    iterations: int


def solver() -> ModuleType:
    """The module daqp, or an error that says how to get it."""
    try:
        import daqp
    except ImportError:
        raise SolverMissing("this law needs the solver daqp: pip install 'articulated[qp]'") from None
    return daqp


def quickly(program: Program) -> Solved | None:
    """The least x; None if daqp finds none that its residuals confirm, which does not say that there is none."""
    daqp = solver()  # each time: a law that held a module could not be sent to another process
    H, f, A, lower, upper, kind, heaviest = program
    # tolerances of daqp are lengths in the metric of the cost
    size = max(1.0, float(f @ f) / heaviest) ** 0.5
    x, _, flag, about = daqp.solve(
        H, f, A, upper, lower, kind, primal_tol=1e-8 * size, dual_tol=1e-12 * size, iter_limit=500
    )
    if flag in (_OPTIMAL, _INEXACT) and confirmed(program, x, about["lam"]):
        return Solved(x, about["lam"], about["iterations"])
    return None


def confirmed(program: Program, x: Floats, multipliers: Floats, give: Floats | None = None) -> bool:
    """Whether x meets the rows, and the multipliers show that no other x does better (Karush, Kuhn and Tucker).

    Rows that `give` are missed by that much times their multipliers.
    """
    H, f, A, lower, upper, kind, _ = program
    bounds = len(kind) - len(A)
    y, slope = A @ x, H @ x + f + multipliers[bounds:] @ A
    if bounds:
        y = np.concatenate([x[:bounds], y])
        slope[:bounds] += multipliers[:bounds]
    if give is not None:
        y = y - give * multipliers
    above, below = y - upper, lower - y
    # a multiplier pushes at one bound, a positive one at the upper; away from it, work would be lost
    pushing = multipliers.nonzero()[0]
    push = multipliers[pushing]
    lost = [push * below[pushing], -push * above[pushing]]
    if np.concatenate([above, below, slope, -slope, *lost]).max(initial=0.0) < _NEGLIGIBLE:
        return True
    # beside the numbers that were added up
    G, long = np.abs(program.rows), np.abs(x)
    row, column = 1 + G @ long, 1 + (np.abs(H) @ long + np.abs(f) + np.abs(multipliers) @ G).max()
    work = 1 + long @ np.abs(H) @ long + np.abs(f) @ long + (0.0 if give is None else give @ multipliers**2)
    return bool(
        (np.maximum(above, below) <= TOLERANCE * row).all()
        and (np.maximum(*lost) <= TOLERANCE * np.maximum(10 * work, np.abs(push) * row[pushing])).all()
        and (np.abs(slope) <= TOLERANCE * column).all()
    )
