"""A slider for every coordinate of every joint, within its limits; orientations by roll, pitch and yaw."""

from collections.abc import Callable
from functools import partial
from math import ceil, floor, isfinite, pi
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.rotations import quaternion, roll_pitch_yaw, to_quaternion
from ..model import Body, Model
from ..robot.arguments.state_names import component_names, component_units
from ..robot.pose_numbers import xyz_rpy
from ..text import shortened
from .state import Moment

if TYPE_CHECKING:
    from .page import Page

STEP, DIGITS = 0.001, 3
#: range of a coordinate without limits: m, and rad
FAR, ROUND = 2.0, round(pi, 3)
#: joints beyond which limbs get folders of their own
FEW = 10
#: s between two looks at a motion that is played: dozens of sliders cost a browser more than the robot
CALM = 1.0


class Sliders:
    """The sliders of a robot, in the container that is open."""

    def __init__(self, page: "Page"):
        self.page, self.gui, self.robot, self.state = page, page.gui, page.robot, page.state
        gui, robot, self._due = page.gui, page.robot, 0.0
        self._followers: list[Callable[[np.ndarray], None]] = []
        self._shown = self.state.now
        self._names, self._units = component_names(robot.model, "q"), component_units(robot.model, "q")
        own = robot.model.independent
        many = len(own) > FEW
        for name, limb in limbs(robot.model):
            with gui.add_folder(shortened(name, 40), expand_by_default=not many or limb[0] is own[0]):
                for b in limb:
                    self._joint(b, f"{b.joint.name}_" if b.joint.name == name else "")

    def follow(self, moment: Moment) -> None:
        """Move the sliders where the robot is, unless they brought it there; now and then while a motion plays."""
        if self.page.moves and monotonic() < self._due:
            return
        self._due = monotonic() + CALM
        if moment.origin != "sliders" and moment.serial != self._shown.serial:
            for follower in self._followers:
                follower(moment.q)
        self._shown = moment

    def _joint(self, b: Body, said: str) -> None:
        """Sliders of a joint: its numbers, and an orientation for a quaternion; `said` is in the title already."""
        turned = b.joint.quaternion
        places = range(b.coords.start, b.coords.stop)
        names = self._names[b.coords]
        for k, (i, name) in enumerate(zip(places, names, strict=True)):
            if turned is None or not turned.start <= k < turned.stop:
                self._number(i, name.removeprefix(said) if b.joint.nq > 1 else name)
        if turned is not None:
            self._orientation(slice(places[0] + turned.start, places[0] + turned.stop), "" if said else b.joint.name)

    def _number(self, i: int, name: str) -> None:
        limits, value = self.robot.limits, float(self.state.now.q[i])
        unit = self._units[i]
        far = round(FAR * max(1.0, self.page.scene.size)) if unit == "m" else ROUND
        low, high = (float(x) if isfinite(x) else end for x, end in ((limits.lower[i], -far), (limits.upper[i], far)))
        known = isfinite(limits.lower[i]) or isfinite(limits.upper[i])
        hint = f"{'limits' if known else 'no limits; shown'} {low:g} … {high:g} {unit}"
        handle = self._slider(name, low, high, value, hint)

        def move() -> None:
            _set(handle, handle.value)  # a number that is typed may be anything
            self.state.change(i, handle.value, "sliders")

        handle.on_update(self.page.turn.by_hand(move))
        self._followers.append(lambda q: _set(handle, q[i]))

    def _orientation(self, place: slice, whose: str) -> None:
        handles = [
            self._slider(f"{whose} {word}".strip(), -ROUND, ROUND, float(angle), "rad, about fixed axes")
            for word, angle in zip(("roll", "pitch", "yaw"), angles(self.state.now.q[place]), strict=True)
        ]

        def turn() -> None:
            R = np.array(roll_pitch_yaw(*(h.value for h in handles)), float)
            self.state.change(place, to_quaternion(R), "sliders")

        for handle in handles:
            handle.on_update(self.page.turn.by_hand(turn))
        self._followers.append(partial(_turned, handles, place))

    def _slider(self, name: str, low: float, high: float, value: float, hint: str) -> Any:
        """Ends and value to three digits, which a page has room for; the ends never beyond the limits."""
        low, high = ceil(low / STEP) * STEP, floor(high / STEP) * STEP
        low, high = round(min(low, value), DIGITS), round(max(high, value, low + STEP), DIGITS)
        start = min(max(round(value, DIGITS), low), high)
        return self.gui.add_slider(shortened(name, 40), min=low, max=high, step=STEP, initial_value=start, hint=hint)


def _set(handle: Any, value: float) -> None:
    handle.value = min(max(round(float(value), DIGITS), handle.min), handle.max)


def _turned(handles: list[Any], place: slice, q: np.ndarray) -> None:
    for handle, angle in zip(handles, angles(q[place]), strict=True):
        _set(handle, angle)


def angles(q: np.ndarray) -> np.ndarray:
    """Roll, pitch and yaw of a quaternion x y z w, (3,)."""
    pose = np.eye(4)
    pose[:3, :3] = np.array(quaternion(q), float)
    return xyz_rpy(pose)[3:]


def limbs(model: Model) -> list[tuple[str, list[Body]]]:
    """The joints of a robot, chain by chain: a chain ends where the tree branches."""
    own = model.independent
    if len(own) <= FEW:
        return [("Joints", own)] if own else []
    children: dict[Body | None, int] = {}
    for b in model.bodies:
        children[b.parent] = children.get(b.parent, 0) + 1
    found: list[tuple[str, list[Body]]] = []
    of: dict[Body, list[Body]] = {}
    for b in model.bodies:
        continues = b.parent is not None and children[b.parent] == 1 and not b.parent.joint.floats
        chain = of.get(b.parent) if continues and b.parent else None
        if chain is None:
            chain = []
            found.append((b.joint.name or b.name, chain))
        of[b] = chain
        if b.leader is b:
            chain.append(b)
    return [(name, chain) for name, chain in found if chain]
