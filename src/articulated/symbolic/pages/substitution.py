"""The formulas of the moving-frames algorithm, and the same with the symbols of a robot put in."""

from typing import Any, NamedTuple

import sympy

from ..equations.definiteness import squares_of
from ..equations.dh_table import dh_table
from ..equations.notation import Rows, page
from ..equations.presentation import shown
from ..ring.polynomial import terms_of
from .document import Section, words
from .formula import width
from .latex import LINE, latex, packed, square_lines

ROOM = LINE - 12  # what a formula may be wide beside its name
MANY = 24  # squares of one link that are written out


class Substitution(NamedTuple):
    """Name of a quantity of a link → rows that lead to it; and what is to be said of them."""

    rows: dict[str, Rows]
    notes: list[str]


#: kind of recursion → what its letters mean, ω_i and v_i of any link
RECURSIONS = {
    "standard": (
        r"${}^{i-1}z_{i-1} = (0, 0, 1)^{\top}$ is the axis of joint $i$, $\sigma_{i} = 0$ if it is revolute, $1$ if "
        r"prismatic; ${}^{i}r_{i-1,i} = {}^{i-1}R_{i}^{\top}\, {}^{i-1}r_{i}$ leads from origin $i-1$ to origin $i$.",
        r"{R} \left[{omega} + (1 - \sigma_{i})\, \dot{q}_{i}\, {}^{i-1}z_{i-1}\right]",
        r"{R} \left[{v} + \sigma_{i}\, \dot{q}_{i}\, {}^{i-1}z_{i-1}\right] + {}^{i}\omega_{i} \times {}^{i}r_{i-1,i}",
    ),
    "axis": (
        r"${}^{i}z_{i}$ is the axis of joint $i$ in frame $i$, $\sigma_{i} = 0$ if it is revolute, $1$ if prismatic; "
        "$i-1$ stands for the frame before.",
        r"{R}\, {omega} + (1 - \sigma_{i})\, \dot{q}_{i}\, {}^{i}z_{i}",
        r"{R} \left[{v} + {omega} \times {}^{i-1}r_{i}\right] + \sigma_{i}\, \dot{q}_{i}\, {}^{i}z_{i}",
    ),
    "motion": (
        r"$\omega^{J}_{i}$ and $v^{J}_{i}$ are the velocities that the joint itself adds, which has several degrees of "
        "freedom or follows another; $i-1$ stands for the frame before.",
        r"{R}\, {omega} + \omega^{J}_{i}",
        r"{R} \left[{v} + {omega} \times {}^{i-1}r_{i}\right] + v^{J}_{i}",
    ),
}
ROTOR = r"\frac{1}{2} J_{i} \left(\omega^{J}_{i}\right)^{2}"  # of joint i
BEFORE = {"{R}": r"{}^{i-1}R_{i}^{\top}", "{omega}": r"{}^{i-1}\omega_{i-1}", "{v}": "{}^{i-1}v_{i-1}"}


def recursion_section(equations: Any) -> Section:
    """The velocities of frames that move with their links, for any link."""
    meaning, omega, v = RECURSIONS[kind_of(equations)]
    for name, tex in BEFORE.items():
        omega, v = omega.replace(name, tex), v.replace(name, tex)
    own = "{}^{i}"
    rows: Rows = [
        (rf"{own}\omega_{{i}}", omega),
        (f"{own}v_{{i}}", v),
        (f"{own}v_{{ci}}", rf"{own}v_{{i}} + {own}\omega_{{i}} \times {own}r_{{ci}}"),
        (f"{page().letters.kinetic}_{{i}}", _koenig("i")),
    ]
    text = (
        "Moving frames: the velocity of each link in its own axes, from that of the link before, and its kinetic "
        "energy by König's theorem."
    )
    if any(b.armature != 0 for b in equations.model.bodies):
        rows[-1] = (rows[-1][0], rf"{_koenig('i')} + {ROTOR}")
        meaning += r" $J_{i}$ is the inertia of the rotor of joint $i$, $\omega^{J}_{i}$ the rate of that joint."
    return Section("The recursion", words(f"{text} {meaning} Products that are zero are not printed."), rows)


