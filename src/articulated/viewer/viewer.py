"""A robot in a page of the browser."""

import atexit
import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..drawing.film import FORMATS
from ..errors import ShapeError
from ..housekeeping import whole_file
from ..inputs.choices import file_path
from ..robot import Robot
from ..robot.numeric import numbers
from ..simulation import Trajectory
from ..simulation.trajectory.animation import film
from ..text import shortened
from .camera import framed
from .export import html_of
from .page import Page, first_of
from .page_lock import Gone, to_browser
from .scene import Scene
from .server import guarded_server, stop

#: frames and updates of the panels per second
PICTURES, PANELS = 30, 8
#: s, in which a browser hears that its file arrived
SOON = 1.0


class Viewer:
    """A page that shows a robot; made by `art.view`.  It is there until `stop`, or as long as the program runs.

    Parameters
    ----------
    robot : a Robot
    q : the configuration that is shown first, (nq,); none: its pose "home", its first named pose or neutral
    run : a Trajectory of it, to be played, or None
    port : of the page; None: the first free one from 8080 on
    dark : True: light on dark
    full : True: meshes are drawn with every triangle of their files
    ticks : of a whole-body law along the run

    Returns
    -------
    the page: url, robot, q, trajectory, open, play, pause, export, wait, stop

    Examples
    --------
    >>> import articulated as art
    >>> with art.view("2r", quiet=True) as page:
    ...     page.robot.name
    '2r'
    """

    def __init__(
        self,
        robot: Robot,
        q: np.ndarray | None,
        run: Trajectory | None,
        port: int | None,
        dark: bool,
        full: bool = False,
        ticks: Any = (),
    ):
        self.full = full
        self._token = secrets.token_urlsafe(24)
        self.server = guarded_server(port, shortened(robot.name, 40), self._token)
        self._stopped = threading.Event()
        self._speaking = threading.Lock()  # held while a robot is opened or panels are told
        self._clocks: list[threading.Thread] = []
        atexit.register(self.stop)
        try:
            self._dark(dark)
            self.page = Page(self, robot, q)
        except BaseException:
            self.stop()
            raise
        self.server.on_client_connect(lambda client: framed(self.server, client, self._shown))
        if run is not None:
            self.page.take(run, ticks)
        clocks = ((PICTURES, self._draw), (PANELS, self._tell))
        self._clocks = [threading.Thread(target=self._often, args=clock, daemon=True) for clock in clocks]
        for clock in self._clocks:
            clock.start()

    def _shown(self) -> tuple[Scene, np.ndarray]:
        return self.page.scene, self.q

    def _open_soon(self, robot: Robot) -> None:
        """Open a robot once the browser knows that its file arrived: the button that sent it goes with the old page."""
        self._stopped.wait(SOON)
        self.open(robot)

    @property
    def url(self) -> str:
        """Address of the page, on this machine or at the end of `ssh -L`; the token in it keeps other users out."""
        return f"http://localhost:{self.server.get_port()}/{self._token}"

    @property
    def robot(self) -> Robot:
        """The robot that is shown."""
        return self.page.robot

    @property
    def q(self) -> np.ndarray:
        """The configuration that is shown; set it to show another, which stops a motion."""
        return self.page.state.now.q.copy()

    @q.setter
    def q(self, q: Any) -> None:
        wanted = configuration(self.robot, q)
        with self.page.turn:
            self.page.playback.playing = False
            self.page.state.set(wanted)

    @property
    def trajectory(self) -> Trajectory | None:
        """The motion that is played."""
        return self.page.playback.run

    def open(self, robot: Robot, trajectory: Trajectory | None = None, q: Any = None) -> None:
        """Show another robot in the same page, or a motion of it, as `art.view` does.

        Parameters
        ----------
        robot : a Robot
        trajectory : a Trajectory of the robot, or None
        q : the configuration that is shown first, (nq,)

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> page.open(art.load("panda"))
        >>> page.robot.name
        'panda'
        >>> page.stop()
        """
        require_numbers(robot)
        run = None if trajectory is None else motion(robot, trajectory)
        start = None if q is None else configuration(robot, q)
        with self._speaking, self.page.turn, self.server.atomic():
            self.page.turn.end()
            self.server.gui.reset()
            self.page.scene.remove()
            self.server.gui.set_panel_label(shortened(robot.name, 40))
            self._dark(self.dark)
            self.page = Page(self, robot, start if run is None else first_of(run).q[0])
            if run is not None:
                self.page.take(run)

    def play(self, trajectory: Trajectory | None = None) -> None:
        """Play a motion of this robot, or the one that is there, from where it stopped.

        Parameters
        ----------
        trajectory : a Trajectory of the robot, or None

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> run = art.simulate(page.robot, [0.5, 0.0], duration=0.5)
        >>> page.play(run)
        >>> page.trajectory is run
        True
        >>> page.stop()
        """
        with self._speaking, self.page.turn:  # no other robot is opened meanwhile
            playback = self.page.playback
            if trajectory is not None:
                self.page.take(motion(self.robot, trajectory))
            if not playback.playing:
                playback.toggle()

    def pause(self) -> None:
        """Stop where it is.

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> run = art.simulate(page.robot, [0.5, 0.0], duration=0.5)
        >>> page.play(run)
        >>> page.pause()
        >>> page.stop()
        """
        if self.page.playback.playing:
            self.page.playback.toggle()

    def export(self, path: str | Path) -> None:
        """Write the motion (or the pose) that is shown as one HTML file that plays offline, or as GIF, MP4 or PNG.

        Parameters
        ----------
        path : of the file, *.html; or *.gif, *.mp4, *.png, as `run.animate` draws them

        Returns
        -------
        nothing; the file is written whole or not at all

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page.export(pathlib.Path(folder) / "2r.html")
        ...     (pathlib.Path(folder) / "2r.html").stat().st_size > 0
        True
        >>> page.stop()
        """
        where = file_path("export", path)
        ending = where.suffix.lower()
        made = self._file(ending if ending in FORMATS else ".html")
        with whole_file(where, "wb") as file:
            file.write(made)

    def _motion(self) -> Trajectory:
        if self.trajectory is not None:
            return self.trajectory
        rest = [np.zeros(self.robot.nv)]
        return Trajectory(self.robot, [0.0], [self.q], rest, rest, rest)

    def _download(self, client: Any, ending: str) -> None:
        """Send the motion to a browser, as a file with this ending."""
        made = self._file(ending)
        with to_browser(client):
            client.send_file_download(f"{plain_name(self.robot.name)}{ending}", made)

    def _file(self, ending: str) -> bytes:
        """The motion as a page, or as a film of it."""
        if ending == ".html":
            return html_of(self._motion(), self.page.layers(), self.dark, self.full).encode()
        return film(self._motion(), ending, dark=self.dark, meshes="full" if self.full else "light", progress=False)

    def stop(self) -> None:
        """Close the page.

        Returns
        -------
        nothing; a second call does nothing

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> page.stop()
        >>> page.stop()
        """
        if not self._stopped.is_set():
            self._stopped.set()
            atexit.unregister(self.stop)
            for clock in self._clocks:
                if clock is not threading.current_thread():
                    clock.join(timeout=5.0)
            stop(self.server)

    def wait(self) -> None:
        """Show the page until Ctrl-C, or until `stop` is called by another thread.

        Returns
        -------
        nothing

        Examples
        --------
        >>> import articulated as art
        >>> page = art.view("2r", quiet=True)
        >>> import threading
        >>> threading.Timer(0.1, page.stop).start()
        >>> page.wait()
        """
        try:
            while not self._stopped.wait(0.2):
                pass
        except KeyboardInterrupt:
            self.stop()

    def __enter__(self) -> "Viewer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        where = "stopped" if self._stopped.is_set() else f"at {self.url}"
        return f"<Viewer of {shortened(self.robot.name)} {where}>"

    def _repr_html_(self) -> str:
        """The page itself, for a notebook."""
        return f'<iframe src="{self.url}" width="100%" height="560" style="border:0" title="articulated"></iframe>'

    def _dark(self, wanted: bool) -> None:
        """Show the dark theme, or the light one."""
        self.dark = wanted
        self.server.gui.configure_theme(dark_mode=wanted, show_logo=False, show_share_button=False)

    # -- the two clocks -----------------------------------------------------------------------

    def _often(self, rate: float, what: Callable[[], None]) -> None:
        """Call it so many times a second, until the page is closed; what goes wrong is said in the page."""
        due = time.monotonic()
        while not self._stopped.is_set():
            try:
                what()
            except Gone:
                pass  # the next time it is the new page
            except Exception as problem:  # the page lives on
                self.page.complain(problem)
            due = max(due + 1 / rate, time.monotonic())
            self._stopped.wait(max(0.0, due - time.monotonic()))

    def _draw(self) -> None:
        page = self.page
        with page.turn:
            for work in page.working:
                work()
            moment = page.state.now
            if page.drawn != moment.serial:
                page.drawn = moment.serial
                with self.server.atomic():
                    for draw in page.drawing:
                        draw(moment)

    def _tell(self) -> None:
        with self._speaking:  # not to panels that are gone
            page = self.page
            moment = page.state.now
            if not self.server.get_clients():
                page.told = -1  # told again to the next browser
            elif page.told != moment.serial or page.playback.changed:
                page.told = moment.serial
                for tell in page.telling:
                    tell(moment)


