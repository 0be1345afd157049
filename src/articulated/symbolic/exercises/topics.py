"""Topics of exercises on Lagrange's equations: one function each, with a check by recursion on floats."""

import random
from collections.abc import Callable
from typing import Any

import sympy

from ...algorithms.coriolis import christoffel, coriolis_matrix
from ...algorithms.energy import kinetic_energies, potential_energies
from ...algorithms.inverse_dynamics import gravity_forces
from ...algorithms.mass_matrix import mass_matrix
from ...errors import ModelError
from ..equations.cross_checks import regressor_rank
from ..equations.notation import page
from ..equations.questions import depends_on
from .answers import Verdict, compared, read
from .course_topics import COURSE
from .task import Task, called, choice, expression, tex


def inertia(equations: Any, rng: random.Random) -> Task:
    """An entry of M."""
    n = len(equations.v)
    every = [(i, j) for i in range(n) for j in range(i, n) if equations.M[i, j] != 0]
    moving = [(i, j) for i, j in every if equations.M[i, j].free_symbols & {*equations.q}]
    i, j = rng.choice(moving or every)
    beyond = [called(step.name) for k, step in enumerate(equations.steps) if equations.T_by_link[k].has(equations.v[j])]
    found = depends_on(equations.state, equations.polynomials["M"][i, j])
    return expression(
        equations,
        letter := f"M_{{{i + 1}{j + 1}}}",
        f"Find ${letter}$: row {i + 1}, column {j + 1} of the inertia matrix.",
        (
            rf"$T = \frac{{1}}{{2}} \dot{{q}}^{{\top}} M \dot{{q}}$: it is the second derivative of $T$ by "
            f"{tex(equations.v[i])} and {tex(equations.v[j])}.",
            f"Only links that {tex(equations.v[j])} moves have a part in it: {', '.join(beyond)}.",
            f"It depends on {', '.join(map(tex, found))}." if found else "It is the same in every configuration.",
        ),
        equations.M[i, j],
        lambda model, q, v: mass_matrix(model, q)[i, j],
    )


def kinetic(equations: Any, rng: random.Random) -> Task:
    """The kinetic energy of a link."""
    k = rng.choice([k for k, x in enumerate(equations.T_by_link) if x != 0])
    step, moving = equations.steps[k], equations.moving_frames[k]
    return expression(
        equations,
        f"T_{{{k + 1}}}",
        f"Find the kinetic energy of {called(step.name)}.",
        (
            "König: half the mass times the squared velocity of the center of mass, plus that of turning about it.",
            f"In the axes of the link its angular velocity is {tex(moving.omega)}.",
            f"In the axes of the link its center of mass moves with {tex(moving.v_c)}.",
        ),
        equations.T_by_link[k],
        lambda model, q, v: kinetic_energies(model, q, v)[k],
    )


def gravity(equations: Any, rng: random.Random) -> Task:
    """An entry of g."""
    i = choice(equations, rng, [i for i, x in enumerate(equations.g) if x != 0], "gravity does nothing to it")
    parts = [f"{called(s.name)}: {tex(x)}" for s, x in zip(equations.steps, equations.U_by_link, strict=True) if x != 0]
    return expression(
        equations,
        letter := f"g_{{{i + 1}}}",
        f"Find ${letter}$, the gravity force on {tex(equations.q[i])}.",
        (
            f"It is the derivative of the potential energy by {tex(equations.q[i])}.",
            r"$U = -\sum m_{i} a_{g}^{\top} r_{ci}$, $a_{g}$ the gravity, $r_{ci}$ the centers of mass in the world.",
            f"Potential energies: {'; '.join(parts)}.",
        ),
        equations.g[i],
        lambda model, q, v: gravity_forces(model, q)[i],
    )


def potential(equations: Any, rng: random.Random) -> Task:
    """The potential energy of a link; its zero is where the world's origin is."""
    k = choice(equations, rng, [k for k, x in enumerate(equations.U_by_link) if x != 0], "gravity does nothing to it")
    return expression(
        equations,
        f"U_{{{k + 1}}}",
        f"Find the potential energy of {called(equations.steps[k].name)}; it is zero at the origin of the world.",
        (
            r"$U = -m a_{g}^{\top} r_{c}$, with $r_{c}$ from the origin of the world to the center of mass.",
            f"In the world, gravity is $a_{{g}}$ = {tex(list(equations.model.gravity))}.",
        ),
        equations.U_by_link[k],
        lambda model, q, v: potential_energies(model, q)[k],
    )


def coriolis(equations: Any, rng: random.Random) -> Task:
    """An entry of c."""
    rows = [i for i, x in enumerate(equations.c) if x != 0]
    k = choice(equations, rng, rows, "there are no centrifugal and Coriolis forces")
    matrix = equations.christoffel[k]
    n = len(equations.v)
    places = [(i, j) for i in range(n) for j in range(i, n) if matrix[i, j] != 0]
    terms = [rf"$\Gamma_{{{k + 1},{i + 1}{j + 1}}}$ = {tex(matrix[i, j])}" for i, j in places]
    return expression(
        equations,
        letter := page().force(k + 1),
        f"Find ${letter}$, the centrifugal and Coriolis forces on {tex(equations.q[k])}.",
        (
            rf"${letter} = \dot{{q}}^{{\top}} \Gamma_{{{k + 1}}} \dot{{q}}$, with "
            rf"${_symbol(str(k + 1), 'i', 'j')}$.",
            f"The inertia matrix is {tex(equations.M)}.",
            f"Christoffel symbols that are not zero: {'; '.join(terms)}.",
        ),
        equations.c[k],
        lambda model, q, v: (coriolis_matrix(model, q, v) @ v)[k],
    )


