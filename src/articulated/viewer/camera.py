"""Where the page is looked at from."""

from collections.abc import Callable
from itertools import product
from time import monotonic
from typing import Any

import numpy as np

from ..drawing.camera import standpoint
from .page_lock import to_browser
from .scene import Scene, Seen

#: of view, rad
ANGLE = np.radians(42.0)
#: share of the distance by which a camera is moved on purpose
STIRRED = 1e-3
#: s in which a browser comes to where it was told to look from, and in which its panels have taken their places
SETTLED, ARRANGED = 1.5, 8.0


def look_at(server: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot, here and in every browser that connects."""
    low, high = scene.view(q)
    clients = server.get_clients().values()
    # browsers that are there take it, too, in whatever order they hear of it
    aspect = min((client.camera.aspect for client in clients), default=1.0)
    server.initial_camera.fov = ANGLE
    server.initial_camera.look_at = (low + high) / 2
    server.initial_camera.position = standpoint(corners(low, high), ANGLE, aspect)
    for client in clients:
        look(client, scene, q)


def look(client: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot in one browser, whose picture may be narrow."""
    low, high = scene.view(q)
    camera = client.camera
    with to_browser(client):
        camera.fov = ANGLE
        camera.position, camera.look_at = standpoint(corners(low, high), ANGLE, camera.aspect), (low + high) / 2
    scene.seen[client.client_id] = Seen(camera.aspect, np.array(camera.position, float), monotonic())


def framed(client: Any, shown: Callable[[], tuple[Scene, np.ndarray]]) -> None:
    """Keep the whole robot in view while the window is resized, until the user moves the camera.

    The panels take their places, and a window its size, after the browser has connected.
    """

    began = monotonic()

    def changed(camera: Any) -> None:
        scene, q = shown()
        seen = scene.seen.get(client.client_id)
        if seen is None:
            return
        far = np.linalg.norm(camera.position - camera.look_at)
        there = np.linalg.norm(camera.position - seen.place) < STIRRED * far
        if camera.aspect != seen.aspect and (there or monotonic() < began + ARRANGED):
            look(client, scene, q)
        elif not there and monotonic() < seen.when + SETTLED:  # viser brought it elsewhere when the scene began anew
            look(client, scene, q)
            scene.seen[client.client_id] = scene.seen[client.client_id]._replace(when=seen.when)

    look(client, *shown())
    client.camera.on_update(changed)


def corners(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Corners of a box, (8, 3)."""
    return np.array(list(product(*zip(low, high, strict=True))))
