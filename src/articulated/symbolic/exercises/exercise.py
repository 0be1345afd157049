"""One exercise with its checked solution, sheets of exercises, and derivations with blanks to fill in."""

import random
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ...errors import ModelError
from ...inputs.choices import choose, whole_number
from ..equations.cross_checks import Contradiction
from ..equations.derive import Equations, derive
from ..equations.lectures import model_of
from ..equations.substitution import numeric_states, vectors
from ..pages.document import Section, words
from ..pages.export import check_page, written
from ..pages.latex import latex
from ..pages.setup import robot_section
from ..pages.terminal import in_words, section_lines
from ..ring.convert import parameters_of
from ..ring.values import function_of
from .answers import Verdict
from .task import Task
from .topics import TOPICS

ROUNDING = 1e-11  # relative: two ways on floats


class Exercise:
    """`robot`, `question` in words, `hints` that each say more than the one before, `solution`, and `check(answer)`.

    The solution has been checked against a recursion on floats; `checked` says how.
    """

    def __init__(self, equations: Equations, topic: str, seed: int):
        self.equations, self.topic, self.seed = equations, topic, seed
        self._task: Task = TOPICS[topic](equations, random.Random(f"{equations.name} {topic} {seed}"))
        self.question, self.solution = in_words(words(self._task.question)), self._task.solution
        self.hints = tuple(in_words(words(hint)) for hint in self._task.hints)
        self.checked = _checked(self)

    def __reduce__(self) -> Any:
        return Exercise, (self.equations, self.topic, self.seed)  # the same numbers give the same exercise

    @cached_property
    def robot(self) -> str:
        """The robot: table, sketch, masses, inertias and gravity."""
        return "\n".join(section_lines(robot_section(self.equations.model))).strip()

    def check(self, answer: Any) -> Verdict:
        """Verdict on an answer (a text, an expression, a matrix): right for all q, v and parameters, or what is not.

        Names may be written with or without underscore (m1, m_1), rates as qd1 or dq1, c12 for
        cos(q_1 + q_2); ^ and ** are powers.
        """
        return self._task.judge(answer)

    def latex(self) -> str:
        """The solution for math mode."""
        return latex(self.solution)

    def _repr_markdown_(self) -> str:
        return f"**{self.equations.name}, {self.topic}**\n\n```text\n{self.robot}\n```\n\n{self._task.question}"

    def __str__(self) -> str:
        return f"{self.robot}\n\n{self.question}"

    def __repr__(self) -> str:
        return f"Exercise({self.equations.name!r}, topic={self.topic!r}, seed={self.seed}): {self.question}"


def exercise(robot: Any = "2r", topic: str | None = None, seed: int = 0) -> Exercise:
    """An exercise on a robot; a robot of numbers gets letters for its inertial parameters."""
    number = whole_number("exercise: seed", seed)
    model = model_of(robot)
    equations = derive(model, symbols=not parameters_of(model))
    if not equations.state.velocities_are_rates:
        raise ModelError(
            f"{equations.name}: its velocities are not rates of coordinates (a planar, spherical or floating joint); "
            "choose a robot without"
        )
    if topic is None:
        return _any(equations, number)
    return Exercise(equations, choose("exercise", "topic", topic, TOPICS), number)


def _any(equations: Equations, seed: int) -> Exercise:
    """An exercise on the topic whose turn it is, or the next that has a question for this robot."""
    topics, turn = list(TOPICS), seed % len(TOPICS)
    for topic in [*topics[turn:], *topics[:turn]]:
        try:
            return Exercise(equations, topic, seed)
        except ModelError:
            continue
    raise ModelError(f"{equations.name}: no topic has a question for it")


def _checked(made: Exercise) -> str:
    """The solution against a recursion on floats, at random states of the robot with random numbers."""
    equations, states = made.equations, 5
    symbols = [*equations.parameters, *equations.q, *equations.v]
    closed_form = function_of(sympy.Matrix([made.solution]), symbols)
    gap = size = 0.0
    for model, at in numeric_states(equations, 0, states):
        recursion = np.array(made._task.numbers(model, *vectors(equations, at, "qv")), float)
        closed = np.array(closed_form(*(at[s] for s in symbols)), float)
        gap = np.maximum(gap, abs(closed - recursion.ravel()).max())
        size = max(size, abs(recursion).max())
    if not gap <= ROUNDING * size:  # NaN is no agreement
        raise Contradiction(f"the solution of the exercise {made.topic!r} on {equations.name}")
    return f"The solution agrees with a recursion on floats at {states} random states."


BLANK = r"\text{................}"
KEPT = ("The robot", "Lagrange's equations", "Hamel's equations", "The recursion", "Check")  # sections without blanks


def sheet(exercises: Sequence[Exercise], format: str = "tex", solutions: bool = False, title: str = "") -> str:
    """The exercises one after the other, each robot once; with `solutions` hints, results and how they were checked."""
    check_page("sheet", format)
    sections: list[Section] = []
    shown: set[str] = set()
    for k, task in enumerate(exercises, start=1):
        name = task.equations.name
        if name not in shown:
            shown.add(name)
            sections.append(robot_section(task.equations.model)._replace(title=f"The robot {name}"))
        sections.append(_asked(k, task, solutions))
    return written(format, title or ("Solutions" if solutions else "Exercises"), sections)


def _asked(k: int, task: Exercise, solutions: bool) -> Section:
    asked, topic = words(task._task.question), task.topic.replace("_", " ")
    if not solutions:
        return Section(f"Exercise {k}: {topic}", asked)
    text = [*asked, *words(f" {task._task.hints[0]} {task.checked}")]
    return Section(f"Solution {k}: {topic}", text, [(task._task.letter, task.solution)])


def with_blanks(sections: Sequence[Section], share: float = 0.4, seed: int = 0) -> list[Section]:
    """A derivation with some results left out for students to fill in; formulas stay, the same seed the same blanks."""
    rng = random.Random(seed)
    out = []
    for section in sections:
        if section.title in KEPT or section.title.startswith("Q"):
            out.append(section)
            continue
        rows = [(left, BLANK if _result(right) and rng.random() < share else right) for left, right in section.rows]
        out.append(section._replace(rows=rows))
    return out


def _result(right: Any) -> bool:
    """Whether a row is a result with something in it, not a formula and not zero."""
    if isinstance(right, sympy.MatrixBase):
        return not right.is_zero_matrix
    return isinstance(right, sympy.Expr) and bool(right.free_symbols)
