"""`articulated bias`: the forces that are there without acceleration."""

from typing import Any

from ..computing import computing, dofs


@computing("bias", "h", dofs, unit="tau")
def bias(robot: Any, q: Any, v: Any) -> Any:
    """Bias forces h(q, v): Coriolis, gravity and friction; with --v 0, gravity alone.

    Examples:
      articulated bias panda --q home --v 0.2
    """
    return robot.bias_forces(q, v)
