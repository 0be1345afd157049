"""External forces as a user writes them: by frame, in some axes, on the robot or on what it touches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...algorithms.kinematics import AXES
from ..request import AS_USUAL, Written
from ..spatial import coadjoint, inverse
from .arrays import as_vectors, choose

Forces = Mapping[str, ArrayLike] | None
#: `forces_on=`: who feels them
FELT_BY = ("robot", "environment")


def written(force_axes: str, forces_on: str) -> Written:
    """The two choices about `forces=`, checked."""
    if isinstance(force_axes, str) and isinstance(forces_on, str) and (force_axes, forces_on) == ("frame", "robot"):
        return AS_USUAL
    axes = choose("external forces", "force_axes", force_axes, AXES)
    return Written(axes, choose("external forces", "forces_on", forces_on, FELT_BY))


def as_usual(robot: Any, q: ArrayLike, forces: Forces, how: Written) -> Forces:
    """Forces written in another way, as methods take them: on the robot, in the axes of their frames."""
    forces = robot.kernels.by_frame("external forces", forces)
    found = {}
    for name, force in forces.items():
        F = as_vectors("external forces", robot.name, name, force, robot.kernels.vectors["force"])
        if how.axes != "frame":
            seen = robot.pose(q, name)  # pose of the frame in the axes the force is written in
            if how.axes == "world":
                seen[..., :3, 3] = 0
            F = (coadjoint(inverse(seen)) @ F[..., None])[..., 0]
        found[name] = -F if how.on == "environment" else np.asarray(F)
    return found
