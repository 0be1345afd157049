"""Thousands of calls with arguments that are not as they should be meet our errors, or give a result."""

import pytest

import articulated as art
from tests.methods import FOR_RECURSIONS, public

from .callables import cases
from .fuzz import run

#: what nobody calls: errors, findings, what other functions return; a page has tests of its own
NOT_CALLED = {"Diagnostic", "Report", "Robot", "Viewer", "view"}
#: methods that take no argument of a user's, or draw: tests/simulation/test_animation.py has the mistakes
APART = FOR_RECURSIONS | {"animate", "changed", "rate", "transform"}


def test_spoilt_arguments_only_meet_our_errors():
    for extra in ("sympy", "pandas", "xarray", "matplotlib"):
        pytest.importorskip(extra)
    outcomes, complaints = run(400)
    told = "\n".join(f"{c.case}: {c.what}\n  at {c.place} with {c.given}" for c in complaints.values())
    assert not complaints, told
    assert outcomes["result"] > 25 and outcomes["ShapeError"] > 25 and len(outcomes) >= 5


def test_what_is_spoilt_works_when_it_is_not():
    for extra in ("sympy", "matplotlib"):
        pytest.importorskip(extra)
    for case in cases():
        case.function(**case.given)


def test_every_public_callable_is_spoilt():
    for extra in ("sympy", "matplotlib"):
        pytest.importorskip(extra)
    known = {case.name for case in cases()}
    methods = {name.rpartition(".")[2] for name in known}
    for name in set(art.__all__) - NOT_CALLED:
        found = getattr(art, name)
        if not callable(found) or (isinstance(found, type) and issubclass(found, (Exception, Warning))):
            continue
        assert any(name in case for case in known), name
        if isinstance(found, type):
            taken = {method for method, parameters in public(found).items() if parameters}
            missing = {m for m in taken if m in vars(found) or not issubclass(found, tuple)} - methods - APART
            assert not missing, (name, missing)
