"""Robots whose accelerations are not defined, and which row is to blame."""

from typing import Any

import numpy as np

from ..errors import ModelError
from .evaluation import at_random


def refuse_singular(equations: Any) -> None:
    """Every joint must move mass, or the accelerations are not defined."""
    state = equations.state
    if not len(equations.polynomials["M"]):
        raise ModelError(f"{equations.name} has no moving joint: there is nothing to derive")
    M = at_random(state, equations.polynomials["M"])
    for k in range(len(M)):
        scale = abs(M[: k + 1, : k + 1]).max(initial=0)
        if np.linalg.matrix_rank(M[: k + 1, : k + 1], tol=1e-10 * scale or None) <= k:
            b = next(b for b in state.source.bodies if b.dofs.start <= k < b.dofs.stop)
            raise ModelError(
                f"row {b.index} (link {b.name!r}, joint {b.joint.name!r}): the inertia matrix is singular up to here; "
                "no mass resists this joint, or it moves the same mass in the same way as an earlier one"
            )
