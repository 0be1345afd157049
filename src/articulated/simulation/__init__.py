"""Motion over time: what a simulation or a log holds, kept, interpolated, stored and drawn."""

from .contact_history import ContactHistory
from .plots import plot_tree
from .trajectory import Trajectory

__all__ = ["ContactHistory", "Trajectory", "plot_tree"]
