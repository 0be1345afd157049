"""Promises of every method of `Contacts`, read from the class."""

import dataclasses

import numpy as np
import pytest

import articulated as art
from tests.methods import CONTACTS, arguments
from tests.near import near

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT"]  # as many rows as a base has velocities, and three internal forces
ONE_AT_A_TIME = ("analyse", "assemble")
every = pytest.mark.parametrize("name", CONTACTS)


@pytest.fixture(scope="module")
def held():
    return art.Contacts(art.load("quadruped", floating_base=True), point=FEET)


def parts(found):
    """Everything a method returns."""
    if dataclasses.is_dataclass(found):
        found = tuple(x for x in vars(found).values() if isinstance(x, (int, float)))  # a basis may be turned
    elif isinstance(found, dict):
        found = tuple(found.values())
    return found if isinstance(found, tuple) else (found,)


@every
def test_machine_code_agrees_with_the_numpy_programs(held, name, rng, monkeypatch):
    given = arguments(held, name, rng)
    found = parts(getattr(held, name)(**given))
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    slow = art.Contacts(art.Robot(held.robot.model), point=FEET)
    for one, other in zip(found, parts(getattr(slow, name)(**given)), strict=True):
        assert near(one, other, 1e-8)  # a random state: legs may be almost stretched


@every
def test_leading_axes_are_a_batch_or_refused(held, name, rng):
    given = arguments(held, name, rng, (2, 3))
    if name in ONE_AT_A_TIME:
        with pytest.raises(art.ShapeError, match=f"{name} takes one"):
            getattr(held, name)(**given)
        return
    alone = {key: x if np.ndim(x) == 0 else x[1, 2] for key, x in given.items()}
    for whole, one in zip(parts(getattr(held, name)(**given)), parts(getattr(held, name)(**alone)), strict=True):
        assert whole.shape[:2] == (2, 3) and np.allclose(whole[1, 2], one, rtol=1e-12, atol=1e-12)
