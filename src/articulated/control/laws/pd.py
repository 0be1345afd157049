"""Springs and dampers at the joints, with the weight of the robot carried or not."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any

from numpy.typing import ArrayLike

from ...contacts import Contacts
from ...inputs.choices import flag
from ...robot import Robot
from .feedback import Feedback
from .joint_law import Errors, Torques


class PD(Feedback):
    """tau = Kp e + Kd ė + g(q): a spring and a damper at every actuated joint; g(q) only with `gravity`.

    On a fixed base, or on contacts (least torques that carry the weight).

    Parameters
    ----------
    robot : on a fixed base, or art.Contacts of one that stands
    stiffness : Kp, a number, one per actuated joint, or a matrix: N m/rad, N/m
    damping : Kd, the same: N m s/rad, N s/m
    gravity : False: without g(q)

    Notes
    -----
    Source: Takegaki and Arimoto 1981.

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> hold = art.PD(arm, 100, 20).towards([0.5, -0.2])
    >>> run = art.simulate(arm, [0, 0], None, 5.0, torque=hold)
    >>> bool(abs(run.q[-1] - [0.5, -0.2]).max() < 1e-3)
    True
    """

    springs = True

    def __init__(self, robot: Robot | Contacts, stiffness: ArrayLike, damping: ArrayLike, gravity: bool = True):
        self.gravity = flag("PD: gravity", gravity)
        super().__init__(robot, stiffness, damping, gravity=self.gravity)

    @staticmethod
    def _torques(plant: Any, errors: Errors, gravity: bool) -> Torques:
        """Springs and dampers on the joints, and the weight; a_ref is not used."""
        weight = plant.gravity_forces(errors.q) if gravity else 0 * errors.feedback
        return Torques(weight + errors.feedback, weight, errors.feedback)
