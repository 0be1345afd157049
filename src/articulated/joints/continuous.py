"""Rotation about one axis without end stops."""

from .revolute import Revolute


class Continuous(Revolute):
    """A revolute joint that never reaches a limit; its coordinate is one angle, of any size."""
