"""Dynamics of articulated rigid-body systems: arms, trees, legged robots."""

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
from .robot import Robot, build
from .spatial import Inertia, Transform
