"""Simulate from the pose that is shown, and push the robot."""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArticulatedError, ModelWarning
from ..simulation import Diverged, Ground, Trajectory, simulate
from ..simulation.contact.candidates import candidates
from ..simulation.drive.default_controllers import standing, usual_law
from .state import Moment

if TYPE_CHECKING:
    from .page import Page

DT = 1e-3
#: start and end of a push, s
PUSHED = (0.1, 0.3)
MOTORS = ("off", "hold this pose")


class Simulating:
    """The controls, in the container that is open."""

    def __init__(self, page: "Page"):
        self.page, self.robot, self.feet = page, page.robot, page.feet
        gui, robot = page.gui, page.robot
        floats = any(b.joint.floats for b in robot.model.bodies)
        with gui.add_folder("Simulate from this pose"):
            self._duration = gui.add_slider("Duration (s)", min=0.1, max=10.0, step=0.1, initial_value=2.0)
            self._motors = gui.add_dropdown("Motors", MOTORS, initial_value=MOTORS[floats])
            self._ground = gui.add_checkbox(
                "Ground", floats, hint="At z = 0, in contact with the ticked feet or the collision shapes"
            )
            self._push = gui.add_checkbox("Push", False, hint=f"From {PUSHED[0]} s to {PUSHED[1]} s")
            self._where = gui.add_dropdown("Pushed frame", robot.frame_names, initial_value=page.frame)
            weight = max(1.0, round(robot.mass * 2.0))
            hint = "In world axes at the start; turns with the frame"
            self._force = gui.add_vector3("Force (N)", initial_value=(0.0, weight, 0.0), step=1.0, hint=hint)
            self._go = gui.add_button("Simulate", icon="run", hint="S")
            self._said = gui.add_markdown("")
        self._go.on_click(page.turn.long(lambda _: self.run()))

    def run(self) -> None:
        """Compute the motion and hand it on; what goes wrong is said."""
        with self.page.turn:
            if self._go.disabled:  # it is computing
                return
            self._go.disabled = True
            self._said.content = "computing …"
        run, said = None, ""
        try:
            run = self._run()
            said = f"{len(run)} samples, computed in {run.info['seconds']:.2g} s"
        except Diverged as problem:
            run, said = problem.run, f"**{problem}**"
        except ArticulatedError as problem:
            said = f"**{problem}**"
        finally:
            with self.page.turn:
                self._said.content, self._go.disabled = said, False
                if run is not None:
                    self.page.simulated(run)

    def driven(self, moment: Moment) -> tuple[Any, Ground | None]:
        """Controller and ground as they are chosen."""
        ground = self._ground_now() if self._ground.value else None
        if self._motors.value == "off":
            return None, ground
        return usual_law("PD", standing(self.robot, ground, moment.q), moment.q).towards(moment.q), ground

    def _run(self) -> Trajectory:
        robot, moment = self.robot, self.page.state.now
        torque, ground = self.driven(moment)
        duration = round(float(self._duration.value), 1)
        pushes = self._pushes(moment.q, round(duration / DT)) if self._push.value else None
        return simulate(robot, moment.q, moment.v, duration, DT, torque, ground, forces=pushes, every=5, progress=False)

    def _ground_now(self) -> Ground:
        """Ground for the ticked feet; else for the collision shapes, else for the frames named like feet."""
        friction = self.feet.friction
        if self.feet.ticked:
            return Ground(friction, feet=self.feet.ticked)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", ModelWarning)
                candidates(self.robot.model, Ground(friction))
            return Ground(friction)
        except (ArticulatedError, ModelWarning):
            return Ground(friction, feet=list(self.feet.boxes))

    def _pushes(self, q: np.ndarray, steps: int) -> dict[str, np.ndarray]:
        """The force in the axes of the frame as they are at the start."""
        frame = self._where.value
        R = self.robot.pose(q, frame)[:3, :3]
        push = np.zeros((steps, 6))
        push[round(PUSHED[0] / DT) : round(PUSHED[1] / DT), :3] = R.T @ np.array(self._force.value, float)
        return {frame: push}
