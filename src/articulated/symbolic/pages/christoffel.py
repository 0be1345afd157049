"""Christoffel symbols one by one: the formula, the derivatives of M put in, the result."""

from functools import cache
from typing import Any

import sympy

from ..equations import cross_checks
from ..equations.notation import page
from ..equations.presentation import shown
from ..equations.quantities import Rows
from ..ring.polynomial import terms_of
from ..ring.state import partial_derivative
from .document import Section, words
from .formula import width
from .latex import LINE, bracketed_lines, latex, lines

ROOM = LINE - 12  # what a formula may be wide beside its name

FORMULA = (
    r"\frac{1}{2} \left(\frac{\partial @M_{kj}}{\partial q_{i}} + \frac{\partial @M_{ki}}{\partial q_{j}} "
    r"- \frac{\partial @M_{ij}}{\partial q_{k}}\right)"
)


def symbols_one_by_one(equations: Any) -> Section:
    """Every symbol that does not vanish, i ≤ j; where v is not the rate of q there are none."""
    title = "Christoffel symbols, one by one"
    if not equations.state.velocities_are_rates:
        return Section(title, words("There are none: $v$ is not the rate of $q$; Hamel's matrices are printed above."))
    n, state = len(equations.v), equations.state

    @cache  # each is met three times
    def derivative(i: int, j: int, k: int) -> sympy.Expr:
        return shown(state, partial_derivative(equations.polynomials["M"][i, j], state.symbols["q"][k]))

    rows: Rows = []
    for k in range(n):
        for i in range(n):
            for j in range(i, n):
                if terms_of(equations.polynomials["christoffel"][k, i, j]):
                    parts = [derivative(*sorted((k, j)), i), derivative(*sorted((k, i)), j), derivative(i, j, k)]
                    rows.append(_row(equations, k, i, j, parts))
    total = n * n * (n + 1) // 2
    left = total - len(rows)
    text = (
        rf"$@G_{{k,ij}} = {FORMULA}$ and $@G_{{k,ij}} = @G_{{k,ji}}$, so that ${page().force('k')}$ is the sum "
        rf"of $@G_{{k,ij}} \dot{{q}}_i \dot{{q}}_j$ over all $i$ and $j$. Of {total} with $i \le j$, {len(rows)} "
        "do not vanish"
    )
    text += f"; {left} do. " if left else ". "
    return Section(title, words(text + cross_checks.christoffel_symbols(equations)), rows)


def _row(equations: Any, k: int, i: int, j: int, parts: list[sympy.Expr]) -> tuple[str, Any]:
    first, second, third = parts
    q = equations.state.symbols["q"]
    value = shown(equations.state, equations.polynomials["christoffel"][k, i, j])
    index = f"{i + 1}{j + 1}" if len(q) < 10 else f"{i + 1},{j + 1}"
    substituted = rf"\frac{{1}}{{2}} \left({_bracketed(first)} + {_bracketed(second)} - {_bracketed(third)}\right)"
    if width(substituted) > ROOM:
        terms = [*_term("", first), *_term("+ ", second), *_term("- ", third)]
        out = [rf"\frac{{1}}{{2}} \bigl[ {terms[0]}", *terms[1:-1], rf"{terms[-1]} \bigr]"]
    else:
        out = [substituted]
    worked, *more = lines(value, ROOM)
    return f"{page().letters.christoffel}_{{{k + 1},{index}}}", [*out, f"= {worked}", *more]


def _term(sign: str, x: sympy.Expr) -> list[str]:
    """One derivative with its sign, broken where it is too wide for a line."""
    whole = _bracketed(x)
    if width(whole) <= ROOM - 6:
        return [sign + whole]
    first, *more = lines(x, ROOM - 8)
    if not x.is_Add and not first.startswith("-"):
        return [sign + first, *(rf"\quad {line}" for line in more)]
    return bracketed_lines(rf"{sign}\bigl(", x, r"\bigr)", ROOM - 8)


def _bracketed(x: sympy.Expr) -> str:
    return rf"\left({latex(x)}\right)" if x.is_Add or x.could_extract_minus_sign() else latex(x)
