"""Ground and light: a floor with lines that fades into the horizon, and two lights, one of which casts shadows."""

from typing import Any

import numpy as np

from ..drawing.stage import pitch

#: cells from the middle to the end of the weak lines, and from one strong line to the next
NEAR, STRONG = 15, 5
#: colors of floor, lines and horizon by theme; the horizon is the color of viser's page
THEMES = {
    False: ((214, 219, 225), (150, 158, 168), (255, 255, 255)),
    True: ((58, 62, 70), (96, 102, 112), (20, 20, 20)),
}
#: distances of the haze from the camera, and height of the lines above the floor, in sizes of the robot
HAZE, ABOVE = (5.0, 22.0), 0.002


def lights(scene: Any) -> None:
    """The sky, and a lamp over the left shoulder of who looks at the robot; it casts the shadow.

    An environment map, which viser uses unless told otherwise, costs more than all the rest and shows no more.
    """
    scene.configure_environment_map(None)
    scene.configure_default_lights(False)
    scene.add_light_directional("/light/lamp", intensity=2.0, position=(1.0, 1.2, 2.4), cast_shadow=True)
    scene.add_light_hemisphere(
        "/light/sky", sky_color=(255, 255, 255), ground_color=(120, 122, 128), intensity=2.2, position=(0.0, 0.0, 1.0)
    )


class Ground:
    """Nodes of the floor, which move along with the robot."""

    def __init__(self, scene: Any, root: str, size: float, level: float, dark: bool):
        self.scene, self.size, self.level = scene, size, level
        cell = pitch(size)
        far = STRONG * int(HAZE[1] * size / cell / STRONG)  # cells: beyond the haze, so that no rim is seen
        strong, weak = np.arange(-far, far + 1, STRONG), np.arange(-NEAR, NEAR + 1)
        turn = np.linspace(0, 2 * np.pi, 65)[:-1]
        rim = far * cell * np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
        disc = np.concatenate([np.zeros((1, 3)), rim]), [[0, k + 1, (k + 1) % 64 + 1] for k in range(64)]
        self._disc = self._mesh(f"{root}/grid/floor", *disc, receive_shadow=True)
        # thin triangles: lines of one pixel cost as much again as the robot where no graphics card helps
        drawn = [("strong", strong, far, 0.006), ("weak", weak[weak % STRONG != 0], NEAR, 0.004)]
        self._lines = [
            self._mesh(f"{root}/grid/{name}", *lines(at * cell, end * cell, width * size), receive_shadow=False)
            for name, at, end, width in drawn
        ]
        self.nodes = [self._disc, *self._lines]
        self.dark(dark)
        self.move(np.zeros(3))

    def _mesh(self, name: str, vertices: Any, faces: Any, receive_shadow: bool) -> Any:
        corners, triangles = np.asarray(vertices, np.float32), np.asarray(faces, np.uint32)
        return self.scene.add_mesh_simple(name, corners, triangles, cast_shadow=False, receive_shadow=receive_shadow)

    def dark(self, wanted: bool) -> None:
        """In the colors of a theme."""
        floor, line, horizon = THEMES[wanted]
        self._disc.color = floor
        for node in self._lines:
            node.color = line
        self.scene.configure_fog(HAZE[0] * self.size, HAZE[1] * self.size, color=horizon)

    def move(self, point: np.ndarray) -> None:
        """Bring the middle below a point: to where strong lines cross, so that they seem to stay."""
        step = STRONG * pitch(self.size)
        middle = np.append(np.round(point[:2] / step) * step, self.level)
        for node in self.nodes:
            place = middle - np.array([0, 0, ABOVE * self.size * (node is self._disc)])
            if (node.position != place).any():
                node.position = place


def lines(at: np.ndarray, end: float, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and faces of stripes along x and along y, at these distances from the axis, within a circle."""
    half = np.sqrt(np.maximum(end**2 - at**2, 0.0))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    along_x = corners * np.stack([half, np.full_like(half, width / 2)], axis=-1)[:, None]
    along_x = along_x + np.stack([0 * at, at], axis=-1)[:, None]
    along_y = along_x[..., ::-1] * [-1, 1]
    flat = np.concatenate([along_x, along_y]).reshape(-1, 2)
    faces = 4 * np.arange(2 * len(at))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return np.column_stack([flat, np.zeros(len(flat))]), faces.reshape(-1, 3)
