"""`articulated id`: the forces a motion takes."""

from typing import Any

from ..computing import computing, dofs


@computing("id", "tau", dofs, unit="tau")
def inverse_dynamics(robot: Any, q: Any, v: Any, a: Any) -> Any:
    """Inverse dynamics: the generalized forces tau for a motion q, v, a.

    Examples:
      articulated id panda --q home --v 0.5
      articulated id panda --log log.csv -o torques.npz
    """
    return robot.inverse_dynamics(q, v, a)
