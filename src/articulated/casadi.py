"""A robot in CasADi: `articulated.casadi.Robot(robot)`; needs CasADi (`pip install 'articulated[casadi]'`)."""

from .bridges.casadi import Contacts as Contacts
from .bridges.casadi import Robot as Robot
