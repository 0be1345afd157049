"""The worked derivation, step by step as in the lecture."""

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from ...text import shortened
from ..equations.lagrange import size
from ..equations.notation import Rows, page, rows_of, with_zeros_last, written_in
from ..equations.presentation import shown
from ..equations.progress import progress
from ..equations.questions import has_springs
from .answers import question_sections
from .coefficients import coefficients_section, symbols_one_by_one
from .document import Section, Text, aligned, words
from .latex import ROUNDED, latex
from .setup import KINDS, freedoms, gravity_row, inertia_rows, robot_tables, shorthands
from .sketch import sketch
from .substitution import recursion_section, substitution_rows


def lagrange_section(equations: Any) -> Section:
    """The equations that the derivation works out."""
    letters, v = page().letters, page().v
    L, T, U = letters.lagrangian, letters.kinetic, letters.potential
    rows: list[tuple[str, Any]] = [
        (L, f"{T} - {U}"),
        (T, rf"\sum_{{i}} {T}_{{i}} = \frac{{1}}{{2}} {v}^{{\top}} {letters.inertia}(q)\, {v}"),
        (U, rf"\sum_{{i}} {U}_{{i}}"),
    ]
    become = f"The equations become ${model(equations)}$, worked out link by link below."
    if not equations.state.velocities_are_rates:
        text = (
            "$v$ is no rate of coordinates: Lagrange's equations along unit velocities, with terms of axes that turn."
        )
        return Section("Hamel's equations", words(f"{text} {become}"), rows)
    friction = rf" - {letters.torque}^{{f}}_{{k}}" if any(equations.friction) else ""
    change = rf"\frac{{d}}{{dt}} \frac{{\partial {L}}}{{\partial \dot{{q}}_{{k}}}}"
    euler = rf"{change} - \frac{{\partial {L}}}{{\partial q_{{k}}}}"
    rows.append((euler, f"{letters.torque}_{{k}}{friction}"))
    return Section("Lagrange's equations", words(f"$@T$ is quadratic in the velocities. {become}"), rows)


def model(equations: Any) -> str:
    """M(q) q̈ + C(q, q̇) q̇ + g(q) = τ in the letters of the page."""
    letters, forces, v = page().letters, page().forces, page().v
    if "(" not in forces:
        forces = forces.replace(letters.coriolis, f"{letters.coriolis}(q, {v})\\,", 1)
    rate = r"\ddot{q}" if equations.state.velocities_are_rates else r"\dot{v}"
    friction = f" + {letters.torque}^{{f}}" if any(equations.friction) else ""
    return f"{letters.inertia}(q)\\, {rate} + {forces} + {letters.gravity}(q){friction} = {letters.torque}"


def motion_section(equations: Any) -> Section:
    """The model written out: M as a matrix, then the force of every joint."""
    rows: list[tuple[str, Any]] = [(page().letters.inertia, equations.M), *rows_of(equations, "tau")]
    return Section("Equations of motion", words(f"${model(equations)}$, written out."), rows)


TITLES = {
    "M": ("Inertia matrix", "The Hessian of $@T$ in the velocities; $@M$ is symmetric, its upper triangle."),
    "C": ("Coriolis matrix", r"By Christoffel symbols; $\dot{@M} - 2 @C$ is skew."),
    "c": ("Centrifugal and Coriolis forces", "Quadratic in the velocities."),
    "g": ("Gravity forces", "The gradient of the potential energy."),
    "friction": ("Friction", "Viscous and Coulomb friction of the joints."),
    "tau": ("Equations of motion", "The force of each joint."),
    "T": ("Kinetic energy", ""),
    "U": ("Potential energy", ""),
    "L": ("Lagrangian", "Kinetic energy less potential energy."),
}
PLACE = 60  # terms of a center of mass in the world that is printed
LONGEST = 1500  # terms that are printed in one section: about fifteen pages


def quantities(equations: Any, what: Sequence[str]) -> list[Section]:
    """One section per quantity."""
    sections = []
    for name in what:
        title, text = TITLES.get(name, (name, ""))
        if name == "g" and has_springs(equations.model):
            title = "Forces of gravity and springs"
        if name == "g" and not equations.state.velocities_are_rates:
            text = "The derivative of the potential energy along the motion of each unit velocity."
        sections.append(Section(title, words(text), rows_of(equations, name)))
    return sections


