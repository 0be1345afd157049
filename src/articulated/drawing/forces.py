"""Forces as arrows, and paths of frames as tubes."""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .meshes import Color
from .picture import Item
from .surfaces import Surface, along, arrow, revolved

INSIDE: Color = (46, 160, 90)
OUTSIDE: Color = (214, 68, 54)
PUSH: Color = (226, 120, 30)
#: a force of the whole weight is as long as this part of the robot; radii are parts of its size
LENGTH, SHAFT, HEAD = 0.6, 0.011, 0.026


class Touching(NamedTuple):
    """Contacts at one moment."""

    positions: np.ndarray  # (n, 3) m, in the world
    forces: np.ndarray  # (n, 3) N, on the robot, world axes
    normals: np.ndarray  # (n, 3), out of the ground
    frictions: np.ndarray  # (n,)
    closed: np.ndarray  # (n,) whether they touch

    @property
    def inside(self) -> np.ndarray:
        """Forces that press and stay in their cones, (n,)."""
        normal = np.einsum("ni,ni->n", self.forces, self.normals)
        along = np.linalg.norm(self.forces - normal[:, None] * self.normals, axis=-1)
        return along <= self.frictions * normal + 1e-6 * np.abs(normal)


def path_items(points: np.ndarray, color: Color, thick: float) -> list[Item]:
    """A path through points (n, 3) as a tube of this radius, m."""
    found = []
    for a, b in pairwise(points):
        if (length := float(np.linalg.norm(b - a))) > 1e-9:
            found.append(Item(tube().scaled(np.array([thick, thick, length])), color, along(a, b - a), glows=True))
    return found


@cache
def tube() -> Surface:
    """Open tube of radius 1 along z from 0 to 1."""
    return revolved([(1, 0), (1, 1)], around=8)


def force_arrow(start: np.ndarray, force: np.ndarray, color: Color, size: float, weight: float) -> list[Item]:
    """A force (3,) at a point of a robot of this size and weight; none where there is none."""
    length = float(np.linalg.norm(force)) / (weight or 1.0) * LENGTH * size
    if length < 1e-3 * size:
        return []
    thick = min(size, 6 * length)
    surface = arrow(SHAFT * thick / length, HEAD * thick / length).scaled(np.full(3, length))
    return [Item(surface, color, along(start, force), glows=True)]
