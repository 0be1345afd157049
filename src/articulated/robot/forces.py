"""External forces as a user writes them: by frame, in some axes, on the robot or on what it touches."""

from collections.abc import Mapping

from numpy.typing import ArrayLike

from ..algorithms.kinematics import AXES
from .arguments import choose
from .request import Written

Forces = Mapping[str, ArrayLike] | None
#: `forces_on=`: who feels them
FELT_BY = ("robot", "environment")


def written(force_axes: str, forces_on: str) -> Written:
    """The two choices about `forces=`, checked."""
    axes = choose("external forces", "force_axes", force_axes, AXES)
    return Written(axes, choose("external forces", "forces_on", forces_on, FELT_BY))
