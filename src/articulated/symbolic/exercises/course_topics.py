"""Topics of exercises beyond Lagrange's equations: inertias of links, momentum, drives; the table of all of these."""

import random
from collections.abc import Callable
from typing import Any

import sympy

from ...algebra.scalars import zeros
from ...algorithms.inverse_dynamics import gravity_forces
from ...algorithms.kinematics import world_poses
from ...algorithms.mass_matrix import mass_matrix
from ...model import Model
from ...model.motors import Motor, with_motors
from ..equations.presentation import shown
from ..pages.latex import latex
from .kinematics import acceleration, contact, dh, null_space, pose, statics, tidy, velocity
from .task import Task, called, choice, expression, tex

STIFFNESS, RATIO, ROTOR = 100, 10, sympy.Rational(1, 1000)  # N m/rad; of gears; kg m²


def own_inertia(equations: Any, rng: random.Random) -> Task:
    """The inertia of one link about its own joint: the parallel axis theorem."""
    found = [
        (k, b.dofs.start, x)
        for k, b in enumerate(equations.model.bodies)
        if b.joint.turns and b.leader is b
        if (x := sympy.diff(equations.T_by_link[k], equations.v[b.dofs.start], 2) - b.armature) != 0
    ]
    k, i, value = choice(equations, rng, found, "no link turns about its joint")
    name = called(equations.model.bodies[k].name)

    def numbers(model: Model, q: Any, v: Any) -> Any:
        b = model.bodies[k]
        return b.S[:, 0] @ (b.inertia @ b.S[:, 0])

    return expression(
        equations,
        "I",
        f"Find the moment of inertia $I$ of {name} alone about the axis of the joint that carries it.",
        (
            r"About its center of mass it is $u^{\top} I_{c} u$, $u$ the direction of the axis.",
            "Steiner: add the mass times the squared distance of the center of mass from the axis.",
            f"It is what {name} contributes to $M_{{{i + 1}{i + 1}}}$.",
        ),
        sympy.sympify(value),
        numbers,
    )


def momentum(equations: Any, rng: random.Random) -> Task:
    """The generalized momentum that a disturbance observer integrates."""
    i = choice(equations, rng, list(range(len(equations.v))), "")
    return expression(
        equations,
        letter := f"p_{{{i + 1}}}",
        r"A momentum observer compares $p = M(q)\, \dot{q}$ with the integral of what should change it. "
        f"Find ${letter}$.",
        (f"It is the derivative of $T$ by {tex(equations.v[i])}.", f"$T$ = {tex(equations.T)}."),
        tidy(equations, equations.M.row(i) * sympy.Matrix(equations.v))[0],
        lambda model, q, v: (mass_matrix(model, q) @ v)[i],
    )


def center(equations: Any, rng: random.Random) -> Task:
    """The first moment of the whole robot: what a floating base, or a balance, feels."""
    values = shown(equations.state, _moment(equations.state.model, equations.state.q))
    axis = choice(equations, rng, [a for a in range(3) if values[a].free_symbols & {*equations.q}], "it is fixed")
    return expression(
        equations,
        rf"\sum m_{{i}} {'xyz'[axis]}_{{ci}}",
        f"Find the first moment of the whole robot along ${'xyz'[axis]}$ of the world: the sum of masses times "
        "the positions of their centers.",
        ("Every center of mass in the world, times its mass.", "Divided by the total mass it is the center of mass."),
        values[axis],
        lambda model, q, v: _moment(model, q)[axis],
    )


def _moment(model: Model, q: Any) -> Any:
    W = world_poses(model, q)
    return sum((W[b].R @ b.inertia.first + b.inertia.mass * W[b].p for b in model.bodies), start=zeros(3))


def motors(equations: Any, rng: random.Random) -> Task:
    """The inertia that a joint feels with a rotor behind a gear."""
    found = [(b.dofs.start, b.joint.name) for b in equations.model.bodies if b.joint.turns and b.leader is b]
    i, joint = choice(equations, rng, found, "no joint turns")
    given = [Motor(joint, RATIO, ROTOR)]
    return expression(
        equations,
        letter := f"M_{{{i + 1}{i + 1}}}",
        f"Joint {i + 1} gets a motor with a gear of {RATIO} and a rotor of {float(ROTOR)} kg m² about its axis, "
        f"carried by the link before and turning about the axis of the joint. Find ${letter}$.",
        (
            f"The rotor turns {RATIO} times as fast as the joint, relative to the link that carries it.",
            f"Its energy of turning adds ${RATIO}^{{2}}$ times its inertia to ${letter}$.",
            f"Without the motor it is {tex(equations.M[i, i])}.",
        ),
        equations.motors(given).M[i, i],
        lambda model, q, v: mass_matrix(with_motors(model, [Motor(joint, RATIO, float(ROTOR))]), q)[i, i],
    )


def elastic(equations: Any, rng: random.Random) -> Task:
    """The motor angle that holds a link against gravity through a spring."""
    i = choice(equations, rng, [i for i, x in enumerate(equations.g) if x != 0], "gravity does nothing to it")
    unit = "N/m" if any(b.joint.slides and b.dofs.start == i for b in equations.model.bodies) else "N m/rad"
    return expression(
        equations,
        rf"\theta_{{{i + 1}}}",
        f"Between the motor and the link of joint {i + 1} is a spring of {STIFFNESS} {unit}. Where must the "
        f"motor stand, in units of {tex(equations.q[i])}, so that the robot rests?",
        (
            rf"At rest the spring carries the weight: $K (\theta_{{{i + 1}}} - {latex(equations.q[i])}) "
            f"= g_{{{i + 1}}}$.",
            f"$g_{{{i + 1}}}$ = {tex(equations.g[i])}.",
        ),
        equations.q[i] + equations.g[i] / STIFFNESS,
        lambda model, q, v: q[i] + gravity_forces(model, q)[i] / STIFFNESS,
    )


#: topic → its question
COURSE: dict[str, Callable[[Any, random.Random], Task]] = {
    "dh": dh,
    "pose": pose,
    "velocity": velocity,
    "own_inertia": own_inertia,
    "acceleration": acceleration,
    "statics": statics,
    "motors": motors,
    "elastic": elastic,
    "null_space": null_space,
    "momentum": momentum,
    "contact": contact,
    "center": center,
}
