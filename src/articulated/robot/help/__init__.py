"""Help of the methods of `Robot` that are not in the table of quantities; robot/robot.py has their first sentences."""

from .arguments import ARGUMENTS
from .derivatives import DERIVATIVES
from .description import DESCRIPTION
from .kinematics import KINEMATICS

METHODS = {**DESCRIPTION, **KINEMATICS, **DERIVATIVES}

__all__ = ["ARGUMENTS", "METHODS"]
