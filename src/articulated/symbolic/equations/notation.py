"""Letters of the model on a page, as the textbooks write them: a table of styles.

On every page one letter has one meaning.  c is a cosine; so velocity forces are C q̇, or c(q, q̇) with its arguments;
g is the force, a_g the acceleration of gravity.  A letter that the robot has, too, as a cart of mass M, has a bar.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import sympy

from ...errors import unknown
from ...inputs.choices import choose


class Notation(NamedTuple):
    """LaTeX of the letters of one textbook; `i` stands for the number of a joint, `v` for the velocities."""

    source: str
    inertia: str = "M"
    forces: str = "C {v}"  # centrifugal and Coriolis, the vector
    force: str = "(C {v})_{{{i}}}"  # one entry of it
    coriolis: str = "C"  # the matrix
    christoffel: str = r"\Gamma"  # symbols and the matrices made of them
    gravity: str = "g"
    torque: str = r"\tau"
    kinetic: str = "T"
    potential: str = "U"
    lagrangian: str = "L"
    regressor: str = "Y"
    coefficient: str = "p"  # a_i is a column of the D-H table
    known: bool = True  # lengths and gravity are known where coefficients are counted


#: style → its letters
STYLES = {
    "plain": Notation("no textbook: one letter, one meaning"),
    "de_luca": Notation(
        "De Luca, Robotics 2", "B", r"c(q, {v})", r"c_{{{i}}}(q, {v})", "S", "C", torque="u", coefficient="a",
        known=False,
    ),
    "siciliano": Notation("Siciliano et al. 2009", "B"),
    "spong": Notation("Spong, Hutchinson, Vidyasagar 2006", "D", kinetic="K", potential="P"),
    "khalil": Notation(
        "Khalil and Dombre 2002", "A", christoffel=r"\Lambda", gravity="Q", torque=r"\Gamma", kinetic="E"
    ),
}  # fmt: skip


class Page(NamedTuple):
    """The letters in use: those of a style, the velocities, and the names of the angles that c_12 is written for."""

    letters: Notation = STYLES["plain"]
    v: str = r"\dot{q}"
    angles: frozenset[str] = frozenset()

    @property
    def forces(self) -> str:
        """The vector of velocity forces."""
        return self.letters.forces.format(v=self.v)

    def force(self, i: int | str) -> str:
        """One of its entries."""
        return self.letters.force.format(v=self.v, i=i)


#: fields that are one letter
LETTERS = ("inertia", "coriolis", "christoffel", "gravity", "torque", "kinetic", "potential", "lagrangian", "regressor")


def has_letter(symbols: Iterable[sympy.Symbol], letter: str) -> bool:
    """True if one of the symbols is that letter, alone or with an index from 1 on; g_0 is not the force g."""
    return any(re.fullmatch(rf"{letter}(_?[1-9]\d*)?", s.name) for s in symbols)


def _distinct(used: Notation, symbols: Iterable[sympy.Symbol]) -> Notation:
    """The letters, with a bar where a robot's symbol is one of them."""
    symbols = list(symbols)
    own = {name: x for name in LETTERS if has_letter(symbols, (x := getattr(used, name)).removeprefix("\\"))}
    changed: dict[str, Any] = {name: rf"\bar{{{x}}}" for name, x in own.items()}
    if has_letter(symbols, letter := used.forces[0]):
        changed |= {x: getattr(used, x).replace(letter, rf"\bar{{{{{letter}}}}}", 1) for x in ("forces", "force")}
    return used._replace(**changed)


_PAGE: ContextVar[Page] = ContextVar("page")
PLAIN = Page()


def page() -> Page:
    """The letters of the page that is being written."""
    return _PAGE.get(PLAIN)


@contextmanager
def written_in(equations: Any, style: str = "plain") -> Iterator[Page]:
    """Formulas written in the letters of a style, and c_12 for the angles of these equations."""
    choose("derivation", "style", style, STYLES)
    state = getattr(equations, "state", None)
    rates = state is None or state.velocities_are_rates
    angles = frozenset(s.name for s in (state.letters if state else ()))
    letters = _distinct(STYLES[style], (*equations.parameters, *equations.q))
    token = _PAGE.set(Page(letters, r"\dot{q}" if rates else "v", angles))
    try:
        yield _PAGE.get()
    finally:
        _PAGE.reset(token)


Rows = list[tuple[str, Any]]  # LaTeX of a name, or nothing; an expression, a matrix, or LaTeX
MANY = 8  # zeros that are listed by name
LONG = 90  # characters of their names that fit that line


def listed(what: Any) -> list[str]:
    """The quantities of a text such as "M,c,g"."""
    if not isinstance(what, str):
        raise unknown("quantity", what, "the equations", QUANTITIES)
    return [name.strip() for name in what.split(",")]


def rows_of(equations: Any, what: str) -> Rows:
    """The rows of one quantity of the table below."""
    found = QUANTITIES.get(what)
    if found is None:
        raise unknown("quantity", what, "the equations", QUANTITIES)
    return found(equations)


def value_of(equations: Any, what: str) -> Any:
    """One quantity of the table below, as an expression or a matrix."""
    if what not in QUANTITIES:
        raise unknown("quantity", what, "the equations", QUANTITIES)
    return getattr(equations, {"L": "lagrangian"}.get(what, what))


def with_zeros_last(rows: Rows) -> Rows:
    """Rows with all zeros in one line."""
    zero = [left for left, x in rows if x == 0]
    rest = [row for row in rows if row[1] != 0]
    if len(zero) < 2:
        return rows
    if rest and (len(zero) > MANY or sum(map(len, zero)) > LONG):
        return [*rest, ("", r"\text{the others are zero}")]
    return [*rest, (zero[0], " = ".join([*zero[1:], "0"]))]


def entries(letter: str, matrix: sympy.Matrix, upper: bool = False) -> Rows:
    """A matrix or vector, entry by entry; of a symmetric one its upper triangle."""
    if matrix.cols == 1 and not upper:
        return [(f"{letter}_{{{i + 1}}}", x) for i, x in enumerate(matrix)]
    between = "," if max(matrix.shape) > 9 else ""
    return [
        (f"{letter}_{{{i + 1}{between}{j + 1}}}", matrix[i, j])
        for i in range(matrix.rows)
        for j in range(i if upper else 0, matrix.cols)
    ]


def _sums(equations: Any) -> Rows:
    M, a, h = equations.M, equations.a, equations.c + equations.g + equations.friction
    sums = [sympy.Add(*(M[i, j] * a[j] for j in range(M.cols)), h[i]) for i in range(M.rows)]
    return [(f"{page().letters.torque}_{{{i + 1}}}", x) for i, x in enumerate(sums)]


#: what can be typeset → its rows
QUANTITIES: dict[str, Callable[[Any], Rows]] = {
    "M": lambda eq: with_zeros_last(entries(page().letters.inertia, eq.M, upper=True)),
    "C": lambda eq: with_zeros_last(entries(page().letters.coriolis, eq.C)),
    "c": lambda eq: with_zeros_last([(page().force(i + 1), x) for i, x in enumerate(eq.c)]),
    "g": lambda eq: with_zeros_last(entries(page().letters.gravity, eq.g)),
    "friction": lambda eq: entries(f"{page().letters.torque}^{{f}}", eq.friction),
    "tau": _sums,
    "T": lambda eq: [(page().letters.kinetic, eq.T)],
    "U": lambda eq: [(page().letters.potential, eq.U)],
    "L": lambda eq: [(page().letters.lagrangian, eq.lagrangian)],
}
