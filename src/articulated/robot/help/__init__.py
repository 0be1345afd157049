"""What `help` says of the methods of a robot; robot/robot.py has their first sentences."""

from .arguments import ARGUMENTS
from .description import DESCRIPTION
from .dynamics import DYNAMICS
from .kinematics import KINEMATICS
from .study import STUDY

METHODS = {**DESCRIPTION, **KINEMATICS, **DYNAMICS}

__all__ = ["ARGUMENTS", "METHODS", "STUDY"]