def kind_of(equations: Any) -> str:
    """Kind of the recursion: axes z_{i-1} of standard D-H frames, axes z_i through their own origin, or neither."""
    found, bodies = dh_table(equations.state), equations.state.model.bodies
    if not all(b.leader is b for b in bodies):
        return "motion"
    if found is not None and found.convention == "standard":
        return "standard"
    plain = all((b.joint.turns and not any(terms_of(x) for x in b.S[:3, 0])) or b.joint.slides for b in bodies)
    return "axis" if plain else "motion"


def substitution_rows(equations: Any, index: int) -> Substitution:
    """The steps of one link; a vector that makes a line too wide keeps its name, and the notes say so."""
    steps, body = equations.moving_frames, equations.state.model.bodies[index]
    step, k = steps[index], index + 1
    i = steps.numbers[step.parent]
    own, before, kind = f"{{}}^{{{k}}}", f"{{}}^{{{i}}}", kind_of(equations)
    zero = sympy.zeros(3, 1)
    omega0, v0 = (steps[i - 1].omega, steps[i - 1].v) if i else (zero, zero)
    s, u = (_motion(equations, body, part) for part in (slice(3, 6), slice(0, 3)))
    omega, v, v_c = f"{own}\\omega_{{{k}}}", f"{own}v_{{{k}}}", f"{own}v_{{c{k}}}"
    turned = Factor(rf"{before}R_{{{k}}}^{{\top}}", step.R.T)
    omega_before, v_before = Factor(rf"{before}\omega_{{{i}}}", omega0), Factor(f"{before}v_{{{i}}}", v0)
    r, at = Factor(f"{before}r_{{{k}}}", step.r), Factor(f"{own}r_{{c{k}}}", step.r_com)
    notes: list[str] = []
    wide: list[str] = []  # names of what is not put in
    omega_own, v_own = Factor(omega, step.omega), Factor(v, step.v)
    if kind == "standard":
        rate, z = latex(equations.v[index]), f"{before}z_{{{i}}}"
        spin, slide = Factor(f"{rate}\\, {z}", step.R * s), Factor(f"{rate}\\, {z}", step.R * u)
        reach = Factor(
            rf"{own}r_{{{i},{k}}}", shown(equations.state, equations.steps[index].R.T @ equations.steps[index].r)
        )
        turning = [spin] if step.sigma == 0 else []
        rows = {
            omega: _leading(omega, [[turned, [[omega_before], *([x] for x in turning)]]], notes, wide),
            v: _leading(
                v,
                [[turned, [[v_before], *([[slide]] if step.sigma else [])]], [omega_own, CROSS, reach]],
                notes,
                wide,
            ),
        }
    else:
        rate, z = latex(equations.v[index]) if index < len(equations.v) else "", f"{own}z_{{{k}}}"
        axis = kind == "axis"
        spin = Factor(f"{rate}\\, {z}" if axis else rf"\omega^{{J}}_{{{k}}}", s)
        slide = Factor(f"{rate}\\, {z}" if axis else f"v^{{J}}_{{{k}}}", u)
        rows = {
            omega: _leading(omega, [[turned, omega_before], [spin]], notes, wide),
            v: _leading(v, [[turned, [[v_before], [omega_before, CROSS, r]]], [slide]], notes, wide),
        }
    rows[v_c] = _leading(v_c, [[v_own], [omega_own, CROSS, at]], notes, wide)
    rows[f"{page().letters.kinetic}_{{{k}}}"] = _energy(equations, index, notes)
    if wide:
        notes.append(f"With everything put in, too wide for a page: {', '.join(wide)}; the result is printed.")
    return Substitution(rows, list(dict.fromkeys(notes)))


class Factor(NamedTuple):
    """A vector or matrix: its name, and its value."""

    name: str
    value: Any


CROSS = Factor(r"\times", None)
Terms = list  # sums of products: factors, and sums in brackets


