"""`articulated fk`: where a frame is."""

from typing import Any

from ..computing import computing

ROWS = ["0", "1", "2", "3"]


@computing("fk", "pose", ROWS, ROWS)
def fk(robot: Any, q: Any, frame: str) -> Any:
    """Pose of a frame in the world: a 4×4 matrix for each state.

    Examples:
      articulated fk panda --q home --frame panda_hand
    """
    return robot.pose(q, frame)
