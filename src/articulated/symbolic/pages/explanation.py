"""`art.explain`: a recursion executed on a robot, every quantity of every pass."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...algebra.scalars import array
from ...errors import ShapeError, unknown
from ...inputs.choices import choose
from ...inputs.numbers import numbers
from ...model import Model
from ..equations.lectures import model_of
from .document import Section
from .export import PAGES
from .formula import plain_text
from .html import fragment, html_body
from .setup import robot_section
from .walkthrough import ALGORITHMS, TAKES, Pass, explained, explained_in_symbols
from .walkthrough_text import as_records, as_sections, as_text

AXES = ("body", "world")
FORMATS = tuple(PAGES)


@dataclass(frozen=True)
class Explanation:
    """The passes of an algorithm; it prints as text, and shows as a page in a notebook."""

    title: str
    at: str  # the state, in words; empty if it is for every state
    passes: list[Pass]
    axes: str = "body"
    model: Model | None = None  # whose table and sketch stand at the head

    @cached_property
    def robot(self) -> Section | None:
        """The robot's table, sketch and inertias."""
        return robot_section(self.model) if self.model is not None else None

    def export(self, form: str = "text") -> str:
        """The passes as "text", "md", "tex", or an "html" page."""
        if not isinstance(form, str) or form not in FORMATS:
            raise unknown("format", form, "an explanation", FORMATS)
        if form == "text":
            return as_text(self.title, self.passes, self.at, self.axes, self.robot)
        return PAGES[form](self.title, self._sections)

    @property
    def _sections(self) -> list[Section]:
        return as_sections(self.passes, self.at, self.axes, self.robot)

    @property
    def records(self) -> list[dict[str, Any]]:
        """The passes as lists and dicts: numbers as they are, expressions as text that SymPy reads."""
        return as_records(self.passes)

    def value(self, letter: str) -> Any:
        """One quantity by its letter as in the text: "V2", "tau1", "m1^C"."""
        found = {plain_text(row.letter): row.value for p in self.passes for row in p.rows}
        if not isinstance(letter, str) or letter not in found:
            raise unknown("quantity", letter, self.title, found)
        return found[letter]

    def __str__(self) -> str:
        return self.export("text")

    def _repr_html_(self) -> str:
        return fragment(html_body(self.title, self._sections))


def explain(
    algorithm: str, robot: Any, q: Any = None, v: Any = None, a: Any = None, tau: Any = None, axes: str = "body"
) -> Explanation:
    """Newton-Euler ("rnea"), composite bodies ("crba") or articulated bodies ("aba"), body by body."""
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, "the list", ALGORITHMS)
    choose("explain", "axes", axes, AXES)
    model = model_of(robot)
    title = f"{algorithm} on {model.name}"
    given = {"q": q, "v": v, "a": a, "tau": tau}
    if other := [name for name, x in given.items() if x is not None and name not in TAKES[algorithm]]:
        takes = ", ".join(TAKES[algorithm])
        raise ShapeError(f"explain: {other[0]} is no input of {algorithm!r}, which takes {takes}; leave it out")
    if q is None:
        if extra := [name for name, x in given.items() if x is not None]:
            raise ShapeError(f"explain: {extra[0]} is given without q; give both for numbers, none for symbols")
        return Explanation(f"{title}, in symbols", "", explained_in_symbols(algorithm, model, axes), axes, model)
    state = {name: _vector(model, name, x) for name, x in given.items()}
    passes = explained(algorithm, model, {name: array(list(x)) for name, x in state.items()}, axes)
    at = "at " + "; ".join(f"{name} = {state[name].round(4).tolist()}" for name in TAKES[algorithm])
    return Explanation(title, at, passes, axes, model)


def _vector(model: Model, name: str, given: Any) -> np.ndarray:
    """A vector of the state; zeros where it is not given."""
    size = model.nq if name == "q" else model.nv
    if given is None:
        return np.zeros(size)
    return np.array(numbers(f"explain: {name}", given, size), float)
