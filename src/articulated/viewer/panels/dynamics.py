"""Energies, gravity torques and the mass matrix at the state that is shown."""

from typing import TYPE_CHECKING

import numpy as np

from ...drawing.appearance import size
from ...robot import Robot
from ...robot.arguments.state_names import component_names, component_units
from .. import html
from ..state import Moment
from .panel import Panel

if TYPE_CHECKING:
    from ..page import Page


class Dynamics(Panel):
    """Energies and torques at the state that is shown."""

    def __init__(self, page: "Page"):
        super().__init__(page)
        gui, robot = page.gui, page.robot
        self.names, self.units = component_names(robot.model, "v"), component_units(robot.model, "tau")
        floats = [b.joint.floats for b in robot.model.independent for _ in range(b.joint.nv)]
        self._groups = ["base" if base else "joints" for base in floats]
        self._scale = robot.mass * float(np.linalg.norm(robot.gravity)) * size(robot.model)
        self._text = gui.add_html("")

    @staticmethod
    def suits(robot: Robot) -> bool:
        return robot.nv > 0

    def tell(self, moment: Moment) -> None:
        robot, q, v = self.robot, moment.q, moment.v
        kinetic, potential = float(robot.kinetic_energy(q, v)), float(robot.potential_energy(q))
        energies = [("kinetic", kinetic), ("potential", potential), ("total", kinetic + potential)]
        rows = [
            [f"<td class='name'>{label}</td>", f"<td data-energy='{label}' data-value='{x!r}'>{x + 0.0:.5g}</td>", "J"]
            for label, x in energies
        ]
        g = robot.gravity_forces(q)
        gravity = html.bars(self.names, g.tolist(), self.units, self._groups, "gravity", self._scale)
        self._text.content = html.block(
            html.table(rows),
            "<h4>Gravity torques g(q)</h4>", gravity,
            "<h4>Mass matrix M(q)</h4>", html.matrix(robot.mass_matrix(q), self.names, "mass"),
            "<p class='dim'>blue +, red −; logarithmic color scale</p>",
        )  # fmt: skip
