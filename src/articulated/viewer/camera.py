"""Where the page is looked at from."""

from typing import Any

import numpy as np

from .scene import Scene

#: from the front, from the left and from above
FROM = np.array([0.72, 0.6, 0.3])


def look_at(server: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot, here and in every browser that connects."""
    low, high = scene.bounds(q)
    middle, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)), 0.2)
    server.initial_camera.position = middle + reach * FROM
    server.initial_camera.look_at = middle
    for client in server.get_clients().values():
        client.camera.position, client.camera.look_at = middle + reach * FROM, middle
