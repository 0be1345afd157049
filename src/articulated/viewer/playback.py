"""Play, pause, scrub and loop a motion, with curves that follow it."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..control.whole_body.history import Tick
from ..drawing.forces import Touching
from ..errors import ArticulatedError
from ..robot.arguments.state_names import component_names, component_units
from ..simulation import Trajectory
from ..simulation.trajectory.animation import pushes_at, touching_at
from ..text import shortened
from . import html
from .page_lock import Turn
from .state import Moment, State

SPEEDS = ("0.1", "0.25", "0.5", "1", "2", "4")
PLOTS = ("positions", "velocities", "torques", "energies", "contact forces")
#: lines in one chart, and samples of each
MOST_LINES, SHOWN = 8, 300


class Playback:
    """A motion and its controls, in the container that is open."""

    def __init__(self, gui: Any, turn: Turn, state: State):
        self.state = state
        self.run: Trajectory | None = None
        self.ticks: Sequence[Tick] = ()
        self.playing = False
        self.t = 0.0
        self._before = time.monotonic()
        self._curves: tuple[list[str], np.ndarray, list[str]] = ([], np.zeros((0, 1)), [])
        self._told: tuple[Any, ...] = (False, 0.0, id(self._curves))
        self._play = gui.add_button("Play", icon="player-play", hint="Space")
        self._time = gui.add_slider("t (s)", min=0.0, max=1.0, step=0.001, initial_value=0.0)
        self.loop = gui.add_checkbox("Loop", False, hint="L")
        self._speed = gui.add_dropdown("Speed", SPEEDS, initial_value="1")
        self._plot = gui.add_dropdown("Curves", PLOTS)
        self._first = gui.add_slider("First curve", min=0, max=1, step=1, initial_value=0, visible=False)
        self._chart = gui.add_uplot(
            (np.zeros(1), np.zeros(1)),
            ({}, {}),
            scales={"x": {"time": False}},
            legend={"show": False},
            aspect=1.7,
            visible=False,
        )
        self._text = gui.add_html(html.block("<p class='dim'>No motion yet: simulate one below.</p>"))
        self._play.on_click(turn.whenever(self.toggle))
        self._time.on_update(turn.by_hand(lambda: self.scrub(self._time.value)))
        self._plot.on_update(turn.whenever(self._draw_curves))
        self._first.on_update(turn.by_hand(self._draw_curves))

    def take(self, run: Trajectory, ticks: Sequence[Tick] = ()) -> None:
        """Play another motion, from its start, with the ticks of its law."""
        self.playing = False
        self.run, self.ticks, self._times = run, ticks, np.array([each.t for each in ticks])
        self._time.min, self._time.max = float(run.t[0]), float(max(run.t[-1], run.t[0] + 1e-3))
        count = run.robot.nv
        self._first.max, self._first.visible = max(1, count - MOST_LINES), count > MOST_LINES
        self._draw_curves()
        self.scrub(float(run.t[0]))

    # -- time ---------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Play or pause; at the end from the start again."""
        if self.run is None:
            return
        if not self.playing and self.t >= self.run.t[-1]:
            self.t = float(self.run.t[0])
        self._before = time.monotonic()
        self.playing = not self.playing

    def scrub(self, t: float) -> None:
        """Show the motion at a time, and stay there."""
        if self.run is not None:
            self.playing = False
            self._show(float(np.clip(t, self.run.t[0], self.run.t[-1])))

    def step(self, count: int) -> None:
        """Move on by so many samples."""
        if self.run is not None:
            k = int(np.clip(self._sample(self.t) + count, 0, len(self.run) - 1))
            self.scrub(float(self.run.t[k]))

    def work(self) -> None:
        """Advance the motion to the present time."""
        now = time.monotonic()
        passed, self._before = now - self._before, now
        if self.run is None or not self.playing:
            return
        t, (start, end) = self.t + passed * float(self._speed.value), self.run.t[[0, -1]]
        if t >= end and self.loop.value and end > start:
            t = start + (t - start) % (end - start)
        elif t >= end:
            t, self.playing = end, False
        self._show(float(t))

    def _sample(self, t: float) -> int:
        assert self.run is not None
        return int(np.clip(np.searchsorted(self.run.t, t + 1e-9, side="right") - 1, 0, len(self.run) - 1))

    def _show(self, t: float) -> None:
        assert self.run is not None
        self.t, k = t, self._sample(t)
        self.state.set(self.run.q[k], self.run.v[k], "motion", k)

    # -- what is drawn and told -----------------------------------------------------------------

    def forces(self, k: int) -> tuple[Touching | None, np.ndarray]:
        """Contacts of its law or of the motion, if it has any, and external forces (n, 2, 3): where, and how strong."""
        assert self.run is not None
        if (tick := self.tick) is None:
            return touching_at(self.run, k), pushes_at(self.run, k)
        asked = Touching(tick.positions, tick.forces, tick.normals, tick.frictions, tick.standing)
        return asked, pushes_at(self.run, k)

    @property
    def tick(self) -> Tick | None:
        """The last tick of the law before the time that is shown."""
        if not self.ticks:
            return None
        return self.ticks[max(0, int(np.searchsorted(self._times, self.t + 1e-9, side="right")) - 1)]

    @property
    def changed(self) -> bool:
        """Whether there is something to tell."""
        return self._told != (self.playing, self.t, id(self._curves))

    def tell(self, moment: Moment) -> None:
        """The slider and the curves follow."""
        if not self.changed or self.run is None:
            return
        self._told = (self.playing, self.t, id(self._curves))
        self._play.label = "Pause" if self.playing else "Play"
        self._play.icon = "player-pause" if self.playing else "player-play"
        self._time.value = round(self.t, 3)
        names, lines, units = self._curves  # another thread may draw others
        if names:
            now = f"<p class='dim' data-t='{self.t!r}'>at {self.t:.3f} s</p>"
            self._text.content = html.block(now, html.legend(names, lines[:, self._sample(self.t)], units))

    def _draw_curves(self) -> None:
        if self.run is None:
            return
        said: object = "no contacts in this motion"
        try:
            names, lines, units = curves(self.run, self._plot.value, int(self._first.value))
        except ArticulatedError as problem:
            names, lines, units, said = [], np.zeros((0, 1)), [], problem
        self._curves, self._chart.visible = (names, lines, units), bool(names)
        if not names:
            self._text.content = html.block(f"<p>{html.name(said, 300)}</p>")
            return
        keep = np.unique(np.linspace(0, len(self.run) - 1, SHOWN).astype(int))
        inks = [{"label": shortened(name, 24), "stroke": html.INKS[k], "width": 1.4} for k, name in enumerate(names)]
        changed = {"data": (self.run.t[keep], *lines[:, keep]), "series": ({"label": "t (s)"}, *inks)}
        # a chart never has more series than data
        for field in sorted(changed, reverse=len(inks) < len(self._chart.series)):
            setattr(self._chart, field, changed[field])


#: curves that are numbers of a state: the letter of the array, and its name in a trajectory
STATES = {"positions": "q", "velocities": "v", "torques": "tau"}


def curves(run: Trajectory, what: str, first: int) -> tuple[list[str], np.ndarray, list[str]]:
    """Names, lines (n, T) and units of what is drawn over time."""
    if what == "energies":
        return ["kinetic", "potential", "total"], np.stack(run.energy), ["J"] * 3
    if what == "contact forces":
        if run.contact is None:
            return [], np.zeros((0, len(run))), []
        names = [f"{name}, normal" for name in run.contact.names[:MOST_LINES]]
        return names, run.contact.normal.T[:MOST_LINES], ["N"] * len(names)
    letter, chosen, model = STATES[what], slice(first, first + MOST_LINES), run.robot.model
    return (
        component_names(model, letter)[chosen], getattr(run, letter).T[chosen], component_units(model, letter)[chosen]
    )  # fmt: skip
