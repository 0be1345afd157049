"""Motion in time: integrators, what drives a robot, and what comes of it."""

from .run import Diverged, simulate
from .torques import ControllerFailed
from .trajectory import Trajectory

__all__ = ["ControllerFailed", "Diverged", "Trajectory", "simulate"]
