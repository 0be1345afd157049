"""The kinematic tree: links in any order in, a frozen, regularly numbered tree out."""

from .links import Body, Frame, Link
from .model import STANDARD_GRAVITY, Model, Topology, build

__all__ = ["STANDARD_GRAVITY", "Body", "Frame", "Link", "Model", "Topology", "build"]
