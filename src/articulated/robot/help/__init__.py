"""What `help` says of the methods of a robot; robot/robot.py has their first sentences."""

from .arguments import ARGUMENTS
from .derivatives import DERIVATIVES
from .description import DESCRIPTION
from .dynamics import DYNAMICS
from .kinematics import KINEMATICS
from .study import STUDY

METHODS = {**DESCRIPTION, **KINEMATICS, **DYNAMICS, **DERIVATIVES}

__all__ = ["ARGUMENTS", "METHODS", "STUDY"]
