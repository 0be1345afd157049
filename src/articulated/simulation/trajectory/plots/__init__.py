"""Pictures of trajectories and robots, one family per file, through matplotlib (extra `plot`)."""

from .draw import KINDS, draw, plot_tree

__all__ = ["KINDS", "draw", "plot_tree"]
