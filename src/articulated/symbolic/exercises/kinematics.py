"""Topics of exercises on motion without masses: frames, velocities, accelerations, statics, redundancy, contact."""

import random
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import sympy

from ...algebra.rotations import cross
from ...algebra.spatial import Transform
from ...algorithms.jacobians import jacobian
from ...algorithms.kinematics import frame_acceleration, frame_pose, velocities, world_poses
from ...model import Model
from ..equations.dh_table import dh_table
from ..equations.presentation import shown
from ..ring.convert import in_ring
from ..ring.signs import vanishes
from .answers import Verdict, read
from .task import Task, called, choice, expression, tex, vector

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
        theta, *others = _measured(model, at, k, other)
        printed = float(row.theta.subs(dict(zip(q, at, strict=True))))
        return np.array([theta + 2 * np.pi * round((printed - theta) / (2 * np.pi)), *others])  # whole turns are free

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


def _measured(model: Model, q: Any, k: int, convention: str) -> tuple[float, float, float, float]:
    """Row k of a table of that convention, measured on the frames that the other one has laid in the world."""
    W = world_poses(model, q)
    frames = {-1: Transform(), **{i: W[b] for i, b in enumerate(model.bodies)}}
    x, z, p = ({i: np.array(part(X), float) for i, X in frames.items()} for part in PARTS)
    joint, last = (k, k + 1) if convention == "standard" else (k - 1, k - 1)  # its axis; the axis the normal leads to
    theta, d = _screw(z[joint], x[k - 1], x[k], p[k] - p[k - 1])
    alpha, a = _screw(x[joint], z[last - 1], z[last], p[last] - p[last - 1])
    return theta, d, a, alpha


def _screw(axis: Any, before: Any, after: Any, step: Any) -> tuple[float, float]:
    """The angle about an axis from one direction to another, and how far a step goes along it."""
    return np.arctan2(axis @ np.cross(before, after), before @ after), axis @ step


#: normal, axis and origin of a frame
PARTS: tuple[Callable[[Transform], Any], ...] = (lambda X: X.R[:, 0], lambda X: X.R[:, 2], lambda X: X.p)


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


def tidy(equations: Any, values: Any) -> Any:
    """Expressions in their shortest form."""
    return shown(equations.state, np.array([in_ring(equations.state.ring, x) for x in values], object))


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
