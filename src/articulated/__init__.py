"""Dynamics of articulated rigid-body systems: arms, trees, legged robots.

import articulated as art

robot = art.load("panda")
tau = robot.inverse_dynamics(q, v, a)       # arrays of any leading shape
"""

from . import conventions
from ._version import __version__
from .errors import ArticulatedError, Diagnostic, ModelError, ShapeError, SingularModelError, UnknownName
from .joints import (
    Continuous,
    Cylindrical,
    Fixed,
    Floating,
    Helical,
    Limits,
    Mimic,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from .model import Link
from .parameters import about_point, from_gyration
from .readers.dh import DH
from .robot import Robot
from .sources import build, from_dh, from_screws, load, robots
from .spatial import Inertia, Transform

__all__ = [
    "DH",
    "ArticulatedError",
    "Continuous",
    "Cylindrical",
    "Diagnostic",
    "Fixed",
    "Floating",
    "Helical",
    "Inertia",
    "Limits",
    "Link",
    "Mimic",
    "ModelError",
    "Planar",
    "Prismatic",
    "Revolute",
    "Robot",
    "ShapeError",
    "SingularModelError",
    "Spherical",
    "Transform",
    "Universal",
    "UnknownName",
    "__version__",
    "about_point",
    "build",
    "conventions",
    "from_dh",
    "from_gyration",
    "from_screws",
    "load",
    "robots",
]
