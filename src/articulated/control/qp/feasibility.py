"""Feasibility of a program, by KKT residuals or a Farkas certificate; and the nearest solution where it has none."""

from typing import NamedTuple

import numpy as np

from .interior_point import interior_point
from .solver import EQUALITY, Floats, Mask, Program, Solved, SolverFailed, confirmed, quickly

#: penalties of rows that give way, relative to the cost: the second where the first leaves too few digits
WEIGHTS = (1e8, 1e6)
#: infeasible if no solution is shorter than this many times the nearest x
FAR = 10.0
#: infeasible if no solution is shorter than this: no robot accelerates so
NOWHERE = 1e9


class Settled(NamedTuple):
    """A solution, the program it solves (with rows moved where they had to give), and whether they had to."""

    solved: Solved
    program: Program
    feasible: bool


def slowly(program: Program) -> Solved | None:
    """The least x by the second method; None if its residuals do not confirm it."""
    found = interior_point(program)
    return found if confirmed(program, found.x, found.multipliers) else None


def within(H: Floats, f: Floats, lower: Floats, upper: Floats) -> Floats:
    """The x with the least ½ xᵀ H x - fᵀ x and lower <= x <= upper."""
    kind = np.where(lower == upper, EQUALITY, 0).astype(np.int32)
    program = Program(H, -f, np.zeros((0, len(f))), lower, upper, kind, float(H.max(initial=0.0)))
    solved = quickly(program) or slowly(program)
    if solved is None:
        raise SolverFailed("neither method solves the bounded least squares")
    return np.clip(solved.x, lower, upper)


def settled(program: Program, gives: Mask, dynamics: Mask) -> Settled:
    """The solution of a program the quick method has failed on, or the nearest to one.

    Where rows exclude each other, those of `gives` give way, by the least sum of squares beside which the cost is
    next to nothing; should that not be enough, all but the `dynamics` do.
    """
    crossed = bool((program.lower > program.upper).any())
    if not (gives.any() or crossed) and (solved := slowly(program)):
        return Settled(solved, program, True)
    near = _nearest(program, gives)
    proven = crossed or (near is not None and _reach(program, near) > NOWHERE)
    if not proven and (solved := slowly(program)):
        return Settled(solved, program, True)
    if near is None:
        gives = ~dynamics
        near = _nearest(program, gives)
    if near is None or not (proven or excluded(program, gives)):
        raise SolverFailed("neither method solves the whole-body program, nor proves that nothing does")
    return Settled(near, moved(program, near.x), False)


def possible(program: Program, gives: Mask) -> bool:
    """Whether any x meets the rows; a proof that none does is looked for among ways to miss those of `gives`."""
    if (program.lower > program.upper).any():
        return False
    if quickly(program) or slowly(program):
        return True
    if excluded(program, gives) or excluded(program, np.ones(len(program.kind), bool)):
        return False
    raise SolverFailed("no motion was found that meets the constraints of a whole-body law, and no proof against one")


def excluded(program: Program, gives: Mask) -> bool:
    """Whether multipliers of the rows are a Farkas certificate."""
    n = len(program.f)
    # where those that give are missed by the least sum of squares, the multipliers are the proof, if there is one
    missed = interior_point(program._replace(H=1e-16 * np.eye(n), f=np.zeros(n)), gives.astype(float))
    return _reach(program, missed) > FAR * float(abs(missed.x).sum())


def moved(program: Program, x: Floats) -> Program:
    """The program with the rows that x does not meet moved to where it is."""
    y, equal = program.rows @ x, program.kind == EQUALITY
    lower, upper = np.minimum(program.lower, y), np.maximum(program.upper, y)
    return program._replace(lower=np.where(equal, y, lower), upper=np.where(equal, y, upper))


def _nearest(program: Program, gives: Mask) -> Solved | None:
    # bounds that cross pull to the middle between them
    crossed = (program.lower > program.upper) & gives
    lower, upper = program.lower.copy(), program.upper.copy()
    lower[crossed] = upper[crossed] = (lower[crossed] + upper[crossed]) / 2
    softer = program._replace(lower=lower, upper=upper)
    for weight in WEIGHTS:
        give = np.where(gives, 1 / (weight * float(program.H.max())), 0.0)
        found = interior_point(softer, give)
        if confirmed(softer, found.x, found.multipliers, give):
            return found
    return None


def _reach(program: Program, found: Solved) -> float:
    """No x whose entries add up to less than this meets the rows (Farkas): for multipliers y of the rows,

    yᵀ G x <= (the most the bounds allow) < 0 cannot hold for an x shorter than that by |Gᵀ y|.
    """
    y = found.multipliers
    rows = np.flatnonzero(abs(y) > 1e-9 * abs(y).max(initial=0.0))
    G, y, best = program.rows[rows], y[rows], 0.0
    lower, upper = program.lower[rows], program.upper[rows]
    cleaned = y - np.linalg.lstsq(G.T, y @ G, rcond=1e-12)[0] if len(y) else y
    for certain in (y, np.where((cleaned * y > 0) | (lower == upper), cleaned, 0.0)):
        most = np.where(certain > 0, upper, lower)
        allowed = float(certain[certain != 0] @ most[certain != 0])
        if np.isfinite(allowed) and allowed < 0:
            best = max(best, -allowed / max(float(abs(certain @ G).max()), 1e-200))
    return best
