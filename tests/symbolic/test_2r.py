"""The 2R arm, held against the lecture slide by slide (S1.12 to S1.27)."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations.questions import constant_inertia, factorizations, no_gravity, positive_definiteness
from articulated.symbolic.ring.convert import in_ring
from tests.near import near
from tests.symbolic.ground_truth import case

l1, l2, m1, m2, I1, I2, g0 = sympy.symbols("l_1 l_2 m_1 m_2 I_1 I_2 g_0", positive=True)
d1, d2 = sympy.symbols("d_1 d_2", real=True)
q1, q2, v1, v2, w1, w2 = sympy.symbols("q_1 q_2 qd_1 qd_2 qdd_1 qdd_2", real=True)
s1, s2, c1, c2 = sympy.sin(q1), sympy.sin(q2), sympy.cos(q1), sympy.cos(q2)
c12, s12 = sympy.cos(q1 + q2), sympy.sin(q1 + q2)

A = [
    I1 + m1 * d1**2 + I2 + m2 * d2**2 + m2 * l1**2,
    m2 * l1 * d2,
    I2 + m2 * d2**2,
    g0 * (m1 * d1 + m2 * l1),
    g0 * m2 * d2,
]


@pytest.fixture(scope="module")
def eq():
    return art.derive("2r")


def same(found, expected) -> bool:
    found, expected = sympy.Matrix(found), sympy.Matrix(expected)
    return found.shape == expected.shape and sympy.simplify(found - expected) == sympy.zeros(*found.shape)


def test_moving_frames_are_those_of_the_slides(eq):
    steps = art.moving_frames("2r")
    assert [s.sigma for s in steps] == [0, 0]
    assert same(steps.omega[0], [0, 0, v1]) and same(steps.omega[1], [0, 0, v1 + v2])
    assert same(steps.v[0], [0, l1 * v1, 0])
    assert same(steps.v[1], [l1 * s2 * v1, l1 * c2 * v1 + l2 * (v1 + v2), 0])
    assert same(steps.v_c[0], [0, d1 * v1, 0])
    assert same(steps.v_c[1], [l1 * s2 * v1, l1 * c2 * v1 + d2 * (v1 + v2), 0])
    assert same([steps.T[0]], [(m1 * d1**2 + I1) * v1**2 / 2])
    square = l1**2 * v1**2 + d2**2 * (v1 + v2) ** 2 + 2 * l1 * d2 * c2 * v1 * (v1 + v2)
    assert same([steps.T[1]], [m2 * square / 2 + I2 * (v1 + v2) ** 2 / 2])
    assert same(steps.U, [m1 * g0 * d1 * s1, m2 * g0 * (l1 * s1 + d2 * s12)])
    assert same(steps[1].R, [[c2, -s2, 0], [s2, c2, 0], [0, 0, 1]])
    assert same(steps[1].r_com, [-l2 + d2, 0, 0])


def test_the_model_is_written_as_on_the_slides(eq):
    a1, a2, a3, a4, a5 = A
    assert same(eq.M, [[a1 + 2 * a2 * c2, a2 * c2 + a3], [a2 * c2 + a3, a3]])
    assert eq.M[0, 0] == I1 + I2 + m1 * d1**2 + m2 * (l1**2 + 2 * l1 * d2 * c2 + d2**2)
    assert eq.c == sympy.Matrix([-a2 * s2 * v2 * (v2 + 2 * v1), a2 * s2 * v1**2])
    assert same(eq.g, [a4 * c1 + a5 * c12, a5 * c12]) and eq.g[1] == a5 * c12
    assert eq.christoffel == [
        sympy.Matrix([[0, -a2 * s2], [-a2 * s2, -a2 * s2]]),
        sympy.Matrix([[a2 * s2, 0], [0, 0]]),
    ]
    assert same([eq.T], [sum(eq.T_by_link)]) and same([eq.U], [sum(eq.U_by_link)])
    assert same([eq.lagrangian], [eq.T - eq.U])
    assert same(eq.tau, eq.M * eq.a + eq.c + eq.g)


def test_coefficients_are_a1_to_a5(eq):
    found, expected = eq.coefficients(), A
    assert [c.name for c in found] == ["a_1", "a_2", "a_3", "a_4", "a_5"]
    assert same([c.expression for c in found], expected)
    a1, a2, a3, a4, a5 = found.symbols
    assert sympy.Matrix([[a1 + 2 * a2 * c2, a2 * c2 + a3], [a2 * c2 + a3, a3]]) == found.M
    assert same(found.c, [-a2 * s2 * (v2**2 + 2 * v1 * v2), a2 * s2 * v1**2])
    assert found.g == sympy.Matrix([a4 * c1 + a5 * c12, a5 * c12])
    slide = [
        [w1, c2 * (2 * w1 + w2) - s2 * (v2**2 + 2 * v1 * v2), w2, c1, c12],
        [0, c2 * w1 + s2 * v1**2, w1 + w2, 0, c12],
    ]
    assert same(found.Y, slide)
    assert same(found.Y * found.expressions, eq.tau)


def test_known_lengths_leave_the_base_parameters(eq):
    """With l_1 and g_0 known, a_5 is g_0/l_1 times a_2: four parameters are left."""
    found = eq.coefficients(known=[l1, "g_0"])
    assert len(found) == 4
    assert same(found.Y * found.expressions, eq.tau)


def test_question_1_and_2(eq):
    assert constant_inertia(eq).solutions == ({d2: 0},)
    balanced = no_gravity(eq).solutions
    assert balanced == ({d1: -l1 * m2 / m1, d2: 0},)
    q1_model = eq.subs({"d_2": 0})
    assert constant_inertia(q1_model).always and q1_model.c == sympy.zeros(2, 1)
    assert q1_model.g[1] == 0
    q2_model = eq.subs(balanced[0])
    assert no_gravity(q2_model).always and q2_model.g == sympy.zeros(2, 1)
    assert same(q2_model.tau, q2_model.M * q2_model.a)


def test_question_3(eq):
    found = positive_definiteness(eq)
    assert found.positive_definite and found.identity and found.settled == (v1, v2)
    determinant = I2 * (I1 + m1 * d1**2 + m2 * l1**2) + m2 * d2**2 * (I1 + m1 * d1**2) + m2**2 * l1**2 * d2**2 * s2**2
    assert same([found.minors[1]], [determinant])
    assert all(weight.is_positive for weight, _ in found.squares)


def test_question_4(eq):
    found = {f.name: f for f in factorizations(eq)}
    a2 = A[1]
    assert same(found["christoffel"].C, [[-a2 * s2 * v2, -a2 * s2 * (v1 + v2)], [a2 * s2 * v1, 0]])
    assert same(found["nonskew"].C, [[0, -a2 * s2 * (2 * v1 + v2)], [a2 * s2 * v1, 0]])
    assert found["christoffel"].skew and found["body_jacobian"].skew and not found["nonskew"].skew
    assert all(f.gives_c for f in found.values())
    assert eq.C == found["christoffel"].C


def test_ground_truth(eq):
    data = case("S1.2R")
    given, expected = data["inputs"], data["expected"]
    values = {l1: given["l1"], l2: given["l2"], m1: given["m1"], m2: given["m2"], g0: given["g0"]}
    values |= {d1: given["d1"], d2: given["d2"], I1: given["I1zz"], I2: given["I2zz"]}
    values |= dict(zip((q1, q2, v1, v2, w1, w2), given["q"] + given["qd"] + given["qdd"], strict=True))
    coefficients = eq.coefficients()
    pairs = {
        "B": eq.M, "c": eq.c.T, "g": eq.g.T, "tau": eq.tau.T, "S_prime": eq.C, "S_second": eq.coriolis("nonskew"),
        "C1": eq.christoffel[0], "C2": eq.christoffel[1], "regressor_Y": coefficients.Y,
        "a1_to_a5": coefficients.expressions.T,
    }  # fmt: skip
    for name, expression in pairs.items():
        number = np.array(expression.subs(values).tolist(), float)
        assert near(number.reshape(np.shape(expected[name])), expected[name]), name
    assert near(float(eq.T.subs(values)), expected["T"]) and near(float(eq.U.subs(values)), expected["U"])


def test_given_values_the_symbols_are_gone(eq):
    names = ["l_1", "l_2", "m_1", "m_2", "I_1", "I_2", "g_0", "d_1", "d_2"]
    numbers = dict(zip(names, [0.5, 0.4, 4, 2.5, 0.09, 0.04, 9.81, 0.2, 0.15], strict=True))
    numeric = eq.subs(numbers)
    assert numeric.parameters == ()
    built_in = art.derive(art.load("2r"))
    for name in ("M", "c", "g"):
        ring = built_in.state.ring
        for x, y in zip(getattr(numeric, name), getattr(built_in, name), strict=True):
            assert in_ring(ring, x) == in_ring(ring, y)
    with pytest.raises(art.ArticulatedError, match="m_9"):
        eq.subs({"m_9": 1})


def test_given_a_state_the_matrices_are_numbers(eq):
    numbers = {
        "l_1": 0.5,
        "l_2": 0.4,
        "m_1": 4,
        "m_2": 2.5,
        "I_1": 0.09,
        "I_2": 0.04,
        "g_0": 9.81,
        "d_1": 0.2,
        "d_2": 0.15,
    }
    at = eq.subs(numbers | {"q_1": 0.3, "q_2": -0.7})
    assert near(np.array(at.M.tolist(), float), case("S1.2R")["expected"]["B"])
    assert at.c.free_symbols == set(eq.v)
    with pytest.raises(AttributeError, match="lagrangian"):
        at.check()


def test_coefficients_are_pairs_of_name_and_expression(eq):
    assert dict(eq.coefficients())["a_2"] == A[1]


def test_a_numeric_gravity_stays_in_the_coefficients():
    numeric = art.derive("2r").subs({"g_0": 9.81}).coefficients()
    assert len(numeric) == 5 and numeric.Y[1, 4] == c12


def test_both_routes_are_proven_equal(eq):
    found = eq.check()
    assert found and found.proven and found.error < 1e-12
    assert "equal as expressions" in str(found)
