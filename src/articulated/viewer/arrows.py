"""Contact forces as arrows, and the cones of friction they must stay in."""

from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import aligning_z, to_quaternion
from .scene import Scene
from .solids import cone

INSIDE, OUTSIDE, CONE = (46, 160, 90), (214, 68, 54), (230, 180, 60)
#: a force of the whole weight is as long as this part of the robot
LENGTH, CONE_HEIGHT = 0.6, 0.12


class Touching(NamedTuple):
    """Contacts at one moment."""

    positions: np.ndarray  # (n, 3) m, in the world
    forces: np.ndarray  # (n, 3) N, on the robot, world axes
    normals: np.ndarray  # (n, 3), out of the ground
    frictions: np.ndarray  # (n,)
    closed: np.ndarray  # (n,) whether they touch


class Arrows:
    """The nodes; `show` moves them."""

    def __init__(self, scene: Scene, weight: float):
        self.scene, self.size, self.root = scene.scene, scene.size, scene.root
        self.weight = weight or 1.0
        self.visible = True
        self._arrows: Any = None
        self._cones: list[Any] = []

    def show(self, found: Touching | None) -> None:
        """Draw the forces of these contacts; None: no contacts."""
        if found is None or not self.visible:
            none = np.zeros((0, 3))
            found = Touching(none, none, none, np.zeros(0), np.zeros(0, bool))
        self._draw_arrows(found)
        self._draw_cones(found)

    def _draw_arrows(self, found: Touching) -> None:
        pressing = np.linalg.norm(found.forces, axis=-1) > 1e-9 * self.weight
        starts, forces = found.positions[pressing], found.forces[pressing]
        if self._arrows is not None:
            self._arrows.visible = bool(len(starts))
        if not len(starts):
            return
        points = np.stack([starts, starts + forces * LENGTH * self.size / self.weight], axis=1).astype(np.float32)
        held = inside(found)[pressing]
        colors = np.where(held[:, None], INSIDE, OUTSIDE).astype(np.uint8)
        if self._arrows is None or len(self._arrows.points) != len(points):
            radius = 0.011 * self.size
            self._arrows = self.scene.add_arrows(
                f"{self.root}/contact/forces", points, colors, shaft_radius=radius, head_radius=2.4 * radius,
                head_length=5 * radius,
            )  # fmt: skip
        else:
            self._arrows.points, self._arrows.colors = points, colors

    def _draw_cones(self, found: Touching) -> None:
        height = CONE_HEIGHT * self.size
        while len(self._cones) < len(found.positions):
            k = len(self._cones)
            surface = cone(height, 1.0)
            self._cones.append(
                self.scene.add_mesh_simple(
                    f"{self.root}/contact/cone/{k}", surface.vertices.astype(np.float32),
                    surface.faces.astype(np.uint32),
                    color=CONE, opacity=0.35, side="double", cast_shadow=False, receive_shadow=False,
                )
            )  # fmt: skip
        for k, node in enumerate(self._cones):
            node.visible = k < len(found.positions) and bool(found.closed[k])
            if node.visible:
                friction = float(min(found.frictions[k], 5.0))
                R = np.array(aligning_z(found.normals[k]), float)
                node.position, node.wxyz = found.positions[k], np.roll(to_quaternion(R), 1)
                node.scale = (friction, friction, 1.0)


def inside(found: Touching) -> np.ndarray:
    """Which forces press and stay in their cones, (n,)."""
    normal = np.einsum("ni,ni->n", found.forces, found.normals)
    along = np.linalg.norm(found.forces - normal[:, None] * found.normals, axis=-1)
    return along <= found.frictions * normal + 1e-6 * np.abs(normal)
