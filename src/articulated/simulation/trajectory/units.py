"""Units and limits of the components of q, v, a and tau."""

from typing import NamedTuple

import numpy as np

from ...model import Model
from ...robot.arguments.state_names import component_units as units
from ...robot.arguments.states import joint_limits

__all__ = ["Bounds", "bounds", "units"]


class Bounds(NamedTuple):
    """The range of each number of q, v or tau; infinite where there is none."""

    lower: np.ndarray
    upper: np.ndarray


def bounds(model: Model, name: str) -> Bounds:
    """Limits of the joints: of positions, speeds or efforts."""
    limits = joint_limits(model)
    if name == "q":
        return Bounds(limits.lower, limits.upper)
    most = {"v": limits.velocity, "tau": limits.effort}[name]
    return Bounds(-most, most)
