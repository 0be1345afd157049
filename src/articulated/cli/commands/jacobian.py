"""`articulated jacobian`: how a frame moves with the joints."""

from typing import Any

from ..computing import computing, dofs


@computing("jacobian", "J", ["x", "y", "z", "rx", "ry", "rz"], dofs)
def jacobian(robot: Any, q: Any, frame: str, axes: str) -> Any:
    """Velocity of a frame per unit velocity, 6 × nv, [linear; angular].

    Examples:
      articulated jacobian panda --q "panda_joint2=pi/4" --axes frame
    """
    return robot.jacobian(q, frame, axes=axes)
