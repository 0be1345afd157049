"""Why a target is not reached: by how much, and which joints stand at their limits."""

from typing import Any

import numpy as np

from ..algebra.scalars import array
from ..algorithms.inverse_kinematics import Goal, bounded
from ..algorithms.limits import ranges
from .ik_targets import Targets

#: how near a joint is to its limit, in rad or m, if it is said to be at it
AT = 1e-6
#: of a coordinate that turns, and of one that slides
UNITS = {True: "rad", False: "m"}


@np.errstate(over="ignore")  # far is said to be inf
def reasons(robot: Any, wanted: Targets, values: np.ndarray, q: np.ndarray, bounds: Any) -> str:
    """A sentence about the best configuration that was found."""
    parts, at = [], 0
    for goal in wanted.goals:
        value = values[at : at + goal.size]
        at += goal.size
        if isinstance(goal, Goal):
            parts += _missed(goal, robot.pose(q, goal.frame), value)
        else:
            far = abs(np.array(goal.errors(robot.model, array(q.tolist()), array(value.tolist()))[0], float)).max()
            parts += [f"{goal.name!r} does not hold by {far:.3g}"] * bool(far > 0)
    stopped = []
    joints = {b.coords.start: (b.joint, own) for b, own in ranges(robot.model).items()}
    for _, c in bounded(robot.model, bounds):
        joint, own = joints[c]
        for end, bound, whose in zip(("lower", "upper"), bounds, (own.lower_of, own.upper_of), strict=True):
            if abs(q[c] - bound[c]) < AT:
                other = "" if whose == joint.name else f", where {whose!r} is at its own"
                stopped.append(f"{joint.name!r} at its {end} limit {bound[c]:.4g} {UNITS[joint.turns]}{other}")
    where = f", with {', '.join(stopped)}" if stopped else ", with no joint at a limit"
    return f"{' and '.join(parts) or 'errors of rounding are above the tolerance'}{where}"


def _missed(goal: Any, pose: np.ndarray, value: np.ndarray) -> list[str]:
    """How far a frame is from its target."""
    out = []
    if goal.kind in ("pose", "position") and (far := np.linalg.norm(value[-3:] - pose[:3, 3])) > 0:
        out.append(f"{goal.frame!r} stays {far:.3g} m away")
    if goal.kind in ("pose", "orientation"):
        cosine = (np.trace(value[:9].reshape(3, 3) @ pose[:3, :3].T) - 1) / 2
        if (angle := float(np.arccos(np.clip(cosine, -1, 1)))) > 0:
            out.append(f"{goal.frame!r} stays turned by {angle:.3g} rad")
    if goal.kind == "direction":
        angle = float(np.arccos(np.clip(pose[:3, :3] @ value[:3] @ value[3:], -1, 1)))
        out.append(f"the axis of {goal.frame!r} stays {angle:.3g} rad off")
    return out
