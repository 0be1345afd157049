"""Drag a frame, and the robot follows: inverse kinematics from where it is."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.rotations import quaternion, to_quaternion
from ..errors import ArticulatedError
from .state import Moment

if TYPE_CHECKING:
    from .page import Page

#: of inverse kinematics, m and rad: a hand is not steadier
TOLERANCE, ITERATIONS = 1e-5, 40


class Dragging:
    """The handle in the scene and its controls, in the container that is open."""

    def __init__(self, page: "Page"):
        self.robot, self.scene, self.state, self.feet = page.robot, page.scene, page.state, page.feet
        gui, robot = page.gui, page.robot
        self._target: np.ndarray | None = None
        self._held = False
        self._gizmo: Any = None
        self._on = gui.add_checkbox("Drag a frame", False, hint="The robot follows; ticked feet stay where they are")
        self._frame = gui.add_dropdown("Frame", robot.frame_names, initial_value=page.frame)
        self._turned = gui.add_checkbox("Keep orientation", robot.nv >= 6, hint="Otherwise the position alone")
        self._error = gui.add_text("Distance", "", disabled=True, hint="From the frame to the handle")
        for handle in (self._on, self._frame, self._turned):
            handle.on_update(page.turn.whenever(self._place))

    def _place(self) -> None:
        """Make the handle, or take it away."""
        if self._gizmo is not None:
            self._gizmo.remove()
            self._gizmo = None
        if self._on.value:
            self._gizmo = self.scene.scene.add_transform_controls(
                f"{self.scene.root}/drag",
                scale=0.22 * self.scene.size,
                disable_rotations=not self._turned.value,
                depth_test=False,
            )
            self._gizmo.on_update(self._moved)
            self.follow(self.state.now)

    def toggle(self) -> None:
        """Switch dragging on or off, for the keyboard."""
        self._on.value = not self._on.value

    def _moved(self, event: Any) -> None:
        gizmo = self._gizmo
        if gizmo is None:
            return
        self._held = event.phase != "end"
        target = np.eye(4)
        target[:3, :3] = np.array(quaternion(np.roll(gizmo.wxyz, -1)), float)
        target[:3, 3] = gizmo.position
        self._target = target

    def follow(self, moment: Moment) -> None:
        """The handle is where the frame is, while nobody holds it."""
        if self._gizmo is not None and not self._held and self._target is None:
            pose = self.robot.pose(moment.q, self._frame.value)
            self._gizmo.position, self._gizmo.wxyz = pose[:3, 3], np.roll(to_quaternion(pose[:3, :3]), 1)

    def work(self) -> None:
        """Bring the robot where the handle is, as near as it can."""
        target, self._target = self._target, None
        if target is None:
            return
        frame, q = self._frame.value, self.state.now.q
        targets: dict[str, Any] = {frame: target if self._turned.value else target[:3, 3]}
        contacts = self.feet.contacts()
        if contacts is None:  # whatever floats stays where it is
            targets |= {b.name: self.robot.pose(q, b.name) for b in self.robot.model.bodies if b.joint.floats}
        try:
            found = self.robot.inverse_kinematics(
                targets, q, contacts=contacts, tolerance=TOLERANCE, iterations=ITERATIONS, restarts=0
            )
        except ArticulatedError as problem:
            self._error.value = str(problem)[:120]
            return
        self._error.value = "" if found.success else self._off(found.q, target)
        self.state.set(found.q, origin="drag")

    def _off(self, q: np.ndarray, target: np.ndarray) -> str:
        pose = self.robot.pose(q, self._frame.value)
        off = f"{1000 * np.linalg.norm(pose[:3, 3] - target[:3, 3]):.3g} mm"
        cosine = (np.trace(pose[:3, :3].T @ target[:3, :3]) - 1) / 2
        return f"{off}, {np.degrees(np.arccos(np.clip(cosine, -1, 1))):.3g}°" if self._turned.value else off
