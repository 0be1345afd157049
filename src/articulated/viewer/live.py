"""An endless simulation, and a robot that is pulled by the mouse while it runs."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..drawing.forces import Touching
from ..errors import ArticulatedError
from ..simulation import Ground, simulate
from ..simulation.trajectory.animation import touching_at
from .arrows import NO_PUSHES
from .state import Moment

if TYPE_CHECKING:
    from .page import Page

SAID = "Drag a body with the mouse to pull it."
#: of a step and of a picture, s
DT, PICTURE = 1e-3, 0.033
#: rad/s of the spring, critically damped, between the mouse and the point that it holds
PACE = 8.0


class Pull(NamedTuple):
    """A point of a body that the mouse holds, and where the mouse is."""

    body: str
    point: np.ndarray  # (3,) m, in the axes of the body
    target: np.ndarray  # (3,) m, in the world


class Live:
    """The switch, in the container that is open; controller and ground are those of `page.simulating`."""

    def __init__(self, page: "Page"):
        self.page, self.robot, self.scene, self.state = page, page.robot, page.scene, page.state
        self.running = False
        self.touching: Touching | None = None
        self.pushes = NO_PUSHES
        self._pull: Pull | None = None
        self._law: Any = None
        self._ground: Ground | None = None
        with page.gui.add_folder("Live simulation"):
            self.switch = page.gui.add_checkbox("Run", False, hint="Until switched off")
            self._said = page.gui.add_markdown(SAID)
        self.switch.on_update(page.turn.long(lambda _: self._toggle()))

    def _toggle(self) -> None:
        """Begin or end; the first step is computed here, since it may have to be compiled."""
        self.running, self._pull, self.touching = False, None, None
        problem = ""
        if self.switch.value:
            try:
                self._law, self._ground = self.page.simulating.driven(self.state.now)
                self._step(self.state.now, np.zeros(self.robot.nv))
            except ArticulatedError as found:
                problem = f"**{found}**"
        with self.page.turn:
            self._said.content = problem or SAID
            self.running = bool(self.switch.value) and not problem
            for node in self.scene.shapes:
                node.remove_drag_callback()
                if self.running:
                    node.on_drag(self._dragged)

    async def _dragged(self, event: Any) -> None:
        """Where the mouse holds a body; a coroutine, so that events come in their order."""
        if event.phase == "end":
            self._pull = None
            return
        away, k = self.scene.away, int(event.target.name.removeprefix(self.scene.root).split("/")[1])
        start, end = (np.array(x, float) - away for x in (event.start_position, event.end_position))
        if k:
            body = self.robot.model.bodies[k - 1].name
            pose = self.robot.pose(self.state.now.q, body)
            point = (
                self._pull.point if self._pull and self._pull.body == body else pose[:3, :3].T @ (start - pose[:3, 3])
            )
            self._pull = Pull(body, point, end)

    def _step(self, moment: Moment, pull: np.ndarray) -> Any:
        law = self._law
        torque = (lambda t, q, v: pull) if law is None else (lambda t, q, v: law(t, q, v) + pull)
        return simulate(self.robot, moment.q, moment.v, PICTURE, DT, torque, self._ground, progress=False)

    def work(self) -> None:
        """Simulate up to the next picture."""
        if not self.running:
            return
        moment = self.state.now
        try:
            run = self._step(moment, self._pulled(moment))
        except ArticulatedError as problem:
            self._said.content, self.switch.value = f"**{problem}**", False
            return
        self.touching = touching_at(run, -1)
        self.state.set(run.q[-1], run.v[-1], "live")

    def _pulled(self, moment: Moment) -> np.ndarray:
        """Generalized forces (nv,) of the spring, which is as strong as the point that it holds is heavy there."""
        pull, self.pushes = self._pull, NO_PUSHES
        if pull is None:
            return np.zeros(self.robot.nv)
        pose, J = self.robot.pose(moment.q, pull.body), self.robot.jacobian(moment.q, pull.body)
        arm = pose[:3, :3] @ pull.point
        J = J[:3] - np.cross(arm, J[3:], axis=0)
        off = pull.target - pose[:3, 3] - arm
        direction = off / max(float(np.linalg.norm(off)), 1e-9)
        along = direction @ J
        felt = float(along @ np.linalg.solve(self.robot.mass_matrix(moment.q), along))
        force = (PACE**2 * off - 2 * PACE * (J @ moment.v)) / max(felt, 1e-9)
        self.pushes = np.array([[pose[:3, 3] + arm, force]])
        return J.T @ force
