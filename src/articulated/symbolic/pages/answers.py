"""The lecture's four questions and their answers, as sections of the derivation."""

from collections.abc import Iterable
from typing import Any

import sympy

from ..equations import cross_checks
from ..equations.factorizations import Factorization, inertia_rate
from ..equations.lagrange import size
from ..equations.notation import Rows, page
from ..equations.presentation import shown
from ..equations.progress import progress
from ..equations.questions import Condition, depends_on, has_springs, in_a_plane
from .document import Math, Section, Table, Text, words
from .latex import LINE, latex, packed, square_lines, upright

MANY = 24  # squares that are written out


def question_sections(equations: Any, longest: int) -> list[Section]:
    """Q1 to Q4; formulas of more than `longest` terms are left out, their verdict is not."""
    balanced = "do gravity and springs exert no force" if has_springs(equations.model) else "does gravity vanish"
    with progress(f"answering the lecture's questions for {equations.name}"):
        return [
            Section("Q1: when is the inertia matrix constant?", *_constant(equations)),
            Section(f"Q2: when {balanced}?", *_balanced(equations)),
            _definite(equations),
            _factorizations(equations, longest),
        ]


def _constant(equations: Any) -> tuple[Text, Rows]:
    M = equations.polynomials["M"]
    moving = depends_on(equations.state, M)
    if not moving:
        checked = cross_checks.constancy(equations, True)
        return words(f"Always: $@M$ does not depend on the configuration. {_then(equations)} {checked}"), []
    if not equations.parameters:
        checked = cross_checks.constancy(equations, False)
        return words(f"With these numbers it is not: $@M$ depends on {_listed(moving)}. {checked}"), []
    condition = equations.questions().constant_inertia
    text, rows = _asked(condition, _then(equations), "$@M$")
    return [*text, *words(f" {cross_checks.constancy(equations, False, condition.solutions or ())}")], rows


def _then(equations: Any) -> str:
    """The consequence of a constant M for c."""
    if equations.state.velocities_are_rates:
        return "Then $@c = 0$, too."
    if not depends_on(equations.state, equations.polynomials["M"]) and not any(equations.polynomials["c"]):
        return "Here $@c = 0$, too."
    return "That does not make $@c$ vanish: $v$ is measured in axes that turn, and Hamel's terms stay."


def _balanced(equations: Any) -> tuple[Text, Rows]:
    g = equations.polynomials["g"]
    if all(x == 0 for x in g):
        return words(f"Always: no joint carries weight. {cross_checks.balance(equations, True)}"), []
    if not equations.parameters:
        checked = cross_checks.balance(equations, False)
        heavy = [f"$@g_{{{k + 1}}}$" for k, x in enumerate(g) if x != 0]
        are = "is" if len(heavy) == 1 else "are"
        return words(f"Not with these numbers: {', '.join(heavy)} {are} not zero. {checked}"), []
    condition = equations.questions().no_gravity
    massless = condition.solutions and not all(cross_checks.regular(equations, x) for x in condition.solutions)
    rests = "The robot then rests in every configuration."
    rests = "Then some joint moves no mass, and $@M$ is singular." if massless else rests
    text, rows = _asked(condition, rests, "$@g$")
    told = [x for s in condition.solutions or () for x in s if len(s) == 1 and s[x] == 0]
    other = "Except" if condition.solutions == () else "Or"
    also = "".join(
        f" {other} if ${latex(s)} = 0$: {_without(equations, s)}." for s in condition.without if s not in told
    )
    return [*text, *words(f"{also} {cross_checks.balance(equations, False, condition.solutions or ())}")], rows


def _without(equations: Any, size: sympy.Symbol) -> str:
    """The meaning of a gravity of size zero; another part of it may be left, which no joint carries."""
    if any(sympy.sympify(x).subs(size, 0) != 0 for x in equations.model.gravity):
        return "no joint carries the rest of the gravity"
    return "the robot moves in a horizontal plane" if in_a_plane(equations) else "there is no gravity"


def questions_table(equations: Any, longest: int) -> Table:
    """The four questions and their answers, one row each."""
    rows = []
    for section in question_sections(equations, longest):
        zeros = [part for left, x in section.rows if left == "0" for part in ("; ", Math(f"0 = {latex(x)}"))]
        rows.append([[section.title], [*section.text, *zeros]])
    return Table([["question"], ["answer"]], rows)


def _listed(symbols: Iterable[sympy.Symbol]) -> str:
    return ", ".join(f"${latex(s)}$" for s in symbols)


