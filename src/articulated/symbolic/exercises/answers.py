"""A student's answer: parsed in the usual notations, compared as an expression, with a hint at what is wrong."""

from collections.abc import Callable
from itertools import product
from numbers import Real
from typing import Any, NamedTuple

import sympy

from ...errors import ArticulatedError, ShapeError, unknown
from ...text import shortened
from ..equations.factorizations import factorization
from ..equations.substitution import in_own_symbols
from ..ring.convert import in_ring
from ..ring.expressions import parsed
from ..ring.polynomial import largest, terms_of
from ..ring.signs import vanishes, where_seen
from .layout import definitions, readings, unnamed
from .names import letters
from .spelling import spelled

ROUNDING = 1e-12  # relative, of decimal coefficients
DIGITS = 5  # of decimal coefficients that an answer has: pages print six
MIRRORED = sympy.Symbol("sym")  # an entry of a symmetric matrix that stands across the diagonal


class Verdict(NamedTuple):
    """Verdict on an answer: true if it is right, and a sentence about it."""

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.text


def read(equations: Any, answer: Any, shape: tuple[int, int] | None = None) -> Any:
    """An answer given as text, number, expression or matrix, in the symbols of the equations.

    Of a text that can be read in several ways it is the first that has the shape, if one is asked for.
    """
    if isinstance(answer, str):
        answer = _of_text(equations, answer, shape)
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


def _of_text(equations: Any, text: str, shape: tuple[int, int] | None) -> Any:
    """The expression or matrix that a text spells, with the letters it defines."""
    known = {**letters(equations), "sym": MIRRORED}
    text, own = definitions(text, known)
    known |= {name: parsed(spelled(x, known), known, "the answer") for name, x in own.items()}
    tried: list[Any] = []
    for reading in readings(text):
        try:
            tried.append(parsed(spelled(unnamed(reading), known), known, "the answer"))
        except ArticulatedError as problem:
            tried.append(problem)
    sizes = [getattr(x, "shape", () if isinstance(x, Exception) else (1, 1)) for x in tried]
    answer = next((x for x, size in zip(tried, sizes, strict=True) if shape in (size, size[::-1])), tried[0])
    if isinstance(answer, Exception):
        raise answer
    if isinstance(answer, sympy.MatrixBase) and answer.is_square:
        answer = sympy.Matrix(*answer.shape, lambda i, j: answer[(j, i) if answer[i, j] == MIRRORED else (i, j)])
    return answer


def compared(equations: Any, answer: Any, solution: sympy.Expr) -> Verdict:
    """Verdict on an expression: equal to the solution for all values of the symbols, or different in which terms."""
    given = read(equations, answer, (1, 1))
    if isinstance(given, sympy.MatrixBase):
        if given.shape != (1, 1):
            return Verdict(False, f"One expression is asked for; the answer has {given.rows} × {given.cols}.")
        given = given[0, 0]
    left = _residue(equations, given, solution)
    if left == 0:
        return Verdict(True, "Right: its difference from the solution is zero, term by term.")
    if left <= ROUNDING:
        words = f"below {ROUNDING:.0e} of the solution's largest coefficient, term by term"
        return Verdict(True, f"Right up to rounding: its difference from the solution is {words}.")
    if equations.state.ring.decimals and _as_printed(equations, given, solution):
        return Verdict(True, f"Right to {DIGITS} digits: every coefficient agrees with the solution's that far.")
    if vanishes(given - solution):
        return Verdict(True, f"Right: it agrees with the solution {where_seen(given - solution)}.")
    wrong = f"Not right. {_what_is_wrong(equations, given, solution)} {_shown(equations, given, solution)}".rstrip()
    return Verdict(False, wrong)


def check_answer(equations: Any, a: Any = None, **answers: Any) -> Verdict:
    """`eq.check_answer`: the verdicts on all of them together."""
    if not answers:
        raise unknown("answer", "none", "check_answer", QUANTITIES)
    verdicts = []
    for name, answer in answers.items():
        if name not in QUANTITIES:
            raise unknown("quantity", name, "check_answer", QUANTITIES)
        found = QUANTITIES[name](equations, answer, a)
        verdicts.append(found._replace(text=f"{name}: {found.text}"))
    return Verdict(all(verdicts), "\n".join(v.text for v in verdicts))


def compared_entries(equations: Any, answer: Any, solution: Any) -> Verdict:
    """A matrix or vector, entry by entry: the first that is wrong, and how many."""
    given = read(equations, answer, solution.shape)
    if not isinstance(given, sympy.MatrixBase):
        given = sympy.Matrix([[given]])
    if given.shape != solution.shape and given.T.shape == solution.shape and 1 in given.shape:
        given = given.T
    if given.shape != solution.shape:
        return Verdict(False, f"Not right. It has {_size(solution)}; the answer has {_size(given)}.")
    wrong = []
    for place in product(range(solution.rows), range(solution.cols)):
        if not (found := compared(equations, given[place], solution[place])):
            wrong.append((place, found))
    if not wrong:
        return Verdict(True, "Right in every entry, for all values of its letters.")
    (i, j), found = wrong[0]
    where = f"entry {i + 1}" if solution.cols == 1 else f"row {i + 1}, column {j + 1}"
    others = len(wrong) - 1
    also = f" {others} more {'are' if others > 1 else 'is'} wrong." if others else ""
    return Verdict(False, f"{where}: {found.text}{also}")


