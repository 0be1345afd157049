"""Thousands of calls with arguments that are not as they should be meet our errors, or give a result."""

import pytest

from .callables import cases
from .fuzz import run


def test_spoilt_arguments_only_meet_our_errors():
    for extra in ("sympy", "pandas", "xarray", "daqp", "matplotlib"):
        pytest.importorskip(extra)
    outcomes, complaints = run(3000)
    told = "\n".join(f"{c.case}: {c.what}\n  at {c.place} with {c.given}" for c in complaints.values())
    assert not complaints, told
    assert outcomes["result"] > 200 and outcomes["ShapeError"] > 200 and len(outcomes) >= 5


def test_what_is_spoilt_works_when_it_is_not():
    for extra in ("sympy", "daqp", "matplotlib"):
        pytest.importorskip(extra)
    for case in cases():
        case.function(**case.given)
