"""Contact sets and control laws under spoilt arguments: a result, or an error of ours that names the argument."""

import random

import pytest

from tests.robot.fuzz import attempt

from .fuzz_cases import cases


def test_what_is_spoilt_works_when_it_is_not():
    for case in cases():
        case.function(**case.given)


def test_spoilt_arguments_of_contacts_and_laws_only_meet_our_errors():
    for extra in ("pandas", "xarray"):
        pytest.importorskip(extra)
    rng, every, outcomes = random.Random(0), cases(), set()
    for _ in range(700):
        outcome, complaint = attempt(rng, rng.choice(every))
        outcomes.add(outcome)
        assert complaint is None, complaint
    assert {"result", "ShapeError", "UnknownName", "RankError", "TypeError"} <= outcomes
