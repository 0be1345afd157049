"""Topics of exercises beyond Lagrange's equations: kinematics, statics, drives, redundancy, momentum, contact."""

import random
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import sympy

from ...algebra.rotations import cross
from ...algebra.scalars import zeros
from ...algebra.spatial import Transform
from ...algorithms.inverse_dynamics import gravity_forces
from ...algorithms.jacobians import jacobian
from ...algorithms.kinematics import frame_acceleration, frame_pose, velocities, world_poses
from ...algorithms.mass_matrix import mass_matrix
from ...model import Model
from ...model.motors import Motor, with_motors
from ..equations.dh_table import dh_table
from ..equations.presentation import shown
from ..pages.latex import latex
from ..ring.convert import in_ring
from ..ring.signs import vanishes
from .answers import Verdict, read
from .task import Task, called, choice, expression, tex, vector

STIFFNESS, RATIO, ROTOR = 100, 10, sympy.Rational(1, 1000)  # N m/rad; of gears; kg m²


#: convention → how its rows lead to frame i, and the row (from this one) that has their a and alpha in the other
CONVENTIONS = {
    "standard": (r"by $\theta_{i}$ about and $d_{i}$ along $z$, then $a_{i}$ along and $\alpha_{i}$ about $x$", 1),
    "modified": (r"by $a_{i}$ along and $\alpha_{i}$ about $x$, then $\theta_{i}$ about and $d_{i}$ along $z$", -1),
}


def dh(equations: Any, rng: random.Random) -> Task:
    """A row of the Denavit-Hartenberg table, the frames laid by the convention that is not printed."""
    chain = all(b.parent is a for a, b in pairwise([None, *equations.model.bodies]))
    tables = [table for table in (dh_table(equations.state),) if table is not None and chain]
    found = choice(equations, rng, tables, "it has no Denavit-Hartenberg table")
    other = "modified" if found.convention == "standard" else "standard"
    order, beside = CONVENTIONS[other]
    q = equations.q
    known = [k for k, row in enumerate(found.rows) if row.theta.free_symbols <= {*q} and 0 <= k + beside < len(q)]
    k = choice(equations, rng, known, "its table has one row")
    row, next_to = found.rows[k], found.rows[k + beside]

    def numbers(model: Model, at: Any, v: Any) -> Any:
        """Angles and distances between the axes and their common normals in the world."""
        frames = {-1: Transform(), **{i: world_poses(model, at)[b] for i, b in enumerate(model.bodies)}}
        x, z, p = ({i: np.array(part, float) for i, part in ((i, f(W)) for i, W in frames.items())} for f in PARTS)
        if other == "modified":
            turned, twisted = (
                (z[k - 1], x[k - 1], x[k], p[k] - p[k - 1]),
                (x[k - 1], z[k - 2], z[k - 1], p[k - 1] - p[k - 2]),
            )
        else:
            turned, twisted = (z[k], x[k - 1], x[k], p[k] - p[k - 1]), (x[k], z[k], z[k + 1], p[k + 1] - p[k])
        (theta, d), (alpha, a) = (
            (np.arctan2(u @ np.cross(before, after), before @ after), u @ step)
            for u, before, after, step in (turned, twisted)
        )
        turns = round((float(row.theta.subs(dict(zip(q, at, strict=True)))) - theta) / (2 * np.pi))
        return np.array([theta + 2 * np.pi * turns, d, a, alpha])

    return vector(
        equations,
        rf"(\theta, d, a, \alpha)_{{{k + 1}}}",
        f"The frames are laid anew by the {other} convention, to frame $i$ {order}, with the directions of the axes "
        rf"and normals of the table above. Find its row {k + 1}: $\theta$, $d$, $a$, $\alpha$.",
        (
            "The axes of the joints and their common normals stay; the other convention groups them otherwise.",
            rf"$\theta$ and $d$ belong to the axis of the joint, as before: {tex(row.theta)} and {tex(row.d)}.",
            rf"$a$ and $\alpha$ are those of row {k + 1 + beside} of the other table.",
        ),
        sympy.Matrix([row.theta, row.d, next_to.a, next_to.alpha]),
        numbers,
    )


