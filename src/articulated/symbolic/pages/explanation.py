"""`art.explain`: a recursion executed on a robot, every quantity of every pass."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import array
from ...errors import ShapeError, unknown
from ...inputs.choices import choose
from ...inputs.numbers import numbers
from ...model import Model
from ...text import plain
from ..equations.lectures import model_of
from ..ring.state import State
from .document import Math, Section, words
from .export import PAGES, check_page
from .formula import plain_text, width
from .html import fragment, html_body
from .latex import LINE, latex, upright
from .setup import robot_section, shorthands
from .terminal import in_words
from .walkthrough import ALGORITHMS, TAKES, Pass, Row, explained, explained_in_symbols

AXES = ("body", "world")
NOTE = "Motions and forces are six numbers in the axes of their body, linear part first."
NOTE_OF_WORLD = "Motions and forces are six numbers in the world's axes at its origin, linear part first."
VECTORS = "Vectors of three are in the axes of their body."
VECTORS_OF_WORLD = "Vectors of three are in the world's axes; $r_{c}$ and moments are from the origin of their body."
#: the six by six matrices of the recursions; [x] is the matrix of the cross product, [x] y = x × y
LETTERS = (
    (r"\mathcal{I}", r"\begin{pmatrix} m^{B} 1 & -{[h^{B}]} \\ {[h^{B}]} & I^{B} \end{pmatrix}"),
    ("X", r"\begin{pmatrix} R^{\top} & -R^{\top} {[p]} \\ 0 & R^{\top} \end{pmatrix}"),
    ("X^{*}", r"X^{\top}"),
    (r"V \times", r"\begin{pmatrix} {[\omega]} & {[v]} \\ 0 & {[\omega]} \end{pmatrix}"),
    (r"V \times^{*}", r"-(V \times)^{\top}"),
)
MEANING = (
    "$X$ carries motions from the parent to the body, $X^{*}$ forces from the body to its parent; "
    r"$V = (v, \omega)$, $[x]\, y = x \times y$."
)
ROUNDING = 1e-14  # relative to the largest entry: printed as 0


@dataclass(frozen=True)
class Explanation:
    """The passes of an algorithm; it prints as text, and shows as a page in a notebook."""

    title: str
    at: str  # the state, in words; empty if it is for every state
    passes: list[Pass]
    axes: str = "body"
    model: Model | None = None  # the robot whose table and sketch head the page
    algorithm: str = "rnea"

    def export(self, form: str = "text") -> str:
        """The passes as "text", "md", "tex", or an "html" page."""
        check_page("an explanation", form)
        return PAGES[form](self.title, self._sections)

    @property
    def _sections(self) -> list[Section]:
        """One section per body: where each quantity comes from, and its value."""
        threes = self.algorithm == "newton_euler"
        note = ((VECTORS, VECTORS_OF_WORLD) if threes else (NOTE, NOTE_OF_WORLD))[self.axes == "world"]
        out = [Section("What is shown", [*([f"{plain(self.at)}. "] if self.at else []), *words(note)])]
        if not self.at and self.model is not None:
            out[0].text.extend(words(shorthands(State(self.model))))
        out += [robot_section(self.model)] if self.model is not None else []
        out += [] if threes else [Section("Matrices", words(MEANING), LETTERS)]
        for found in self.passes:
            for body, rows in groupby(found.rows, key=lambda row: row.body):
                shown = [part for row in rows for part in (("", _sentence(row.formula)), _formula(row))]
                out.append(Section(f"{body}, {found.title}", [], shown))
        return out

    @property
    def records(self) -> list[dict[str, Any]]:
        """The passes as lists and dicts: numbers as they are, expressions as text that SymPy reads."""

        def record(row: Row) -> dict[str, Any]:
            return {"body": row.body, "formula": in_words(words(row.formula)), "value": _record(row.value)}

        return [{"title": p.title, "rows": list(map(record, p.rows))} for p in self.passes]

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
    """Newton-Euler ("rnea", "newton_euler"), composite bodies ("crba") or articulated bodies ("aba"), body by body."""
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise unknown("algorithm", algorithm, "the list", ALGORITHMS)
    choose("explain", "axes", axes, AXES)
    model = model_of(robot)
    title = f"{algorithm} on {model.name}"
    given = {"q": q, "v": v, "a": a, "tau": tau}
    if other := [name for name, x in given.items() if x is not None and name not in TAKES[algorithm]]:
        takes = ", ".join(TAKES[algorithm])
        raise ShapeError(f"explain: {other[0]} is not an input of {algorithm!r}, which takes {takes}; leave it out")
    if q is None:
        if extra := [name for name, x in given.items() if x is not None]:
            raise ShapeError(f"explain: {extra[0]} is given without q; give both for numbers, none for symbols")
        return Explanation(
            f"{title}, in symbols", "", explained_in_symbols(algorithm, model, axes), axes, model, algorithm
        )
    state = {name: _vector(model, name, x) for name, x in given.items()}
    passes = explained(algorithm, model, {name: array(list(x)) for name, x in state.items()}, axes)
    at = "at " + "; ".join(f"{name} = {state[name].round(4).tolist()}" for name in TAKES[algorithm])
    return Explanation(title, at, passes, axes, model, algorithm)


def _vector(model: Model, name: str, given: Any) -> np.ndarray:
    """A vector of the state; zeros where it is not given."""
    size = model.nq if name == "q" else model.nv
    if given is None:
        return np.zeros(size)
    return np.array(numbers(f"explain: {name}", given, size), float)


def _sentence(formula: str) -> str:
    """The origin of a quantity, inside a formula."""
    return "".join(part if isinstance(part, Math) else upright(part) for part in words(formula))


def _formula(row: Row) -> tuple[str, Any]:
    """The value as something to typeset; a vector lies down where it fits."""
    entries = _rounded(np.array(row.value, object))
    shown = [x if isinstance(x, sympy.Basic) else _number(x) for x in entries.ravel()]
    if entries.size == 1:
        return row.letter, shown[0]
    if entries.ndim == 2 and entries.shape[1] > 1:
        return row.letter, sympy.ImmutableMatrix(*entries.shape, shown)
    lying = latex(sympy.ImmutableMatrix(1, len(shown), shown))
    if width(lying) < LINE - 8:
        return row.letter, rf"{lying}^{{\top}}"
    return row.letter, sympy.ImmutableMatrix(len(shown), 1, shown)


def _number(x: Any) -> sympy.Expr:
    """A number, without a point if it is whole."""
    value = float(x)
    return sympy.Integer(int(value)) if value.is_integer() else sympy.Float(value)


def _record(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_record(x) for x in value]
    return str(value) if isinstance(value, sympy.Basic) else float(value)


def _rounded(entries: np.ndarray) -> np.ndarray:
    """Entries with 0 for what rounding left of zero."""
    if any(isinstance(x, sympy.Basic) for x in entries.ravel()):
        return entries
    largest = max((abs(float(x)) for x in entries.ravel()), default=0.0)
    out = entries.copy()
    for index, x in np.ndenumerate(entries):
        out[index] = 0 if abs(float(x)) <= ROUNDING * max(1.0, largest) else x
    return out
