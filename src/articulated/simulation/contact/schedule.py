"""In which order sweeps and Newton's method are tried, and the plain loop that does so: the readable reference."""

from typing import NamedTuple

from ...algebra.scalars import Array
from .newton import newton
from .problem import Problem, residual, sweep


class Phase(NamedTuple):
    """Sweeps, or steps of Newton's method with a proximal term: at most so many."""

    kind: str
    most: int
    proximal: float = 0.0


#: what is tried one after the other; a problem is done as soon as it is within its tolerance.  A first sweep comes
#: before: with none a robot at rest would keep what its last step left of the residual, and creep.
#: One step in a thousand of a humanoid that tumbles gets past the first four; larger proximal terms are slow, and sure.
SCHEDULE = (
    Phase("sweep", 1), Phase("newton", 3, 1e-6), Phase("sweep", 6), Phase("newton", 6, 1e-6),
    *2 * (
        Phase("sweep", 20), Phase("newton", 100, 1e-2), Phase("newton", 50, 1e-3), Phase("newton", 20, 1e-4),
        Phase("newton", 10, 1e-6),
    ),
)  # fmt: skip
#: a residual of this size is good enough
TOLERANCE = 1e-6
#: of its residual Newton's method must leave less than this, or the sweeps go on where they were
WORTHWHILE = 0.9


class Solved(NamedTuple):
    """The best impulses that were met, and their residual."""

    impulses: Array
    residual: float
    steps: int


def solve(
    problem: Problem, impulses: Array, tolerance: float = TOLERANCE, schedule: tuple[Phase, ...] = SCHEDULE
) -> Solved:
    """Impulses that obey all laws, from those of the step before; the best there are if none are within tolerance."""
    current = sweep(problem, impulses)
    now, taken = residual(problem, current), 1
    best, least = current, now
    for phase in schedule:
        trial, missed = current, now
        for _ in range(phase.most):
            if least < tolerance:
                return Solved(best, least, taken)
            trial = sweep(problem, trial) if phase.kind == "sweep" else newton(problem, trial, phase.proximal)
            taken += 1
            missed = residual(problem, trial)
            if missed < least:
                best, least = trial, missed
        # sweeps go on where they are; Newton's method is thrown away unless it was worth its while
        if phase.kind == "sweep":
            current, now = trial, missed
        elif least < WORTHWHILE * now:
            current, now = best, least
    return Solved(best, least, taken)
