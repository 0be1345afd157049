"""Tasks of a whole-body law, each with its gains, its weight and its level.

`gain` is Kp of J a = acceleration + Kp error + Kd error_rate, `damping` is Kd (if not said 2 √Kp, critical).  Both
and `weight` are a number, or one per row; a row of weight 0 is left out.  Tasks of level 0 are met before those of
level 1, and so on; within a level by weight.  A target given to the law takes the place of `target`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ..algebra.rotations import quaternion
from ..contacts.kinds import Contact
from ..errors import ModelError, ShapeError, unknown
from ..inputs.choices import choose, names
from ..inputs.labels import Names
from ..robot import Robot
from .checks import array, vector
from .whole_body.goals import FORCE, Goal

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Options that all tasks have."""

    gain: Any = 100.0
    damping: Any = None
    weight: Any = 1.0
    level: int = 0
    target: Any = None
    name: str = ""
    kind: ClassVar[str] = ""  # of its goal

    @property
    def label(self) -> str:
        """The keyword by which its target is given to the law."""
        return self.name or getattr(self, "frame", self.kind)

    def goal(self, robot: Robot, contacts: Sequence[Contact] = ()) -> Goal:
        """The quantity of the robot that follows the target."""
        return Goal(self.kind)

    def value(self, given: Any, size: int, names: Names = ()) -> Floats:
        """The value of a target as `size` numbers one after the other, called `names`."""
        if type(given) is np.ndarray and given.shape == (size,) and given.dtype == float:
            return given  # a tick has no time for the words of a message
        return vector(f"the target of {self.label}", given, size, names, leading=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class CenterOfMass(Task):
    """The center of mass follows a point (3,), in the world."""

    kind: ClassVar[str] = "center_of_mass"


@dataclass(frozen=True, eq=False, kw_only=True)
class Momentum(Task):
    """[linear; angular] momentum about the center of mass follows (6,), world axes; (momentum, its rate) as target.

    First order: its rate is that of the target + gain error; there is no damping.
    """

    gain: Any = 10.0
    target: Any = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    kind: ClassVar[str] = "momentum"


@dataclass(frozen=True, eq=False, kw_only=True)
class Posture(Task):
    """Joints follow a configuration q (nq,), of which the base is ignored; all joints, or those listed."""

    joints: Sequence[str] | None = None
    kind: ClassVar[str] = "posture"

    def goal(self, robot: Robot, contacts: Sequence[Contact] = ()) -> Goal:
        """The coordinates of its joints."""
        bodies = dict(zip(robot.joint_names, (b for b in robot.model.bodies if b.leader is b), strict=True))
        driven = [n for n, b in bodies.items() if not b.joint.floats]
        wanted = driven if self.joints is None else names("joints=", self.joints)
        for name in wanted:
            if name not in bodies:
                raise unknown("joint", name, robot.name, bodies)
        slices = [bodies[name].dofs for name in wanted]
        return Goal(self.kind, dofs=tuple(i for s in slices for i in range(s.start, s.stop)))


@dataclass(frozen=True, eq=False)
class Frame(Task):
    """A frame follows a "pose" (4, 4), a "position" (3,) or an "orientation": (3, 3), or a quaternion x y z w.

    Errors, rates and accelerations are in world axes, [linear; angular], those of the frame's origin.
    """

    frame: str
    follows: Literal["pose", "position", "orientation"] = "pose"

    def goal(self, robot: Robot, contacts: Sequence[Contact] = ()) -> Goal:
        """Pose, position or orientation of its frame."""
        choose("a Frame task", "follows", self.follows, ["pose", "position", "orientation"])
        if robot.model.frame(self.frame).body is None:
            raise ModelError(
                f"{self.frame} does not move: {robot.name} has a fixed base; "
                "a robot that can move it is robot.floating(), or art.load(…, floating_base=True)"
            )
        return Goal(self.follows, self.frame)

    def value(self, given: Any, size: int, names: Names = ()) -> Floats:
        """The value of a target as `size` numbers one after the other, called `names`."""
        if self.follows == "position":
            return super().value(given, size, names)
        if self.follows == "orientation" and type(given) is np.ndarray and given.shape == (3, 3):
            return _rotation(self, given)
        meaning = "a pose (4, 4)" if self.follows == "pose" else "a rotation matrix (3, 3), or a quaternion x y z w"
        x = array(f"the target of {self.label}", given, meaning, names)
        if self.follows == "pose":
            if x.shape[-2:] != (4, 4) or not (x[..., 3, :] == [0, 0, 0, 1]).all():
                raise ShapeError(f"the target of {self.label} is {meaning} with the last row 0, 0, 0, 1; got {given!r}")
            return np.concatenate([x[..., :3, 3], _rotation(self, x[..., :3, :3])], axis=-1)
        if x.shape[-1:] == (4,) and x.any(axis=-1).all():
            x = np.moveaxis(np.array(quaternion(np.moveaxis(x, -1, 0)).tolist()), (0, 1), (-2, -1))
        return _rotation(self, x)


@dataclass(frozen=True, eq=False)
class Force(Task):
    """The ground pushes a contact with a force (3,) N, or a wrench [force; moment] (6,): its rows in `Command.forces`.

    It follows at once; there are no gains.  Weights are per N², so small beside those of motions.
    """

    contact: str
    weight: Any = field(default=1e-4, kw_only=True)
    kind: ClassVar[str] = FORCE

    @property
    def label(self) -> str:
        """The keyword by which its target is given to the law."""
        return self.name or f"force_{self.contact}"

    def goal(self, robot: Robot, contacts: Sequence[Contact] = ()) -> Goal:
        """The rows of its contact."""
        sizes = {contact.name: contact.size for contact in contacts}
        if self.contact not in sizes:
            raise unknown("contact (of a Force task)", self.contact, "this law", sizes)
        return Goal(FORCE, self.contact, tuple(range(sizes[self.contact])))


def _rotation(task: Task, R: Floats) -> Floats:
    flat = R.reshape(*R.shape[:-2], 9) if R.shape[-2:] == (3, 3) else np.zeros(9)
    # plain numbers of one matrix: a tick has no time for arrays of nine
    a, b, c, d, e, f, g, h, i = flat.tolist() if flat.ndim == 1 else np.moveaxis(flat, -1, 0)
    third = (b * f - c * e - g) ** 2 + (c * d - a * f - h) ** 2 + (a * e - b * d - i) ** 2
    off = third + (a * a + b * b + c * c - 1) ** 2 + (d * d + e * e + f * f - 1) ** 2 + (a * d + b * e + c * f) ** 2
    if not (off < 1e-12 if flat.ndim == 1 else np.all(off < 1e-12)):
        what = f"the target of {task.label} needs a rotation matrix (3, 3), or a quaternion x y z w"
        raise ShapeError(f"{what}; got\n{R}")
    return flat