def _size(matrix: Any) -> str:
    if matrix.cols > 1:
        return f"{matrix.rows} × {matrix.cols}"
    return "one entry" if matrix.rows == 1 else f"{matrix.rows} entries"


def _factorization(equations: Any, answer: Any, _: Any) -> Verdict:
    given = read(equations, answer, equations.M.shape)
    if not isinstance(given, sympy.MatrixBase) or given.shape != equations.M.shape:
        return Verdict(False, f"Not right. It is a matrix of {_size(equations.M)}.")
    found = factorization(equations, given)
    if found.gives_c:
        return Verdict(True, f"Right: {found.verdict('S')}.")
    return Verdict(False, f"S v is not c. {compared_entries(equations, given * equations.v, equations.c).text}")


def _regressor(equations: Any, answer: Any, a: Any) -> Verdict:
    listed = read(equations, a) if a is not None else equations.coefficients().expressions
    given = read(equations, answer, (len(equations.v), len(listed)))
    if not isinstance(given, sympy.MatrixBase) or given.cols != len(listed) or given.rows != len(equations.v):
        return Verdict(False, f"Not right. With {len(listed)} coefficients Y is {len(equations.v)} × {len(listed)}.")
    product = given * sympy.Matrix(list(listed))
    if found := compared_entries(equations, product, equations.tau):
        return Verdict(True, "Right: Y a = tau, for all values of the letters.")
    return Verdict(False, f"Y a is not tau. {found.text}")


def _matrix(name: str) -> Any:
    return lambda equations, answer, _: compared_entries(equations, answer, getattr(equations, name))


def _scalar(name: str) -> Any:
    return lambda equations, answer, _: compared(equations, answer, getattr(equations, name))


#: what is asked → verdict on an answer
QUANTITIES: dict[str, Callable[[Any, Any, Any], Verdict]] = {
    **{name: _matrix(name) for name in ("M", "c", "g", "tau", "friction")},
    **{name: _scalar(name) for name in "TU"},
    "S": _factorization, "C": _factorization, "Y": _regressor,
}  # fmt: skip


def _shown(equations: Any, given: sympy.Expr, solution: sympy.Expr) -> str:
    """Simple values of the letters at which the two differ, and what each then is; nothing where there are none."""
    symbols = sorted(given.free_symbols | solution.free_symbols, key=lambda s: s.name)
    moving = [s for s in (*equations.q, *equations.v, *equations.a) if s in symbols]
    letters = {s: sympy.Integer(k + 1) for k, s in enumerate(x for x in symbols if x not in moving)}
    for values in ((1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 1), (1, 2, 3)) if symbols else ():
        at = dict(letters)
        for s in moving:
            at[s] = (
                sympy.Rational(values[list(equations.q).index(s) % 3], 2) if s in set(equations.q) else values[0] + 1
            )
        x, y = (sympy.N(z.subs(at)) for z in (given, solution))
        if x.is_finite and y.is_finite and abs(x - y) > 1e-9 * max(abs(x), abs(y), 1):
            where = ", ".join(f"{s} = {sympy.N(v, 3) if s in moving else v}" for s, v in at.items())
            return f"At {where} it is {sympy.N(x, 4)} and should be {sympy.N(y, 4)}."
    return ""


def same(equations: Any, x: sympy.Expr, y: sympy.Expr) -> bool:
    """Equality in normal form, up to the rounding of decimals."""
    return _residue(equations, x, y) <= ROUNDING


def _residue(equations: Any, x: sympy.Expr, y: sympy.Expr) -> float:
    """The largest coefficient of x - y in normal form, relative to that of y."""
    left, whole = (largest([in_ring(equations.state.ring, sympy.sympify(z))]) for z in (x - y, y))
    return left / (whole or 1.0)


def _as_printed(equations: Any, x: sympy.Expr, y: sympy.Expr) -> bool:
    """Whether every coefficient in normal form is that of y to the digits of a page."""
    left, whole = (terms_of(in_ring(equations.state.ring, sympy.sympify(z))) for z in (x - y, y))
    return all(abs(c) <= 10.0**-DIGITS * abs(whole.get(m, 0)) for m, c in left.items())


def _what_is_wrong(equations: Any, given: sympy.Expr, solution: sympy.Expr) -> str:
    if given == 0:
        return "It is not zero."
    if given.is_number and given.is_real and solution.is_number:
        return f"It is too {'large' if given > solution else 'small'}."
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