#: normal, axis and origin of a frame
PARTS: tuple[Callable[[Transform], Any], ...] = (lambda W: W.R[:, 0], lambda W: W.R[:, 2], lambda W: W.p)


def tidy(equations: Any, values: Any) -> Any:
    """Expressions in their shortest form."""
    return shown(equations.state, np.array([in_ring(equations.state.ring, x) for x in values], object))


def velocity(equations: Any, rng: random.Random) -> Task:
    """The velocity of a center of mass, by moving frames."""
    frames = equations.moving_frames
    k = choice(equations, rng, [k for k, x in enumerate(frames.v_c) if any(x)], "no center of mass moves")
    b = equations.model.bodies[k]
    step = frames[k]

    def numbers(model: Model, q: Any, v: Any) -> Any:
        V = velocities(model, q, v)[1][model.bodies[k]]
        return V[:3] + cross(V[3:], model.bodies[k].inertia.com)

    return vector(
        equations,
        f"{{}}^{{{k + 1}}}v_{{c{k + 1}}}",
        f"Find the velocity of the center of mass of {called(b.name)}, in the axes of that link.",
        (
            r"Moving frames: $\omega$ and $v$ of each link in its own axes, from those of the link before.",
            f"Its angular velocity is {tex(step.omega)}, its origin moves with {tex(step.v)}.",
            rf"$v_{{c}} = v + \omega \times r_{{c}}$, $r_{{c}}$ = {tex(step.r_com)}.",
        ),
        step.v_c,
        numbers,
    )


def pose(equations: Any, rng: random.Random) -> Task:
    """The place of the last frame: direct kinematics."""
    name = equations.model.bodies[-1].name
    return vector(
        equations,
        f"{{}}^{{0}}r_{{0,{len(equations.model.bodies)}}}",
        f"Find the position of the origin of {called(name)} in the world.",
        (
            "Multiply the homogeneous matrices from the base on.",
            f"The first origin is at {tex(equations.pose(equations.model.bodies[0].name)[:3, 3])}.",
        ),
        equations.pose(name)[:3, 3],
        lambda model, q, v: frame_pose(model, q, name).p,
    )


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


def statics(equations: Any, rng: random.Random) -> Task:
    """Joint torques that hold a force at the last link: tau = J' F."""
    name = equations.model.bodies[-1].name
    J = equations.jacobian(name)
    axis, i = choice(
        equations, rng, [(a, i) for a in range(3) for i in range(J.cols) if J[a, i] != 0], "its end does not move"
    )
    return expression(
        equations,
        rf"\tau_{{{i + 1}}}",
        f"The environment is pressed with a unit force along ${'xyz'[axis]}$ of the world at the origin of "
        f"{called(name)}. Find the torque (or force) of joint {i + 1} for it, gravity aside.",
        (
            r"Virtual work: $\tau = J^{\top} F$, $J$ the Jacobian of that point in the world's axes.",
            f"One entry of $J$ is needed: how fast the point moves along ${'xyz'[axis]}$ per unit of "
            f"{tex(equations.v[i])}.",
            f"The point is at {tex(equations.pose(name)[:3, 3])}.",
        ),
        J[axis, i],
        lambda model, q, v: jacobian(model, q, name)[axis, i],
    )


def acceleration(equations: Any, rng: random.Random) -> Task:
    """Newton-Euler's first sweep: the part of an acceleration that velocities make."""
    name = equations.model.bodies[-1].name
    J = equations.jacobian(name)[:3, :]
    rate = sum((J.diff(x) * s for x, s in zip(equations.q, equations.v, strict=True)), start=sympy.zeros(*J.shape))
    bias = tidy(equations, rate * sympy.Matrix(equations.v))
    axis = choice(equations, rng, [k for k in range(3) if bias[k] != 0], "its end feels no velocities")

    def numbers(model: Model, q: Any, v: Any) -> Any:
        return frame_acceleration(model, q, v, 0 * v, name)[axis]

    return expression(
        equations,
        rf"\ddot{{{'xyz'[axis]}}}",
        f"The accelerations of the joints are zero. Find the acceleration of the origin of {called(name)} along "
        f"${'xyz'[axis]}$ of the world.",
        (
            r"It is the time derivative of the velocity $J(q)\, \dot{q}$ at constant $\dot{q}$: $\dot{J} \dot{q}$.",
            f"$J$ has the row {tex(list(J.row(axis)))}.",
        ),
        bias[axis],
        numbers,
    )


