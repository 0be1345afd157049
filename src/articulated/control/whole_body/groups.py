"""Groups of rows of a whole-body program: constraints that hold, or give way, as one."""

from collections.abc import Sequence
from typing import NamedTuple

from ...robot import Robot

DYNAMICS, CONTACT, TORQUE, CLEARANCE = "dynamics", "contact", "torque limit", "clearance"
#: both bounds on the acceleration of a joint; and each of them
JOINT, POSITION, VELOCITY = "joint limit", "position limit", "velocity limit"
UNILATERAL, FRICTION, PRESSURE, TORSION = "unilateral", "friction", "center of pressure", "torsion"
#: units of rows of joints that turn, and that slide
JOINT_UNITS = {JOINT: ("rad/s²", "m/s²"), TORQUE: ("N m", "N")}
FORCE_UNITS = {UNILATERAL: "N", FRICTION: "N", PRESSURE: "N m", TORSION: "N m"}


class Group(NamedTuple):
    """Constraints of one kind at one joint or contact; prints as the user is told."""

    kind: str
    name: str = ""  # of the joint or contact
    unit: str = ""
    scale: float = 1.0  # what a slack of 1 in its rows is in that unit

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".rstrip()


def velocity_names(robot: Robot) -> list[str]:
    """The joint of every velocity; numbered where a joint has several."""
    own = [b.joint for b in robot.model.bodies if b.leader is b]
    return [joint.name if joint.nv == 1 else f"{joint.name}[{i}]" for joint in own for i in range(joint.nv)]


def joint_groups(robot: Robot, kind: str, actuated: Sequence[int] | None = None) -> list[Group]:
    """A group for every velocity; `DYNAMICS` for those without a motor."""
    slides = [not any(column[3:]) for b in robot.model.bodies if b.leader is b for column in b.joint.S.T]
    named = zip(velocity_names(robot), slides, strict=True)
    groups = [Group(kind, name, JOINT_UNITS[kind][slide]) for name, slide in named]
    return [x if actuated is None or i in actuated else Group(DYNAMICS) for i, x in enumerate(groups)]
