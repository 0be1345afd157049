"""`articulated regressor`: the matrix from inertial parameters to forces."""

from collections.abc import Sequence
from typing import Any

from ..computing import computing, dofs

PARAMETERS = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]


def _parameters(robot: Any) -> Sequence[str]:
    from ...text import plain

    return [f"{plain(name)}_{parameter}" for name in robot.body_names for parameter in PARAMETERS]


@computing("regressor", "Y", dofs, _parameters)
def regressor(robot: Any, q: Any, v: Any, a: Any) -> Any:
    """Regressor Y, nv × 10 bodies: tau = Y times the inertial parameters.

    Examples:
      articulated regressor panda --q random --json
    """
    return robot.regressor(q, v, a)
