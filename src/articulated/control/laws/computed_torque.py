"""Computed torque: inverse dynamics of a corrected acceleration, so that every error decays alike."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...contacts import Contacts
from ...robot import Robot
from .error_dynamics import ErrorDynamics
from .feedback import Feedback
from .joint_law import Errors, Torques


class ComputedTorque(Feedback):
    """tau = M (a_ref + Kp e + Kd ė) + h, on a fixed base or on contacts: ë + Kd ė + Kp e = 0 whatever the inertia.

    The rigid counterpart of `Impedance`: what the robot yields to a force depends on its inertia, not on a stiffness.

    Parameters
    ----------
    robot : on a fixed base, or art.Contacts of one that stands
    stiffness : Kp, a number, one per actuated joint, or a matrix: 1/s²
    damping : Kd, the same: 1/s
    joint_friction : damping and dry friction of the joints are compensated at the "reference" velocity (smoothed, so
        that they dissipate errors), "ignored", or "compensated" at the measured velocity, which takes the dissipation
        from the closed loop and makes torques jump near standstill

    Notes
    -----
    Source: Featherstone 2008, section 1.3.

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> law = art.ComputedTorque(arm, 100, 20)
    >>> run = art.simulate(arm, [0, 0], duration=2.0, torque=law.towards([0.5, -0.2]))
    >>> bool(abs(run.q[-1] - [0.5, -0.2]).max() < 1e-6)
    True
    """

    def __init__(
        self,
        robot: Robot | Contacts,
        stiffness: ArrayLike,
        damping: ArrayLike,
        joint_friction: Literal["reference", "ignored", "compensated"] = "reference",
    ):
        super().__init__(robot, stiffness, damping, joint_friction=joint_friction)

    @staticmethod
    def _torques(plant: Any, errors: Errors) -> Torques:
        """Inverse dynamics of a_ref + Kp e + Kd ė; that of a_ref is the feed-forward."""
        q, v, a_ref = errors[:3]
        forward = plant.inverse_dynamics(q, v, a_ref)
        tau = plant.inverse_dynamics(q, v, a_ref, errors.feedback)
        return Torques(tau, forward, tau - forward)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Dynamics of small errors; on contacts in the motions these leave.

        Parameters
        ----------
        q : one configuration, (nq,)

        Returns
        -------
        ErrorDynamics with inertia, damping, stiffness (n, n); .eigenvalues (2 n,) 1/s, .stable, .frequencies rad/s

        Notes
        -----
        Source: Featherstone 2008, section 1.3.

        Examples
        --------
        >>> import articulated as art
        >>> law = art.ComputedTorque(art.load("2r"), 100, 20)
        >>> law.error_dynamics([0.1, 0.2]).stable
        True
        """
        q = self._configuration(q, "error_dynamics")
        N = self._motions(q)
        M, felt = N.T @ self.robot.mass_matrix(q) @ N, N[self.actuated]
        return ErrorDynamics(
            np.eye(N.shape[1]),
            N.T[:, self.actuated] @ self.damping @ felt + np.linalg.solve(M, N.T @ self._dissipation @ N),
            N.T[:, self.actuated] @ self.stiffness @ felt,
        )
