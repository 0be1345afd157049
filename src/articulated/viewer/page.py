"""One robot in the page: its scene, the controls on the right, what can be learnt about it on the left."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..robot import Robot
from ..simulation import Trajectory
from ..text import shortened
from .arrows import Arrows
from .camera import look_at
from .dragging import Dragging
from .opening import Opening
from .page_lock import Turn, to_browser
from .panels import PANELS
from .panels.contacts import Feet
from .panels.panel import Panel, Place
from .playback import Playback
from .scene import FIRST, LAYERS, Scene
from .simulating import Simulating
from .sliders import Sliders
from .state import Moment, State

#: pixels
LEFT, RIGHT = 370, 340


class Asked(NamedTuple):
    """Requests of a page to the viewer that shows it."""

    opened: Callable[[Robot], Any]
    export: Callable[[Any], None]
    dark: Callable[[bool], None]


class Page:
    """Everything in the page that belongs to one robot."""

    def __init__(self, server: Any, robot: Robot, q: np.ndarray | None, asked: Asked, dark: bool):
        self.server, self.robot, self.asked = server, robot, asked
        self.turn = Turn(self.complain)
        self.scene = Scene(server, robot)
        self.state = State(first_pose(robot) if q is None else q, robot.nv)
        weight = robot.mass * float(np.linalg.norm(robot.gravity))
        self.arrows = Arrows(self.scene, weight)
        self.frame = outermost(robot)
        #: where the height of a floating base is in q
        self._base = next((b.coords.start + 2 for b in robot.model.bodies if b.joint.floats), None)
        if q is None:
            self.stand()
        self.scene.place(self.state.now.q)
        look_at(server, self.scene, self.state.now.q)
        self._said: set[str] = set()
        self._boxes: dict[str, Any] = {}
        #: callbacks: at every picture, at every new state, and at the rate of the panels
        self.working: list[Callable[[], None]] = []
        self.drawing: list[Callable[[Moment], None]] = [lambda moment: self.scene.place(moment.q), self._forces]
        self.telling: list[Callable[[Moment], None]] = []
        self.panels: dict[str, Panel] = {}
        self._learn(server.gui)
        self._control(server.gui, dark)
        self.drawn = self.told = -1

    # -- left ---------------------------------------------------------------------------------

    def _learn(self, gui: Any) -> None:
        panel = gui.add_panel()
        place = Place(gui, self.turn, self.robot, self.frame, self.again)
        for title, kind in PANELS.items():
            if kind.suits(self.robot):
                with panel.add_tab(title):
                    self.panels[title] = kind(place)
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

    def _control(self, gui: Any, dark: bool) -> None:
        tabs = gui.add_tab_group()
        with tabs.add_tab("Joints"):
            self._joints(gui)
        with tabs.add_tab("Motion"):
            self.playback = Playback(gui, self.turn, self.state)
            self.working.append(self.playback.work)
            self.telling.append(self.playback.tell)
            save = gui.add_button("Export as HTML", icon="download", hint="One file that plays offline")
            save.on_click(self.turn.long(lambda event: self.asked.export(event.client)))
            if self.robot.nv:
                self.simulating = Simulating(
                    gui, self.turn, self.robot, self.state, self.feet, self.frame, self.simulated
                )
        with tabs.add_tab("Show"):
            for name, label in {**LAYERS, "forces": "Contact forces and cones"}.items():
                self._layer(gui, name, label)
            box = gui.add_checkbox("Dark mode", dark, hint="D")
            box.on_update(self.turn.whenever(lambda: self.asked.dark(box.value)))
            self._boxes["dark"] = box
        with tabs.add_tab("File"):
            Opening(gui, self.turn, self.robot, self.scene.looks.notes, self.asked.opened)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(RIGHT)
        self._keys(gui)

    def _joints(self, gui: Any) -> None:
        pose = gui.add_dropdown(
            "Pose", ("…", "neutral", *self.robot.poses, "random"), hint="Move the robot to this pose"
        )
        pose.on_update(self.turn.by_hand(lambda: self.go(pose.value)))
        if self._base is not None:
            ground = gui.add_button("Place on ground", icon="arrow-bar-to-down")
            ground.on_click(self.turn.whenever(self.stand))
        playing = lambda: self.playback.playing  # noqa: E731 (it comes later)
        self.telling.append(Sliders(gui, self.turn, self.robot, self.state, self.scene.size, playing).follow)
        if self.robot.nv:
            with gui.add_folder("Drag"):
                self.dragging = Dragging(gui, self.turn, self.robot, self.scene, self.state, self.feet, self.frame)
            self.working.append(self.dragging.work)
            self.drawing.append(self.dragging.follow)

    def _layer(self, gui: Any, name: str, label: str) -> None:
        box = gui.add_checkbox(label, name in (*FIRST, "forces"), hint=KEYS_OF.get(name))
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
            "D": ("Toggle dark mode", lambda: self._flip(self._boxes["dark"])),
        }
        if self.robot.nv:
            done["T"] = ("Drag a frame", self.dragging.toggle)
            simulate = self.turn.long(lambda _: self.simulating.run())
            gui.add_command("Simulate from this pose", hotkey="S").on_trigger(simulate)
        for name, key in KEYS_OF.items():
            done[key] = (f"Show: {LAYERS[name]}", partial(self._flip, self._boxes[name]))
        for key, (label, what) in done.items():
            gui.add_command(label, hotkey=key).on_trigger(self.turn.whenever(what))

    def _flip(self, box: Any) -> None:
        box.value = not box.value

    # -- what happens ---------------------------------------------------------------------------

    def show(self, name: str, wanted: bool) -> None:
        """Show or hide a layer."""
        if name == "forces":
            self.arrows.visible = wanted
            self.again()
        else:
            self.scene.show(name, wanted)

    def layers(self) -> list[str]:
        """Those that are shown."""
        return [name for name in LAYERS if self._boxes[name].value]

    def go(self, pose: str) -> None:
        """To a pose by its name."""
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
        self.playback.take(run)
        self.playback.toggle()

    def again(self) -> None:
        """Draw and tell everything once more: something else than the state has changed."""
        self.drawn = self.told = -1

    def _forces(self, moment: Moment) -> None:
        """Those of the motion that is played, else those that hold the robot on the feet that are ticked."""
        found = self.playback.touching(moment)
        self.arrows.show(self.feet.standing(moment.q) if found is None and moment.sample is None else found)

    def complain(self, problem: object) -> None:
        """Say in the page what went wrong, once."""
        text = shortened(problem, 400)
        if text not in self._said:
            self._said.add(text)
            for client in self.server.get_clients().values():
                with to_browser(client):
                    client.add_notification("articulated", text, color="red")


def outermost(robot: Robot) -> str:
    """The frame people ask for first: the last one on the body with the most joints before it."""
    depth = {name: len(list(f.body.support())) if f.body else 0 for name, f in robot.model.frames.items()}
    most = max(depth.values())
    return [name for name, each in depth.items() if each == most][-1]


def first_pose(robot: Robot) -> np.ndarray:
    """Its pose home, or neutral."""
    return np.array(robot.poses["home"] if "home" in robot.poses else robot.neutral(), float)


#: layers that have a key
KEYS_OF = {"shapes": "B", "ellipsoids": "E", "frames": "F", "masses": "M", "axes": "A", "names": "N", "grid": "G"}
