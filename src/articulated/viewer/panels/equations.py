"""The equations of motion of a small robot, typeset, with their numbers at the state that is shown."""

import threading

import numpy as np

from ...robot import Robot
from ...robot.closed_forms import derive
from .. import html
from ..state import Moment
from .panel import Panel, Place

#: joints beyond which a closed form is no longer read
MOST = 3


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
            rows = derive(self.robot, symbols=True).latex().splitlines()[1:-1]
            found = ["<p>in symbols, by Lagrange's equations:</p>", *map(_typeset, rows)]
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
            "<p><math><mi>M</mi><mo>(</mo><mi>q</mi><mo>)</mo><mover><mi>q</mi><mo>¨</mo></mover><mo>+</mo><mi>c</mi>"
            "<mo>(</mo><mi>q</mi><mo>,</mo><mover><mi>q</mi><mo>˙</mo></mover><mo>)</mo><mo>+</mo><mi>g</mi><mo>(</mo>"
            "<mi>q</mi><mo>)</mo><mo>=</mo><mi>τ</mi></math>, now:</p>",
            f"<p><math>{''.join(parts)}</math></p>",
        )


def _typeset(row: str) -> str:
    from ...symbolic.pages.mathml import displayed

    return f"<p style='overflow-x:auto'>{displayed(row.replace('&', '').removesuffix(chr(92) * 2).strip())}</p>"


def _matrix(M: np.ndarray) -> str:
    most = float(abs(M).max()) if M.size else 0.0
    rows = "".join("<mtr>" + "".join(f"<mtd><mn>{_number(x, most)}</mn></mtd>" for x in row) + "</mtr>" for row in M)
    return f"<mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow>"


def _number(x: float, most: float) -> str:
    return "0" if abs(x) <= html.TINY * most else f"{x:.3g}".replace("-", "−")


def _vector(letter: str, count: int) -> str:
    rows = "".join(f"<mtr><mtd><msub><mi>{letter}</mi><mn>{k + 1}</mn></msub></mtd></mtr>" for k in range(count))
    return f"<mrow><mo>[</mo><mtable>{rows}</mtable><mo>]</mo></mrow>"
