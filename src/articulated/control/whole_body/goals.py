"""Goals of tasks: rows J a + drift = wanted on the accelerations; any scalar.

A goal is the part of a task that decides which numbers are computed; gains, weights and targets are inputs.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...algebra.rotations import cross, rotation_between
from ...algebra.scalars import Array, zeros
from ...algebra.spatial import cross_force
from ...algorithms.centroidal import center_of_mass, centroidal_map
from ...algorithms.configuration import difference
from ...algorithms.jacobians import jacobian
from ...algorithms.kinematics import frame_acceleration, frame_pose, motions, world_poses
from ...compiler.kernel import Kernel
from ...inputs.labels import SPATIAL, XYZW, Names
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import Vector
from ...robot.arguments.state_names import component_names

#: kind of a goal about forces of a contact
FORCE = "force"


class Goal(NamedTuple):
    """Which quantity follows its target: `kind` is a key of GOALS."""

    kind: str
    frame: str = ""
    dofs: tuple[int, ...] = ()  # of a posture: the velocities it is about; of a force: rows of the contact `frame`

    def sizes(self, model: Model) -> tuple[int, int, int]:
        """Numbers in a target's value, rate and acceleration."""
        if self.kind == "posture":
            return model.nq, model.nv, model.nv
        known = {"orientation": (9, 3, 3), "pose": (12, 6, 6), "momentum": (6, 6, 0), FORCE: (len(self.dofs), 0, 0)}
        return known.get(self.kind, (3, 3, 3))

    def names(self, model: Model) -> tuple[Names, Sequence[str]]:
        """Names of the components of a target's value, and of its rates; a pose has none."""
        if self.kind == "posture":
            return component_names(model, "q"), component_names(model, "v")
        rows = SPATIAL[3:] if self.kind == "orientation" else SPATIAL[: self.rows]
        return {4: XYZW} if self.kind == "orientation" else () if self.kind == "pose" else rows, rows

    def row_names(self, model: Model) -> Sequence[str]:
        """Names of its rows."""
        rates = self.names(model)[1]
        if self.kind == FORCE:
            return [str(i) for i in self.dofs]
        return [component_names(model, "v")[k] for k in self.dofs] if self.kind == "posture" else rates

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.dofs) if self.kind in ("posture", FORCE) else 6 if self.kind in ("pose", "momentum") else 3


class Rows(NamedTuple):
    """J a + drift should be feedforward + Kp error + Kd error_rate."""

    J: Array
    drift: Array
    error: Array
    error_rate: Array
    feedforward: Array


def center_of_mass_rows(model: Model, q: Array, v: Array, goal: Goal, value: Array, rate: Array, acc: Array) -> Rows:
    """The center of mass, in the world."""
    mass = sum(b.inertia.mass for b in model.bodies)
    J = centroidal_map(model, q)[:3] / mass
    return Rows(J, momentum_drift(model, q, v)[:3] / mass, value - center_of_mass(model, q), rate - J @ v, acc)


def momentum_rows(model: Model, q: Array, v: Array, goal: Goal, value: Array, rate: Array, acc: Array) -> Rows:
    """[linear; angular] momentum about the center of mass, world axes: first order, its rate is what is wanted."""
    J = centroidal_map(model, q)
    return Rows(J, momentum_drift(model, q, v), value - J @ v, zeros(6), rate)


def pose_rows(model: Model, q: Array, v: Array, goal: Goal, value: Array, rate: Array, acc: Array) -> Rows:
    """Origin and axes of a frame, or one of the two; errors in world axes."""
    pose, J = frame_pose(model, q, goal.frame), jacobian(model, q, goal.frame)
    drift = frame_acceleration(model, q, v, zeros(model.nv), goal.frame)
    if goal.kind == "position":
        return Rows(J[:3], drift[:3], value - pose.p, rate - J[:3] @ v, acc)
    turn = rotation_between(pose.R, value[-9:].reshape(3, 3))
    if goal.kind == "orientation":
        return Rows(J[3:], drift[3:], turn, rate - J[3:] @ v, acc)
    return Rows(J, drift, np.concatenate([value[:3] - pose.p, turn]), rate - J @ v, acc)


def posture_rows(model: Model, q: Array, v: Array, goal: Goal, value: Array, rate: Array, acc: Array) -> Rows:
    """Joint positions."""
    chosen = list(goal.dofs)
    J = zeros(len(chosen), model.nv)
    for i, k in enumerate(chosen):
        J[i, k] = 1
    return Rows(J, zeros(len(chosen)), difference(model, q, value)[chosen], (rate - v)[chosen], acc[chosen])


def force_rows(model: Model, q: Array, v: Array, goal: Goal, value: Array, rate: Array, acc: Array) -> Rows:
    """Forces of a contact, which are variables of the program: nothing of the accelerations."""
    none = zeros(goal.rows)
    return Rows(zeros(goal.rows, model.nv), none, none, none, value)


#: the kinds of goal that depend on which body has how much mass
OF_MASS = ("center_of_mass", "momentum")
#: the kinds of goal
GOALS: dict[str, Callable[..., Rows]] = {
    "center_of_mass": center_of_mass_rows,
    "momentum": momentum_rows,
    "position": pose_rows,
    "orientation": pose_rows,
    "pose": pose_rows,
    "posture": posture_rows,
    FORCE: force_rows,
}


def momentum_drift(model: Model, q: Array, v: Array) -> Array:
    """Rate of the centroidal momentum if v does not change: Ȧ v.  (6,)."""
    W = world_poses(model, q)
    _, V, A = motions(model, q, v, zeros(model.nv))
    total = zeros(6)
    for b in model.bodies:
        total = total + W[b].force_out(b.inertia @ A[b] + cross_force(V[b], b.inertia @ V[b]))
    # the center of mass moves along the momentum, so moving the point adds nothing
    return np.concatenate([total[:3], total[3:] - cross(center_of_mass(model, q), total[:3])])


def goal_kernel(robot: Robot, goal: Goal) -> Kernel:
    """The rows of a goal as a function of q, v and a target's value, rate and acceleration."""
    sizes = zip(("value", "rate", "acc"), goal.sizes(robot.model), strict=True)
    kernels = robot.kernels.under("", {name: Vector(size, "a target") for name, size in sizes})
    arrays = ("q", "v", "value", "rate", "acc")
    return kernels.kernel(kernels.request("the law", GOALS[goal.kind], arrays, choices={"goal": goal}))
