"""Ground and light: a floor with lines that fades into the horizon, and two lights, one of which casts shadows."""

from typing import Any

import numpy as np

from ..drawing.stage import pitch

#: colors of floor, lines and horizon by theme; the horizon is the color of viser's page
THEMES = {
    False: ((214, 219, 225), (150, 158, 168), (255, 255, 255)),
    True: ((58, 62, 70), (96, 102, 112), (20, 20, 20)),
}
#: cells from one strong line to the next, and distances of the haze from the camera in sizes of the robot
STRONG, HAZE = 5, (5.0, 22.0)


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
    """The floor, which moves along with the robot."""

    def __init__(self, scene: Any, root: str, size: float, level: float, dark: bool):
        self.scene, self.size, self.level = scene, size, level
        cell, far = pitch(size), 2 * HAZE[1] * size
        self.node = scene.add_grid(
            f"{root}/grid", far, far, cell_size=cell, section_size=STRONG * cell, cell_thickness=0.6,
            section_thickness=1.0, fade_distance=far, plane_opacity=1.0, shadow_opacity=0.25,
        )  # fmt: skip
        self.dark(dark)
        self.move(np.zeros(3))

    def dark(self, wanted: bool) -> None:
        """Apply the colors of a theme."""
        floor, line, horizon = THEMES[wanted]
        self.node.plane_color, self.node.cell_color, self.node.section_color = floor, line, line
        self.scene.configure_fog(HAZE[0] * self.size, HAZE[1] * self.size, color=horizon)

    def move(self, point: np.ndarray) -> None:
        """Bring the middle below a point: to where strong lines cross, so that they seem to stay."""
        step = STRONG * pitch(self.size)
        place = np.append(np.round(point[:2] / step) * step, self.level)
        if (self.node.position != place).any():
            self.node.position = place
