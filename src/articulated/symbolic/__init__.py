"""Closed forms: Lagrange on polynomials, checked against the recursions.  It teaches `scalars` about SymPy."""

from .equations.derive import Equations, derive
from .equations.lectures import LECTURE_ROBOTS
from .equations.moving_frames import MovingFrames, moving_frames
from .pages.explanation import Explanation, explain
from .ring.sympy_scalars import symbols_of

__all__ = [
    "LECTURE_ROBOTS",
    "Equations",
    "Explanation",
    "MovingFrames",
    "derive",
    "explain",
    "moving_frames",
    "symbols_of",
]
