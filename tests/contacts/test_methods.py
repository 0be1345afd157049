"""Promises of every method of `Contacts`, read from the table."""

import dataclasses

import numpy as np
import pytest

import articulated as art
from articulated.contacts.derivatives import TAKES
from articulated.contacts.quantities import QUANTITIES
from tests.methods import CONTACTS, arguments
from tests.near import near

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT"]  # as many rows as a base has velocities, and three internal forces
ONE_AT_A_TIME = ("analyse", "analyze", "assemble")
every = pytest.mark.parametrize("name", CONTACTS)
#: for laws by name: what they find, and what their derivatives are by
LAWS = [name for name, row in QUANTITIES.items() if isinstance(row.axes, dict) and row.axes]


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
        with pytest.raises(art.ShapeError, match=f"{name.replace('analyse', 'analyze')} takes one"):
            getattr(held, name)(**given)
        return
    alone = {key: x if np.ndim(x) == 0 else x[1, 2] for key, x in given.items()}
    for whole, one in zip(parts(getattr(held, name)(**given)), parts(getattr(held, name)(**alone)), strict=True):
        assert whole.shape[:2] == (2, 3) and np.allclose(whole[1, 2], one, rtol=1e-12, atol=1e-12)


def test_every_row_has_axes_as_long_as_its_result(held, rng):
    for name, row in QUANTITIES.items():
        if row.axes == {}:  # no arrays
            continue
        found, names = getattr(held, name)(**arguments(held, name, rng)), held.axis_names(name)
        for x, own in zip(parts(found), names.values() if isinstance(names, dict) else [names], strict=True):
            assert np.shape(x) == tuple(map(len, own)), name


def test_every_row_with_inertia_takes_parameters(held, rng):
    """Those of the robot change nothing; others are those of another robot."""
    robot = held.robot
    links = list(robot.model.links)
    trunk = next(k for k, link in enumerate(links) if link.inertia)
    links[trunk] = dataclasses.replace(links[trunk], inertia=art.Inertia(9.0, (0.1, 0, 0), np.eye(3)))
    heavier = art.Contacts(art.build(links, gravity=robot.model.gravity), point=FEET)
    mass = heavier.robot.parameters
    for name in (name for name, row in QUANTITIES.items() if row.inertial):
        given = arguments(held, name, rng)
        for parameters, expected in ((robot.parameters, held), (mass, heavier), (np.stack([mass] * 2), heavier)):
            found = parts(getattr(held, name)(**given, parameters=parameters))
            for x, y in zip(found, parts(getattr(expected, name)(**given)), strict=True):
                assert near(np.asarray(x, float), np.broadcast_to(np.asarray(y, float), np.shape(x)), 1e-8), name
        own, others = (parts(getattr(contacts, name)(**given))[0] for contacts in (held, heavier))
        assert not np.allclose(own, others), name


def test_every_law_with_several_results_has_derivatives_by_its_arrays(held, rng):
    assert set(LAWS) == set(TAKES)
    for name in LAWS:
        row, of = QUANTITIES[name], held.derivatives(name)
        assert of.arguments == tuple(row.arrays) and of.results == tuple(row.axes)[:2]
