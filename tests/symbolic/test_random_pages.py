"""Pages of random robots, attacked; `python -m tests.symbolic.random_pages` is the long form."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.pages.derivation import derivation
from tests.symbolic.random_pages import attack


@pytest.mark.parametrize("seed", [1, 2, 3, 26, 43, 119])
def test_a_page_does_not_lie(seed):
    assert "Check" in attack(seed)


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
    eq = art.derive(art.from_dh([art.DH(alpha=twist), art.DH(alpha=-twist), art.DH(a=0.5)], links=[body] * 3))
    found = eq.check(states=2)
    assert found.proven and found.residue < 1e-15  # roots within roots, of 36 degrees, are floats in the end
    assert eq.questions().positive_definiteness.identity
