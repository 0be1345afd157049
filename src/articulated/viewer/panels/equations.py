"""The equations of motion of a small robot, typeset, with their numbers at the state that is shown."""

import threading
from typing import Any

import numpy as np

from ...robot import Robot
from ...robot.closed_forms import derive
from .. import html
from ..state import Moment
from .panel import Panel, Place

#: joints beyond which a closed form is no longer read
MOST = 3
#: letters that fit into a row
WIDE = 33


class Equations(Panel):
    """Equations of motion, derived in a thread of their own while the numbers are shown already."""

    def __init__(self, place: Place):
        super().__init__(place)
        gui, self._finished = place.gui, place.again
        self._formulas = ""
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
        g = robot.gravity_forces(q)
        c = robot.bias_forces(q, v) - g
        parts = [_matrix(robot.mass_matrix(q)), _vector("q̈", robot.nv), "<mo>+</mo>", _matrix(c[:, None])]
        parts += ["<mo>+</mo>", _matrix(g[:, None]), "<mo>=</mo><mi>τ</mi>"]
        self._numbers.content = html.block(
            f"<p><math><mi>M</mi>{_of('<mi>q</mi>')}{_dotted('¨')}<mo>+</mo><mi>c</mi>",
            f"{_of('<mi>q</mi><mo>,</mo>' + _dotted('˙'))}<mo>+</mo>",
            f"<mi>g</mi>{_of('<mi>q</mi>')}<mo>=</mo><mi>τ</mi></math>, now:</p>",
            f"<p style='font-size:{12 if robot.nv < MOST else 9.5}px'><math>{''.join(parts)}</math></p>",
        )


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


def _of(arguments: str) -> str:
    return f"<mo stretchy='false'>(</mo>{arguments}<mo stretchy='false'>)</mo>"


def _dotted(dots: str) -> str:
    return f"<mover><mi>q</mi><mo>{dots}</mo></mover>"


def _matrix(M: np.ndarray) -> str:
    most = float(abs(M).max()) if M.size else 0.0
    rows = "".join("<mtr>" + "".join(f"<mtd><mn>{_number(x, most)}</mn></mtd>" for x in row) + "</mtr>" for row in M)
    return f"<mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow>"


def _number(x: float, most: float) -> str:
    return "0" if abs(x) <= html.TINY * most else f"{x:.3g}".replace("-", "−")


def _vector(letter: str, count: int) -> str:
    rows = "".join(f"<mtr><mtd><msub><mi>{letter}</mi><mn>{k + 1}</mn></msub></mtd></mtr>" for k in range(count))
    return f"<mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow>"
