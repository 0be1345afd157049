"""Energies, gravity torques, manipulability and the mass matrix at the state that is shown."""

from collections.abc import Sequence

import numpy as np

from ...algorithms.manipulability import DIRECTIONS, Direction
from ...drawing.appearance import size
from ...robot import Robot
from ...robot.arguments.state_names import component_names, component_units
from .. import html
from ..state import Moment
from .panel import Panel, Place

#: configurations at which it is tried in which directions a frame can move at all
TRIED = 5


class Dynamics(Panel):
    """Energies and torques at the state that is shown."""

    def __init__(self, place: Place):
        super().__init__(place)
        gui, robot = place.gui, place.robot
        self.names, self.units = component_names(robot.model, "v"), component_units(robot.model, "tau")
        floats = [b.joint.floats for b in robot.model.bodies if b.leader is b for _ in range(b.joint.nv)]
        self._groups = ["base" if base else "joints" for base in floats]
        self._scale = robot.mass * float(np.linalg.norm(robot.gravity)) * size(robot.model)
        self._moment: Moment | None = None
        self._directions: dict[str, Sequence[Direction]] = {}
        self._frame = gui.add_dropdown(
            "Frame", robot.frame_names, initial_value=place.frame, hint="Frame of the manipulability"
        )
        self._frame.on_update(place.turn.whenever(self._tell_again))
        self._text = gui.add_html("")

    @staticmethod
    def suits(robot: Robot) -> bool:
        return robot.nv > 0

    def tell(self, moment: Moment) -> None:
        self._moment = moment
        robot, q, v = self.robot, moment.q, moment.v
        kinetic, potential = float(robot.kinetic_energy(q, v)), float(robot.potential_energy(q))
        energies = [("kinetic", kinetic), ("potential", potential), ("total", kinetic + potential)]
        rows = [
            [
                f"<td class='name'>{label}</td>",
                f"<td data-energy='{label}' data-value='{x!r}'>{x:.5g}</td>",
                "<td class='name'>J</td>",
            ]
            for label, x in energies
        ]
        rows += self._manipulability(q)
        g = robot.gravity_forces(q)
        gravity = html.bars(self.names, g.tolist(), self.units, self._groups, "gravity", self._scale)
        self._text.content = html.block(
            html.table(rows),
            "<h4>Gravity torques g(q)</h4>", gravity,
            "<h4>Mass matrix M(q)</h4>", html.matrix(robot.mass_matrix(q), self.names, "mass"),
            "<p class='dim'>blue +, red −; logarithmic color scale</p>",
        )  # fmt: skip

    def _tell_again(self) -> None:
        if self._moment is not None:
            self.tell(self._moment)

    def _manipulability(self, q: np.ndarray) -> list[list[str]]:
        """Row of the chosen frame's manipulability, in the directions in which it can move."""
        frame = self._frame.value
        if frame not in self._directions:
            self._directions[frame] = possible(self.robot, frame)
        directions = self._directions[frame]
        if not directions:
            return []
        value = float(self.robot.manipulability(q, frame, directions=tuple(directions)))
        which = f"<span class='dim'>{' '.join(directions)}</span>"
        return [["<td class='name'>manipulability</td>", f"<td data-manipulability='{value!r}'>{value:.4g}</td>",
                 f"<td class='name'>{which}</td>"]]  # fmt: skip


def possible(robot: Robot, frame: str) -> Sequence[Direction]:
    """The directions in which a frame can move: x, y, z as far as it can, all six if the robot has joints for them."""
    J = robot.jacobian(robot.random(0, (TRIED,)), frame)
    moves = abs(J).max(axis=(0, 2)) > 1e-9
    linear = [name for name, one in zip(DIRECTIONS[:3], moves[:3], strict=True) if one]
    every = [name for name, one in zip(DIRECTIONS, moves, strict=True) if one]
    most = int(np.linalg.matrix_rank(J).max())
    return every if len(every) <= most else linear if len(linear) <= most else linear[:most]
