"""Computed torque: inverse dynamics of a corrected acceleration, so that every error decays alike."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.scalars import Array
from ..algorithms.configuration import difference
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..model import Model
from .error_dynamics import ErrorDynamics
from .feedback import Feedback, applied
from .impedance import Torques


class ComputedTorque(Feedback):
    """tau = M (a_ref + Kp e + Kd ė) + h, on a fixed base or on contacts: ë + Kd ė + Kp e = 0 whatever the inertia.

    The rigid counterpart of `Impedance`: what the robot yields to a force depends on its inertia, not on a stiffness.
    Gains are 1/s² and 1/s: a number, one per actuated joint, or a matrix.
    """

    def __call__(
        self, q: ArrayLike, v: ArrayLike, q_ref: ArrayLike, v_ref: ArrayLike | None = None, a_ref: Any = None
    ) -> Torques:
        """Torques (…, n) towards the reference; v_ref and a_ref are 0 if not given."""
        q, v, q_ref, v_ref, planned = self.states(q, v, q_ref, v_ref, a_ref)
        e, rate = self.errors(q, v, q_ref, v_ref)
        corrected = planned.copy()
        corrected[..., self.actuated] += applied(self.stiffness, e) + applied(self.damping, rate)
        forward = self.inverse_dynamics(q, v, self.reference_acceleration(q, v, planned))
        tau = self.inverse_dynamics(q, v, self.reference_acceleration(q, v, corrected))
        return Torques(tau, forward, tau - forward)

    def _on_scalars(self, model: Model, q: Array, v: Array, q_ref: Array, v_ref: Array, a_ref: Array) -> Array:
        """The law on any scalar, fixed base."""
        back = self.stiffness @ difference(model, q, q_ref) + self.damping @ (v_ref - v)
        return inverse_dynamics(model, q, v, a_ref + back)

    def error_dynamics(self, q: ArrayLike) -> ErrorDynamics:
        """Of small errors; on contacts in the motions these leave."""
        N = self.motions(self.configuration(q, "error_dynamics"))
        felt = N[self.actuated]
        return ErrorDynamics(
            np.eye(N.shape[1]),
            N.T[:, self.actuated] @ self.damping @ felt,
            N.T[:, self.actuated] @ self.stiffness @ felt,
        )