# -- what is asked for, checked ---------------------------------------------------------------


def plain_name(name: str) -> str:
    """File name of a robot, without special characters."""
    return re.sub(r"[^\w.-]+", "_", name)[:60].strip("._") or "robot"


def motion(robot: Robot, run: Any) -> Trajectory:
    """A trajectory of this robot; refuses what is none."""
    if not isinstance(run, Trajectory):
        raise ShapeError(f"view: trajectory is an art.Trajectory, as from art.simulate; got {shortened(repr(run))}")
    if run.robot is not robot and (run.robot.nv, run.robot.joint_names) != (robot.nv, robot.joint_names):
        raise ShapeError(
            f"view: the trajectory is of {run.robot.name!r} with the joints {shortened(run.robot.joint_names)}, "
            f"the robot is {robot.name!r} with {shortened(robot.joint_names)}"
        )
    return run


def require_numbers(robot: Any) -> None:
    """Refuse what is no robot, and one of symbols: nothing can be drawn of it."""
    if not isinstance(robot, Robot):
        raise ShapeError(f"view: robot is a Robot, a Trajectory or what art.load takes; got {shortened(repr(robot))}")
    numbers(robot.model, robot.model.gravity)
    for b in robot.model.bodies:
        inertia = b.inertia
        numbers(robot.model, [*b.placement.R.flat, *b.placement.p, inertia.mass, *inertia.first, *inertia.second.flat])


def configuration(robot: Robot, q: Any) -> np.ndarray:
    """One configuration of the robot as floats; refuses what is none."""
    try:
        x = np.array(q, float)
    except (TypeError, ValueError):
        x = np.zeros(())
    if x.shape != (robot.nq,) or not np.isfinite(x).all():
        raise ShapeError(f"view: q of {robot.name} is {robot.nq} finite numbers; got {shortened(repr(q))}")
    return x
