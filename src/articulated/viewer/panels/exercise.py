"""Equations in letters with their numbers at the state that is shown, and a blank to fill in."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ArticulatedError
from ...robot.closed_forms import derive
from .. import html
from ..state import Moment
from .equations import WIDE, Equations
from .panel import Panel

if TYPE_CHECKING:
    from ..page import Page

#: rad/s or m/s, the largest rate that can be chosen
FASTEST = 5.0


class Exercise(Panel):
    """Every entry of M, c and g as a formula and a number; one of them is a blank, whose answer is checked."""

    def __init__(self, page: "Page"):
        super().__init__(page)
        gui, robot = page.gui, page.robot
        names = [f"M{i + 1}{j + 1}" for i in range(robot.nv) for j in range(i, robot.nv)]
        self._names = [*names, *(f"{letter}{k + 1}" for letter in ("(C q̇)", "g") for k in range(robot.nv))]
        self._equations: Any = None
        self._rates = [
            gui.add_slider(f"q̇{k + 1}", min=-FASTEST, max=FASTEST, step=0.01, initial_value=0.0)
            for k in range(robot.nv)
        ]
        self._blank = gui.add_dropdown("Blank", ("none", *self._names), hint="An entry to work out yourself")
        self._answer = gui.add_text("Answer", "", hint="As you write it: m2 l1 d2 c2, LaTeX, q̇1 as qd1")
        for handle in (*self._rates, self._blank, self._answer):
            handle.on_update(lambda _: page.again())
        self._text = gui.add_html(html.block("<p class='dim'>Choose a blank, or a rate, to begin.</p>"))

    suits = staticmethod(Equations.suits)

    def tell(self, moment: Moment) -> None:
        rates = np.array([slider.value for slider in self._rates])
        chosen = self._blank.value != "none" or any(rates) or self._equations is not None
        if not chosen:  # nothing is derived before it is asked for
            return
        try:
            self._equations = self._equations or derive(self.robot, symbols="all")
            self._text.content = html.block(*self._verdict(), *self._rows(moment.q, rates if any(rates) else moment.v))
        except (ArticulatedError, ImportError) as problem:
            self._text.content = html.block(f"<p>{html.name(problem, 300)}</p>")

    def _entries(self) -> list[Any]:
        eq, n = self._equations, self.robot.nv
        return [*(eq.M[i, j] for i in range(n) for j in range(i, n)), *eq.c, *eq.g]

    def _numbers(self, q: np.ndarray, v: np.ndarray) -> list[float]:
        M, g = self.robot.mass_matrix(q), self.robot.bias_forces(q, np.zeros_like(v))  # springs are part of g
        return [*M[np.triu_indices(len(M))], *(self.robot.coriolis_matrix(q, v) @ v), *g]

    def _verdict(self) -> list[str]:
        """The answer, judged as an expression; nothing where there is none."""
        from ...symbolic.exercises.answers import compared

        blank, answer = self._blank.value, self._answer.value.strip()
        if blank == "none" or not answer:
            return []
        try:
            found = compared(self._equations, answer, self._entries()[self._names.index(blank)])
        except ArticulatedError as problem:
            return [f"<p data-verdict='unread'>{html.name(problem, 300)}</p>"]
        color = "#2a7" if found else "#c33"
        return [f"<p data-verdict='{bool(found)}' style='color:{color}'>{blank}: {html.name(found.text, 600)}</p>"]

    def _rows(self, q: np.ndarray, v: np.ndarray) -> list[str]:
        """Formulas, each with its number; that of the blank is there, its formula is not."""
        from ...symbolic.equations.notation import page, written_in
        from ...symbolic.pages.html import displayed
        from ...symbolic.pages.latex import lines

        numbers = self._numbers(q, v)
        most = max(map(abs, numbers), default=0.0)
        out = ["<p>M q̈ + C q̇ + g = τ, at the state that is shown:</p>"]
        with written_in(self._equations):
            for name, x, number in zip(self._names, self._entries(), numbers, strict=True):
                left = page().force(name[-1]) if name[0] == "(" else f"{name[0]}_{{{name[1:]}}}"
                first, *more = [r"\boxed{?}"] if name == self._blank.value else lines(x, WIDE - 8)
                tex = [f"{left} = {first}", *(rf"\quad {line}" for line in more)]
                tex[-1] += rf" \; = \; {html.number(float(number), most)}"
                cells = "".join(f"<div>{displayed(row)}</div>" for row in tex)
                out.append(
                    f"<div data-entry='{name}' data-value='{float(number)!r}' style='overflow-x:auto'>{cells}</div>"
                )
        return out
