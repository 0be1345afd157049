"""The linear parametrization as a section of the derivation."""

from typing import Any

import sympy

from ...algebra.spatial import IDENTITY
from ...errors import ModelError
from ..equations import cross_checks
from ..equations.coefficients import geometry
from ..equations.lagrange import size
from ..equations.notation import page
from ..equations.progress import progress
from ..equations.quantities import Rows
from ..ring.polynomial import symbols_of
from .document import Section, words
from .latex import by_factor, latex


def coefficients_section(equations: Any, longest: int) -> Section:
    """The fewest coefficients, the model in them, and Y unless it has more than `longest` terms."""
    with progress(f"finding the dynamic coefficients of {equations.name}"):
        found, assumed = _found(equations)
    rows: Rows = [(latex(s), c.expression) for s, c in zip(found.symbols, found, strict=True)]
    text = f"The fewest coefficients in which the model is linear{assumed}"
    if found.values is not None:
        text = (
            "The base parameters: combinations of mass, first moments $(m x)$ and inertias of the links that the "
            "motion can tell apart; each is one parameter of a link and what is regrouped into it. "
            f"{_frames(equations)}{_signs(found)} What each is, its value for this robot"
        )
        parts = zip(found.symbols, found, found.values, strict=True)
        rows = [(latex(s), [*by_factor(c.expression), f"= {latex(sympy.sympify(x))}"]) for s, c, x in parts]
    checked = cross_checks.count(found)
    if (terms := size([found.polynomials])) > longest:
        text += (
            f". $Y$, of {terms} terms, more than the {longest} printed here, and the model written in them are left "
            f"out; in Python: found = eq.coefficients(), then found.Y, found.M, found.c, found.g. {checked}"
        )
        return Section("Dynamic coefficients", words(text), rows)
    used = page().letters
    rows += [(used.inertia, found.M), (page().forces, found.c), (used.gravity, found.g)]
    rows += [(f"{used.torque}^{{f}}", found.friction)] if any(found.friction) else []
    rows.append(("Y", found.Y))
    text += rf", the model written in them, and $Y$ with $@t = Y {found.letter}$. {checked}"
    return Section("Dynamic coefficients", words(text), rows)


def _found(equations: Any) -> tuple[Any, str]:
    """The coefficients, and which letters count as known; those of placements where they can be."""
    present = {s for x in equations.polynomials["tau"] for s in symbols_of(x)}
    unknown = sorted(geometry(equations.model) & present, key=lambda s: s.name)
    listed = ", ".join(f"${latex(s)}$" for s in unknown)
    one = len(unknown) == 1
    if set(unknown) >= set(equations.parameters):  # numbers, beside lengths that are letters
        try:
            return equations.base_parameters(), ""
        except ModelError:  # letters beside rounded numbers, or as angles
            return equations.coefficients(), ""
    if page().letters.known and unknown:
        try:
            return equations.coefficients("geometry"), f" if {listed} {'is' if one else 'are'} known"
        except (ModelError, sympy.PolynomialError):  # letters beside rounded numbers, or as angles
            pass
    return equations.coefficients(), f" if {listed} count{'s' if one else ''} as unknown, too" if unknown else ""


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
