"""The Stanford arm: all of M, and b11 exactly as the corrected slide (S1.1)."""

import numpy as np
import pytest
import sympy

from articulated.symbolic.ring.convert import in_ring
from articulated.symbolic.ring.values import function_of
from tests.near import near
from tests.symbolic.ground_truth import case
from tests.symbolic.robots import lecture
from tests.symbolic.stanford_b11 import MISPRINTS, terms


@pytest.fixture(scope="module")
def eq():
    return lecture("stanford")


def test_b11_is_the_corrected_formula(eq):
    corrected = in_ring(eq.state.ring, sympy.Add(*terms(set(MISPRINTS))))
    assert eq.polynomials["M"][0, 0] == corrected
    assert in_ring(eq.state.ring, eq.M[0, 0]) == corrected  # also as shown


@pytest.mark.parametrize("misprint", MISPRINTS)
def test_every_misprint_matters(eq, misprint):
    """With any one of the seven left as printed, the formula is not b11."""
    printed = in_ring(eq.state.ring, sympy.Add(*terms(set(MISPRINTS) - {misprint})))
    assert eq.polynomials["M"][0, 0] != printed


def test_a_ball_has_the_same_inertia_about_every_axis():
    """The radii of link 4 multiply functions that add up to one; as printed they do not."""
    for pick, total in ((1, 1), (0, None)):
        found = sympy.expand(sum(MISPRINTS[e][pick] for e in ("E1.2", "E1.3", "E1.4")))
        assert (sympy.simplify(found - 1) == 0) is (total == 1)


def test_all_of_it_agrees_with_the_ground_truth(eq):
    data = case("S1.stanford.A")
    given, expected = data["inputs"], data["expected"]
    values = {"r_1": given["dh"][0][2], "r_2": given["r2"], "r_6": given["r6"], "g_0": 9.81}
    for i in range(6):
        values[f"m_{i + 1}"] = given["m"][i]
        values |= {f"k_{i + 1}{j}{j}": given["k2"][i][j - 1] ** 0.5 for j in (1, 2, 3)}
        values |= {f"{axis}_{i + 1}": given["com"][i][k] for k, axis in enumerate("xyz")}
    for name, numbers in (("q", given["q"]), ("qd", given["qd"]), ("qdd", given["qdd"])):
        values |= {f"{name}_{i + 1}": x for i, x in enumerate(numbers)}
    symbols = [*eq.parameters, *eq.q, *eq.v, *eq.a]
    point = [values[s.name] for s in symbols]
    found = function_of([*eq.M, *eq.c, *eq.g], symbols)(*point)
    assert near(np.array(found[:36], float).reshape(6, 6), expected["M"])
    for name, start in (("c", 36), ("g", 42)):
        if name in expected:
            assert near(np.array(found[start : start + 6], float), expected[name])
    by_mass = function_of(terms(set(MISPRINTS)), symbols)(*point)
    assert near(np.array(by_mass, float), expected["B11_terms_corrected"])


def test_both_routes_are_proven_equal(eq):
    assert eq.check(states=5).proven


def test_zeros_are_known_as_zeros(eq):
    assert eq.M[2, 3] == eq.M[2, 5] == eq.M[4, 5] == eq.M[3, 4].subs({"y_4": 0, "z_4": 0}) * 0
    assert eq.M[2, 2] == sum(sympy.symbols("m_3:7", positive=True))
