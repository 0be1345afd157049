"""Impedance of a frame: a spring and a damper in world axes, and the weight of the robot carried."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...contacts import Contacts
from ...contacts.ranks.subspaces import pseudo_inverse
from ...errors import ShapeError
from ...inputs import labels
from ...inputs.labels import SPATIAL
from ...robot import Robot
from ...robot.arguments.arrays import choose
from ..checks import not_finite, vector
from ..tasks import Frame
from ..whole_body.goals import goal_kernel
from ..whole_body.kernel_terms import without_joint_friction
from .error_dynamics import ErrorDynamics
from .feedback import Feedback
from .joint_law import Floats, Torques

#: rows of a frame's velocity, by what it follows
ROWS = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}


class CartesianImpedance(Feedback):
    """A frame held as by a spring and a damper, in world axes; other motions are only held against gravity.

    Where the joints can move the frame in all its directions, Λ ë + Kd ė + Kp e = 0 with the inertia Λ felt there.

    Parameters
    ----------
    robot : on a fixed base, or art.Contacts of one that stands
    frame : what is held
    stiffness : Kp, a number, one per direction, or a matrix: N/m, N m/rad
    damping : Kd, the same: N s/m, N m s/rad
    follows : "pose" (6 directions), "position" (3) or "orientation" (3)
    joint_friction : damping and dry friction of the joints are "ignored", or "compensated" at the measured velocity

    Notes
    -----
    Source: Khatib 1987; Hogan 1985.

    Examples
    --------
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
        joint_friction: Literal["ignored", "compensated"] = "ignored",
    ):
        self.rows = ROWS[choose("CartesianImpedance", "follows", follows, ROWS)]
        choose("CartesianImpedance", "joint_friction", joint_friction, ("ignored", "compensated"))
        super().__init__(robot, stiffness, damping, SPATIAL[self.rows], joint_friction)
        self._fixed = self.robot if joint_friction == "compensated" else without_joint_friction(self.robot)
        self.task = Frame(frame, follows)
        self.goal, self.frame = self.task.goal(self.robot), frame
        self.goal_rows = goal_kernel(self.robot, self.goal)

    @property
    def _holds(self) -> str:
        return f"{self.robot.name}, {self.task.follows} of {self.frame}"

    def _reference_parts(self, given: Any) -> list[Any]:
        """The target, or (target, rate, acceleration)."""
        value, *rates = given if isinstance(given, tuple) and given else (given,)
        names = self.goal.names(self.robot.model)
        read = [labels.plain("the reference: target", value, names[0], rows=())]
        return read + [labels.plain("the reference: a rate", x, names[1]) for x in rates]

    @np.errstate(over="ignore", invalid="ignore")  # overflow is reported below
    def __call__(self, q: ArrayLike, v: ArrayLike, target: Any, rate: Any = None, acceleration: Any = None) -> Torques:
        """Torques (n,) towards a target as that of `tasks.Frame`, in one state.

        Parameters
        ----------
        q : configurations, (…, nq)
        v : velocities, (…, nv)
        target : one configuration q_ref, pose (4, 4), position (3,) or rotation
        rate : how fast the target moves, one number per row, world axes, linear first: m/s, rad/s; zero if not
            given
        acceleration : of the target, the same: m/s², rad/s²; zero if not given

        Returns
        -------
        Torques(tau, feedforward, feedback), of the actuated joints (…, n): N m, N

        Notes
        -----
        Source: Khatib 1987; Hogan 1985.

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("2r")
        >>> law = art.CartesianImpedance(arm, "tip", 300, 30, follows="position")
        >>> law([0.1, 0.2], [0, 0], arm.pose([0.2, 0.2], "tip")[:3, 3]).tau.shape
        (2,)
        """
        q = self._configuration(q, "CartesianImpedance")
        v = vector("v", v, self.robot.nv, self.robot.kernels.vectors["v"].names)
        self.robot.kernels.require_mass()
        model, names = self.robot.model, SPATIAL[self.rows]
        value = self.task.value(target, self.goal.sizes(model)[0], self.goal.names(model)[0])
        rates = [
            np.zeros(len(names)) if x is None else vector(name, x, len(names), names)
            for name, x in (("rate", rate), ("acceleration", acceleration))
        ]
        J, drift, error, error_rate, wanted = self.goal_rows.call(q, v, np.ascontiguousarray(value), *rates)
        push = self.stiffness @ error + self.damping @ error_rate
        if not np.isfinite(push).all():
            raise ShapeError(f"CartesianImpedance: {not_finite({'v': v, 'target': target, 'rate': rate})}")
        a = self._reference(q, v, J, wanted - drift)
        held = self._plant.contacts if self.contacts else None
        forward = held.inverse_dynamics(q, v, a).tau if held else self._fixed.inverse_dynamics(q, v, a)
        tau = forward + self._felt(q, v, J, push)
        return Torques(tau, forward, tau - forward)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Dynamics of small errors of the frame, with the inertia Λ felt there.

        Parameters
        ----------
        q : one configuration, (nq,)

        Returns
        -------
        ErrorDynamics with inertia, damping, stiffness (n, n); .eigenvalues (2 n,) 1/s, .stable, .frequencies rad/s

        Notes
        -----
        Source: Khatib 1987.

        Examples
        --------
        >>> import articulated as art
        >>> law = art.CartesianImpedance(art.load("2r"), "tip", 300, 30, follows="position")
        >>> law.error_dynamics([0.1, 0.2]).inertia.shape
        (3, 3)
        """
        q = self._configuration(q, "error_dynamics")
        self.robot.kernels.require_mass()
        J, N = self.robot.jacobian(q, self.frame)[self.rows], self._motions(q)
        M = self.robot.mass_matrix(q)
        mobility = J @ N @ np.linalg.solve(N.T @ M @ N, (J @ N).T)
        return ErrorDynamics(pseudo_inverse(mobility), self.damping, self.stiffness)

    def _reference(self, q: Any, v: Floats, A: Floats, b: Floats) -> Floats:
        """The acceleration a with A a = b and contacts that stay, of the least inertial force."""
        if self.contacts:
            A = np.concatenate([self.contacts.jacobian(q), A])
            b = np.concatenate([-self.contacts.bias(q, v), b])
        eased = np.linalg.solve(self.robot.mass_matrix(q), A.T)
        return eased @ (pseudo_inverse(A @ eased) @ b)

    def _felt(self, q: Any, v: Floats, J: Floats, push: Floats) -> Floats:
        """Torques that do what a force `push` at the frame would."""
        if self.contacts is None:
            return J.T @ push
        wrench, still = np.zeros(6), np.zeros_like(v)
        wrench[self.rows] = push
        against = -(wrench.reshape(2, 3) @ self.robot.pose(q, self.frame)[:3, :3]).ravel()  # in axes of the frame
        loaded = self.contacts.inverse_dynamics(q, v, still, forces={self.frame: against}).tau
        return loaded - self.contacts.inverse_dynamics(q, v, still).tau
