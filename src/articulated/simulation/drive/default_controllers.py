"""Default controllers: laws that hold a robot where it is, with critical gains for the inertia its joints feel."""

from typing import Any

import numpy as np

from ... import control
from ...contacts import Contacts
from ...robot import Robot
from ..contact.candidates import feet
from ..contact.ground import Ground

#: 1/s, of errors under gains that nobody gave: of an arm, and of a robot that must not fall over
FIRST_PACE, STANDING_PACE = 10.0, 30.0


def standing(robot: Robot, ground: Ground | None) -> Robot | Contacts:
    """Argument of a law: the robot, or its feet if its base floats; frames that touch at one place are points."""
    if ground is None or not any(b.joint.floats for b in robot.model.bodies):
        return robot
    frames = feet(robot.model, ground)
    points = [name for name in dict.fromkeys(frames) if frames.count(name) == 1]
    return Contacts(robot, point=points, surface=[name for name in dict.fromkeys(frames) if name not in points])


def usual_law(kind: str, held: Robot | Contacts, q: Any, stiffness: Any = None, damping: Any = None) -> Any:
    """A `control` law by its name on what `standing` gives; `stiffness` and `damping` (of n driven joints) are called
    with n where they are given, else they are critical for the inertia felt at q."""
    robot = held.robot if isinstance(held, Contacts) else held
    actuated = getattr(held, "actuated", slice(None))
    felt = robot.mass_matrix(q)[range(robot.nv), range(robot.nv)][actuated]
    if kind == "ComputedTorque":
        felt = np.ones_like(felt)
    pace = STANDING_PACE if isinstance(held, Contacts) else FIRST_PACE
    Kp = stiffness(len(felt)) if stiffness else pace**2 * felt
    Kd = damping(len(felt)) if damping else 2 * np.sqrt(np.maximum(Kp, 0) * felt)
    return getattr(control, kind)(held, Kp, Kd)
