"""The equations of motion of a small robot, typeset, with their numbers at the state that is shown."""

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ...robot import Robot
from ...robot.arguments.state_names import component_names
from ...robot.closed_forms import derive
from .. import html
from ..state import Moment
from .panel import Panel

if TYPE_CHECKING:
    from ..page import Page

#: joints beyond which a closed form is no longer read
MOST = 3
#: letters that fit into a row
WIDE = 33


class Equations(Panel):
    """Equations of motion, derived in a thread of their own while the numbers are shown already."""

    def __init__(self, page: "Page"):
        super().__init__(page)
        gui, self._finished = page.gui, page.again
        self._formulas = ""
        self._names = [html.name(name, 12) for name in component_names(page.robot.model, "v")]
        self._deriving: threading.Thread | None = None
        self._numbers = gui.add_html("")
        self._text = gui.add_html(html.block("<p class='dim'>deriving …</p>"))

    @staticmethod
    def suits(robot: Robot) -> bool:
        return 0 < robot.nv <= MOST and robot.nq == robot.nv

    def _derive(self) -> None:
        try:
            equations = derive(self.robot, symbols="all")
            found = ["<p>in symbols, by Lagrange's equations (lengths l, centers of mass d):</p>", *_typeset(equations)]
        except Exception as problem:  # without SymPy it says how to get it
            found = [f"<p>{html.name(problem, 300)}</p>"]
        self._formulas = html.block(*found)
        self._finished()

    def tell(self, moment: Moment) -> None:
        if self._deriving is None:
            self._deriving = threading.Thread(target=self._derive, daemon=True)
            self._deriving.start()
        if self._formulas:
            self._text.content = self._formulas
        robot, q, v = self.robot, moment.q, moment.v
        M, g = robot.mass_matrix(q), robot.gravity_forces(q)
        columns = np.column_stack([M, robot.bias_forces(q, v) - g, g])
        most = float(abs(columns).max(initial=0.0))
        rows = [[name, *(html.number(x, most) for x in row)] for name, row in zip(self._names, columns, strict=True)]
        heads = ["", *(f"M, q̈<sub>{k + 1}</sub>" for k in range(robot.nv)), "C q̇", "g"]
        self._numbers.content = html.block("<p>M q̈ + C q̇ + g = τ, now:</p>", html.table(rows, heads))


def _typeset(equations: Any) -> list[str]:
    """The rows of M, c and g, broken where they would not fit."""
    from ...symbolic.equations.notation import rows_of
    from ...symbolic.pages.html import displayed
    from ...symbolic.pages.latex import lines

    found = []
    for left, right in (row for name in "Mcg" for row in rows_of(equations, name)):
        first, *more = [right] if isinstance(right, str) else lines(right, WIDE)
        found += [f"{left} = {first}" if left else first, *(rf"\quad {line}" for line in more)]
    return [f"<p style='overflow-x:auto'>{displayed(row)}</p>" for row in found]
