"""Thousands of calls with arguments that are not as they should be meet our errors, or give a result."""

import pytest

import articulated as art
from tests.methods import public

from .callables import cases
from .fuzz import run

#: what nobody calls: errors, findings, what other functions return; a page has tests of its own
NOT_CALLED = {"Diagnostic", "Report", "Robot", "Viewer", "view"}
#: new rooms, whose own tests try some mistakes; they have no cases in callables.py yet
NOT_YET = {
    "BaseEstimator", "LinearActuator", "MomentumObserver", "Normal", "Path", "PayloadEstimator", "Problem", "Spring",
    "Walk", "base_parameters", "contact_forces", "dh_table", "distributed_normal", "excitation", "exercise_sheet",
    "external_torques", "frame_path", "identify", "joint_regressor", "linearize_step", "motion", "path", "read_log",
    "simulate_derivatives", "time_optimal",
}  # fmt: skip
#: methods for who writes a recursion or a joint, or that take no argument of a user's
OF_RECURSIONS = {
    "animate",  # draws: tests/simulation/test_animation.py has its mistakes
    "arrival", "bending", "changed", "computed", "exact", "from_spread", "halfway", "midway", "momenta", "rate",
    "sample", "split", "steadied", "straight", "stretch", "transform",
}  # fmt: skip


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
    for name in set(art.__all__) - NOT_CALLED - NOT_YET:
        found = getattr(art, name)
        if not callable(found) or (isinstance(found, type) and issubclass(found, (Exception, Warning))):
            continue
        assert any(name in case for case in known), name
        if isinstance(found, type):
            taken = {method for method, parameters in public(found).items() if parameters}
            missing = {m for m in taken if m in vars(found) or not issubclass(found, tuple)} - methods - OF_RECURSIONS
            assert not missing, (name, missing)
