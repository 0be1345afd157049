"""Linear systems of the derivatives of contact laws: solved where that is possible, NaN elsewhere."""

from typing import Any, NamedTuple

import numpy as np

from .subspaces import TOLERANCE, Floats, rank

#: singular values below this part of the largest are rounding
ROUNDED = 1e-12


class Equations(NamedTuple):
    """system × (how what a law finds changes) = given, for each argument: (…, n, n) and (…, n, columns)."""

    system: Floats
    given: dict[str, Floats]
    determined: Any  # whether the system has one solution ...
    usual: Any  # ... or many, which share the first result: contacts are redundant, and stay so
    first: Any  # where the first result stands; the contacts' forces or impulses are the last k


def solved(equations: Equations, given: Floats) -> Floats:
    """The solution for all columns `given`, as far as it is determined."""
    system = np.broadcast_to(equations.system, (*given.shape[:-2], *equations.system.shape[-2:]))
    finite = np.isfinite(system).all(axis=(-1, -2))
    x, good = np.full(given.shape, np.nan), equations.determined & finite
    x[good] = np.linalg.solve(system[good], given[good])
    # where the system has several solutions: the first result is the same in all of them, if there is one
    many = ~equations.determined & equations.usual & finite
    if many.any():
        some = np.linalg.pinv(system[many], rcond=ROUNDED) @ given[many]
        left = abs(system[many] @ some - given[many]).max(axis=(-1, -2))
        some[left > TOLERANCE * (1 + abs(given[many]).max(axis=(-1, -2)))] = np.nan
        filled = x[many]
        filled[:, equations.first] = some[:, equations.first]
        x[many] = filled
    return x


def independent(J: Floats) -> Any:
    """True if J has full row rank."""
    return np.asarray(rank(np.nan_to_num(J)) == J.shape[-2])


def usual_rank(contacts: Any, J: Floats) -> Any:
    """True if J has the rank it has nearly everywhere, and so nearby."""
    return np.asarray(rank(np.nan_to_num(J)) == contacts.structure.rank)
