"""Reasons of inverse kinematics are true: how far a target stays, against which limit, at rest or not."""

import re

import numpy as np
import pytest

import articulated as art

BOX = art.Inertia(1.0, (0.5, 0, 0), np.eye(3))


def planar(*limits):
    """Two bars of 1 m and 0.6 m in a plane."""
    hinges = [art.Revolute((0, 0, 1), name=name, limits=art.Limits(*limits)) for name in ("shoulder", "elbow")]
    upper = art.Link("upper", None, hinges[0], inertia=BOX)
    lower = art.Link("lower", "upper", hinges[1], art.Transform(p=(1, 0, 0)), BOX)
    return art.build([upper, lower], name="planar").add_frame("tip", "lower", art.Transform(p=(0.6, 0, 0)))


def away(text):
    return float(re.search(r"stays ([\d.e+-]+) m away", text)[1])


@pytest.mark.parametrize("distance", [1.6001, 1.7, 2.5, 30.0, 0.0, 0.1, 0.3999])
def test_out_of_reach_by_how_much(distance, rng):
    """Beyond both bars, and nearer than their difference."""
    along = rng.normal(size=2)
    target = [*(distance * along / np.linalg.norm(along)), 0.0]
    found = planar().inverse_kinematics({"tip": target})
    far = max(distance - 1.6, 0.4 - distance)
    assert not found.success and away(found.reason) == pytest.approx(far, rel=6e-3)
    assert found.reason.endswith("m away, with no joint at a limit")
    assert np.linalg.norm(planar().pose(found.q, "tip")[:3, 3] - target) == pytest.approx(far, rel=1e-3)


def test_against_which_limit():
    """The shoulder turns by one radian at most, the elbow is straight: the target is on the other side."""
    robot = planar(-1.0, 1.0)
    found = robot.inverse_kinematics({"tip": [0.0, 1.6, 0.0]})
    assert "'shoulder' at its upper limit 1 rad" in found.reason and "lower" not in found.reason
    best = min(
        np.hypot(np.cos(a) + 0.6 * np.cos(a + b), np.sin(a) + 0.6 * np.sin(a + b) - 1.6)
        for a in np.linspace(-1, 1, 201)
        for b in np.linspace(-1, 1, 201)
    )
    assert away(found.reason) == pytest.approx(best, rel=1e-2)
    assert robot.inverse_kinematics({"tip": [0.0, 1.6, 0.0]}, limits=False).success


def test_nothing_is_said_of_what_is_reached_or_weighs_nothing():
    robot = art.load("panda")
    pose = robot.pose(robot.random(3), "panda_hand")
    pose[0, 3] += 3
    place = robot.inverse_kinematics({"panda_hand": pose}, weights={"panda_hand": [1, 1, 1, 0, 0, 0]})
    assert "m away" in place.reason and "turned" not in place.reason
    across = robot.inverse_kinematics({"panda_hand": pose}, weights={"panda_hand": [0, 1, 1, 1, 1, 1]})
    assert across.success or away(across.reason) < 1
    upright = art.Direction((0, 0, 1), (0, 0, 1))
    both = robot.inverse_kinematics({"panda_link4": [0, 0, 3.0], "panda_link1": upright})
    assert "panda_link4" in both.reason and "panda_link1" not in both.reason


def test_a_search_that_was_cut_off_says_so():
    robot = art.load("panda")
    pose = robot.pose(robot.random(3), "panda_hand")
    cut = robot.inverse_kinematics({"panda_hand": pose}, restarts=0, iterations=2)
    assert cut.reason.endswith("it could come nearer: more iterations or restarts may help")
    assert robot.inverse_kinematics({"panda_hand": pose}).success
    rest = robot.inverse_kinematics({"panda_hand": [2.0, 0, 0]})
    assert "come nearer" not in rest.reason


ARMS = ["2r", "3r", "panda", "ur5"]


def test_a_search_at_a_saddle_says_so():
    """Where the slope is zero, but no minimum: a stretched arm, and an axis that points the opposite way."""
    robot = art.load("2r")
    for target in ([0.5, 0, 0], [-0.5, 0, 0], [-2, 0, 0]):
        stretched = robot.inverse_kinematics({"tip": target}, q0=[0, 0], restarts=0)
        assert (stretched.q == 0).all() and "it could come nearer" in stretched.reason
    best = robot.inverse_kinematics({"tip": [2, 0, 0]}, q0=[0, 0], restarts=0)
    assert (best.q == 0).all() and best.reason == "'tip' stays 1.1 m away, with no joint at a limit"


@pytest.mark.parametrize("name", ARMS)
def test_an_axis_that_points_the_opposite_way(name, rng):
    robot = art.load(name)
    q, frame = robot.random(rng), robot.links[-1].name
    along = -robot.pose(q, frame)[:3, 0]
    found = robot.inverse_kinematics({frame: art.Direction((1, 0, 0), along)}, q0=q, restarts=0)
    assert found.success or "it could come nearer" in found.reason


@pytest.mark.parametrize("name", ARMS)
def test_the_error_of_a_direction_is_an_angle_and_others_are_components(name, rng):
    robot = art.load(name)
    frame, targets = robot.links[-1].name, rng.normal(size=(30, 3))
    wanted = targets / np.linalg.norm(targets, axis=1, keepdims=True)
    found = robot.inverse_kinematics({frame: art.Direction((0, 0, 1), targets)}, restarts=0, iterations=2)
    axes = robot.pose(found.q, frame)[:, :3, 2]
    angles = np.arctan2(np.linalg.norm(np.cross(axes, wanted), axis=1), (axes * wanted).sum(axis=1))
    assert not found.success.all() and np.allclose(found.error, angles, rtol=0, atol=1e-7)
    far = ~found.success
    said = [float(re.search(r"stays ([\d.e+-]+) rad off", text)[1]) for text in found.reason[far]]
    assert np.allclose(said, found.error[far], rtol=6e-3)
    for k in range(5):  # alone as in the batch, to the last bit
        one = robot.inverse_kinematics({frame: art.Direction((0, 0, 1), targets[k])}, restarts=0, iterations=2)
        assert (one.error, one.reason) == (found.error[k], found.reason[k])
    placed = robot.inverse_kinematics({frame: 3 * targets}, restarts=0)
    missed = 3 * targets - robot.pose(placed.q, frame)[:, :3, 3]
    assert np.allclose(placed.error, abs(missed).max(axis=1), rtol=0, atol=1e-9)
    assert ((placed.error <= 1e-8) == placed.success).all()


def test_every_sentence_of_a_batch_is_that_of_its_own_target(rng):
    robot = art.load("ur5")
    targets = rng.normal(size=(40, 3))
    found = robot.inverse_kinematics({"tool0": targets}, restarts=20)
    far = np.linalg.norm(robot.pose(found.q, "tool0")[:, :3, 3] - targets, axis=1)
    assert 2 < found.success.sum() < 38
    for k in range(40):
        if found.success[k]:
            assert found.reason[k] == "" and far[k] < 1e-7
        else:
            assert away(found.reason[k]) == pytest.approx(far[k], rel=6e-3)
