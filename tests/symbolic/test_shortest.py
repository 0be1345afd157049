"""Closed forms are never longer than SymPy's, and are written as textbooks write them."""

import re
from pathlib import Path

import pytest
import sympy

import articulated as art
from articulated.symbolic.pages.latex import latex
from articulated.symbolic.ring.convert import in_ring
from benchmarks.shortest import SLIDE, ours, robots
from tests.symbolic.robots import lecture

TABLE = (Path(__file__).parents[2] / "benchmarks" / "shortest.md").read_text(encoding="utf-8")
#: robot → operations of M and forcing by LagrangesMethod with simplify, as python -m benchmarks.shortest found them
THEIRS = {
    row[0]: int(row[4]) + int(row[5]) for row in re.findall(r"\| (.+?)" + r" \| ([\d.]+)" * 6 + r" \|", TABLE) if row
}


@pytest.mark.parametrize("name", list(robots()))
def test_no_form_is_longer_than_sympys(name):
    robot = robots()[name]
    M, h, _ = ours(robot)
    assert M + h <= THEIRS[name]
    assert art.derive(robot).check(states=3)


def test_the_first_entry_of_the_stanford_arm_is_as_short_as_on_the_slide_and_sorted_by_masses():
    eq = lecture("stanford")
    b11 = eq.M[0, 0]
    assert b11.count_ops() <= SLIDE
    masses = {s for s in eq.parameters if s.name.startswith("m_")}
    assert [len(term.free_symbols & masses) for term in b11.args] == [1] * 6


def test_long_forms_stay_short():
    """c of the Stanford arm: 3999 operations were enough once, and 8824 were too many."""
    eq = lecture("stanford")
    assert sum(int(x.count_ops()) for x in eq.c) <= 3999
    for shown, x in zip(eq.c, eq.polynomials["c"], strict=True):
        assert in_ring(eq.state.ring, shown) == x


def test_a_difference_takes_the_sign_in_front():
    c = art.derive(robots()["wrist"]).c
    Ix, Iy = sympy.symbols("Ix3 Iy3", positive=True)
    assert c[2].has(Ix - Iy) and not c[2].has(Iy - Ix)


def test_velocities_stay_together():
    c, T = art.derive(robots()["PRR"]).c, art.derive("2r").T
    v = sympy.symbols("qd_1 qd_2 qd_3", real=True)
    assert c.has((v[1] + v[2]) ** 2) and T.has(v[0] + v[1])


def test_squares_are_completed():
    M = art.derive(robots()["cylindrical"]).M
    d3, q3 = sympy.Symbol("d3", real=True), sympy.Symbol("q_3", real=True)
    assert M[0, 0].has((q3 - d3) ** 2)


def test_masses_that_go_together_stay_together():
    m3, m4 = sympy.symbols("m3 m4", positive=True)
    assert art.derive(robots()["SCARA"]).M[1, 1].has(m3 + m4)


def test_exact_fractions_stay_fractions():
    half, eighth = sympy.Rational(1, 2), sympy.Rational(1, 8)
    rod = art.Inertia(sympy.Symbol("m", positive=True), (eighth, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, half]])
    eq = art.derive(art.build([art.Link("rod", None, art.Revolute((0, 0, 1)), inertia=rod)], gravity=(0, -1, 0)))
    assert not eq.M.atoms(sympy.Float) and not eq.g.atoms(sympy.Float)
    assert eq.M[0, 0] == half + sympy.Symbol("m", positive=True) / 64


@pytest.mark.parametrize(
    "name, shown",
    [
        ("m1", "m_{1}"),
        ("beta1", r"\beta_{1}"),
        ("ell", r"\ell"),
        ("l_12", "l_{12}"),
        ("Ixx_3", "I_{3,xx}"),
        ("Ix3", "I_{3,x}"),
    ],
)
def test_letters_are_typeset_as_sympy_does(name, shown):
    assert latex(sympy.Symbol(name)) == shown
