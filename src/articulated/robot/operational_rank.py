"""Rank of the Jacobian of a frame: an operational space needs all six directions."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.operational import OperationalSpace
from ..errors import SingularModelError

if TYPE_CHECKING:
    from .robot import Robot

#: configurations tried for what a frame can ever do
TRIED = 3


def require_rank(robot: "Robot", call: Any, found: OperationalSpace) -> OperationalSpace:
    """The result of a call, or an error where there is no operational space: in its one state, or in any.

    Singular states of a batch stay NaN.
    """
    inertia, frame, q, v = found.inertia, call.choices["frame"], call.arrays["q"], call.arrays["v"]
    if type(inertia) is not np.ndarray or (inertia.ndim == 2 and inertia[0, 0] == inertia[0, 0]):
        return found
    missing = np.isnan(inertia[..., 0, 0])
    if not missing.any() or not all(np.isfinite(np.asarray(x, float)).all() for x in (q, v)):
        return found
    ever = max(_directions(robot, frame, x) for x in robot.random(0, (TRIED,)))
    if inertia.ndim > 2 and ever == 6:
        return found
    when = "whatever its configuration" if ever < 6 else "in this configuration"
    count = ever if ever < 6 else min(5, _directions(robot, frame, q))
    raise SingularModelError(
        f"operational_space: {when}, {frame} of {robot.name} can move in {count} of the six directions only, "
        "and the inertia felt in the others has no bound"
    )


def _directions(robot: "Robot", frame: str, q: Any) -> int:
    values = np.linalg.svd(robot.jacobian(q, frame), compute_uv=False)
    return int((values > 1e-7 * values.max(initial=0.0)).sum())
