"""The check finds out what is wrong: in the derivation, and in what is shown of it."""

import pytest

import articulated as art
from articulated.symbolic.equations import lagrange


@pytest.fixture
def eq():
    return art.derive("2r")


@pytest.mark.parametrize("name", ["M", "c", "g"])
def test_what_is_shown_is_checked_with_numbers(eq, name):
    """The polynomials are right, the expressions made of them are not."""
    eq.__dict__[name] = getattr(eq, name) * 2
    found = eq.check(states=3)
    assert found.proven and found.error > 1e-3 and not found


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
