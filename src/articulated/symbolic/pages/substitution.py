"""The formulas of the moving-frames algorithm, and the same with the symbols of a robot put in."""

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy

from ..equations.definiteness import squares_of
from ..equations.presentation import shown
from ..equations.quantities import Rows
from .formula import width
from .latex import LINE, latex, square_lines

ROOM = LINE - 12  # what a formula may be wide beside its name
MANY = 24  # squares of one link that are written out


class Substitution(NamedTuple):
    """Name of a quantity of a link → rows that lead to it; and what is to be said of them."""

    rows: dict[str, Rows]
    notes: list[str]


def substitution_rows(equations: Any, index: int) -> Substitution:
    """The steps of one link; a vector that makes a line too wide keeps its name, and the notes say so."""
    steps, body = equations.moving_frames, equations.state.model.bodies[index]
    step, k = steps[index], index + 1
    i = steps.numbers[step.parent]
    own, before = f"{{}}^{{{k}}}", f"{{}}^{{{i}}}"
    zero = sympy.zeros(3, 1)
    omega0, v0 = (steps[i - 1].omega, steps[i - 1].v) if i else (zero, zero)
    s, u = (_motion(equations, body, part) for part in (slice(3, 6), slice(0, 3)))
    omega, v, v_c = f"{own}\\omega_{{{k}}}", f"{own}v_{{{k}}}", f"{own}v_{{c{k}}}"
    turned, omega_before, v_before = rf"{before}R_{{{k}}}^{{\top}}", rf"{before}\omega_{{{i}}}", f"{before}v_{{{i}}}"
    notes: list[str] = []
    rows = {
        omega: _leading(
            omega,
            rf"{turned} {omega_before} + \omega^{{J}}_{{{k}}}",
            lambda w: rf"{latex(step.R.T)} {w(omega_before, omega0)} + {latex(s)}",
            notes,
        ),
        v: _leading(
            v,
            rf"{turned} \left({v_before} + {omega_before} \times {before}r_{{{k}}}\right) + v^{{J}}_{{{k}}}",
            lambda w: (
                rf"{latex(step.R.T)} \left({w(v_before, v0)} + {w(omega_before, omega0)} \times {latex(step.r)}\right) "
                rf"+ {latex(u)}"
            ),
            notes,
        ),
        v_c: _leading(
            v_c,
            rf"{v} + {omega} \times {own}r_{{c{k}}}",
            lambda w: rf"{w(v, step.v)} + {w(omega, step.omega)} \times {latex(step.r_com)}",
            notes,
        ),
        f"T_{{{k}}}": _energy(equations, index, notes),
    }
    return Substitution(rows, list(dict.fromkeys(notes)))


def _motion(equations: Any, body: Any, part: slice) -> sympy.Matrix:
    """The joint's own part of its body's velocity, angular or linear."""
    return shown(equations.state, body.S[part] @ equations.state.v[body.dofs])


def _leading(name: str, formula: str, write: Callable[[Callable[[str, Any], str]], str], notes: list[str]) -> Rows:
    """A formula, then the same with values, which `write` puts in place of vectors or their names."""
    whole, named = write(lambda _, value: latex(value)), write(lambda name, _: name)
    if width(whole) <= ROOM:
        return [(name, [formula, f"= {whole}"])]
    if width(named) <= ROOM:
        notes.append("A vector that would make a line too wide keeps its name; its entries are those printed before.")
        return [(name, [formula, f"= {named}"])]
    notes.append(f"${name}$ with everything put in is too wide for a page; the result is printed.")
    return [(name, formula)]


def _energy(equations: Any, index: int, notes: list[str]) -> Rows:
    """König's theorem, and the squares it is a sum of."""
    k = index + 1
    name, state = f"T_{{{k}}}", equations.state
    formula = (
        rf"\frac{{1}}{{2}} m_{{{k}}} v_{{c{k}}}^{{\top}} v_{{c{k}}} "
        rf"+ \frac{{1}}{{2}} \omega_{{{k}}}^{{\top}} I_{{c{k}}} \omega_{{{k}}}"
    )
    if state.source.bodies[index].armature != 0:
        formula += rf" + \frac{{1}}{{2}} J_{{{k}}} \left(\omega^{{J}}_{{{k}}}\right)^{{2}}"
    found = squares_of(state, equations.steps[index], state.model.bodies[index])
    if len(found) > MANY:
        notes.append(f"The {len(found)} squares that ${name}$ is a sum of are more than the {MANY} printed here.")
        return [(name, formula)]
    out: list[str] = []
    for w, x in found:
        first, *more = _square(shown(equations.state, w), shown(equations.state, x), k, notes)
        dot = r"\cdot " if first[0].isdigit() else ""
        out += [rf"{'+' if out else '='} \frac{{1}}{{2}} {dot}{first}", *(rf"\quad {line}" for line in more)]
    return [(name, [formula, *out])]


def _square(weight: Any, form: Any, k: int, notes: list[str]) -> list[str]:
    """One weighted square; of a link whose inertia is no diagonal the product of three, one below the other."""
    if not isinstance(form, sympy.MatrixBase):
        return square_lines(weight, form, ROOM - 4)
    if width(latex(form)) > ROOM - 4:
        turning = rf"\omega_{{{k}}}"
        notes.append(f"${turning}$ keeps its name in $T_{{{k}}}$, in the axes of the inertia beside it.")
        return [rf"{turning}^{{\top}} {latex(weight)} {turning}"]
    factors = [rf"{latex(form)}^{{\top}}", latex(weight), latex(form)]
    whole = " ".join(factors)
    return [whole] if width(whole) <= ROOM - 4 else factors
