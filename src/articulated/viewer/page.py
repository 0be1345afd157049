"""One robot in the page: its scene, the controls on the right, what can be learned about it on the left."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..control.whole_body.history import Tick
from ..robot import Robot
from ..simulation import Trajectory
from ..text import shortened
from .arrows import NO_PUSHES
from .camera import look_at
from .dragging import Dragging
from .live import Live
from .opening import Opening
from .page_lock import Turn, to_browser
from .panels import PANELS
from .panels.contacts import Feet
from .panels.panel import Panel
from .playback import Playback
from .scene import GHOSTS, LAYERS, Scene
from .simulating import Simulating
from .sliders import Sliders
from .state import Moment, State

if TYPE_CHECKING:
    from .viewer import Viewer

#: pixels
LEFT, RIGHT = 370, 340


#: what a motion is exported as: label → ending of the file
EXPORTS = {"HTML page": ".html", "GIF": ".gif", "MP4": ".mp4", "PNG": ".png"}


class Page:
    """Everything in the page that belongs to one robot."""

    def __init__(self, viewer: "Viewer", robot: Robot, q: np.ndarray | None):
        self.viewer, self.server, self.gui, self.robot = viewer, viewer.server, viewer.server.gui, robot
        self.turn = Turn(self.complain)
        self.state = State(first_pose(robot) if q is None else q, robot.nv)
        self.scene = Scene(self.server, robot, self.state.now.q, viewer.dark, viewer.full)
        self.frame = outermost(robot)
        #: where the height of a floating base is in q
        self._base = next((b.coords.start + 2 for b in robot.model.bodies if b.joint.floats), None)
        if q is None:
            self.stand()
        self.scene.place(self.state.now.q)
        self.reset_view()
        self._said: set[str] = set()
        self.live: Live | None = None
        self._others = np.zeros((0, 1, robot.nq))  # configurations of the ghosts, (n, T, nq)
        self._boxes: dict[str, Any] = {}
        #: callbacks: at every picture, at every new state, and at the rate of the panels
        self.working: list[Callable[[], None]] = []
        self.drawing: list[Callable[[Moment], None]] = [
            lambda moment: self.scene.place(moment.q),
            self._forces,
            self._ghosts,
        ]
        self.telling: list[Callable[[Moment], None]] = []
        self.panels: dict[str, Panel] = {}
        self._learn()
        self._control(self.gui)
        self.drawn = self.told = -1

    # -- left ---------------------------------------------------------------------------------

    def _learn(self) -> None:
        panel = self.gui.add_panel()
        for title, kind in PANELS.items():
            if kind.suits(self.robot):
                with panel.add_tab(title):
                    self.panels[title] = kind(self)
                self.telling.append(self.panels[title].tell)
        panel.dock_left()
        panel.set_width(LEFT)
        panel.expand()  # but not in a narrow page: drawing.js

    @property
    def feet(self) -> Feet:
        """The panel of contacts, whose feet hold the robot."""
        found = self.panels["Contacts"]
        assert isinstance(found, Feet)
        return found

    # -- right --------------------------------------------------------------------------------

    def _control(self, gui: Any) -> None:
        camera = gui.add_button("Reset view", icon="focus-centered", color="gray", hint="H")
        camera.on_click(self.turn.whenever(self.reset_view))
        if self.scene.floats:
            self._follow = gui.add_checkbox("Follow the robot", True, hint="V")
            self._follow.on_update(self.turn.whenever(self._followed))
        tabs = gui.add_tab_group()
        with tabs.add_tab("Joints"):
            self._joints(gui)
        with tabs.add_tab("Motion"):
            self.playback = Playback(gui, self.turn, self.state)
            self.working.append(self.playback.work)
            self.telling.append(self.playback.tell)
            kind = gui.add_dropdown("Export as", tuple(EXPORTS), hint="HTML: one page that plays offline")
            save = gui.add_button("Export", icon="download")
            save.on_click(self.turn.long(lambda event: self._export(event.client, EXPORTS[kind.value], save)))
            if self.robot.nv:
                self.simulating = Simulating(self)
                self.live = Live(self)
                self.working.append(self.live.work)
        with tabs.add_tab("Show"):
            for name in LAYERS:
                self._layer(gui, name)
            opacity = gui.add_slider("Opacity", min=0.1, max=1.0, step=0.05, initial_value=1.0)
            opacity.on_update(
                self.turn.whenever(lambda: self.scene.fade(opacity.value if opacity.value < 1.0 else None))
            )
            box = gui.add_checkbox("Dark mode", self.viewer.dark, hint="D")
            box.on_update(self.turn.whenever(lambda: self._dark(box.value)))
            self._boxes["dark"] = box
        with tabs.add_tab("File"):
            Opening(self)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(RIGHT)
        self._keys(gui)

    def _joints(self, gui: Any) -> None:
        self._pose = gui.add_dropdown(
            "Pose", (OTHER, "neutral", *self.robot.poses, "random"), hint="Move the robot to this pose"
        )
        self._pose.on_update(self.turn.by_hand(lambda: self.go(self._pose.value)))
        self.telling.append(self._name_pose)
        if self._base is not None:
            ground = gui.add_button("Place on ground", icon="arrow-bar-to-down")
            ground.on_click(self.turn.whenever(self.stand))
        self.telling.append(Sliders(self).follow)
        if self.robot.nv:
            with gui.add_folder("Drag"):
                self.dragging = Dragging(self)
            self.working.append(self.dragging.work)
            self.drawing.append(self.dragging.follow)

    @property
    def moves(self) -> bool:
        """Whether the state changes all the time."""
        return self.playback.playing or (self.live is not None and self.live.running)

    def _layer(self, gui: Any, name: str) -> None:
        label, key, first, _ = LAYERS[name]
        box = gui.add_checkbox(label, first, hint=key)
        box.on_update(self.turn.whenever(lambda: self.show(name, box.value)))
        self._boxes[name] = box

    def _keys(self, gui: Any) -> None:
        """Keyboard shortcuts; Ctrl-K lists them."""
        done: dict[str, tuple[str, Callable[[], Any]]] = {
            "space": ("Play or pause", self.playback.toggle),
            "arrowright": ("Next sample", lambda: self.playback.step(1)),
            "arrowleft": ("Previous sample", lambda: self.playback.step(-1)),
            "L": ("Loop", lambda: self._flip(self.playback.loop)),
            "0": ("Neutral pose", lambda: self.go("neutral")),
            "R": ("Random pose", lambda: self.go("random")),
            "H": ("Reset view", self.reset_view),
            "D": ("Toggle dark mode", lambda: self._flip(self._boxes["dark"])),
        }
        if self.robot.nv:
            done["T"] = ("Drag a frame", self.dragging.toggle)
            simulate = self.turn.long(lambda _: self.simulating.run())
            gui.add_command("Simulate from this pose", hotkey="S").on_trigger(simulate)
        if self.scene.floats:
            done["V"] = ("Follow the robot", lambda: self._flip(self._follow))
        for name, layer in LAYERS.items():
            done[layer.key] = (f"Show: {layer.label}", partial(self._flip, self._boxes[name]))
        for key, (label, what) in done.items():
            gui.add_command(label, hotkey=key).on_trigger(self.turn.whenever(what))

    def _flip(self, box: Any) -> None:
        box.value = not box.value

    def _followed(self) -> None:
        self.scene.follows = self._follow.value
        self.again()

    def _dark(self, wanted: bool) -> None:
        self.scene.ground.dark(wanted)
        self.viewer._dark(wanted)

    def _export(self, client: Any, ending: str, button: Any) -> None:
        """Write the file and send it; a film takes its time."""
        with self.turn:
            button.disabled, button.label = True, "Drawing …"
        try:
            self.viewer._download(client, ending)
        finally:
            with self.turn:
                button.disabled, button.label = False, "Export"

    # -- what happens ---------------------------------------------------------------------------

    def show(self, name: str, wanted: bool) -> None:
        """Show or hide a layer."""
        self.scene.show(name, wanted)
        self.again()

    def layers(self) -> list[str]:
        """Layers that are shown."""
        return [name for name in LAYERS if self._boxes[name].value]

    def reset_view(self) -> None:
        """Look at the whole robot, and at the whole motion of one whose base is fixed."""
        look_at(self.server, self.scene, self.state.now.q)

    def _name_pose(self, moment: Moment) -> None:
        """The list of poses says which one is shown."""
        known = {"neutral": self.robot.neutral(), **self.robot.poses}
        found = next((name for name, q in known.items() if self._same(moment.q, q)), OTHER)
        if self._pose.value != found:
            self._pose.value = found

    def _same(self, q: np.ndarray, other: Any) -> bool:
        """Whether two configurations are the same; wherever a floating base is."""
        off = self.robot.difference(other, q)
        return bool(abs(off[6:] if self.scene.floats else off).max(initial=0.0) < 1e-6)

    def go(self, pose: str) -> None:
        """Go to a pose by its name."""
        known = {"neutral": self.robot.neutral, "random": self.robot.random}
        if pose in known or pose in self.robot.poses:
            self.state.set(known[pose]() if pose in known else self.robot.poses[pose], origin="pose")

    def stand(self) -> None:
        """Move a floating base up or down until the lowest point of the robot is at z = 0."""
        if self._base is not None:
            q = self.state.now.q.copy()
            q[self._base] -= self.scene.bounds(q, moving=True)[0][2]
            self.state.set(q, origin="pose")

    def simulated(self, run: Trajectory) -> None:
        """Play a motion that was just computed."""
        self.take(run)
        self.playback.toggle()

    def take(self, run: Trajectory, ticks: Sequence[Tick] = ()) -> None:
        """Play a motion; of a batch the first run, others as ghosts.  The camera sees it all if the base is fixed."""
        if self.live is not None:
            self.live.switch.value = False
        self._others = run.q.reshape(-1, len(run), run.q.shape[-1])[1 : 1 + len(GHOSTS)]
        self.scene.ghosts(len(self._others))
        first = first_of(run)
        self.playback.take(first, ticks)
        if not self.scene.floats:
            every = (first.q[:: max(1, len(first) // 24)], *self._others[:, :: max(1, len(first) // 4)])
            self.scene.motion = [q for each in every for q in each]
            self.reset_view()

    def _ghosts(self, moment: Moment) -> None:
        if moment.sample is not None and len(self._others):
            self.scene.place_ghosts(self._others[:, moment.sample])

    def again(self) -> None:
        """Draw and tell everything once more: something else than the state has changed."""
        self.drawn = self.told = -1

    def _forces(self, moment: Moment) -> None:
        """Contact forces of the motion that is played, or those that hold the robot on the feet that are ticked."""
        if moment.origin == "live" and self.live is not None:
            shown = self.live.touching, self.live.pushes
        elif moment.sample is not None:
            shown = self.playback.forces(moment.sample)
        else:
            shown = self.feet.standing(moment.q), NO_PUSHES
        self.scene.arrows.show(*shown)
        tick = None if moment.sample is None else self.playback.tick
        self.scene.marks([] if tick is None else [*tick.footholds.values()], None if tick is None else tick.wanted)

    def complain(self, problem: object) -> None:
        """Say in the page what went wrong, once."""
        text = shortened(problem, 400)
        if text not in self._said:
            self._said.add(text)
            for client in self.server.get_clients().values():
                with to_browser(client):
                    client.add_notification("articulated", text, color="red")


def first_of(run: Trajectory) -> Trajectory:
    """The first run of a batch."""
    while run.batch.shape:
        run = run.batch[0]
    return run


def outermost(robot: Robot) -> str:
    """The frame people ask for first: the last one on the body with the most joints before it."""
    depth = {name: len(list(f.body.support())) if f.body else 0 for name, f in robot.model.frames.items()}
    most = max(depth.values())
    return [name for name, each in depth.items() if each == most][-1]


def first_pose(robot: Robot) -> np.ndarray:
    """First pose to show: home, or the first one that its files name, or neutral."""
    first = "home" if "home" in robot.poses else next(iter(robot.poses), None)
    return np.array(robot.neutral() if first is None else robot.poses[first], float)


#: the pose has no name
OTHER = "(other)"
