"""Articulated inertias in closed form: the bar with the disc (S0.31 to S0.34)."""

import numpy as np
import sympy

import articulated as art
from articulated.algebra.scalars import array
from articulated.symbolic.equations.articulated_inertias import articulated_inertias
from tests.near import near
from tests.symbolic.ground_truth import case
from tests.symbolic.robots import furuta

ms, mD, l, h = sympy.symbols("m_s m_D l h", positive=True)
Isx, Isy, Isz, Ix, Iy, Iz = sympy.symbols("I_sx I_sy I_sz I_Dx I_Dy I_Dz", positive=True)


def test_bar_with_disc_is_the_corrected_slide():
    bar, disc = articulated_inertias("bar_disc", q=[0, 0])
    assert disc.inertia == sympy.diag(mD, mD, mD, Ix, Iy, Iz)
    assert disc.projected == sympy.diag(mD, mD, mD, Ix, 0, Iz)  # E0.5
    expected = sympy.diag(*[ms + mD] * 3, Isx + ms * h**2 + mD * l**2 + Ix, Isy, Isz + ms * h**2 + mD * l**2 + Iz)
    moment = ms * h + mD * l
    expected[2, 3] = expected[3, 2] = moment
    expected[0, 5] = expected[5, 0] = -moment
    assert sympy.expand(bar.inertia - expected) == sympy.zeros(6, 6)  # E0.6
    ax, ay = sympy.symbols("alpha_x alpha_y")
    wrench = bar.inertia * sympy.Matrix([0, 0, 0, ax, ay, 0])
    assert wrench[4] == Isy * ay  # E0.7; and the disc does not load the bar about the axle (S0.32)


def test_ground_truth():
    data = case("S0.bar_disc")
    given, expected = data["inputs"], data["expected"]
    h_value = ((given["I_s_O"][0] - given["I_s_com"][0]) / given["m_s"]) ** 0.5
    values = {ms: given["m_s"], mD: given["m_D"], l: given["l"], h: h_value}
    values |= dict(zip((Isx, Isy, Isz), given["I_s_com"], strict=True))
    values |= dict(zip((Ix, Iy, Iz), given["I_D_com"], strict=True))
    values[sympy.Symbol("q_2", real=True)] = 0.7
    bar, disc = articulated_inertias("bar_disc")
    bar_number = np.array(bar.inertia.subs(values).tolist())
    assert near(bar_number.astype(float), expected["Mhat_s"])  # the disc is round: the same for all q
    assert near(np.array(disc.projected.subs(values).tolist(), float), expected["Mbar_D"])
    alpha = [0, 0, 0, given["alpha_x"], given["alpha_y"], 0]
    assert near(bar_number.astype(float) @ alpha, expected["wrench_for_alpha"])


def test_they_agree_with_the_numeric_ones():
    robot = furuta()
    rng = np.random.default_rng(2)
    q = robot.random(rng)
    found = articulated_inertias(robot)
    numeric = robot.articulated_bodies(q, [0, 0], [0, 0]).inertia
    symbols = [*art.derive(robot).q]
    for k, body in enumerate(found):
        assert near(np.array(sympy.lambdify(symbols, body.inertia)(*array(q)), float), numeric[k])


def test_two_links_of_letters_in_lowest_terms():
    """Also with what a hand feels where the second divisor is a quotient itself."""
    first, second = articulated_inertias("2r")
    I1, I2, m1, m2, d1, d2, l1, l2 = (
        art.derive("2r").symbol(name) for name in ["I_1", "I_2", "m_1", "m_2", "d_1", "d_2", "l_1", "l_2"]
    )
    felt = (I2 * m1 + m2 * (I2 + d2**2 * (m1 + m2 * sympy.sin(sympy.Symbol("q_2", real=True)) ** 2))) / (
        I2 + d2**2 * m2
    )
    assert sympy.simplify(first.inertia[1, 1] - felt) == 0
    assert second.projected[1, 1] == I2 * m2 / (I2 + d2**2 * m2)
    axis = sympy.Matrix([0, l1, 0, 0, 0, 1])  # of the first joint, in the frame at the end of its link
    assert sympy.simplify(first.projected * axis) == sympy.zeros(6, 1)  # nothing passes through the joint about it
    values = {I1: 0.1, I2: 0.07, m1: 3.0, m2: 2.0, d1: 0.2, d2: 0.3, l1: 0.5, l2: 0.4}
    at = articulated_inertias("2r", q=[0.1, 0.3])
    for k, general in enumerate((first, second)):
        for name in ("inertia", "projected"):
            chosen = {sympy.Symbol("q_1", real=True): 0.1, sympy.Symbol("q_2", real=True): 0.3, **values}
            found = np.array(getattr(at[k], name).subs(values).evalf(), float)
            assert near(found, np.array(getattr(general, name).subs(chosen).evalf(), float))


def test_a_robot_of_numbers_and_a_tree():
    robot = art.load("tree3")
    q = robot.random(1)
    found = articulated_inertias(robot)
    numeric = robot.articulated_bodies(q, q * 0, q * 0)
    symbols = [sympy.Symbol(f"q_{k + 1}", real=True) for k in range(robot.nq)]
    for k, body in enumerate(found):
        for name in ("inertia", "projected"):
            values = sympy.lambdify(symbols, getattr(body, name))(*q.tolist())
            assert near(np.array(values, float), getattr(numeric, name)[k])


def test_angles_in_decimals_are_taken_as_they_are():
    """0.249999984 was taken for 1/4."""
    eq = art.derive("2r")
    first, *_ = eq.articulated_inertias([0, 0.249999984])
    other, *_ = eq.articulated_inertias([0, 0.25])
    assert first != other
