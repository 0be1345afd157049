"""Impedance of a frame: a spring and a damper in world axes, and the weight of the robot carried."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...algebra.rotations import rotation_between
from ...contacts import Contacts
from ...contacts.ranks.subspaces import pseudo_inverse
from ...errors import ShapeError
from ...inputs import labels
from ...inputs.labels import SPATIAL
from ...robot import Robot
from ...robot.arguments.arrays import choose
from ..checks import not_finite, vector
from ..tasks import Frame
from .error_dynamics import ErrorDynamics
from .feedback import Feedback
from .joint_law import Floats, Torques

#: rows of a frame's velocity, by what it follows
ROWS = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}


class CartesianImpedance(Feedback):
    """A frame held as by a spring and a damper, in world axes; other motions are only held against gravity.

    Where the joints can move the frame in all its directions, Λ ë + Kd ė + Kp e = 0 with the inertia Λ felt there.

        robot: on a fixed base, or art.Contacts of one that stands
        frame: what is held
        stiffness: Kp, a number, one per direction, or a matrix: N/m, N m/rad
        damping: Kd, the same: N s/m, N m s/rad
        follows: "pose" (6 directions), "position" (3) or "orientation" (3)

    Source: Khatib 1987; Hogan 1985.

    >>> import articulated as art
    >>> arm = art.load("panda")
    >>> law = art.CartesianImpedance(arm, "panda_hand", 300, 30, follows="position")
    >>> q = arm.poses["home"]
    >>> law(q, [0.0] * 7, arm.pose(q, "panda_hand")[:3, 3] + [0.01, 0, 0]).feedback.shape
    (7,)
    """

    def __init__(
        self,
        robot: Robot | Contacts,
        frame: str,
        stiffness: ArrayLike,
        damping: ArrayLike,
        follows: Literal["pose", "position", "orientation"] = "pose",
    ):
        self.rows = ROWS[choose("CartesianImpedance", "follows", follows, ROWS)]
        super().__init__(robot, stiffness, damping, SPATIAL[self.rows])
        self.task = Frame(frame, follows)
        self.goal, self.frame = self.task.goal(self.robot), frame

    @property
    def _holds(self) -> str:
        return f"{self.robot.name}, {self.task.follows} of {self.frame}"

    def _reference_parts(self, given: Any) -> list[Any]:
        """The target, or (target, rate, acceleration)."""
        value, *rates = given if isinstance(given, tuple) and given else (given,)
        names = self.goal.names(self.robot.model)
        read = [labels.plain("the reference: target", value, names[0], rows=())]
        return read + [labels.plain("the reference: a rate", x, names[1]) for x in rates]

    @np.errstate(over="ignore", invalid="ignore")  # what overflows is found below, and said
    def __call__(self, q: ArrayLike, v: ArrayLike, target: Any, rate: Any = None, acceleration: Any = None) -> Torques:
        """Torques (n,) towards a target as that of `tasks.Frame`, in one state."""
        q = self._configuration(q, "CartesianImpedance")
        v = vector("v", v, self.robot.nv, self.robot.kernels.vectors["v"].names)
        self.robot.kernels.require_mass()
        names = SPATIAL[self.rows]
        size = len(names)
        J = self.robot.jacobian(q, self.frame)[self.rows]
        model = self.robot.model
        value = self.task.value(target, self.goal.sizes(model)[0], self.goal.names(model)[0])
        e = self._error(q, value)
        speed = (np.zeros(size) if rate is None else vector("rate", rate, size, names)) - J @ v
        push = self.stiffness @ e + self.damping @ speed
        if not np.isfinite(push).all():
            raise ShapeError(f"CartesianImpedance: {not_finite({'v': v, 'target': target, 'rate': rate})}")
        wanted = np.zeros(size) if acceleration is None else vector("acceleration", acceleration, size, names)
        a = self._reference(q, v, J, wanted)
        held = self.contacts
        forward = held.inverse_dynamics(q, v, a).tau if held else self.robot.inverse_dynamics(q, v, a)
        tau = forward + self._felt(q, v, J, push)
        return Torques(tau, forward, tau - forward)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Dynamics of small errors of the frame, with the inertia Λ felt there."""
        q = self._configuration(q, "error_dynamics")
        self.robot.kernels.require_mass()
        J, N = self.robot.jacobian(q, self.frame)[self.rows], self._motions(q)
        M = self.robot.mass_matrix(q)
        mobility = J @ N @ np.linalg.solve(N.T @ M @ N, (J @ N).T)
        return ErrorDynamics(pseudo_inverse(mobility), self.damping, self.stiffness)

    def _error(self, q: Any, value: Floats) -> Floats:
        pose = self.robot.pose(q, self.frame)
        along = value[:3] - pose[:3, 3] if self.goal.kind != "orientation" else np.zeros(3)
        about = np.zeros(3)
        if self.goal.kind != "position":
            about = np.array(rotation_between(pose[:3, :3], value[-9:].reshape(3, 3)), float)
        return np.concatenate([along, about])[self.rows]

    def _reference(self, q: Any, v: Floats, J: Floats, wanted: Floats) -> Floats:
        """The acceleration with which the frame does as wanted and contacts stay, of the least inertial force."""
        drift = self.robot.frame_acceleration(q, v, np.zeros_like(v), self.frame)[self.rows]
        A, b = J, wanted - drift
        if self.contacts:
            A = np.concatenate([self.contacts.jacobian(q), J])
            b = np.concatenate([-self.contacts.bias(q, v), b])
        eased = np.linalg.solve(self.robot.mass_matrix(q), A.T)
        return eased @ (pseudo_inverse(A @ eased) @ b)

    def _felt(self, q: Any, v: Floats, J: Floats, push: Floats) -> Floats:
        """Torques that do what a force `push` at the frame would."""
        if self.contacts is None:
            return J.T @ push
        wrench = np.zeros(6)
        wrench[self.rows] = push
        R = self.robot.pose(q, self.frame)[:3, :3]
        against = -np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
        still = np.zeros_like(v)
        loaded = self.contacts.inverse_dynamics(q, v, still, forces={self.frame: against}).tau
        return loaded - self.contacts.inverse_dynamics(q, v, still).tau
