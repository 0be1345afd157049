"""The check finds out what is wrong: in the derivation, and in what is shown of it."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.symbolic.equations import lagrange
from tests.near import near
from tests.zoo import random_inertia, random_tree


@pytest.fixture
def eq():
    return art.derive("2r")


@pytest.mark.parametrize("name", ["M", "c", "g"])
def test_what_is_shown_is_checked_with_numbers(eq, name):
    """The polynomials are right, the expressions made of them are not."""
    eq.__dict__[name] = getattr(eq, name) * 2
    found = eq.check(states=3)
    assert found.proven and found.error > 1e-3 and not found


def test_what_is_no_number_is_no_agreement(eq):
    eq.__dict__["g"] = eq.g * sympy.nan
    assert not eq.check(states=3)


def test_a_wrong_derivation_is_not_proven(monkeypatch):
    right = lagrange.coriolis_forces
    monkeypatch.setattr(lagrange, "coriolis_forces", lambda state, M: -right(state, M))
    found = art.derive("2r").check(states=3)
    assert found.proven is False and found.residue > 0.1 and found.error > 1e-3 and "DIFFERENT" in str(found)


def test_a_wrong_recursion_is_found_out(monkeypatch):
    """The other route, too: neither is computed from the other."""
    from articulated.algorithms import inverse_dynamics

    eq = art.derive("2r")
    monkeypatch.setattr(inverse_dynamics, "cross_force", lambda V, F: F * 0)
    found = eq.check(states=3)
    assert found.proven is False and not found


def test_long_expressions_are_checked_as_polynomials(eq, monkeypatch):
    monkeypatch.setattr("articulated.symbolic.equations.checks.LONG", 0)
    assert eq.check(states=3).error < 1e-12
    eq.polynomials["tau"][0] = eq.polynomials["tau"][0] * 2
    assert eq.check(states=3).error > 1e-3


def test_what_is_too_large_is_not_called_proven(eq, monkeypatch):
    monkeypatch.setattr("articulated.symbolic.equations.checks.LARGEST", 0)
    found = eq.check(states=3)
    assert found.proven is None and found and "not compared as expressions" in str(found)


@pytest.mark.parametrize(
    "joint", [art.Planar((0, 1, 2), armature=0.3), art.Floating(armature=0.3)], ids=lambda j: j.kind
)
def test_armature_is_a_constant_on_the_diagonal_and_nothing_else(joint, rng):
    """It was a mass whose axes turn with the body: c had Hamel's terms of it, the recursion has none."""
    robot = art.build([art.Link("body", None, joint, inertia=random_inertia(rng))])
    eq, plain = art.derive(robot), art.derive(robot.frictionless())
    assert eq.check() and eq.c == plain.c and eq.factorization(eq.C) and eq.factorization(eq.C).skew
    assert near(np.array(sympy.expand(eq.M - plain.M), float), 0.3 * np.eye(robot.nv))
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    c = np.array(sympy.lambdify([*eq.q, *eq.v], eq.c)(*q, *v), float).ravel()
    assert near(c, robot.coriolis_forces(q, v))


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_trees_with_armature_on_joints_of_every_kind(seed):
    eq = art.derive(random_tree(seed, 2, kinds=["planar", "spherical", "revolute", "floating"], friction=True))
    assert eq.check(states=3) and eq.factorization(eq.coriolis("body_jacobian")).skew
