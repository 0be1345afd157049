"""Ground and light: grid lines, the robot's shadow, and two lights."""

from typing import Any

import numpy as np

from .solids import Surface

#: cells from the middle to the end of the strong lines and of the others, and how many are between strong lines
FAR, NEAR, STRONG = 20, 10, 5
#: on white and on black
COLOR = (128, 134, 142)


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


def ground(scene: Any, root: str, size: float) -> list[Any]:
    """Lines on z = 0, and a plane on which only shadows are seen: nodes to be moved along with the robot.

    The lines are thin triangles: a program for every pixel of the ground, or lines of one pixel, cost as much again
    as the robot where no graphics card helps.
    """
    cell = pitch(size)
    strong, weak = np.arange(-FAR, FAR + 1, STRONG), np.arange(-NEAR, NEAR + 1)
    drawn = [("strong", strong, FAR, 0.005, 0.7), ("weak", weak[weak % STRONG != 0], NEAR, 0.0035, 0.5)]
    nodes = []
    for name, at, end, width, opacity in drawn:
        surface = lines(at * cell, end * cell, width * size)
        nodes.append(
            scene.add_mesh_simple(
                f"{root}/grid/{name}", surface.vertices.astype(np.float32), surface.faces.astype(np.uint32),
                color=COLOR, opacity=opacity, cast_shadow=False, receive_shadow=False,
            )
        )  # fmt: skip
    shadow = scene.add_grid(
        f"{root}/grid/shadow", width=2 * NEAR * cell, height=2 * NEAR * cell, cell_thickness=0.0, section_thickness=0.0,
        fade_distance=2 * FAR * cell, shadow_opacity=0.2,
    )  # fmt: skip
    return [*nodes, shadow]


def pitch(size: float) -> float:
    """Between two lines, m: a third of the robot's size at most, as 1, 2 or 5 times a power of ten."""
    power = 10 ** np.floor(np.log10(size / 3))
    return float(power * max(x for x in (1, 2, 5) if x * power <= size / 3 * (1 + 1e-9)))


def beneath(point: np.ndarray, size: float) -> np.ndarray:
    """Where the middle of the lines is for a robot at a point: where strong lines cross, so that they seem to stay."""
    step = STRONG * pitch(size)
    return np.append(np.round(point[:2] / step) * step, 0.0)


def lines(at: np.ndarray, end: float, width: float) -> Surface:
    """Stripes along x and along y, at these distances from the axis, seen from above."""
    corners = np.array([[-end, -width / 2], [end, -width / 2], [end, width / 2], [-end, width / 2]])
    along_x = corners + np.stack([0 * at, at], axis=-1)[:, None]
    along_y = along_x[..., ::-1] * [-1, 1]
    flat = np.concatenate([along_x, along_y]).reshape(-1, 2)
    faces = 4 * np.arange(2 * len(at))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return Surface(np.column_stack([flat, np.zeros(len(flat))]), faces.reshape(-1, 3))
