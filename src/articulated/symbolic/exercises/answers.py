"""A student's answer: parsed in the usual notations, compared as an expression, with a hint at what is wrong."""

import re
from numbers import Real
from typing import Any, NamedTuple

import sympy

from ...errors import ShapeError
from ...text import shortened
from ..equations.factorizations import largest
from ..equations.substitution import in_own_symbols
from ..ring.convert import in_ring
from ..ring.expressions import parsed
from ..ring.vanishing import vanishes, where_seen

ROUNDING = 1e-12  # relative, of decimal coefficients


class Verdict(NamedTuple):
    """Verdict on an answer: true if it is right, and a sentence about it."""

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.text


def letters(equations: Any, answer: str) -> dict[str, sympy.Expr]:
    """Symbols by name, with and without underscore; c12 and s_12 of the lecture where the answer has them."""
    q = list(equations.q)
    symbols = (*equations.parameters, *q, *equations.v, *equations.a)
    known: dict[str, sympy.Expr] = {s.name: s for s in symbols}
    for s in symbols:
        known.setdefault(s.name.replace("_", ""), s)
        if dotted := re.fullmatch(r"q(d{1,2})_(\d+)", s.name):  # dq1, ddq1
            known.setdefault(f"{dotted[1]}q{dotted[2]}", s)
            known.setdefault(f"{dotted[1]}q_{dotted[2]}", s)
    for name, function, index in re.findall(r"\b(([cs])_?([1-9]+))\b", answer):
        if max(map(int, index)) <= len(q):
            angle = sympy.Add(*(q[int(k) - 1] for k in index))
            known.setdefault(name, sympy.cos(angle) if function == "c" else sympy.sin(angle))
    return known


def read(equations: Any, answer: Any) -> Any:
    """An answer given as text, number, expression or matrix, in the symbols of the equations."""
    if isinstance(answer, str):
        answer = parsed(answer, letters(equations, answer), "the answer")
    elif isinstance(answer, (list, tuple)):
        rows = [x if isinstance(x, (list, tuple)) else [x] for x in answer]
        if len({len(row) for row in rows}) != 1:
            raise ShapeError("the answer is a matrix whose rows have different lengths")
        answer = sympy.Matrix([[read(equations, x) for x in row] for row in rows])
    elif isinstance(answer, Real) and not isinstance(answer, bool):
        answer = sympy.sympify(answer)
    if not isinstance(answer, (sympy.Expr, sympy.MatrixBase)) or answer.has(sympy.nan, sympy.zoo, sympy.oo):
        wanted = "an expression, a text that spells one, or a matrix"
        raise ShapeError(f"the answer is {wanted}; got {shortened(repr(answer))}")
    return in_own_symbols(equations, "the answer", answer)


def compared(equations: Any, answer: Any, solution: sympy.Expr) -> Verdict:
    """Verdict on an expression: equal to the solution for all values of the symbols, or different in which terms."""
    given = read(equations, answer)
    if isinstance(given, sympy.MatrixBase):
        if given.shape != (1, 1):
            return Verdict(False, f"One expression is asked for; the answer has {given.rows} × {given.cols}.")
        given = given[0, 0]
    left = _residue(equations, given, solution)
    if left == 0:
        return Verdict(True, "Right: its difference to the solution is zero, term by term.")
    if left <= ROUNDING:
        words = f"below {ROUNDING:.0e} of the solution's largest coefficient, term by term"
        return Verdict(True, f"Right up to rounding: its difference to the solution is {words}.")
    if vanishes(given - solution):
        return Verdict(True, f"Right: it agrees with the solution {where_seen(given - solution)}.")
    return Verdict(False, f"Not right. {_what_is_wrong(equations, given, solution)}")


def same(equations: Any, x: sympy.Expr, y: sympy.Expr) -> bool:
    """Equality in normal form, up to the rounding of decimals."""
    return _residue(equations, x, y) <= ROUNDING


def _residue(equations: Any, x: sympy.Expr, y: sympy.Expr) -> float:
    """The largest coefficient of x - y in normal form, relative to that of y."""
    left, whole = (largest([in_ring(equations.state.ring, sympy.sympify(z))]) for z in (x - y, y))
    return left / (whole or 1.0)


def _what_is_wrong(equations: Any, given: sympy.Expr, solution: sympy.Expr) -> str:
    if given == 0:
        return "It is not zero."
    half = sympy.Rational(1, 2)
    for factor in (-1, 2, half, -2, -half, 4, half**2):
        if same(equations, given, factor * solution):
            times = f"It is {factor} times what it should be."
            return "The sign is wrong, and nothing else." if factor == -1 else times
    wrong = [p for p in equations.parameters if not same(equations, given.diff(p), solution.diff(p))]
    right = [p for p in equations.parameters if p not in wrong and solution.has(p)]
    moving = [s for s in (*equations.q, *equations.v, *equations.a) if given.has(s) and not solution.has(s)]
    missing = [s for s in (*equations.q, *equations.v, *equations.a) if solution.has(s) and not given.has(s)]
    words = []
    if moving:
        words.append(f"It does not depend on {_listed(moving)}.")
    if missing:
        words.append(f"It depends on {_listed(missing)}, too.")
    if wrong and right:
        words.append(f"The terms with {_listed(right)} are right, those with {_listed(wrong)} are not.")
    return " ".join(words) or "Its terms are not those of the solution."


def _listed(symbols: list[sympy.Symbol]) -> str:
    names = [s.name for s in symbols]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
