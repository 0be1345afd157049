"""`art.view`."""

import os
import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..errors import ShapeError
from ..inputs.choices import choose, flag, whole_number
from ..robot.construction import load
from ..simulation import Scene, Trajectory
from ..simulation.trajectory.plots.law_ticks import ticks_of
from ..text import shortened
from .page import first_of
from .viewer import Viewer, configuration, motion, require_numbers

PORTS = 65535


def view(
    robot: Any,
    trajectory: Trajectory | None = None,
    *,
    q: Any = None,
    port: int | None = None,
    dark: bool = False,
    meshes: Literal["light", "full"] = "light",
    quiet: bool = False,
    law: Any = None,
) -> Viewer:
    """Show a robot, or a motion of it, in a page of the browser; needs viser (`pip install 'articulated[view]'`).

    The page is served on this machine only, answers to itself only, and loads nothing from elsewhere.  Its address is
    printed; over SSH, forward it: `ssh -L 8080:localhost:8080 host`.  In a notebook the result shows the page.

    Parameters
    ----------
    robot : a Robot, a Scene, a Trajectory, or whatever `load` takes
    trajectory : a motion of this robot, to be played; of a batch the first run, and up to six others as ghosts
    q : the configuration that is shown first, (nq,); without it the start of a Scene, the pose "home", the first
        named pose or neutral, on the ground
    port : of the page; the first free one from 8080 on without it
    dark : True: light on dark
    meshes : "light": large mesh files with fewer triangles; "full": as they are
    quiet : True: the address is not printed
    law : of a motion, the controller after `record()`, or its `ticks`: forces, center of mass and footholds of each
        tick are drawn, and the panel Contacts tells what held it back

    Returns
    -------
    Viewer with url, q (set it to move the robot), play, pause, open, export (one HTML file that plays offline, or a
    film), wait (until Ctrl-C: the last line of a script) and stop; also a context manager

    Examples
    --------
    >>> import articulated as art
    >>> with art.view(art.load("2r"), q=[0.3, 0.4], quiet=True) as page:
    ...     page.q = [0.5, 0.4]
    ...     page.q.tolist()
    [0.5, 0.4]
    """
    if isinstance(robot, Trajectory):
        if trajectory is not None:
            raise ShapeError("view: robot is a trajectory already; give one trajectory")
        robot, trajectory = robot.robot, robot
    elif isinstance(robot, (str, bytes, Path)):
        robot = load(robot)
    require_numbers(robot)
    q = robot.poses["start"] if isinstance(robot, Scene) and q is None and trajectory is None else q
    run = None if trajectory is None else motion(robot, trajectory)
    start = configuration(robot, q) if q is not None else None if run is None else np.array(first_of(run).q[0])
    place = None if port is None else whole_number("view: port", port, 1)
    if place is not None and place > PORTS:
        raise ShapeError(f"view: port is a number from 1 to {PORTS}; got {place}")
    dark, quiet = flag("view: dark", dark), flag("view: quiet", quiet)
    if law is not None and run is None:
        raise ShapeError("view: law goes with a motion: art.view(run, law=controller)")
    ticks = [] if law is None else ticks_of("view", law)
    page = Viewer(robot, start, run, place, dark, choose("view", "meshes", meshes, ("light", "full")) == "full", ticks)
    if not quiet:
        print(announcement(page), file=sys.stderr)
    return page


def announcement(page: Viewer) -> str:
    """Address of the page, and how to reach it from elsewhere."""
    number = page.server.get_port()
    far = f" (from your own machine: ssh -L {number}:localhost:{number} HOST)" if "SSH_CONNECTION" in os.environ else ""
    return f"{shortened(page.robot.name)}: {page.url}{far}"
