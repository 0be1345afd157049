"""Closed forms: the recursions on SymPy expressions.  Importing this teaches `scalars` about SymPy."""

from .equations import Equations, derive
from .moving_frames import MovingFrames, moving_frames
from .scalar import symbols_of

__all__ = ["Equations", "MovingFrames", "derive", "moving_frames", "symbols_of"]
