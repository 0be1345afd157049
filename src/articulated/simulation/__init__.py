"""Motion in time: integrators, what drives a robot, and what comes of it."""

from .simulate import Diverged, simulate
from .torques import ControllerFailed, traced
from .tracing import NotTraceable
from .trajectory import Trajectory

__all__ = ["ControllerFailed", "Diverged", "NotTraceable", "Trajectory", "simulate", "traced"]
