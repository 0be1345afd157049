"""Computed torque: inverse dynamics of a corrected acceleration, so that every error decays alike."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...algebra.scalars import Array
from ...algorithms.configuration import difference
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...contacts import Contacts
from ...model import Model
from ...robot import Robot
from .error_dynamics import ErrorDynamics
from .feedback import Feedback, applied
from .impedance import Torques


class ComputedTorque(Feedback):
    """tau = M (a_ref + Kp e + Kd ė) + h, on a fixed base or on contacts: ë + Kd ė + Kp e = 0 whatever the inertia.

    The rigid counterpart of `Impedance`: what the robot yields to a force depends on its inertia, not on a stiffness.
    Source: Featherstone 2008, section 1.3.

        robot: on a fixed base, or art.Contacts of one that stands
        stiffness: Kp, a number, one per actuated joint, or a matrix: 1/s²
        damping: Kd, the same: 1/s

    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> law = art.ComputedTorque(arm, 100, 20)
    >>> run = art.simulate(arm, [0, 0], duration=2.0, torque=law.towards([0.5, -0.2]))
    >>> bool(abs(run.q[-1] - [0.5, -0.2]).max() < 1e-6)
    True
    """

    def __init__(self, robot: Robot | Contacts, stiffness: ArrayLike, damping: ArrayLike):
        super().__init__(robot, stiffness, damping)

    @np.errstate(over="ignore", invalid="ignore")  # what is not finite shows in the torques
    def __call__(
        self, q: ArrayLike, v: ArrayLike, q_ref: ArrayLike, v_ref: ArrayLike | None = None, a_ref: Any = None
    ) -> Torques:
        """Torques (…, n) towards the reference; v_ref and a_ref are 0 if not given."""
        q, v, q_ref, v_ref, planned = self._states(q, v, q_ref, v_ref, a_ref)
        e, rate = self._errors(q, v, q_ref, v_ref)
        corrected = planned.copy()
        corrected[..., self.actuated] += applied(self.stiffness, e) + applied(self.damping, rate)
        forward = self._inverse_dynamics(q, v, self._reference_acceleration(q, v, planned))
        tau = self._inverse_dynamics(q, v, self._reference_acceleration(q, v, corrected))
        return Torques(tau, forward, tau - forward)

    def _on_scalars(self, model: Model, q: Array, v: Array, q_ref: Array, v_ref: Array, a_ref: Array) -> Array:
        """The law on any scalar, fixed base."""
        back = self.stiffness @ difference(model, q, q_ref) + self.damping @ (v_ref - v)
        return inverse_dynamics(model, q, v, a_ref + back)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Of small errors; on contacts in the motions these leave."""
        N = self._motions(self._configuration(q, "error_dynamics"))
        felt = N[self.actuated]
        return ErrorDynamics(
            np.eye(N.shape[1]),
            N.T[:, self.actuated] @ self.damping @ felt,
            N.T[:, self.actuated] @ self.stiffness @ felt,
        )
