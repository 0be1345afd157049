"""One question about one robot, with its verdict and a second way to its solution."""

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import sympy

from ...errors import ModelError
from ...text import plain
from ..pages.latex import latex
from .answers import Verdict, compared, compared_entries


class Task(NamedTuple):
    """One question about one robot; `numbers(model, q, v)` is its solution by a recursion on floats.

    The question and the hints have their formulas between dollars; `letter` is LaTeX of what is asked for.
    """

    letter: str
    question: str
    hints: tuple[str, ...]
    solution: Any
    judge: Callable[[Any], Verdict]
    numbers: Callable[[Any, Any, Any], Any]


def tex(x: Any) -> str:
    """An expression, or a list of them as a row, as a formula of a question."""
    return f"${latex(sympy.Matrix([x]) if isinstance(x, list) else x)}$"


def called(name: str) -> str:
    """The name of a link among words; it begins no formula."""
    return plain(name).replace("$", "")


def expression(
    equations: Any, letter: str, question: str, hints: Iterable[str], solution: Any, numbers: Callable
) -> Task:
    """A question whose answer is one expression."""
    return Task(letter, question, tuple(hints), solution, lambda answer: compared(equations, answer, solution), numbers)


def vector(
    equations: Any, letter: str, question: str, hints: Iterable[str], solution: sympy.Matrix, numbers: Callable
) -> Task:
    """A question whose answer is a vector."""

    def judge(answer: Any) -> Verdict:
        found = compared_entries(equations, answer, solution)
        return found if found else found._replace(text=f"Not right, {found.text}")

    return Task(letter, question, tuple(hints), solution, judge, numbers)


def choice(equations: Any, rng: random.Random, places: list, reason: str) -> Any:
    """One of the places a question can be about; a topic without any is refused for that reason."""
    if not places:
        raise ModelError(f"{equations.name}: {reason}; choose another topic")
    return rng.choice(places)
