"""A motion as one HTML file that plays without a network, a server or an installation."""

import secrets
from collections.abc import Iterable
from html import escape

import numpy as np

from ..simulation import Trajectory
from ..simulation.trajectory.animation import pushes_at, touching_at
from ..text import shortened
from .camera import look_at
from .drawing import with_program
from .scene import Scene
from .server import guarded_server, stop

PICTURES = 30  # a second
#: pictures beyond which a file would be too large for a browser
MOST = 20_000


def html_of(run: Trajectory, layers: Iterable[str] = (), dark: bool = False, full: bool = False) -> str:
    """The page that plays the motion."""
    server = guarded_server(0, shortened(run.robot.name, 40), secrets.token_urlsafe())
    try:
        scene = Scene(server, run.robot, run.q[0], dark, full)
        for name in layers:
            scene.show(name, True)
        look_at(server, scene, run.q[0])
        count = min(MOST, max(1, int(run.duration * PICTURES) + 1))
        samples = np.clip(np.searchsorted(run.t, np.linspace(run.t[0], run.t[-1], count)), 0, len(run) - 1)
        scene.place(run.q[0])
        recording = server.get_scene_serializer()
        for k in samples:
            scene.place(run.q[k])
            scene.arrows.show(touching_at(run, k), pushes_at(run, k))
            recording.insert_sleep(1 / PICTURES)
        page = recording.as_html(dark_mode=dark)
    finally:
        stop(server)
    title = f"{shortened(run.robot.name, 60)}, {run.duration:.3g} s"
    start, end = page.index("<title>"), page.index("</title>")
    return with_program(f"{page[:start]}<title>{escape(title)}{page[end:]}")
