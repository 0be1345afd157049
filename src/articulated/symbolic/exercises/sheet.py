"""Sheets of exercises and of their solutions, and derivations with blanks to fill in."""

import random
from collections.abc import Sequence
from typing import Any

import sympy

from ..pages.document import Section, Text
from ..pages.export import check_page, written
from ..pages.setup import robot_section
from .exercise import Exercise

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
    text: Text = [task.question]
    if not solutions:
        return Section(f"Exercise {k}: {task.topic.replace('_', ' ')}", text)
    text += [f" {hint}" for hint in task.hints[:1]] + [f" {task.checked}"]
    return Section(f"Solution {k}: {task.topic.replace('_', ' ')}", text, [(r"\text{solution}", task.solution)])


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
