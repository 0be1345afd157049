"""Simulation: integrators, contacts, drives and trajectories."""

from .contact.ground import Ground
from .drive.torques import ControllerFailed
from .outcome import Diverged
from .run import simulate
from .trajectory.contact_history import ContactHistory
from .trajectory.plots import plot_tree
from .trajectory.trajectory import Trajectory

__all__ = ["ContactHistory", "ControllerFailed", "Diverged", "Ground", "Trajectory", "plot_tree", "simulate"]