def noted(equations: Any, sections: list[Section]) -> list[Section]:
    """Sections that stand alone, without the robot before them: that numbers are rounded is said in the first."""
    if not equations.state.ring.decimals:
        return sections
    first, *more = sections
    between = [" "] if first.text else []
    return [first._replace(text=[*first.text, *between, ROUNDED]), *more]


def derivation(equations: Any, christoffel: bool = False, style: str = "plain") -> list[Section]:
    """All steps from the table of joints to the checked equations; what is left out is said in its place.

    With `christoffel` its symbols one by one, too; `style` is whose letters are used.
    """
    with progress(f"writing the derivation of {equations.name}"), written_in(equations, style):
        sections = [_setup(equations), lagrange_section(equations), recursion_section(equations)]
        for k, polynomials in enumerate(equations.steps):
            sections.append(_link(equations, k, size(polynomials.T)))
        sections += [_quantity(equations, "T"), _quantity(equations, "M"), _christoffel(equations)]
        sections += [symbols_one_by_one(equations)] if christoffel else []
        sections += [_quantity(equations, "c"), _potential(equations), _quantity(equations, "g")]
        if any(equations.friction):
            sections += quantities(equations, ["friction"])
        sections.append(_motion(equations))
        sections.append(coefficients_section(equations, LONGEST))
        sections += question_sections(equations, LONGEST)
        return [*sections, Section("Check", [f"{equations.check()}."])]


def left_out(title: str, terms: int, instead: str) -> Section:
    """Sentence in place of a formula that would fill pages, with the Python that gives it."""
    return Section(title, words(f"Left out: {terms} terms, more than the {LONGEST} printed here. {instead}"))


def _setup(equations: Any) -> Section:
    steps = equations.moving_frames
    text: Text = [f"{shortened(equations.name)}: {freedoms(len(equations.v))}.", *words(" Joint $i$ carries link $i$.")]
    for sigma, kind in KINDS.items():
        if joints := [str(steps.numbers[step.name]) for step in steps if step.sigma == sigma]:
            text += words(f" {kind}: {', '.join(joints)}.")
    more, tables = robot_tables(equations.state)
    text += more
    gravity, vector = gravity_row(equations.model, equations.parameters)
    rows: list[tuple[str, Any]] = [(gravity, vector), *inertia_rows(equations.model)]
    for step in steps:
        before, k = steps.numbers[step.parent], steps.numbers[step.name]
        rows += [(f"{{}}^{{{before}}}R_{{{k}}}", step.R), (f"{{}}^{{{before}}}r_{{{k}}}", step.r)]
    text += words(
        f" ${gravity}$ is the gravity, ${{}}^{{i}}I_{{ci}}$ the inertia of body $i$ about its center of mass; "
        "${}^{i}R_{k}$ and ${}^{i}r_{k}$ are the axes and the origin of frame $k$ in the frame $i$ before it."
    )
    text += words(shorthands(equations.state))
    text += [" Letters that the robot has, too, have a bar."] if any(r"\bar" in str(x) for x in page().letters) else []
    if equations.state.ring.decimals:
        text.append(f" {ROUNDED}")
    if not equations.state.velocities_are_rates:
        rows.append((r"\dot{q}", shown(equations.state, equations.state.rates @ equations.state.v)))
        text += words(
            r" $v$ is not $\dot{q}$ here: it is measured in the axes of the body that moves (quasi-velocities), $a$ "
            r"is $\dot{v}$, and the equations are Hamel's. $\dot{q}$ follows from $v$ as printed below."
        )
    drawing = sketch(equations.model, equations.state.symbols["q"])
    text += [] if drawing else [" There is no sketch: too many bodies for one, or numbers that cannot be drawn."]
    return Section("The robot", text, rows, tables, drawing)


def _link(equations: Any, index: int, terms: int) -> Section:
    """One link: each quantity as a formula, with this robot's symbols put in, and as its result."""
    steps = equations.moving_frames
    step, k = steps[index], index + 1
    text: Text = []
    rows = _rows(step, steps.numbers)
    substituted = substitution_rows(equations, index)
    notes = list(substituted.notes)
    if terms > LONGEST:
        notes.append(
            rf"$@T_{{{k}}}$ is left out: {terms} terms, more than the {LONGEST} printed here. "
            f"In Python: eq.T_by_link[{index}]."
        )
        rows = rows[:-1]
    text += words(" ".join([*([""] if text else []), *notes]))
    every: Rows = []
    for name, value in rows:
        led = substituted.rows.get(name, [])
        every += led if led and led[-1][1][-1] == f"= {latex(value)}" else [*led, (name, value)]
    return Section(f"Step {k}: {step.name}", text, every)


