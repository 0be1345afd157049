"""Default controllers: laws that hold a robot where it is, with critical gains for the inertia its joints feel."""

from itertools import groupby
from typing import Any

import numpy as np

from ... import control
from ...contacts import Contacts
from ...robot import Robot
from ..contact.candidates import feet
from ..contact.ground import Ground

#: 1/s, of errors under gains that nobody gave: of an arm, and of a robot that must not fall over
FIRST_PACE, STANDING_PACE = 10.0, 30.0
#: m: corners of a foot that are higher by less bear it, too
LEVEL = 0.005


def lowest(robot: Robot, ground: Ground, q: Any) -> dict[str, Any]:
    """Places (k, 2) where a foot is lowest at q, x and y in its axes, by foot."""
    found: dict[str, Any] = {}
    for name, touches in groupby(feet(robot.model, ground), lambda touch: touch.frame):
        R, placement = robot.pose(q, name)[:3, :3], robot.model.frame(name).placement.exact().inverse()
        # what has no corners is lowest anywhere
        balls = [touch.numbers if touch.kind == "ball" else (0, 0, 0, 0) for touch in touches]
        places = np.array([placement.point(x[:3]) for x in balls], float)
        heights = places @ R[2] - [x[3] for x in balls]
        found[name] = places[heights < heights.min() + LEVEL, :2]
    return found


def standing(robot: Robot, ground: Ground | None, q: Any) -> Robot | Contacts:
    """Argument of a law: the robot, or its feet if its base floats; those lowest at one place or two are points."""
    if ground is None or not any(b.joint.floats for b in robot.model.bodies):
        return robot
    wide = {name: len(places) > 2 for name, places in lowest(robot, ground, q).items()}
    return Contacts(robot, point=[x for x in wide if not wide[x]], surface=[x for x in wide if wide[x]])


def soles(robot: Robot, ground: Ground, q: Any) -> dict[str, Any]:
    """Soles of feet that are wide at q, for a whole-body law: rectangles between their lowest corners."""
    each = {name: np.sort(places, axis=0) for name, places in lowest(robot, ground, q).items() if len(places) > 2}
    return {name: places[[1, -2]].T for name, places in each.items()}


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
