"""The worked derivation: what a student holds against the lecture, page by page."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sympy

from .latex import aligned, latex, rows_of


class Section(NamedTuple):
    """A heading, a few words, and rows of `left = right`."""

    title: str
    text: str
    rows: list[tuple[str, Any]]


TITLES = {
    "M": ("Inertia matrix", "M is symmetric; its upper triangle."),
    "C": ("Coriolis matrix", "By Christoffel symbols: C v = c, and dM/dt - 2C is skew."),
    "c": ("Centrifugal and Coriolis forces", "Quadratic in the velocities."),
    "g": ("Gravity forces", "The gradient of the potential energy."),
    "friction": ("Friction", "Viscous and Coulomb friction of the joints."),
    "tau": ("Equations of motion", "The force of each joint."),
    "T": ("Kinetic energy", ""),
    "U": ("Potential energy", ""),
    "L": ("Lagrangian", "L = T - U."),
}
SHORT = 4  # robots of so many joints get Christoffel matrices, coefficients and questions


def quantities(equations: Any, what: Sequence[str]) -> list[Section]:
    """One section per quantity."""
    return [Section(*TITLES.get(name, (name, "")), rows_of(equations, name)) for name in what]


def derivation(equations: Any) -> list[Section]:
    """All steps from the table of joints to the checked equations."""
    sections = [_setup(equations)]
    for number, step in enumerate(equations.moving_frames, start=1):
        sections.append(_link(step, number))
    sections += quantities(equations, ["T", "M"])
    if len(equations.v) <= SHORT:
        sections.append(_christoffel(equations))
    sections += [*quantities(equations, ["c"]), _potential(equations), *quantities(equations, ["g"])]
    if len(equations.v) <= SHORT and equations.parameters:
        sections += [_coefficients(equations), *_questions(equations)]
    return [*sections, _check(equations)]


def _setup(equations: Any) -> Section:
    kinds = {0: "revolute (σ = 0)", 1: "prismatic (σ = 1)", None: "several degrees of freedom"}
    steps = equations.moving_frames
    text = f"{equations.name}: {len(equations.v)} degrees of freedom. " + " ".join(
        f"Joint {k} carries {s.name}: {kinds[s.sigma]}." for k, s in enumerate(steps, start=1)
    )
    gravity = sympy.Matrix([sympy.sympify(x) for x in equations.model.gravity])
    rows: list[tuple[str, Any]] = [("g", gravity)]
    for k, step in enumerate(steps, start=1):
        rows += [(f"{{}}^{{{k - 1}}}R_{{{k}}}", step.R), (f"{{}}^{{{k - 1}}}r_{{{k}}}", step.r)]
    return Section("The robot", text, rows)


def _link(step: Any, k: int) -> Section:
    text = (
        "The angular velocity in the axes of the frame before and in its own, the velocity of the origin, "
        "of the centre of mass, and the kinetic energy by König's theorem."
    )
    before, own = f"{{}}^{{{k - 1}}}", f"{{}}^{{{k}}}"
    rows = [
        (f"{before}\\omega_{{{k}}}", step.omega_before),
        (f"{own}\\omega_{{{k}}}", step.omega),
        (f"{own}v_{{{k}}}", step.v),
        (f"{own}r_{{c{k}}}", step.r_com),
        (f"{own}v_{{c{k}}}", step.v_com),
        (f"T_{{{k}}}", step.T),
    ]
    return Section(f"Step {k}: {step.name}", text, rows)


def _christoffel(equations: Any) -> Section:
    text = "C_k is half of the sum of the derivative of column k, its transpose, minus the derivative of M along q_k."
    rows = [(f"C_{{{k + 1}}}", matrix) for k, matrix in enumerate(equations.christoffel)]
    return Section("Christoffel matrices", text, rows)


def _potential(equations: Any) -> Section:
    rows = [(f"U_{{{k + 1}}}", x) for k, x in enumerate(equations.U_by_link)]
    return Section("Potential energy by link", "U_i = -m_i gᵀ r_ci, from the origin of frame 0.", rows)


def _coefficients(equations: Any) -> Section:
    found = equations.coefficients()
    rows = [(latex(s), c.expression) for s, c in zip(found.symbols, found, strict=True)]
    rows += [("M", found.M), ("c", found.c), ("g", found.g), ("Y", found.Y)]
    text = "The fewest coefficients in which the model is linear, the model written in them, and Y with τ = Y a."
    return Section("Dynamic coefficients", text, rows)


def _questions(equations: Any) -> list[Section]:
    found = equations.questions()
    definite, factors = found.positive_definiteness, found.factorizations
    minors = [(f"\\det M_{{{k + 1}}}", x) for k, x in enumerate(definite.minors)]
    verdicts = "; ".join(f"{f.name}: {'skew' if f.skew else 'not skew'}" for f in factors)
    return [
        Section("Q1: when is the inertia matrix constant?", f"{found.constant_inertia}.", []),
        Section("Q2: when does gravity vanish?", f"{found.no_gravity}.", []),
        Section("Q3: is the inertia matrix always positive definite?", f"{definite}. Its leading minors:", minors),
        Section(
            "Q4: factorisations of c = C v",
            f"Whether dM/dt - 2C is skew: {verdicts}.",
            [(rf"C_{{\text{{{f.name.replace('_', ' ')}}}}}", f.C) for f in factors],
        ),
    ]


def _check(equations: Any) -> Section:
    return Section("Check", f"{equations.check()}.", [])


def frames_latex(frames: Any) -> str:
    """The steps of the moving-frames algorithm as rows of one aligned block, for math mode."""
    return aligned(row for k, step in enumerate(frames, start=1) for row in _link(step, k).rows)