def _rows(step: Any, numbers: Mapping[str | None, int]) -> list[tuple[str, Any]]:
    before, k = numbers[step.parent], numbers[step.name]
    own = f"{{}}^{{{k}}}"
    return [
        (f"{{}}^{{{before}}}\\omega_{{{k}}}", step.omega_before),
        (f"{own}\\omega_{{{k}}}", step.omega),
        (f"{own}v_{{{k}}}", step.v),
        (f"{own}r_{{c{k}}}", step.r_com),
        (f"{own}v_{{c{k}}}", step.v_com),
        (f"{page().letters.kinetic}_{{{k}}}", step.T),
    ]


def _quantity(equations: Any, name: str) -> Section:
    if (terms := size([equations.polynomials[name]])) > LONGEST:
        instead = f"--what {name} prints it all, --format py or c writes it as a function."
        return left_out(TITLES[name][0], terms, instead)
    return quantities(equations, [name])[0]


def _motion(equations: Any) -> Section:
    if (terms := size(equations.polynomials["tau"])) > LONGEST:
        return left_out("Equations of motion", terms, "In Python: eq.M, eq.c, eq.g, eq.tau.")
    return motion_section(equations)


def _christoffel(equations: Any) -> Section:
    title = "Christoffel matrices"
    if (terms := size(equations.polynomials["christoffel"])) > LONGEST:
        return left_out(title, terms, "In Python: eq.christoffel.")
    if equations.state.velocities_are_rates:
        text = words(
            r"$@G_{k} = \frac{1}{2} \left(\frac{\partial @M_{k}}{\partial q} + \left(\frac{\partial @M_{k}}{\partial q}"
            r"\right)^{\top} - \frac{\partial @M}{\partial q_{k}}\right)$, where $@M_{k}$ is column $k$ of $@M$. "
            rf"Then ${page().force('k')} = @v^{{\top}} @G_{{k}} @v$."
        )
    else:
        title = "Matrices of Hamel's equations"
        text = words(
            r"As Christoffel matrices, with derivatives along the motions of the unit velocities, and with the terms "
            rf"of the turning axes: ${page().force('k')} = v^{{\top}} @G_{{k}} v$."
        )
    letter = page().letters.christoffel
    rows = [(f"{letter}_{{{k + 1}}}", C if any(C) else sympy.Integer(0)) for k, C in enumerate(equations.christoffel)]
    return Section(title, text, with_zeros_last(rows))


def _potential(equations: Any) -> Section:
    rows: list[tuple[str, Any]] = []
    far: list[str] = []
    for k, (U, b) in enumerate(zip(equations.U_by_link, equations.model.bodies, strict=True), start=1):
        name = rf"{{}}^{{0}}r_{{c{k}}}"
        if b.inertia.mass != 0 and size(equations.steps[k - 1].r_com_world) <= PLACE:
            rows.append((name, equations.moving_frames[k - 1].r_com_world))
        elif b.inertia.mass != 0:
            far.append(f"${name}$")
        rows.append((f"{page().letters.potential}_{{{k}}}", U))
    gravity, _ = gravity_row(equations.model, equations.parameters)
    text = words(
        rf"$@U_i = -m_i {gravity}^{{\top}}\, {{}}^{{0}}r_{{ci}}$, from the origin of frame 0; "
        r"${}^{0}r_{ci}$ is the center of mass."
    )
    if any(b.stiffness != 0 for b in equations.model.bodies):
        text += words(
            r" Springs of joints add $\frac{1}{2} k\, (q - q_{0})^{2}$ of their stiffness $k$, at rest at $q_{0}$."
        )
    if equations.model.springs:
        text += words(
            r" Springs between frames add $\frac{1}{2} k\, (l - l_{0})^{2}$ of their length $l$, at rest at $l_{0}$."
        )
    if far:
        text += words(
            f" Left out, more than {PLACE} terms each: {', '.join(far)}; in Python: "
            "eq.moving_frames[i - 1].r_com_world."
        )
    return Section("Potential energy by link", text, rows)


def frames_latex(frames: Any) -> str:
    """The steps of the moving-frames algorithm as rows of one aligned block, for math mode."""
    return aligned(row for step in frames for row in _rows(step, frames.numbers))
