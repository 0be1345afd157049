"""`articulated fd`: the motion that forces give."""

from typing import Any

from ..computing import computing, dofs


@computing("fd", "a", dofs, unit="a")
def forward_dynamics(robot: Any, q: Any, v: Any, tau: Any) -> Any:
    """Forward dynamics: the acceleration under generalized forces tau.

    Examples:
      articulated fd panda --q home --tau 0
    """
    return robot.forward_dynamics(q, v, tau)
