"""Inverse kinematics with contacts that hold: they stay where they are at q0, and loops are closed."""

import numpy as np
import pytest

import articulated as art
from articulated.errors import ShapeError

from .test_loops import four_bar

DOG = art.load("quadruped", floating_base=True)
HOME = DOG.poses["home"]
FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
SETS = {
    "points": art.Contacts(DOG, point=FEET),
    "a surface": art.Contacts(DOG, surface=FEET[:1], point=FEET[3:]),
    "an edge": art.Contacts(DOG, line={FEET[0]: (0, 1, 0)}, point=FEET[3:]),
    "a direction": art.Contacts(DOG, direction={FEET[0]: (0.6, 0, 0.8)}, point=FEET[1:]),
    "a loop": art.Contacts(DOG, point=FEET[:2], loops=[(FEET[2], FEET[3])]),
}


@pytest.mark.parametrize("name", SETS)
def test_contacts_of_every_kind_hold_while_the_base_moves(name, rng):
    held = SETS[name]
    q0 = held.assemble(HOME, held.poses(HOME)) if name == "a loop" else HOME
    moved = DOG.pose(q0, "base")
    moved[:3, 3] += [0.01, 0.005, -0.02]
    targets = {"base": moved[:3, 3] if name in ("a surface", "an edge") else moved}
    found = DOG.inverse_kinematics(targets, q0=q0, contacts=held)
    assert found.success, found.reason
    assert abs(held.drift(found.q, held.poses(q0))).max() < 1e-7
    assert np.allclose(DOG.pose(found.q, "base")[:3, 3], moved[:3, 3], atol=1e-7)
    free = DOG.inverse_kinematics(targets, q0=q0)
    assert abs(held.drift(free.q, held.poses(q0))).max() > 1e-4  # without them they move


def test_a_batch_of_starts_holds_each_where_it_is(rng):
    held = SETS["points"]
    q0 = np.tile(HOME, (5, 1))
    q0[:, 7:] += 0.1 * rng.normal(size=(5, 12))
    lower = DOG.pose(q0, "base")[:, :3, 3] - [0, 0, 0.02]
    found = DOG.inverse_kinematics({"base": lower}, q0=q0, contacts=held)
    assert found.success.all(), found.reason
    assert abs(held.drift(found.q, held.poses(q0))).max() < 1e-7


def test_a_linkage_is_closed_without_other_targets():
    robot = four_bar()
    held = art.Contacts(robot, loops=[("pin", "eye")])
    q0 = held.assemble(robot.neutral()) + 0.05
    assert abs(held.drift(q0)).max() > 1e-3
    found = robot.inverse_kinematics({}, q0=q0, contacts=held)
    assert found.success and abs(held.drift(found.q)).max() < 1e-7


def test_what_cannot_hold_is_named():
    higher = DOG.pose(HOME, "base")
    higher[2, 3] += 1
    found = DOG.inverse_kinematics({"base": higher}, q0=HOME, contacts=SETS["points"], restarts=1)
    assert not found.success and "'FL_FOOT' does not hold by" in found.reason


@pytest.mark.parametrize(
    ("contacts", "q0", "words"),
    [
        (SETS["points"], None, "q0"),
        (FEET, HOME, "art.Contacts"),
        (art.Contacts(art.load("quadruped", floating_base=True), point=FEET), HOME, "another robot"),
    ],
)
def test_bad_questions(contacts, q0, words):
    with pytest.raises(ShapeError, match=words):
        DOG.inverse_kinematics({"base": [0, 0, 0.1]}, q0=q0, contacts=contacts)
