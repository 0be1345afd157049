"""Impedance control: feed-forward inverse dynamics, and feedback that sets how the robot yields (S3.11-S3.13).

USP lecture: tau = M(q) a_ref + h(q, v) + Kp e + Kd ė at the measured state, so that M ë + Kd ė + Kp e = 0.
"""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal

from numpy.typing import ArrayLike

from ...algorithms.coriolis import coriolis_matrix
from ...contacts import Contacts
from ...errors import ModelError
from ...robot import Robot
from ...robot.arguments.arrays import choose
from ..checks import vector
from .error_dynamics import ErrorDynamics
from .feedback import Feedback
from .joint_law import Errors, Torques


class Impedance(Feedback):
    """Joints that act as springs and dampers about a moving reference, on a fixed base or on contacts.

    On contacts the least torques are the feed-forward.

    Parameters
    ----------
    robot : on a fixed base, or art.Contacts of one that stands
    stiffness : Kp, a number, one per actuated joint, or a matrix: N m/rad, N/m
    damping : Kd, the same: N m s/rad, N s/m
    feedforward : "measured", the lecture's, or "passive": Coriolis forces for the reference velocity, so that
        the error stores and loses energy as a spring with a damper does, M ë + (C + Kd) ė + Kp e = 0 (fixed
        base)
    joint_friction : as in ComputedTorque: "reference", "ignored" or "compensated"

    Notes
    -----
    Source: Hogan 1985; Paden and Panja 1988.

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> law = art.Impedance(arm, stiffness=50, damping=5)
    >>> law([0.1, 0.2], [0, 0], q_ref=[0.2, 0.3]).feedback.round(6).tolist()
    [5.0, 5.0]
    """

    springs = True

    def __init__(
        self,
        robot: Robot | Contacts,
        stiffness: ArrayLike,
        damping: ArrayLike,
        feedforward: Literal["measured", "passive"] = "measured",
        joint_friction: Literal["reference", "ignored", "compensated"] = "reference",
    ):
        self.feedforward = choose("Impedance", "feedforward", feedforward, ("measured", "passive"))
        super().__init__(robot, stiffness, damping, joint_friction=joint_friction, feedforward=feedforward)
        if self.contacts and feedforward == "passive":
            raise ModelError('feedforward="passive" is for a fixed base; on contacts there is "measured"')

    @staticmethod
    def _torques(plant: Any, errors: Errors, feedforward: str) -> Torques:
        """Inverse dynamics of a_ref, and springs and dampers on the joints."""
        q, v, a_ref, _, rate, back = errors
        forward = plant.inverse_dynamics(q, v, a_ref)
        if feedforward == "passive":
            forward = forward + coriolis_matrix(plant.model, q, v) @ rate
        return Torques(forward + back, forward, back)

    def error_dynamics(self, q: ArrayLike, v: ArrayLike | None = None) -> ErrorDynamics:
        """Dynamics of small errors at a configuration; on contacts in the motions these leave.

        Parameters
        ----------
        q : one configuration, (nq,)
        v : one velocity, (nv,); only passive laws depend on it

        Returns
        -------
        ErrorDynamics with inertia, damping, stiffness (n, n); .eigenvalues (2 n,) 1/s, .stable, .frequencies rad/s

        Notes
        -----
        Source: Hogan 1985; Paden and Panja 1988.

        Examples
        --------
        >>> import articulated as art
        >>> law = art.Impedance(art.load("2r"), 50, 5)
        >>> law.error_dynamics([0.1, 0.2]).stable
        True
        """
        q = self._configuration(q, "error_dynamics")
        self.robot.kernels.require_mass()
        M, N = self.robot.mass_matrix(q), self._motions(q)
        felt = N[self.actuated]
        D = felt.T @ self.damping @ felt + N.T @ self._dissipation @ N
        if self.feedforward == "passive" and v is not None:
            D = D + self.robot.coriolis_matrix(q, vector("v", v, self.robot.nv, self.robot.kernels.vectors["v"].names))
        return ErrorDynamics(N.T @ M @ N, D, felt.T @ self.stiffness @ felt)