def contact(equations: Any, rng: random.Random) -> Task:
    """The right-hand side of a contact's acceleration constraint, J a = -dJ/dt v."""
    found = acceleration(equations, rng)
    axis, name = found.letter[-2], called(equations.model.bodies[-1].name)
    return expression(
        equations,
        "b",
        f"The origin of {name} touches a wall across ${axis}$ of the world and stays on it: "
        r"$J(q)\, \ddot{q} = b(q, \dot{q})$. Find $b$.",
        (r"The contact does not accelerate: $J \ddot{q} + \dot{J} \dot{q} = 0$.", *found.hints),
        tidy(equations, [-found.solution])[0],
        lambda model, q, v: -found.numbers(model, q, v),
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


def null_space(equations: Any, rng: random.Random) -> Task:
    """A motion of the joints that leaves a task alone."""
    name, n = equations.model.bodies[-1].name, len(equations.v)
    if not 2 <= n <= 4:
        choice(equations, rng, [], "its minors would fill pages, or it has one joint")
    J = equations.jacobian(name)
    rows: list[int] = []
    for k in range(6):
        if len(rows) < n - 1 and not all(vanishes(x) for x in _minors(J.extract([*rows, k], list(range(n))))):
            rows.append(k)
    task = J.extract(rows, list(range(n)))
    if len(rows) != n - 1:
        choice(equations, rng, [], "it has no motion that leaves a task of one dimension less alone")
    solution = tidy(equations, [(-1) ** k * _square(task, k) for k in range(n)])
    words = ", ".join(f"{'turning about ' if k > 2 else ''}${'xyz'[k % 3]}$" for k in rows)

    def judge(answer: Any) -> Verdict:
        given = read(equations, answer, (n, 1))
        if not isinstance(given, sympy.MatrixBase) or len(given) != n:
            return Verdict(False, f"A vector of {n} velocities is asked for.")
        left = task * sympy.Matrix(list(given))
        if all(vanishes(x) for x in given):
            return Verdict(False, "Not right: no joint moves.")
        if bad := [k for k, x in zip(rows, left, strict=True) if not vanishes(x)]:
            return Verdict(False, f"Not right: it moves the task, the row {bad[0] + 1} of the Jacobian.")
        return Verdict(True, "Right: J n = 0, and n is not zero.")

    return Task(
        "n",
        f"The task is the velocity of the origin of {called(name)} in the world: {words}. Find joint velocities "
        "$n(q)$, not zero, that do not move it.",
        (
            "$J n = 0$, $J$ the rows of the Jacobian that belong to the task.",
            f"$J$ = {tex(task)}.",
            "Minors of $J$ are one $n$.",
        ),
        solution,
        judge,
        lambda model, q, v: _null(np.array(jacobian(model, q, name), float)[rows]),
    )


def _minors(J: sympy.Matrix) -> list[sympy.Expr]:
    return [J.extract(list(range(J.rows)), list(x)).det() for x in combinations(range(J.cols), J.rows)]


def _square(task: sympy.Matrix, without: int) -> sympy.Expr:
    kept = [j for j in range(task.cols) if j != without]
    return task.extract(list(range(task.rows)), kept).det() if task.rows else sympy.Integer(1)


def _null(J: np.ndarray) -> np.ndarray:
    return np.array([(-1) ** k * np.linalg.det(np.delete(J, k, axis=1)) for k in range(J.shape[1])])


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
