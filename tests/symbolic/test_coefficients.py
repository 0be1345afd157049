"""Base parameters: as many as the numeric regressor has rank, and tau = Y a."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.ring.elimination import reduced_rows
from articulated.symbolic.ring.values import evaluated_array, function_of
from tests.near import near
from tests.symbolic.robots import robots
from tests.zoo import zoo

NAMES = ["stanford", "tree4", "cart_pole", "planar_biped", "floating_pair"]


@pytest.mark.parametrize("name", NAMES)
def test_as_many_coefficients_as_the_regressor_has_rank(name):
    robot = art.Robot(robots()[name].model.frictionless())
    found = art.derive(robot).coefficients()
    rng = np.random.default_rng(0)
    states = 30
    q, v, a = robot.random(rng, states), *rng.normal(size=(2, states, robot.nv))
    Y = robot.regressor(q, v, a).reshape(states * robot.nv, -1)
    assert len(found) == np.linalg.matrix_rank(Y, tol=1e-9 * np.linalg.norm(Y, 2))
    # the values of the coefficients and the columns of Y give the torque
    numbers = _base_columns(found, q, v, a)
    assert near(numbers @ np.array(found.values), robot.inverse_dynamics(q, v, a), 1e-10)


@pytest.mark.parametrize("name", ["mimic", "cart_pole"])
def test_friction_and_rotors_are_parameters_too(name):
    robot = zoo().get(name) or art.load(name)
    data = {"damping": 0.1, "friction": 0.2, "armature": 0.05}
    robot = art.build([k.replace(joint=k.joint.replace(**data) if k.joint.nv else k.joint) for k in robot.links])
    found = art.derive(robot).coefficients()
    rng = np.random.default_rng(0)
    q, v, a = robot.random(rng, 5), *rng.normal(size=(2, 5, robot.nv))
    columns = _base_columns(found, q, v, a)
    assert near(columns @ np.array(found.values), robot.inverse_dynamics(q, v, a), 1e-10)
    assert {f"b_{b.index}" for b in robot.model.bodies} <= {s.name for c in found for s in c.expression.free_symbols}


def _base_columns(found, q, v, a):
    """Y at the states, from the polynomials (SymPy would take long for the panda)."""
    symbols = [s for name in "qva" for s in found.state.symbols[name]]
    states = (dict(zip(symbols, x, strict=True)) for x in np.concatenate([q, v, a], axis=-1))
    return np.stack([evaluated_array(found.state.ring, found.polynomials, at) for at in states])


def test_coefficients_of_a_numeric_robot_are_combinations_of_parameters():
    found = art.derive(art.load("2r")).coefficients()
    names = {s.name for c in found for s in c.expression.free_symbols}
    assert names <= {f"{p}_{i}" for i in (1, 2) for p in ("m", "mx", "my", "mz", "Ixx", "Izz", "Ixy", "Iyy")}
    assert len(found.values) == len(found)
    robot = art.load("2r")
    rng = np.random.default_rng(1)
    q, v, a = robot.random(rng), *rng.normal(size=(2, 2))
    symbols = [s for name in "qva" for s in found.state.symbols[name]]
    Y = np.array(function_of(found.Y, symbols)(*q, *v, *a), float).reshape(2, -1)
    assert near(Y @ found.values, robot.inverse_dynamics(q, v, a))


@pytest.mark.parametrize("name, count", [("3r", 9), ("stanford", None), ("bar_disc", None)])
def test_symbolic_robots_are_linear_in_their_coefficients(name, count):
    eq = art.derive(name)
    found = eq.coefficients()
    assert count is None or len(found) == count
    a = np.array([eq.state.ring.generator(s) for s in found.symbols], object)
    from articulated.symbolic.ring.convert import in_ring

    expressions = np.array([in_ring(eq.state.ring, c.expression) for c in found], object)
    assert a.shape == expressions.shape
    for x, y in zip(found.polynomials @ expressions, eq.polynomials["tau"], strict=True):
        assert x == y


def test_lengths_called_a_do_not_clash():
    a1, m, d = sympy.symbols("a_1 m d", positive=True)
    body = art.Inertia(m, (d, 0, 0), np.eye(3).tolist())
    eq = art.derive(art.from_dh([art.DH(a=a1), art.DH(a=a1)], links=[body, body]))
    assert eq.coefficients()[0].name == "p_1"


def test_decimals_beside_roots_are_exact():
    """0.249999984375 sqrt(3) was taken for sqrt(3)/4."""
    decimal = sympy.Float("0.249999984375", 15) * sympy.sqrt(3)
    ((_, row),) = reduced_rows([{0: 1, 1: decimal}])
    assert abs(float(row[1] / decimal) - 1) < 1e-15
