"""Quadratic programs, solved by daqp (Arnström, Bemporad, Axehill 2022)."""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ArticulatedError

Floats = NDArray[np.floating]

#: how far a row may be beyond its bound
TOLERANCE = 1e-9
EQUALITY = 5
_INFEASIBLE = (-1, -6)
_REASONS = {-2: "it cycles", -3: "it is unbounded", -4: "it needs too many steps", -5: "its cost is not convex"}


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


def solve(daqp: Any, program: Program) -> Solved | None:
    """None if no x meets the rows."""
    H, f, A, lower, upper, kind = program
    x, _, flag, about = daqp.solve(H, f, A, upper, lower, kind, primal_tol=TOLERANCE)
    if flag == 1:
        return Solved(x, about["lam"], about["iterations"])
    if flag in _INFEASIBLE:
        return None
    raise SolverFailed(f"daqp did not solve the whole-body program: {_REASONS.get(flag, f'exit flag {flag}')}")