def christoffel_symbol(equations: Any, rng: random.Random) -> Task:
    """One Christoffel symbol."""
    n = len(equations.v)
    every = [(k, i, j) for k in range(n) for i in range(n) for j in range(i, n) if equations.christoffel[k][i, j] != 0]
    k, i, j = choice(equations, rng, every, "M is constant, and every Christoffel symbol zero")
    return expression(
        equations,
        letter := rf"\Gamma_{{{k + 1},{i + 1}{j + 1}}}",
        f"Find the Christoffel symbol ${letter}$: row {i + 1}, column {j + 1} of the symmetric $\\Gamma_{{{k + 1}}}$ "
        rf"with ${page().force(k + 1)} = \dot{{q}}^{{\top}} \Gamma_{{{k + 1}}} \dot{{q}}$.",
        (
            f"It is ${_symbol(*(str(x + 1) for x in (k, i, j)))}$.",
            f"$M_{{{k + 1}{j + 1}}}$ = {tex(equations.M[k, j])}.",
            f"$M_{{{k + 1}{i + 1}}}$ = {tex(equations.M[k, i])}; $M_{{{i + 1}{j + 1}}}$ = {tex(equations.M[i, j])}.",
        ),
        equations.christoffel[k][i, j],
        lambda model, q, v: christoffel(model, q)[k, i, j],
    )


def _symbol(k: str, i: str, j: str) -> str:
    """A Christoffel symbol by derivatives of M."""
    parts = [
        rf"\frac{{\partial M_{{{row}}}}}{{\partial q_{{{by}}}}}" for row, by in ((k + j, i), (k + i, j), (i + j, k))
    ]
    return rf"\Gamma_{{{k},{i}{j}}} = \frac{{1}}{{2}} \left({parts[0]} + {parts[1]} - {parts[2]}\right)"


def skew(equations: Any, rng: random.Random) -> Task:
    """A factorization of c for which dM/dt - 2 S is skew."""
    n = len(equations.v)
    choice(equations, rng, [x for x in equations.c if x != 0], "there are no centrifugal and Coriolis forces")

    def judge(answer: Any) -> Verdict:
        given = read(equations, answer, (n, n))
        if not isinstance(given, sympy.MatrixBase) or given.shape != (n, n):
            return Verdict(False, f"A matrix of {n} rows and columns is asked for, as [[…, …], […, …]].")
        found = equations.factorization(given)
        if found.gives_c and found.skew:
            return Verdict(True, f"Right: {found.verdict('S')}.")
        return Verdict(False, f"Not right: {found.verdict('S')}.")

    difference = sympy.Matrix(_rate(equations) - 2 * equations.C).applyfunc(sympy.factor_terms)
    return Task(
        "S",
        rf"Find a matrix $S(q, \dot{{q}})$ with $S \dot{{q}} = {page().forces}$, the centrifugal and Coriolis forces, "
        r"for which $\dot{M} - 2 S$ is skew.",
        (
            r"There are many; Christoffel symbols give one: $S_{kj} = \sum_{i} \Gamma_{k,ij} \dot{q}_{i}$.",
            f"${page().forces}$ = {tex(equations.c)}.",
            rf"$\dot{{M}} - 2 S$ of that one: {tex(difference)}.",
        ),
        equations.C,
        judge,
        lambda model, q, v: coriolis_matrix(model, q, v),
    )


def _rate(equations: Any) -> sympy.Matrix:
    """dM/dt, of robots whose velocities are rates."""
    parts = (equations.M.diff(x) * v for x, v in zip(equations.q, equations.v, strict=True))
    return sum(parts, start=sympy.zeros(*equations.M.shape))


def coefficients(equations: Any, rng: random.Random) -> Task:
    """The number of dynamic coefficients."""
    try:
        found = equations.coefficients("geometry")
    except (ModelError, sympy.PolynomialError):
        choice(equations, rng, [], "its lengths are letters beside rounded numbers")
    known = ", ".join(tex(c.expression) for c in found)
    return Task(
        r"\text{number}",
        r"How many dynamic coefficients does it take: how few numbers $p$, with $\tau = Y(q, \dot{q}, \ddot{q})\, p$, "
        "if lengths, angles between axes and gravity are known?",
        (
            r"Write $\tau$ as a sum of functions of the state, each times a combination of parameters.",
            "Functions that are combinations of others with constant factors need no coefficient of their own.",
            f"They are: {known}.",
        ),
        sympy.Integer(len(found)),
        lambda answer: compared(equations, answer, sympy.Integer(len(found))),
        lambda model, q, v: regressor_rank(found, 11)[0],
    )


#: topic → its question
TOPICS: dict[str, Callable[[Any, random.Random], Task]] = {
    "kinetic": kinetic,
    "potential": potential,
    "inertia": inertia,
    "christoffel": christoffel_symbol,
    "coriolis": coriolis,
    "gravity": gravity,
    "skew": skew,
    "coefficients": coefficients,
    **COURSE,
}
