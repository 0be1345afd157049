"""The linear parametrization and the Christoffel symbols one by one, as sections of the derivation."""

from functools import cache
from typing import Any

import sympy

from ...algebra.spatial import IDENTITY
from ...errors import ModelError
from ..equations import cross_checks
from ..equations.coefficients import geometry
from ..equations.dh_table import dh_table
from ..equations.lagrange import size
from ..equations.notation import Rows, page
from ..equations.presentation import shown
from ..equations.progress import progress
from ..ring.polynomial import symbols_of, terms_of
from ..ring.state import partial_derivative
from .document import Section, words
from .formula import width
from .latex import LINE, bracketed_lines, by_factor, latex, lines


def coefficients_section(equations: Any, longest: int) -> Section:
    """The fewest coefficients, the model in them, and Y unless it has more than `longest` terms."""
    with progress(f"finding the dynamic coefficients of {equations.name}"):
        found, assumed, call = _found(equations)
    letter, symbols = found.letter, found.symbols
    rows: Rows = [(latex(s), c.expression) for s, c in zip(symbols, found, strict=True)]
    text = f"The fewest coefficients in which the model is linear{assumed}"
    if found.values is not None:
        text = (
            "The base parameters: combinations of mass, first moments $(m x)$ and inertias of the links that the "
            "motion can tell apart; each is one parameter of a link and what is regrouped into it. "
            f"{_frames(equations)}{_signs(found)} Each with its value for this robot"
        )
        parts = zip(symbols, found, found.values, strict=True)
        rows = [(latex(s), _valued(by_factor(c.expression), latex(sympy.sympify(x)))) for s, c, x in parts]
    checked = cross_checks.count(found)
    if (terms := size([found.polynomials])) > longest:
        text += (
            f". $@Y$, of {terms} terms, more than the {longest} printed here, and the model written in them are left "
            f"out; in Python: found = {call}, then found.Y, found.M, found.c, found.g. {checked}"
        )
        return Section("Dynamic coefficients", words(text), rows)
    used = page().letters
    written = {used.inertia: found.M, page().forces: found.c, used.gravity: found.g}
    written |= {f"{used.torque}^{{f}}": found.friction} if any(found.friction) else {}
    rows += written.items()
    rows.append((used.regressor, found.Y))
    named = "; $a_{i}$ are not the lengths of the table" if letter == "a" and dh_table(equations.state) else ""
    text += rf", the model written in them, and $@Y$ with $@t = @Y {letter}$; in Python: {call}{named}. {checked}"
    return Section("Dynamic coefficients", words(text), rows)


def _valued(formula: list[str], value: str) -> list[str]:
    """A formula and its value, on one line where they fit."""
    whole = f"{formula[-1]} = {value}"
    return [*formula[:-1], whole] if width(whole) <= ROOM else [*formula, f"= {value}"]


def _found(equations: Any) -> tuple[Any, str, str]:
    """The coefficients, which letters count as known, those of placements where they can be, and the Python for it."""
    present = {s for x in equations.polynomials["tau"] for s in symbols_of(x)}
    unknown = sorted(geometry(equations.model) & present, key=lambda s: s.name)
    listed = ", ".join(f"${latex(s)}$" for s in unknown)
    one = len(unknown) == 1
    assumed = f" if {listed} count{'s' if one else ''} as unknown, too" if unknown else ""
    letter = page().letters.coefficient
    also = "" if letter == "a" else f'letter="{letter}"'
    try:
        if set(unknown) >= set(equations.parameters):  # numbers, beside lengths that are letters
            return equations.base_parameters(letter), "", f"eq.base_parameters({also})"
        if page().letters.known and unknown:
            found, known = equations.coefficients("geometry", letter), f" if {listed} {'is' if one else 'are'} known"
            return found, known, f'eq.coefficients("geometry"{also and f", {also}"})'
    except (ModelError, sympy.PolynomialError):  # letters beside rounded numbers, or as angles
        pass
    return equations.coefficients((), letter), assumed, f"eq.coefficients({also})"


def _frames(equations: Any) -> str:
    """The reference points and axes of the parameters."""
    if any(b.tail is not IDENTITY for b in equations.model.bodies):
        return (
            "They are those of link $i$ in the frame of its joint, which is fixed to the link: its axes and origin "
            "after the joint's motion, before what a row has behind it ($a_i$ and $\\alpha_i$ of a standard table)."
        )
    return "They are about the origin of the link's frame, in its axes."


def _signs(found: Any) -> str:
    """The reasons for minus signs; nothing where there is none."""
    if not any(x.could_extract_minus_sign() for c in found for x in sympy.Add.make_args(sympy.expand(c.expression))):
        return ""
    return (
        " A minus sign cannot be avoided where only the difference of two moments of inertia is felt, where an axis "
        "of a link beyond points against the one it is regrouped into, and in products of inertia "
        r"($I_{xy} = -\sum m x y$)."
    )


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
