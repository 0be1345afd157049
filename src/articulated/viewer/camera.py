"""Camera of the page: place, direction and angle of view."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from ..drawing.camera import standpoint
from .page_lock import to_browser
from .scene import Scene, Seen

#: vertical field of view, rad
ANGLE = np.radians(42.0)
#: share of the distance by which a camera is moved on purpose, and how many places it was told are remembered
STIRRED, TOLD = 1e-3, 8


def look_at(server: Any, scene: Scene, q: np.ndarray) -> None:
    """Look at the whole robot, here and in every browser that connects."""
    low, high = scene.view(q)
    clients = server.get_clients().values()
    # browsers that are there take it, too, in whatever order they hear of it
    aspect = min((client.camera.aspect for client in clients), default=1.0)
    place = standpoint(corners(low, high), ANGLE, aspect)
    server.initial_camera.fov = ANGLE
    server.initial_camera.look_at, server.initial_camera.position = (low + high) / 2, place
    for client in clients:
        look(client, scene, q, place)


def look(client: Any, scene: Scene, q: np.ndarray, *others: np.ndarray) -> None:
    """Look at the whole robot in one browser, whose picture may be narrow; `others`: where it may be meanwhile."""
    low, high = scene.view(q)
    camera = client.camera
    place = standpoint(corners(low, high), ANGLE, camera.aspect)
    with to_browser(client):
        camera.fov = ANGLE
        camera.position, camera.look_at = place, (low + high) / 2
    before = scene.seen[client.client_id].places if client.client_id in scene.seen else []
    scene.seen[client.client_id] = Seen(camera.aspect, [*before[-TOLD:], *others, place])


def framed(server: Any, client: Any, shown: Callable[[], tuple[Scene, np.ndarray]]) -> None:
    """Keep the whole robot in view while the window is resized, until the user moves the camera.

    A camera that is where it was once told to be is not the user's: the panels take their places, and a window its
    size, after the browser has connected, and a slow browser reports where it was before.
    """

    def changed(camera: Any) -> None:
        scene, q = shown()
        seen = scene.seen.get(client.client_id)
        if seen is None:
            return
        far = np.linalg.norm(camera.position - camera.look_at)
        there = np.linalg.norm(camera.position - np.array(seen.places), axis=1) < STIRRED * far
        if there.any() and (camera.aspect != seen.aspect or not there[-1]):
            look(client, scene, q)

    look(client, *shown(), np.array(client.camera.position, float), server.initial_camera.position)
    client.camera.on_update(changed)


def corners(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Corners of a box, (8, 3)."""
    return np.array(list(product(*zip(low, high, strict=True))))
