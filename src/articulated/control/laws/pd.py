"""Springs and dampers at the joints, with the weight of the robot carried or not."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...algebra.scalars import Array
from ...algorithms.configuration import difference
from ...algorithms.inverse_dynamics import gravity_forces
from ...contacts import Contacts
from ...inputs.choices import flag
from ...model import Model
from ...robot import Robot
from .feedback import Feedback, applied
from .impedance import Torques


class PD(Feedback):
    """tau = Kp e + Kd ė + g(q): a spring and a damper at every actuated joint; g(q) only with `gravity`.

    On a fixed base, or on contacts (least torques that carry the weight).

        robot: on a fixed base, or art.Contacts of one that stands
        stiffness: Kp, a number, one per actuated joint, or a matrix: N m/rad, N/m
        damping: Kd, the same: N m s/rad, N s/m
        gravity: False: without g(q)

    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> hold = art.PD(arm, 100, 20).towards([0.5, -0.2])
    >>> run = art.simulate(arm, [0, 0], None, 5.0, torque=hold)
    >>> bool(abs(run.q[-1] - [0.5, -0.2]).max() < 1e-3)
    True
    """

    def __init__(self, robot: Robot | Contacts, stiffness: ArrayLike, damping: ArrayLike, gravity: bool = True):
        super().__init__(robot, stiffness, damping)
        self.gravity = flag("PD: gravity", gravity)

    @property
    def _choice(self) -> bool:
        """What else its torques depend on."""
        return self.gravity

    @np.errstate(over="ignore", invalid="ignore")  # what is not finite shows in the torques
    def __call__(
        self, q: ArrayLike, v: ArrayLike, q_ref: ArrayLike, v_ref: ArrayLike | None = None, a_ref: Any = None
    ) -> Torques:
        """Torques (…, n) towards the reference; v_ref is 0 if not given, a_ref is not used."""
        q, v, q_ref, v_ref, _ = self._states(q, v, q_ref, v_ref, a_ref)
        e, rate = self._errors(q, v, q_ref, v_ref)
        still = np.zeros_like(v)
        weight = self._inverse_dynamics(q, still, still) if self.gravity else np.zeros_like(e)
        back = applied(self.stiffness, e) + applied(self.damping, rate)
        return Torques(weight + back, weight, back)

    def _on_scalars(self, model: Model, q: Array, v: Array, q_ref: Array, v_ref: Array, a_ref: Array) -> Array:
        """The law on any scalar, fixed base."""
        back = self.stiffness @ difference(model, q, q_ref) + self.damping @ (v_ref - v)
        return gravity_forces(model, q) + back if self.gravity else back
