"""The linear parametrization as a section of the derivation."""

from typing import Any

import sympy

from ...algebra.spatial import IDENTITY
from ..equations import cross_checks
from ..equations.lagrange import size
from ..equations.progress import progress
from ..equations.quantities import Rows
from .document import Section, words
from .latex import by_factor, latex


def coefficients_section(equations: Any, longest: int) -> Section:
    """The fewest coefficients, the model in them, and Y unless it has more than `longest` terms."""
    with progress(f"finding the dynamic coefficients of {equations.name}"):
        found = equations.coefficients()
    rows: Rows = [(latex(s), c.expression) for s, c in zip(found.symbols, found, strict=True)]
    text = "The fewest coefficients in which the model is linear"
    if found.values is not None:
        text = (
            "The base parameters: combinations of mass, first moments $(m x)$ and inertias of the links that the "
            "motion can tell apart; each is one parameter of a link and what is regrouped into it. "
            f"{_frames(equations)}{_signs(found)} What each is, its value for this robot"
        )
        rows = [(latex(s), by_factor(c.expression)) for s, c in zip(found.symbols, found, strict=True)]
        rows += [(latex(s), sympy.Float(x)) for s, x in zip(found.symbols, found.values, strict=True)]
    checked = cross_checks.count(found)
    if (terms := size([found.polynomials])) > longest:
        text += (
            f". $Y$, of {terms} terms, more than the {longest} printed here, and the model written in them are left "
            f"out; in Python: found = eq.coefficients(), then found.Y, found.M, found.c, found.g. {checked}"
        )
        return Section("Dynamic coefficients", words(text), rows)
    rows += [("M", found.M), ("c", found.c), ("g", found.g)]
    rows += [(r"\tau^{f}", found.friction)] if any(found.friction) else []
    rows.append(("Y", found.Y))
    text += rf", the model written in them, and $Y$ with $\tau = Y {found.letter}$. {checked}"
    return Section("Dynamic coefficients", words(text), rows)


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
