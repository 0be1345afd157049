"""Camera, and where it has to be to see points."""

from math import tan
from typing import NamedTuple

import numpy as np

#: from the front, from the left and from above
FROM = np.array([0.72, 0.6, 0.3]) / np.linalg.norm([0.72, 0.6, 0.3])
#: share of half the picture's height and width that the robot may fill
FILLED = 0.85


class Camera(NamedTuple):
    """Position, target and field of view; up is z."""

    place: np.ndarray
    target: np.ndarray
    angle: float  # vertical field of view, rad

    @property
    def axes(self) -> np.ndarray:
        """Unit vectors to the right, up and backwards, (3, 3) rows."""
        return axes(self.place - self.target)


def axes(back: np.ndarray) -> np.ndarray:
    """Unit vectors to the right, up and backwards of who stands at `back` and looks at the origin, (3, 3) rows."""
    back = back / np.linalg.norm(back)
    right = np.cross([0.0, 0.0, 1.0], back) if abs(back[2]) < 1 - 1e-9 else np.array([0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(back, right), back])


def standpoint(points: np.ndarray, angle: float, aspect: float, direction: np.ndarray = FROM) -> np.ndarray:
    """Camera position from which points (n, 3) just fit into the picture, around the middle of their box.

    `angle` is the vertical field of view, `aspect` the width over the height of the picture.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)), 0.2)
    right, up, back = axes(direction)
    off, half = points - middle, FILLED * tan(angle / 2)
    needed = off @ back + np.maximum(abs(off @ right) / (half * min(aspect, 4.0)), abs(off @ up) / half)
    return middle + max(float(needed.max()), 0.7 * reach) * back
