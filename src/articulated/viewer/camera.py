"""Where the page is looked at from."""

from collections.abc import Callable
from itertools import product
from math import tan
from time import monotonic
from typing import Any

import numpy as np

from .page_lock import to_browser
from .scene import Scene, Seen

#: from the front, from the left and from above
FROM = np.array([0.72, 0.6, 0.3]) / np.linalg.norm([0.72, 0.6, 0.3])
#: share of half the picture's height and width that the robot may fill, and viser's angle of view, rad
FILLED, ANGLE = 0.85, np.radians(75.0)
#: share of the distance by which a camera is moved on purpose
STIRRED = 1e-3
#: s in which a browser comes to where it was told to look from
SETTLED = 1.5


def look_at(server: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot, here and in every browser that connects."""
    low, high = scene.bounds(q)
    clients = server.get_clients().values()
    # browsers that are there take it, too, in whatever order they hear of it
    aspect = min((client.camera.aspect for client in clients), default=1.0)
    server.initial_camera.look_at = (low + high) / 2
    server.initial_camera.position = standpoint(low, high, ANGLE, aspect)
    for client in clients:
        look(client, scene, q)


def look(client: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot in one browser, whose picture may be narrow."""
    low, high = scene.bounds(q)
    camera = client.camera
    with to_browser(client):
        camera.position, camera.look_at = standpoint(low, high, camera.fov, camera.aspect), (low + high) / 2
    scene.seen[client.client_id] = Seen(camera.aspect, np.array(camera.position, float), monotonic())


def framed(client: Any, shown: Callable[[], tuple[Scene, np.ndarray]]) -> None:
    """Keep the whole robot in view while the window is resized, until the user moves the camera.

    The panels take their places, and a window its size, after the browser has connected.
    """

    def changed(camera: Any) -> None:
        scene, q = shown()
        seen = scene.seen.get(client.client_id)
        if seen is None:
            return
        far = np.linalg.norm(camera.position - camera.look_at)
        there = np.linalg.norm(camera.position - seen.place) < STIRRED * far
        if camera.aspect != seen.aspect and (there or monotonic() < seen.when + SETTLED):
            look(client, scene, q)
        elif not there and monotonic() < seen.when + SETTLED:  # viser brought it elsewhere when the scene began anew
            look(client, scene, q)
            scene.seen[client.client_id] = scene.seen[client.client_id]._replace(when=seen.when)

    look(client, *shown())
    client.camera.on_update(changed)


def standpoint(low: np.ndarray, high: np.ndarray, angle: float, aspect: float) -> np.ndarray:
    """From where a box is just seen whole, by a camera with this vertical angle of view and width over height."""
    middle, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)), 0.2)
    right = np.cross([0.0, 0.0, 1.0], FROM)
    right /= np.linalg.norm(right)
    up = np.cross(FROM, right)
    corners = np.array(list(product(*zip(low, high, strict=True)))) - middle
    half = FILLED * tan(angle / 2)
    needed = corners @ FROM + np.maximum(abs(corners @ right) / (half * min(aspect, 4.0)), abs(corners @ up) / half)
    return middle + max(float(needed.max()), 0.7 * reach) * FROM