def _written(terms: Terms, values: Any) -> str:
    """A sum of products; products that are zero are left out, and values are put in where `values` says so."""
    out = []
    for product in terms:
        parts = [_written(x, values) if isinstance(x, list) else _factor(x, values) for x in product]
        if all(parts):
            brackets = [
                rf"\left[{p}\right]" if isinstance(x, list) and _bracketed(x) else p
                for x, p in zip(product, parts, strict=True)
            ]
            out.append(" ".join(brackets).replace("} {}^", r"}\, {}^"))  # not the exponent of a matrix
    return " + ".join(out)


def _bracketed(terms: Terms) -> bool:
    """Whether what is left of a sum needs brackets: several terms, or a cross product."""
    left = [product for product in terms if all(_factor(x, None) for x in product)]
    return len(left) > 1 or any(CROSS in product for product in left)


def _factor(x: Factor, values: Any) -> str:
    if x.value is not None and x.value.is_zero_matrix:
        return ""
    return latex(x.value) if x.value is not None and values and values(x) else x.name


def _motion(equations: Any, body: Any, part: slice) -> sympy.Matrix:
    """The joint's own part of its body's velocity, angular or linear."""
    return shown(equations.state, body.S[part] @ equations.state.v[body.dofs])


def _leading(name: str, terms: Terms, notes: list[str], wide: list[str]) -> Rows:
    """A formula without what is zero, then the same with values in the place of vectors, or with their names."""
    formula = _written(terms, None)
    if not formula:
        return []
    whole = _written(terms, lambda _: True)
    named = _written(terms, lambda x: (x.name.startswith("{}") and "R_" in x.name) or "z_" in x.name)
    if width(whole) <= ROOM:
        return [(name, [formula, f"= {whole}"])]
    if named != formula and width(named) <= ROOM:
        notes.append("A vector that would make a line too wide keeps its name; its entries are those printed before.")
        return [(name, [formula, f"= {named}"])]
    wide.append(f"${name}$")
    return [(name, formula)]


def _koenig(k: int | str) -> str:
    return (
        rf"\frac{{1}}{{2}} m_{{{k}}} v_{{c{k}}}^{{\top}} v_{{c{k}}} "
        rf"+ \frac{{1}}{{2}} \omega_{{{k}}}^{{\top}} I_{{c{k}}} \omega_{{{k}}}"
    )


def _energy(equations: Any, index: int, notes: list[str]) -> Rows:
    """König's theorem, and the squares it is a sum of."""
    k = index + 1
    name, state = f"{page().letters.kinetic}_{{{k}}}", equations.state
    formula = _koenig(k)
    if state.source.bodies[index].armature != 0:
        formula += f" + {ROTOR.replace('_{i}', f'_{{{k}}}')}"
    found = squares_of(state, equations.steps[index], state.model.bodies[index])
    if len(found) > MANY:
        notes.append(f"The {len(found)} squares that ${name}$ is a sum of are more than the {MANY} printed here.")
        return [(name, formula)]
    squares: list[list[str]] = []
    for w, x in found:
        first, *more = _square(shown(equations.state, w), shown(equations.state, x), k, notes)
        dot = r"\cdot " if first[0].isdigit() or first.startswith(r"\frac") else ""
        squares.append([rf"\frac{{1}}{{2}} {dot}{first}", *(rf"\quad {line}" for line in more)])
    first, *more = packed(squares, ROOM - 4) or ["0"]
    return [(name, [formula, f"= {first}", *more])]


def _square(weight: Any, form: Any, k: int, notes: list[str]) -> list[str]:
    """One weighted square; of a link whose inertia is no diagonal the product of three."""
    if not isinstance(form, sympy.MatrixBase):
        return square_lines(weight, form, ROOM - 4)
    whole = rf"{latex(form)}^{{\top}} {latex(weight)} {latex(form)}"
    if width(whole) <= ROOM - 4:
        return [whole]
    turning = rf"\omega_{{{k}}}"
    notes.append(f"${turning}$ keeps its name in $@T_{{{k}}}$, in the axes of the inertia beside it.")
    return [rf"{turning}^{{\top}} {latex(weight)} {turning}"]
