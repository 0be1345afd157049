"""Forces as arrows, and the friction cones of contacts."""

from typing import Any

import numpy as np

from ..algebra.rotations import aligning_z, to_quaternion
from ..drawing.forces import HEAD, INSIDE, LENGTH, OUTSIDE, PUSH, SHAFT, Touching
from ..drawing.surfaces import revolved

CONE, CONE_HEIGHT = (230, 180, 60), 0.12
NO_PUSHES = np.zeros((0, 2, 3))


class Arrows:
    """The nodes, for a robot of this size and weight; `show` moves them."""

    def __init__(self, scene: Any, root: str, size: float, weight: float):
        self.scene, self.root, self.size, self.weight = scene, root, size, weight or 1.0
        self.visible = True
        self._arrows: Any = None
        self._cones: list[Any] = []

    def show(self, found: Touching | None, pushes: np.ndarray = NO_PUSHES) -> None:
        """Draw the forces of contacts (None: there are none) and pushes (n, 2, 3), where and how strong."""
        if found is None or not self.visible:
            none = np.zeros((0, 3))
            found = Touching(none, none, none, np.zeros(0), np.zeros(0, bool))
        if not self.visible:
            pushes = NO_PUSHES
        colors = np.where(found.inside[:, None], INSIDE, OUTSIDE)
        starts, forces = (
            np.concatenate(x) for x in zip((found.positions, found.forces), pushes.swapaxes(0, 1), strict=True)
        )
        self._draw_arrows(starts, forces, np.concatenate([colors, np.tile(PUSH, (len(pushes), 1))]))
        self._draw_cones(found)

    def _draw_arrows(self, starts: np.ndarray, forces: np.ndarray, colors: np.ndarray) -> None:
        acting = np.linalg.norm(forces, axis=-1) > 1e-9 * self.weight
        starts, forces, colors = starts[acting], forces[acting], colors[acting].astype(np.uint8)
        if self._arrows is not None:
            self._arrows.visible = bool(len(starts))
        if not len(starts):
            return
        points = np.stack([starts, starts + forces * LENGTH * self.size / self.weight], axis=1).astype(np.float32)
        if self._arrows is None or len(self._arrows.points) != len(points):
            self._arrows = self.scene.add_arrows(
                f"{self.root}/contact/forces", points, colors, shaft_radius=SHAFT * self.size,
                head_radius=HEAD * self.size, head_length=2.2 * HEAD * self.size,
            )  # fmt: skip
        else:
            self._arrows.points, self._arrows.colors = points, colors

    def _draw_cones(self, found: Touching) -> None:
        height = CONE_HEIGHT * self.size
        while len(self._cones) < len(found.positions):
            k = len(self._cones)
            surface = revolved([(0, 0), (height, height)])
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
