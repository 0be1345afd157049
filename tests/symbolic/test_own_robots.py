"""A student's own robot: tables as textbooks fill them, symbols by name, clashes said."""

import warnings

import numpy as np
import pytest
import sympy

import articulated as art

l1, l2, m1, m2 = sympy.symbols("l_1 l_2 m_1 m_2", positive=True)
BODIES = [art.Inertia(m1, (-l1 / 2, 0, 0)), art.Inertia(m2, (-l2 / 2, 0, 0))]


@pytest.mark.parametrize("names", ["q_1 q_2", "q1 q2", "theta_1 theta_2", "theta1 theta2"])
def test_the_joint_variable_in_its_cell(names):
    q1, q2 = sympy.symbols(names, real=True)
    plain = art.derive(art.from_dh([art.DH(a=l1), art.DH(theta=sympy.pi / 2, a=l2)], links=BODIES))
    table = art.derive(art.from_dh([art.DH(q1, a=l1), art.DH(q2 + sympy.pi / 2, a=l2)], links=BODIES))
    assert table.M == plain.M and table.c == plain.c and table.g == plain.g


def test_the_joint_variable_of_a_slider():
    d1, offset = sympy.symbols("d_1 h", real=True)
    body = [art.Inertia(m1)]
    table = art.derive(art.from_dh([art.DH(d=d1 + offset, joint="prismatic")], links=body))
    plain = art.derive(art.from_dh([art.DH(d=offset, joint="prismatic")], links=body))
    assert table.U == plain.U


def test_what_is_no_joint_variable_stays_a_symbol_or_is_refused():
    twice = sympy.Symbol("theta_1", real=True)
    robot = art.from_dh([art.DH(2 * twice, a=l1), art.DH(a=l2)], links=BODIES)
    assert "theta_1" in {p.name for p in art.derive(robot).parameters}
    with pytest.raises(art.ModelError, match="q_1"):
        art.derive(art.from_dh([art.DH(a=l1), art.DH(sympy.Symbol("q_1"), a=l2)], links=BODIES))


def test_symbols_by_name():
    eq = art.derive("2r")
    assert eq.symbol("l_1") in eq.parameters and eq.symbol("qd_2") == eq.v[1]
    with pytest.raises(art.UnknownName, match="l_1"):
        eq.symbol("l_3")


def test_one_name_with_two_assumptions_is_said():
    other = sympy.Symbol("l_1")
    robot = art.from_dh([art.DH(a=l1), art.DH(a=other)], links=BODIES)
    with pytest.raises(art.ModelError, match=r"2 different symbols called 'l_1'"):
        art.derive(robot)


def test_an_asymmetric_inertia_is_refused():
    a, b = sympy.symbols("a b", positive=True)
    for about in ([[1, a, 0], [b, 1, 0], [0, 0, 1]], [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]):
        link = art.Link("rock", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m1, (0, 0, 0), about))
        with pytest.raises(art.ModelError, match=r"'rock'.*not symmetric"):
            art.derive(art.build([link]))


@pytest.mark.parametrize("name", ["c_2", "s1"])
def test_a_parameter_called_like_a_cosine_is_remarked_on(name):
    length = sympy.Symbol(name, positive=True)
    with pytest.warns(art.ModelWarning, match=name):
        art.derive(art.from_dh([art.DH(a=length), art.DH(a=l2)], links=BODIES))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        art.derive("2r")


def test_matrices_of_sympy_are_taken():
    column, diagonal = sympy.Matrix([l1, 0, 0]), sympy.diag(0, 0, sympy.Rational(1, 2))
    link = art.Link("rod", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m1, list(column), diagonal))
    assert art.derive(art.build([link])).M[0, 0] == m1 * l1**2 + sympy.Rational(1, 2)


def test_notebooks_show_what_fits():
    assert "ddot{q}" in art.derive("2r")._repr_latex_()
    assert art.derive("stanford")._repr_latex_() is None
    assert np.shape(art.derive("2r").M) == (2, 2)
