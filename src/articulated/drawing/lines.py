"""Springs and linear actuators between frames: a coil, and a rod in a cylinder."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..algebra.rotations import aligning_z
from ..model import Model
from ..model.lines import Line
from .meshes import Color
from .surfaces import Surface, creased, revolved, trimesh_module

SPRING: Color = (198, 150, 40)
ACTUATOR: Color = (120, 128, 140)
#: radii in sizes of the robot: of a coil and its wire, of a cylinder and its rod
COIL, WIRE, BARREL, ROD = 0.045, 0.009, 0.032, 0.016
TURNS = 11


class Drawn(NamedTuple):
    """A line between two points of bodies."""

    surface: Surface  # along z from 0 to 1, to be stretched
    color: Color
    ends: tuple[tuple[int, np.ndarray], ...]  # body, 0 is the world, and a point (3,) m in its axes

    def place(self, poses: np.ndarray) -> tuple[np.ndarray, float]:
        """Pose (4, 4) and length, m, at poses (nb + 1, 4, 4) of the world and the bodies."""
        a, b = (poses[k, :3, :3] @ point + poses[k, :3, 3] for k, point in self.ends)
        length = max(float(np.linalg.norm(b - a)), 1e-6)
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = np.array(aligning_z((b - a) / length), float), a
        return pose, length


def lines(model: Model, size: float) -> list[Drawn]:
    """The springs and actuators of a robot of this size."""
    coil = coiled(COIL * size, WIRE * size) if model.springs else None
    profile = [(0, 0), (BARREL, 0), (BARREL, 0.55), (ROD, 0.55), (ROD, 1), (0, 1)]
    cylinder = revolved([(size * r, z) for r, z in profile]) if model.actuators else None
    kinds: list[tuple[Sequence[Line], Surface | None, Color]]
    kinds = [(model.springs, coil, SPRING), (model.actuators, cylinder, ACTUATOR)]
    return [Drawn(s, color, _ends(model, line)) for each, s, color in kinds if s is not None for line in each]


def coiled(radius: float, wire: float) -> Surface:
    """A wire around the z axis, from 0 to 1."""
    turn = np.linspace(0, 2 * np.pi * TURNS, 16 * TURNS + 1)
    around = np.linspace(0, 2 * np.pi, 7)[:-1]
    far = radius + wire * np.cos(around)
    across = np.broadcast_arrays(far * np.cos(turn)[:, None], far * np.sin(turn)[:, None])
    up = turn[:, None] / turn[-1] + 0.4 / TURNS * wire / radius * np.sin(around)
    k, j = np.meshgrid(np.arange(len(turn) - 1), np.arange(6), indexing="ij")
    corners = [6 * (k + dk) + (j + dj) % 6 for dk, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
    a, b, c, d = (x.ravel() for x in corners)
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    return creased(trimesh_module().Trimesh(np.stack([*across, up], -1).reshape(-1, 3), faces, process=False))


def _ends(model: Model, line: Line) -> tuple[tuple[int, np.ndarray], ...]:
    found = []
    for end in line[:2]:
        frame = model.frames[end] if isinstance(end, str) else None
        point = np.array(frame.placement.p if frame else end, float)
        found.append((frame.body.index if frame and frame.body else 0, point))
    return tuple(found)
