"""The lecture's questions beyond the 2R arm: what cannot vanish, what is not solved, what the numbers say."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations import factorizations
from articulated.symbolic.equations.questions import (
    constant_inertia,
    depends_on,
    no_gravity,
    positive_definiteness,
)
from articulated.symbolic.pages import answers
from tests.symbolic.robots import lecture


def test_the_stanford_arm_is_never_balanced():
    eq = lecture("stanford")
    for found, factor in ((constant_inertia(eq), "k_633**2*m_6"), (no_gravity(eq), "g_0*(m_3 + m_4 + m_5 + m_6)")):
        assert found.solutions == () and str(found.vanishing[0]) == factor and "impossible" in str(found)


def test_a_factor_that_is_negative_cannot_vanish_either():
    """-m l and the like; once it was reported as a number that should be zero."""
    found = no_gravity(art.derive(art.load("tree4"), symbols=True))
    assert found.solutions == () and len(found.vanishing) == 1 and found.vanishing[0].free_symbols


def test_many_conditions_are_listed_not_solved():
    eq = art.derive(art.load("puma560"), symbols=True)
    found = constant_inertia(eq)
    assert found.solutions is None and len(found.vanishing) > 6
    numbers = [abs(x) for e in found.vanishing for x in e.atoms(sympy.Number)]
    assert max(numbers) < 100  # decimals stay decimals
    _, rows = answers._constant(eq)
    assert len(rows) == len(found.vanishing)


def test_conditions_do_what_they_say():
    eq = art.derive(art.load("acrobot"), symbols=True)
    (solution,) = no_gravity(eq).solutions
    assert eq.subs(solution).g == sympy.zeros(2, 1)


@pytest.mark.parametrize("name", ["furuta", "spherical_wrist", "floating_pair"])
def test_factorizations_are_judged_as_numbers_judge_them(name):
    from tests.symbolic.robots import robots

    robot = robots()[name]
    eq = art.derive(robot)
    rng = np.random.default_rng(3)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    step = 1e-6
    ahead, behind = (robot.integrate(q, s * step * v) for s in (1, -1))
    rate = (np.asarray(robot.mass_matrix(ahead)) - np.asarray(robot.mass_matrix(behind))) / (2 * step)
    for found in factorizations.factorizations(eq):
        symbols = [*eq.q, *eq.v]
        C = np.array(sympy.lambdify(symbols, found.C)(*q, *v), float)
        left = rate - 2 * C
        assert found.gives_c and np.allclose(C @ v, robot.coriolis_forces(q, v), atol=1e-9)
        assert found.skew == (abs(left + left.T).max() < 1e-6)


def test_which_coordinates_matter():
    eq = art.derive(art.load("scara"))
    assert depends_on(eq.state, eq.polynomials["M"]) == [eq.q[1]]


def test_a_wrong_factorization_is_found_out(monkeypatch):
    eq = art.derive("2r")
    right = factorizations.coriolis_matrix
    monkeypatch.setattr(factorizations, "coriolis_matrix", lambda eq, name: right(eq, name) + eq.polynomials["M"])
    assert not any(f.gives_c for f in eq.questions().factorizations)


def test_the_squares_must_add_up_to_the_energy():
    eq = art.derive("2r")
    assert positive_definiteness(eq).identity
    eq.steps = [step._replace(T=step.T * 2) for step in eq.steps]
    found = positive_definiteness(eq)
    assert not found.identity and not found.positive_definite


def test_a_constant_weight_is_weight():
    """A lift carries m g_0 wherever it is; its inertia is constant all the same."""
    m, g = sympy.symbols("m g_0", positive=True)
    lift = art.build([art.Link("lift", None, art.Prismatic((0, 0, 1)), inertia=art.Inertia(m))], gravity=(0, 0, -g))
    eq = art.derive(lift)
    assert not no_gravity(eq).always and constant_inertia(eq).always


def test_letters_that_are_angles_do_not_keep_a_page_waiting():
    """Conditions in sines of two twists: SymPy's solver did not come back; they are printed, not solved."""
    alpha, beta = sympy.symbols("alpha_1 alpha_2", real=True)
    m, l = sympy.symbols("m l", positive=True)
    rod = art.Inertia(m, (-l / 2, 0, 0), sympy.diag(*sympy.symbols("Ixx Iyy Izz", positive=True)))
    eq = art.derive(art.from_dh([art.DH(a=l, alpha=alpha), art.DH(a=l, alpha=beta)], links=[rod, rod]))
    found = eq.questions()
    assert found.constant_inertia.solutions is None and len(found.constant_inertia.vanishing) > 1