def _asked(condition: Condition, consequence: str, letter: str) -> tuple[Text, Rows]:
    """The condition in words; what must vanish, and how it can."""
    if condition.solutions is None:
        one = len(condition.vanishing) == 1
        them = "this expression vanishes" if one else f"these {len(condition.vanishing)} expressions vanish"
        text = f"If {them}, which is not solved here. {consequence}"
        return words(text), [("0", x) for x in condition.vanishing]
    if not condition.solutions and len(condition.vanishing) == 1:
        factor, of = latex(condition.vanishing[0]), condition.of
        where = f"the factor of ${latex(of)}$ in {letter}"
        if of in (1, -1):
            where = f"{'minus ' if of == -1 else ''}the constant part of {letter}"
        return words(f"Never, for positive masses and lengths: ${factor}$ is {where}, and does not vanish."), []
    asked = " and ".join(f"${latex(x)} = 0$" for x in condition.vanishing)
    if not condition.solutions:
        return words(f"Never, for positive masses and lengths: it would take {asked}."), []
    ways = " or ".join(" and ".join(f"${latex(k)} = {latex(x)}$" for k, x in s.items()) for s in condition.solutions)
    return words(f"If {asked}" + ("" if ways == asked else f", as for {ways}") + f". {consequence}"), []


def _definite(equations: Any) -> Section:
    """The certificate: a sum of squares that vanish together only at rest."""
    found = equations.questions().positive_definiteness
    text = words(f"$2 @T$ is {found.counted} weighted with masses and inertias.")
    if found.settled:
        text += words(
            f" Where $@T = 0$, all of them are zero, and so are, in this order, {_listed(found.settled)}: with those "
            "before it at zero, each is the only velocity in some squares, and its factors there are never all zero."
        )
    if found.rest:
        text += words(f" The determinant of the block of $@M$ of {_listed(found.rest)} decides the rest.")
    text += words(f" For positive weights $@M$ is {found.verdict}. {cross_checks.definiteness(equations, found)}")
    rows: list[tuple[str, Any]] = [("0", x) for x in found.exceptions or () if found.long]
    simple = not any(isinstance(form, sympy.MatrixBase) for _, form in found.squares)
    if simple and len(found.squares) <= MANY:
        squares = [square_lines(weight, form, LINE - 12) for weight, form in found.squares]
        rows.append(
            (
                f"2 {page().letters.kinetic}",
                packed([[x, *(rf"\quad {y}" for y in more)] for x, *more in squares], LINE - 12),
            )
        )
    else:
        text += words(
            " The squares, which are not printed again, are those of the $@T_i$ above; in Python: "
            "eq.questions().positive_definiteness.squares."
        )
    if found.minors:
        inertia = page().letters.inertia
        rows += [(f"\\det {inertia}_{{{k + 1}}}", x) for k, x in enumerate(found.minors)]
        text += words(f" $\\det {inertia}_{{k}}$ is the leading principal minor of $k$ rows.")
    return Section("Q3: is the inertia matrix always positive definite?", text, rows)


def _factorizations(equations: Any, longest: int) -> Section:
    title = "Q4: factorizations of the velocity forces"
    found = equations.questions().factorizations
    verdicts = "; ".join(f"{_called(f)}: {'skew' if f.skew else 'not skew'}" for f in found)
    text = words(rf"Whether $\dot{{@M}} - 2 @C$ is skew for all $q$ and $@v$: {verdicts}.")
    if len(equations.v) == 1:
        text += words(" There is no other: with one velocity $@C$ follows from $@c$.")
    text += words(f" {cross_checks.skewness(equations, found)}")
    rate = inertia_rate(equations)
    if (terms := size([rate, *(f.polynomials for f in found)])) > longest:
        text += words(f" The matrices are left out: {terms} terms. In Python: eq.coriolis(name).")
        return Section(title, text)
    used = page().letters
    rows: list[tuple[str, Any]] = [(rf"\dot{{{used.inertia}}}", shown(equations.state, rate))]
    for k, f in enumerate(found):
        twin = next((g for g in found[:k] if (g.polynomials == f.polynomials).all()), None)
        letter = f"{used.coriolis}_{{{upright(f.name.replace('_', ' '))}}}"
        if twin:
            rows.append((letter, f"{used.coriolis}_{{{upright(twin.name.replace('_', ' '))}}}"))
        else:
            rows += [(letter, f.C), (rf"\dot{{{used.inertia}}} - 2 {letter}", f.difference)]
    return Section(title, text, rows)


def _called(found: Factorization) -> str:
    name = found.name.replace("_", " ")
    return f"{name} ({found.remark})" if found.remark else name
