"""The least of a strictly convex quadratic within bounds, by active sets (Nocedal and Wright 2006, section 16.5)."""

import numpy as np
from numpy.typing import NDArray

from .solver import SolverFailed

Floats = NDArray[np.floating]
#: a slope this small beside the numbers it is a sum of pushes nobody off a bound
ROUNDING = 1e-12
#: changes of the active set, for each variable
CHANGES = 20


def least_within(H: Floats, f: Floats, lower: Floats, upper: Floats) -> Floats:
    """x with the least ½ xᵀ H x - fᵀ x and lower <= x <= upper; H is positive definite, bounds may be infinite.

    Variables at a bound are held while the others go to their least; the first that meets a bound on its way is held
    as well, and one that would leave its bound for a lesser value is let go.
    """
    x = np.clip(np.linalg.solve(H, f), lower, upper)
    if not len(x):
        return x
    held = (x <= lower) | (x >= upper)
    for _ in range(CHANGES * len(f)):
        free = ~held
        way = np.zeros_like(x)
        way[free] = np.linalg.solve(H[np.ix_(free, free)], (f - H @ x)[free])
        share, blocking = _room(x, way, lower, upper)
        if share < 1:
            x = np.clip(x + share * way, lower, upper)
            x[blocking] = upper[blocking] if way[blocking] > 0 else lower[blocking]
            held[blocking] = True
            continue
        x = np.clip(x + way, lower, upper)
        slope = H @ x - f
        inward = np.where(held & (lower < upper), np.where(x <= lower, -slope, slope), 0.0)
        worst = int(inward.argmax())
        if inward[worst] <= ROUNDING * (abs(H[worst]) @ abs(x) + abs(f[worst])):
            return x
        held[worst] = False
    raise SolverFailed("the bounded least squares did not end: are H and f finite?")


def _room(x: Floats, way: Floats, lower: Floats, upper: Floats) -> tuple[float, int]:
    """What part of the way can be gone within the bounds, and which variable ends it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(way > 0, (upper - x) / way, np.where(way < 0, (lower - x) / way, np.inf))
    return float(share.min()), int(share.argmin())
