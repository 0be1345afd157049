"""Pages of random robots, attacked; `python -m tests.symbolic.random_pages` is the long form."""

from dataclasses import replace

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations.definiteness import positive_definiteness
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.ring.polynomial import terms_of
from tests.symbolic.random_pages import attack


@pytest.mark.parametrize(
    "seed", [1, 2, 3, 26, 43, 119, 700018, 2100346, 5100506, 6100525, 6200104, 21000101, 21001812, 21002580]
)
def test_a_page_does_not_lie(seed):
    """700018: roots within roots, over which a solver takes minutes; 2100346: M depends on 1e-6 q_3² beside tons;
    5100506: decimals beside roots; 6100525: 30 t beside letters; 6200104: decimals of a floating base that cancel;
    21000101: few robots have the lengths that make M constant; 21001812: Y has rank 10 by 1e-6 m beside 400 m;
    21002580: a milligram beside kilograms is a part of 1e-9 of Y."""
    attack(seed)


def test_a_joint_that_follows_by_a_fraction_leaves_equal_things_equal():
    """q_1 - q_1/2 - q_1/2 is no angle: what hangs beyond does not turn, and M is the same for all q."""
    body = art.Inertia(1.0, (0, 0, 0), np.diag([0.1, 0.2, 0.3]).tolist())
    links = [art.Link("first", None, art.Revolute((0, 0, 1), name="j1"), inertia=body)]
    for k in range(2):
        joint = art.Revolute((0, 0, 1), name=f"m{k}", mimic=art.Mimic("j1", -0.5))
        links.append(art.Link(f"m{k}", links[-1].name, joint, inertia=body))
    tip = art.Inertia(1.0, (0.2, 0, 0.1), np.diag([0.1, 0.2, 0.3]).tolist())
    links.append(art.Link("last", links[-1].name, art.Prismatic((1, 0, 0)), inertia=tip))
    eq = art.derive(art.build(links))
    assert eq.pose("last")[:3, :3] == sympy.eye(3)
    assert not eq.M.free_symbols and eq.check(states=3)


def test_a_robot_in_balance_is_not_a_contradiction():
    """M is constant: what rounding leaves of zero is held against M, not against itself."""
    m1, m2, I2 = sympy.symbols("m_1 m_2 I_2", positive=True)
    links = [art.Link("cart", None, art.Prismatic((1, 0, 0)), inertia=art.Inertia(m1))]
    wheel = art.Inertia(m2, (0, 0, 0), [[0, 0, 0], [0, 0, 0], [0, 0, I2]])
    links.append(art.Link("wheel", "cart", art.Revolute((0, 0, 1)), inertia=wheel))
    assert derivation(art.derive(art.build(links)), christoffel=True)


def test_a_robot_of_two_velocities_has_a_factorization_that_is_not_skew():
    """Its only Christoffel symbol has three equal indices: nothing can be put elsewhere, and an entry of M is."""
    body = art.Inertia(1.0, (0.3, 0, 0), np.diag([0.1, 0.2, 0.3]).tolist())
    links = [art.Link("base"), art.Link("crank", "base", art.Revolute((0, 0, 1), name="j1"), inertia=body)]
    rod = art.Revolute((0, 0, 1), name="j2", mimic=art.Mimic("j1", -2.0))
    links.append(art.Link("rod", "crank", rod, art.Transform(p=(0.5, 0, 0)), body))
    links.append(art.Link("slider", "base", art.Prismatic((1, 0, 0)), inertia=body))
    eq = art.derive(art.build(links))
    symbols = eq.polynomials["christoffel"]
    assert [index for index, x in np.ndenumerate(symbols) if terms_of(x)] == [(0, 0, 0)]
    *_, made = eq.questions().factorizations
    assert made.gives_c and not made.skew
    assert "There is no other" not in eq.derivation("text")


def test_nothing_is_claimed_where_the_squares_are_not_those_of_T():
    found = replace(art.derive("2r").questions().positive_definiteness, identity=False)
    assert "nothing is claimed" in str(found) and "nothing is claimed" in found.verdict and not found.positive_definite


def test_gravity_that_no_joint_carries_is_still_there():
    g0, m, l = sympy.symbols("g_0 m l", positive=True)
    links = [art.Link("arm", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(m, (l, 0, 0)))]
    eq = art.derive(art.build(links, gravity=(0, -g0, -9.81)))
    text = next("".join(s.text) for s in derivation(eq) if s.title.startswith("Q2"))
    assert "there is no gravity" not in text and "no joint carries the rest" in text


@pytest.mark.parametrize("twist", [sympy.pi / 4, sympy.pi / 3, sympy.pi / 12, sympy.pi / 5])
def test_roots_of_numbers_leave_equal_things_equal(twist):
    """sin² + cos² of a twist is one, as a polynomial, too."""
    body = art.Inertia(1.0, (0.1, 0, 0.2), np.diag([0.1, 0.2, 0.3]).tolist())
    eq = art.derive(art.from_dh([art.DH(alpha=twist), art.DH(a=0.5)], links=[body] * 2))
    found = eq.check(states=2)
    assert found.proven and found.residue < 1e-15  # roots within roots, of 36 degrees, are floats in the end
    assert positive_definiteness(eq).identity
