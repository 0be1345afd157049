"""Simulation: integrators, contacts, drives and trajectories."""

from .contact.ground import Ground
from .drive.torques import ControllerFailed
from .objects import Ball, Box
from .outcome import Diverged
from .run import simulate
from .scene import Scene
from .simulator import Simulator
from .trajectory.contact_history import ContactHistory
from .trajectory.plots import plot_tree
from .trajectory.trajectory import Trajectory

__all__ = [
    "Ball", "Box", "ContactHistory", "ControllerFailed", "Diverged", "Ground", "Scene", "Simulator", "Trajectory",
    "plot_tree",
    "simulate",
]  # fmt: skip
