"""Whether a frame can move in all six directions: what an operational space needs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.operational import OperationalSpace
from ..errors import SingularModelError

if TYPE_CHECKING:
    from .robot import Robot

#: configurations tried for what a frame can ever do
TRIED = 3


def require_freedom(robot: "Robot", frame: str, q: Any, v: Any, found: OperationalSpace) -> OperationalSpace:
    """What was found, or an error where there is no operational space: in the one state given, or in any.

    Singular states of a batch stay NaN.
    """
    inertia = getattr(found, "inertia", None)  # a method that is only asked what it would compute has none
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
