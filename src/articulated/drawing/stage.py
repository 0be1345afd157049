"""A robot on its ground, before a camera."""

import numpy as np

from ..model import Model
from .appearance import looks, size
from .camera import Camera, standpoint
from .picture import Item, Picture
from .surfaces import ball

#: vertical field of view, rad: that of a 50 mm lens
ANGLE = 0.47


class Stage:
    """Pictures of a robot.

    Parameters
    ----------
    model : of the robot
    pixels : width and height
    dark : True: light on dark
    full : True: with every triangle of the mesh files
    """

    def __init__(self, model: Model, pixels: tuple[int, int], dark: bool, full: bool):
        self.looks, self.size, self.pixels, self.dark = looks(model, full), size(model), pixels, dark
        points = self.looks.points or {0: np.zeros((1, 3))}
        around = ball(1.0).vertices[::7].T
        self.outermost = [(k, x[np.unique((x @ around).argmax(axis=0))]) for k, x in points.items()]

    def points(self, poses: np.ndarray) -> np.ndarray:
        """Outermost points of all bodies in the world, (…, n, 3), for poses (…, nb, 4, 4) of the bodies."""
        every = np.concatenate([np.broadcast_to(np.eye(4), (*poses.shape[:-3], 1, 4, 4)), poses], axis=-3)
        R, p = np.swapaxes(every[..., :3, :3], -1, -2), every[..., None, :3, 3]
        return np.concatenate(
            [outermost @ R[..., k, :, :] + p[..., k, :, :] for k, outermost in self.outermost], axis=-2
        )

    def picture(self, ground: np.ndarray) -> Picture:
        """Pictures over a ground with this pose."""
        return Picture(*self.pixels, self.dark, pitch(self.size), ground)

    def items(self, poses: np.ndarray) -> list[Item]:
        """The bodies at their poses (nb, 4, 4)."""
        every = np.concatenate([np.eye(4)[None], poses])
        items = [Item(s, color, every[k]) for k, each in self.looks.surfaces.items() for color, s in each.items()]
        for line in self.looks.lines:
            pose, length = line.place(every)
            items.append(Item(line.surface.scaled(np.array([1, 1, length])), line.color, pose))
        return items

    def camera(self, points: np.ndarray, direction: np.ndarray) -> Camera:
        """A camera that sees all points (n, 3) from a direction."""
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        return Camera(standpoint(points, ANGLE, self.pixels[0] / self.pixels[1], direction), middle, ANGLE)


def pitch(length: float) -> float:
    """Grid spacing for a robot of this size, m: 1, 2 or 5 times a power of ten, at most a third of the size."""
    power = 10 ** np.floor(np.log10(length / 3))
    return float(power * max(x for x in (1, 2, 5) if x * power <= length / 3 * (1 + 1e-9)))
