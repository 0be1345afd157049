"""Derivatives in closed form against the numbers of robots, and laws of them."""

import numpy as np
import pytest

import articulated as art
from tests.near import near

sympy = pytest.importorskip("sympy")


def numbers(equations, expression, **state):
    at = {s: x for name, values in state.items() for s, x in zip(getattr(equations, name), values, strict=True)}
    return np.array(sympy.Matrix(expression).subs(at), float)


@pytest.mark.parametrize("name", ["2r", "cart_pole", "acrobot"])
def test_the_closed_form_is_what_the_robot_computes(name, rng):
    robot = art.load(name)
    equations = art.derive(robot)
    q, v, a = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    found = robot.derivatives("inverse_dynamics")(q, v, a)
    for by in "qva":
        near(numbers(equations, equations.derivative("tau", by), q=q, v=v, a=a), getattr(found, by), 1e-11)
    near(numbers(equations, equations.derivative("U", "q"), q=q)[:, 0], robot.gravity_forces(q), 1e-11)
    by_q = robot.derivatives("mass_matrix")(q).q
    for k, matrix in enumerate(equations.derivative("M", "q")):
        near(numbers(equations, matrix, q=q), by_q[..., k], 1e-11)


def test_laws():
    equations = art.derive("2r")
    assert sympy.simplify(equations.derivative("tau", "a") - equations.M) == sympy.zeros(2, 2)
    stiffness = equations.derivative("g", "q")
    assert sympy.simplify(stiffness - stiffness.T) == sympy.zeros(2, 2)
    momentum = equations.derivative("T", "v")
    assert sympy.simplify(momentum - equations.M * equations.v) == sympy.zeros(2, 1)


def test_a_ball_is_differentiated_along_its_velocities(rng):
    inertia = art.Inertia(1.0, (0.1, 0.2, 0.3), np.diag([0.1, 0.2, 0.25]))
    robot = art.build([art.Link("ball", None, art.Spherical(), inertia=inertia)])
    equations = art.derive(robot)
    q, still = robot.random(rng), np.zeros(3)
    expected = robot.derivatives("gravity_forces")(q).q
    near(numbers(equations, equations.derivative("g", "q"), q=q, v=still, a=still), expected, 1e-11)


def test_near_rest(rng):
    robot = art.load("cart_pole")
    equations = art.derive(robot)
    q0 = [0, sympy.pi]
    found = equations.linearize(q0)
    q = np.array([0, np.pi])
    A, B = robot.linearize(q, [0, 0], robot.gravity_forces(q))
    assert near(np.array(found.A, float), A, 1e-11)
    assert near(np.array(found.B, float), B, 1e-11)
    assert r"\begin{pmatrix}" in found.latex() and found._repr_latex_().startswith("$$A = ")
    symbolic = art.derive("2r").linearize({"q_1": sympy.pi / 2})
    assert symbolic.A.shape == (4, 4) and symbolic.A[:2, 2:] == sympy.eye(2)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda eq: eq.derivative("tua", "q"), "did you mean 'tau'"),
        (lambda eq: eq.derivative("tau", "qd"), "by ="),
        (lambda eq: eq.linearize([0]), "linearize: q0"),
        (lambda eq: eq.linearize({"x": 1}), "linearize: q0"),
        (lambda eq: eq.linearize(3), "linearize: q0"),
        (lambda eq: eq.linearize(["__import__('sys').exit(3)", 0]), "linearize: q0"),  # text is not evaluated
        (lambda eq: eq.linearize([sympy.nan, 0]), "linearize: q0"),
        (lambda eq: eq.linearize([10**400, 0]), "linearize: q0"),
        (lambda eq: eq.articulated_inertias({0: 0.1, 1: 0.2}), "articulated_inertias: q"),  # names, not numbers
        (lambda eq: eq.articulated_inertias(["__import__('sys').exit(3)", 0]), "articulated_inertias: q"),
        (lambda eq: eq.articulated_inertias([1j, 0]), "articulated_inertias: q"),
        (lambda eq: eq.articulated_inertias([[0.1, 0.2]]), "articulated_inertias: q"),
    ],
)
def test_what_cannot_be_is_said(call, words):
    with pytest.raises(art.ArticulatedError, match=words):
        call(art.derive("2r"))
