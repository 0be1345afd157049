"""`articulated mass`: the mass matrix."""

from typing import Any

from ..computing import computing, dofs


@computing("mass", "M", dofs, dofs)
def mass(robot: Any, q: Any) -> Any:
    """Mass matrix M(q), nv × nv.

    Examples:
      articulated mass panda --q home --json
    """
    return robot.mass_matrix(q)
