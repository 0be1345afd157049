"""The robot a user holds: its methods, their arguments, the seam to the compiler, and where robots come from."""

from .robot import Robot

__all__ = ["Robot"]
