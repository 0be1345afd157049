"""Impedance control: feed-forward inverse dynamics, and feedback that sets how the robot yields (S3.11-S3.13).

USP lecture: tau = M(q) a_ref + h(q, v) + Kp e + Kd ė at the measured state, so that M ë + Kd ė + Kp e = 0.
"""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...algebra.rotations import rotation_between
from ...algebra.scalars import Array
from ...algorithms.configuration import difference
from ...algorithms.coriolis import coriolis_matrix
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...contacts import Contacts
from ...contacts.ranks.subspaces import apply, pseudo_inverse
from ...errors import ModelError, ShapeError
from ...inputs import labels
from ...inputs.labels import SPATIAL
from ...model import Model
from ...robot import Robot
from ...robot.arguments.arrays import choose
from ..checks import spoiled, vector
from ..tasks import Frame
from .error_dynamics import ErrorDynamics
from .feedback import Feedback, applied

Floats = NDArray[np.floating]
#: rows of a frame's velocity, by what it follows
ROWS = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}


class Torques(NamedTuple):
    """tau = feedforward + feedback, of the actuated joints."""

    tau: Floats
    feedforward: Floats
    feedback: Floats


class Impedance(Feedback):
    """Joints that act as springs and dampers about a moving reference, on a fixed base or on contacts.

    On contacts the least torques are the feed-forward.

        robot: on a fixed base, or art.Contacts of one that stands
        stiffness: Kp, a number, one per actuated joint, or a matrix: N m/rad, N/m
        damping: Kd, the same: N m s/rad, N s/m
        feedforward: "measured", the lecture's, or "passive": Coriolis forces for the reference velocity, so that the
            error stores and loses energy as a spring with a damper does, M ë + (C + Kd) ė + Kp e = 0 (fixed base)

    Source: Hogan 1985; Paden and Panja 1988.

    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> law = art.Impedance(arm, stiffness=50, damping=5)
    >>> law([0.1, 0.2], [0, 0], q_ref=[0.2, 0.2]).feedback.round(6).tolist()
    [5.0, 0.0]
    """

    def __init__(
        self,
        robot: Robot | Contacts,
        stiffness: ArrayLike,
        damping: ArrayLike,
        feedforward: Literal["measured", "passive"] = "measured",
    ):
        super().__init__(robot, stiffness, damping)
        self.feedforward = choose("Impedance", "feedforward", feedforward, ("measured", "passive"))
        if self.contacts and feedforward == "passive":
            raise ModelError('feedforward="passive" is for a fixed base; on contacts there is "measured"')

    @np.errstate(over="ignore", invalid="ignore")  # what is not finite shows in the torques
    def __call__(
        self, q: ArrayLike, v: ArrayLike, q_ref: ArrayLike, v_ref: ArrayLike | None = None, a_ref: Any = None
    ) -> Torques:
        """Torques (…, n) towards the reference; v_ref and a_ref are 0 if not given."""
        q, v, q_ref, v_ref, a_ref = self._states(q, v, q_ref, v_ref, a_ref)
        e, rate = self._errors(q, v, q_ref, v_ref)
        forward = self._inverse_dynamics(q, v, self._reference_acceleration(q, v, a_ref))
        if self.feedforward == "passive":
            forward = forward + apply(self.robot.coriolis_matrix(q, v), rate)
        back = applied(self.stiffness, e) + applied(self.damping, rate)
        return Torques(forward + back, forward, back)

    @property
    def _choice(self) -> str:
        """What else its torques depend on."""
        return self.feedforward

    def _on_scalars(self, model: Model, q: Array, v: Array, q_ref: Array, v_ref: Array, a_ref: Array) -> Array:
        """The law on any scalar, fixed base."""
        rate = v_ref - v
        back = self.stiffness @ difference(model, q, q_ref) + self.damping @ rate
        forward = inverse_dynamics(model, q, v, a_ref)
        if self.feedforward == "passive":
            forward = forward + coriolis_matrix(model, q, v) @ rate
        return forward + back

    def error_dynamics(self, q: ArrayLike, v: ArrayLike | None = None) -> ErrorDynamics:
        """Of small errors at a configuration; on contacts in the motions these leave."""
        q = self._configuration(q, "error_dynamics")
        self.robot.kernels.require_mass()
        M, N = self.robot.mass_matrix(q), self._motions(q)
        felt = N[self.actuated]
        D = felt.T @ self.damping @ felt
        if self.feedforward == "passive" and v is not None:
            D = D + self.robot.coriolis_matrix(q, vector("v", v, self.robot.nv, self.robot.kernels.vectors["v"].names))
        return ErrorDynamics(N.T @ M @ N, D, felt.T @ self.stiffness @ felt)


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
            given = {"v": v, "the target": target, "its rate": rate}
            raise ShapeError(f"CartesianImpedance: {spoiled(given, 'the target')}")
        wanted = np.zeros(size) if acceleration is None else vector("acceleration", acceleration, size, names)
        forward = self._inverse_dynamics(q, v, self._reference(q, v, J, wanted))
        tau = forward + self._felt(q, v, J, push)
        return Torques(tau, forward, tau - forward)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Of small errors of the frame: the inertia felt there, with what moves it."""
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
