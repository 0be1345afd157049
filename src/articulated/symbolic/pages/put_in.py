"""The formulas of the moving-frames algorithm, and the same with the symbols of a robot put in."""

from typing import Any

import sympy

from ..equations.definiteness import squares_of
from ..equations.quantities import Rows
from .formula import width
from .latex import LINE, latex, weighted_square

ROOM = LINE - 12  # what a formula may be wide beside its name
MANY = 9  # squares of one link that are written out


def put_in_rows(equations: Any, index: int) -> dict[str, Rows]:
    """Name of a quantity of a link → rows that lead to it; what does not fit a line is left to the result."""
    steps, body = equations.moving_frames, equations.state.model.bodies[index]
    step, k = steps[index], index + 1
    i = steps.numbers[step.parent]
    own, before = f"{{}}^{{{k}}}", f"{{}}^{{{i}}}"
    zero = sympy.zeros(3, 1)
    omega0, v0 = (steps[i - 1].omega, steps[i - 1].v) if i else (zero, zero)
    s, u = (_motion(equations, body, part) for part in (slice(3, 6), slice(0, 3)))
    omega, v, v_c = f"{own}\\omega_{{{k}}}", f"{own}v_{{{k}}}", f"{own}v_{{c{k}}}"
    turned = rf"{before}R_{{{k}}}^{{\top}}"
    return {
        omega: _leading(
            omega,
            rf"{turned} {before}\omega_{{{i}}} + \omega^{{J}}_{{{k}}}",
            rf"{latex(step.R.T)} {latex(omega0)} + {latex(s)}",
        ),
        v: _leading(
            v,
            rf"{turned} \left({before}v_{{{i}}} + {before}\omega_{{{i}}} \times {before}r_{{{k}}}\right) "
            rf"+ v^{{J}}_{{{k}}}",
            rf"{latex(step.R.T)} \left({latex(v0)} + {latex(omega0)} \times {latex(step.r)}\right) + {latex(u)}",
        ),
        v_c: _leading(
            v_c,
            rf"{v} + {omega} \times {own}r_{{c{k}}}",
            rf"{latex(step.v)} + {latex(step.omega)} \times {latex(step.r_com)}",
        ),
        f"T_{{{k}}}": _energy(equations, index),
    }


def _motion(equations: Any, body: Any, part: slice) -> sympy.Matrix:
    """What the joint's velocity adds to the motion of its body, angular or linear."""
    return equations.shown(body.S[part] @ equations.state.v[body.dofs])


def _leading(name: str, formula: str, put_in: str) -> Rows:
    if width(put_in) > ROOM:
        return [(name, formula)]
    return [(name, [formula, f"= {put_in}"])]


def _energy(equations: Any, index: int) -> Rows:
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
    squares = [(equations.shown(w), equations.shown(x)) for w, x in found]
    if len(squares) > MANY or any(isinstance(x, sympy.MatrixBase) for _, x in squares):
        return [(name, formula)]
    lines = []
    for number, (weight, form) in enumerate(squares):
        square = rf"\frac{{1}}{{2}} {weighted_square(weight, form)}"
        lines.append(("= " if number == 0 else "+ ") + square)
    return [(name, [formula, *lines] if all(width(line) <= LINE - 6 for line in lines) else formula)]
