"""In which order sweeps and Newton's method are tried, and the plain loop that does so: the readable reference."""

from collections.abc import Callable
from typing import NamedTuple

from ...algebra.scalars import Array
from .newton import newton
from .problem import Problem, residual, sweep

#: what is tried one after the other, how often at most; a problem is done as soon as it is within its tolerance.
#: A first sweep comes before: with none a robot at rest would keep what its last step left of the residual, and creep.
SCHEDULE = (
    ("sweep", 1), ("newton", 3), ("sweep", 6), ("newton", 6), ("sweep", 20), ("newton", 8), ("sweep", 60),
    ("newton", 10),
)  # fmt: skip
#: a residual of this size is good enough
TOLERANCE = 1e-6
#: of its residual Newton's method must leave less than this, or the sweeps go on where they were
WORTHWHILE = 0.1

STEPS: dict[str, Callable[[Problem, Array], Array]] = {"sweep": sweep, "newton": newton}


class Solved(NamedTuple):
    """The best impulses that were met, and their residual."""

    impulses: Array
    residual: float
    steps: int


def solve(
    problem: Problem, impulses: Array, tolerance: float = TOLERANCE, schedule: tuple[tuple[str, int], ...] = SCHEDULE
) -> Solved:
    """Impulses that obey all laws, from those of the step before; the best there are if none are within tolerance."""
    current = sweep(problem, impulses)
    now, taken = residual(problem, current), 1
    best, least = current, now
    for kind, most in schedule:
        trial, missed = current, now
        for _ in range(most):
            if least < tolerance:
                return Solved(best, least, taken)
            trial, taken = STEPS[kind](problem, trial), taken + 1
            missed = residual(problem, trial)
            if missed < least:
                best, least = trial, missed
        # sweeps go on where they are; Newton's method is thrown away unless it was worth its while
        if kind == "sweep":
            current, now = trial, missed
        elif least < WORTHWHILE * now:
            current, now = best, least
    return Solved(best, least, taken)
