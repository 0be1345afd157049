"""Motion in time: integrators, contacts, what drives a robot, and what comes of it."""

from .contact_history import ContactHistory
from .ground import Ground
from .plots import plot_tree
from .run import Diverged, simulate
from .torques import ControllerFailed
from .trajectory import Trajectory

__all__ = ["ContactHistory", "ControllerFailed", "Diverged", "Ground", "Trajectory", "plot_tree", "simulate"]
