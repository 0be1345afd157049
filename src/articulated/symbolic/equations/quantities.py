"""Quantities of the equations by name, as rows of `left = right`."""

from collections.abc import Callable
from typing import Any

import sympy

from ...errors import unknown
from .notation import page

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
    if len(zero) < 2 or not rest:
        return [*rest, *((left, "0") for left in zero)]
    if len(zero) > MANY or sum(map(len, zero)) > LONG:
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
    "c": lambda eq: [(page().force(i + 1), x) for i, x in enumerate(eq.c)],
    "g": lambda eq: entries(page().letters.gravity, eq.g),
    "friction": lambda eq: entries(f"{page().letters.torque}^{{f}}", eq.friction),
    "tau": _sums,
    "T": lambda eq: [("T", eq.T)],
    "U": lambda eq: [("U", eq.U)],
    "L": lambda eq: [("L", eq.lagrangian)],
}
