"""Robots that have no equations of motion, and which row is to blame."""

from typing import Any

import numpy as np
import sympy

from ..errors import ModelError
from ..model import Model
from .evaluation import at_random


def refuse_nonsense(model: Model) -> None:
    """Lengths and inertias must be numbers or symbols."""
    for row, b in enumerate(model.bodies, start=1):
        arrays = {"placement": [*b.placement.R.ravel(), *b.placement.p], "tail": [*b.tail.R.ravel(), *b.tail.p]}
        arrays["inertia"] = [b.inertia.mass, *b.inertia.first, *b.inertia.second.ravel()]
        for what, entries in arrays.items():
            for x in entries:
                if not isinstance(x, (int, float, np.number, sympy.Expr)):
                    raise ModelError(f"row {row} (link {b.name!r}): its {what} holds {x!r}, no number and no symbol")
                if x != x or x in (sympy.nan, sympy.zoo, sympy.oo, float("inf")):
                    raise ModelError(f"row {row} (link {b.name!r}): its {what} holds {x}; give it a value or a symbol")


def refuse_singular(equations: Any) -> None:
    """Every joint must move mass, or the accelerations are not defined."""
    state = equations.state
    if not len(equations._M):
        raise ModelError(f"{equations.name} has no moving joint: there is nothing to derive")
    M = at_random(state, equations._M)
    for k in range(len(M)):
        scale = abs(M[: k + 1, : k + 1]).max(initial=0)
        if np.linalg.matrix_rank(M[: k + 1, : k + 1], tol=1e-10 * scale or None) <= k:
            b = next(b for b in state.source.bodies if b.dofs.start <= k < b.dofs.stop)
            raise ModelError(
                f"row {b.index} (link {b.name!r}, joint {b.joint.name!r}): the inertia matrix is singular up to here; "
                "no mass resists this joint, or it moves the same mass in the same way as an earlier one"
            )
