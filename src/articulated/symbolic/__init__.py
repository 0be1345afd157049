"""Closed forms: Lagrange on polynomials, checked against the recursions.  It teaches `scalars` about SymPy."""

from .equations.derive import Equations, derive
from .equations.lectures import LECTURE_ROBOTS
from .equations.moving_frames import MovingFrames, moving_frames
from .equations.substitution import in_numbers
from .ring.sympy_scalars import symbols_of

__all__ = [
    "LECTURE_ROBOTS",
    "Equations",
    "MovingFrames",
    "derive",
    "in_numbers",
    "moving_frames",
    "symbols_of",
]
