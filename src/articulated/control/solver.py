"""Quadratic programs, solved by daqp (Arnström, Bemporad, Axehill 2022)."""

from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ArticulatedError

Floats = NDArray[np.floating]

#: how far a row may be beyond its bound
TOLERANCE = 1e-9
#: and how far if daqp says that it could do no better
ENOUGH = 1e-6
EQUALITY = 5
_OPTIMAL, _INEXACT, _CYCLES, _INFEASIBLE = 1, 4, -2, (-1, -6)
#: tolerances, and parts of its largest entry added to the cost: rows that nearly coincide make it cycle
_ATTEMPTS = ((TOLERANCE, 0.0), (100 * TOLERANCE, 0.0), (100 * TOLERANCE, 1e-10), (ENOUGH, 1e-8))
_REASONS = {
    4: "its solution is not exact",
    -2: "it cycles",
    -3: "it is unbounded",
    -4: "it needs too many steps",
    -5: "its cost is not convex",
}


class SolverMissing(ArticulatedError, ImportError):
    """The solver is not installed."""


class SolverFailed(ArticulatedError, RuntimeError):
    """The solver gave up on a program that is neither solved nor infeasible."""


class Program(NamedTuple):
    """Least ½ xᵀ H x + fᵀ x with lower <= [x[:bounds], A x] <= upper; where `kind` is EQUALITY, both are the same."""

    H: Floats
    f: Floats
    A: Floats
    lower: Floats
    upper: Floats
    kind: NDArray[np.int32]


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
        raise SolverMissing("whole-body laws need the solver daqp: pip install 'articulated[qp]'") from None
    return daqp


def solve(program: Program) -> Solved | None:
    """None if no x meets the rows."""
    daqp = solver()  # each time: a law that held a module could not be sent to another process
    H, f, A, lower, upper, kind = program
    for tolerance, stiffer in _ATTEMPTS:
        convex = H + stiffer * np.diag(H).max() * np.eye(len(H)) if stiffer else H
        x, _, flag, about = daqp.solve(convex, f, A, upper, lower, kind, primal_tol=tolerance)
        if flag == _OPTIMAL or (flag == _INEXACT and _sound(program, x, about["lam"])):
            return Solved(x, about["lam"], about["iterations"])
        if flag in _INFEASIBLE:
            return None
        if flag not in (_CYCLES, _INEXACT):
            break
    reason = f"{_REASONS.get(flag, 'for a reason it does not name')} (exit flag {flag})"
    raise SolverFailed(f"daqp did not solve the whole-body program: {reason}")


def _sound(program: Program, x: Floats, multipliers: Floats) -> bool:
    """Whether x meets the rows, and the multipliers explain why it is no better; for rows of length 1."""
    H, f, A, lower, upper, kind = program
    G = np.concatenate([np.eye(len(kind) - len(A), len(x)), A])
    y, lengths = G @ x, np.maximum(1.0, np.linalg.norm(G, axis=1))
    violation = (np.maximum(lower - y, y - upper) / lengths).max(initial=0.0)
    slope = H @ x + f + G.T @ multipliers
    return bool(violation < ENOUGH and abs(slope).max(initial=0.0) < ENOUGH * max(1.0, abs(f).max(initial=0.0)))
