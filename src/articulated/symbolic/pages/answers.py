"""The lecture's four questions and their answers, as sections of the derivation."""

from collections.abc import Iterable
from typing import Any

import sympy

from ..equations.lagrange import size
from ..equations.progress import progress
from ..equations.quantities import Rows
from ..equations.questions import (
    Condition,
    Definiteness,
    constant_inertia,
    depends_on,
    factorizations,
    no_gravity,
    positive_definiteness,
)
from .document import Section, Text, words
from .latex import latex, upright

MANY = 12  # squares that are written out


def question_sections(equations: Any, longest: int) -> list[Section]:
    """Q1 to Q4; formulas of more than `longest` terms are left out, their verdict is not."""
    with progress(f"answering the lecture's questions for {equations.name}"):
        return [
            Section("Q1: when is the inertia matrix constant?", *_constant(equations)),
            Section("Q2: when does gravity vanish?", *_balanced(equations)),
            _definite(positive_definiteness(equations)),
            _factorizations(equations, longest),
        ]


def _constant(equations: Any) -> tuple[Text, Rows]:
    M = equations.polynomials["M"]
    moving = depends_on(equations.state, M)
    if not moving:
        return words("Always: $M$ does not depend on the configuration, and $c = 0$."), []
    if not equations.parameters:
        return words(f"With these numbers it is not: $M$ depends on {_listed(moving)}."), []
    return _asked(constant_inertia(equations), "Then $c = 0$, too.", "$M$")


def _balanced(equations: Any) -> tuple[Text, Rows]:
    g = equations.polynomials["g"]
    if all(x == 0 for x in g):
        return words("Always: no joint carries weight."), []
    if not equations.parameters:
        heavy = [sympy.Symbol(f"g_{k + 1}") for k, x in enumerate(g) if x != 0]
        return words(f"With these numbers it does not: not zero: {_listed(heavy)}."), []
    return _asked(no_gravity(equations), "The robot then rests in every configuration.", "$g$")


def _listed(symbols: Iterable[sympy.Symbol]) -> str:
    return ", ".join(f"${latex(s)}$" for s in symbols)


def _asked(condition: Condition, consequence: str, letter: str) -> tuple[Text, Rows]:
    """The condition in words; what must vanish, and how it can."""
    if condition.solutions is None:
        text = f"If these {len(condition.vanishing)} expressions vanish, which is not solved here. {consequence}"
        return words(text), [("0", x) for x in condition.vanishing]
    if not condition.solutions and len(condition.vanishing) == 1:
        factor = latex(condition.vanishing[0])
        return words(
            f"Never, for positive masses and lengths: ${factor}$ stands in {letter} before a function of the "
            "configuration, and does not vanish."
        ), []
    asked = " and ".join(f"${latex(x)} = 0$" for x in condition.vanishing)
    if not condition.solutions:
        return words(f"Never, for positive masses and lengths: it would take {asked}."), []
    ways = " or ".join(", ".join(f"${latex(k)} = {latex(x)}$" for k, x in s.items()) for s in condition.solutions)
    return words(f"If {asked}" + ("" if ways == asked else f"; that is, {ways}") + f". {consequence}"), []


def _definite(found: Definiteness) -> Section:
    """The certificate: a sum of squares, none of which may vanish alone."""
    verdict = "positive definite" if found.positive_definite else "positive semidefinite, not more"
    text = words(
        f"$2 T$ is a sum of {len(found.squares)} squares weighted with masses and inertias, and the forms that are "
        f"squared have rank {found.rank} of {found.size}: for positive weights $M$ is {verdict}."
    )
    rows: list[tuple[str, Any]] = []
    simple = all(isinstance(form, sympy.Expr) and not isinstance(form, sympy.MatrixBase) for _, form in found.squares)
    if simple and len(found.squares) <= MANY:
        rows.append(("2 T", [_square(*pair, first=k == 0) for k, pair in enumerate(found.squares)]))
    if found.minors:
        text += words(" Its leading minors follow.")
        rows += [(f"\\det M_{{{k + 1}}}", x) for k, x in enumerate(found.minors)]
    return Section("Q3: is the inertia matrix always positive definite?", text, rows)


def _square(weight: sympy.Expr, form: sympy.Expr, first: bool) -> str:
    return ("" if first else "+ ") + rf"{latex(weight)} \left({latex(form)}\right)^{{2}}"


def _factorizations(equations: Any, longest: int) -> Section:
    title = "Q4: factorisations of c = C v"
    found = factorizations(equations)
    verdicts = "; ".join(f"{f.name.replace('_', ' ')}: {'skew' if f.skew else 'not skew'}" for f in found)
    text = words(rf"Whether the rate of $M$ minus $2 C$ is skew for all $q$ and $\dot{{q}}$: {verdicts}.")
    if (terms := size([f.polynomials for f in found])) > longest:
        text += words(f" The matrices are left out: {terms} terms. In Python: eq.coriolis(name).")
        return Section(title, text)
    rows = [(f"C_{{{upright(f.name.replace('_', ' '))}}}", f.C) for f in found]
    return Section(title, text, rows)
