"""All solutions of inverse kinematics: published counts, every one right, none twice, the same whatever the seed."""

import numpy as np
import pytest

import articulated as art

RIGHT, TILT = np.pi / 2, np.deg2rad(1)
#: the arm of Manseur and Doty 1989, and the pose that it reaches in sixteen ways
SIXTEEN = [(0.3, RIGHT, 0), (1, TILT, 0), (0, RIGHT, 0.2), (1.5, TILT, 0), (0, RIGHT, 0), (0, TILT, 0)]
THERE = np.array([[-0.760117, -0.641689, 0.102262], [0.133333, 0, 0.991071], [-0.635959, 0.766965, 0.085558]])


def solved(robot, frame, pose, **options):
    found = robot.inverse_kinematics_solutions({frame: pose}, **options)
    assert np.allclose(robot.pose(found, frame), pose, rtol=0, atol=3e-8)
    apart = (found[:, None] - found + np.pi) % (2 * np.pi) - np.pi
    assert (abs(apart).max(axis=2) + np.eye(len(found)) > 1e-4).all()
    return found


def test_an_arm_with_sixteen_solutions():
    arm = art.from_dh([art.DH(a=a, alpha=alpha, d=d) for a, alpha, d in SIXTEEN])
    U, _, V = np.linalg.svd(THERE)  # six digits were printed
    pose = np.eye(4)
    pose[:3, :3], pose[0, 3] = U @ V, -1.140175
    assert len(solved(arm, arm.frame_names[-1], pose)) == 16


@pytest.mark.parametrize("name, frame", [("puma560", "tool"), ("ur5", "tool0")])
def test_arms_of_industry_have_eight(name, frame):
    arm, counts = art.load(name), []
    for k in range(6):
        q = np.random.default_rng(k).uniform(-2.5, 2.5, 6)
        found = solved(arm, frame, arm.pose(q, frame), limits=False)
        assert abs((found - q + np.pi) % (2 * np.pi) - np.pi).max(axis=1).min() < 1e-5
        assert np.allclose(found, solved(arm, frame, arm.pose(q, frame), limits=False, seed=1), atol=1e-5)
        counts.append(len(found))
    assert max(counts) == 8 and set(counts) <= {2, 4, 6, 8}


def test_limits_none_and_too_many():
    arm = art.load("2r")
    assert len(solved_positions(arm, [0.5, 0.6, 0.0])) == 2
    assert arm.inverse_kinematics_solutions({"tip": [3.0, 0.0, 0.0]}).shape == (0, 2)
    puma = art.load("puma560")
    pose = puma.pose([0.1, -0.7, 0.3, 0.4, 0.5, 0.6], "tool")
    lower, upper = puma.limits[:2]
    within = puma.inverse_kinematics_solutions({"tool": pose})
    assert 0 < len(within) < 8 and ((within >= lower) & (within <= upper)).all()
    with pytest.raises(art.ShapeError, match="infinitely many"):
        art.load("panda").inverse_kinematics_solutions({"panda_hand": np.eye(4)})
    for straight in (np.zeros(6), [0.3, -0.5, 0.4, 0.2, 0.0, -0.7]):  # the axes of its wrist in line
        with pytest.raises(art.ShapeError, match="singular"):
            puma.inverse_kinematics_solutions({"tool": puma.pose(straight, "tool")}, limits=False)
    with pytest.raises(art.ShapeError, match="one target"):
        puma.inverse_kinematics_solutions({"tool": np.stack([pose, pose])})


def solved_positions(arm, place):
    found = arm.inverse_kinematics_solutions({"tip": place})
    assert np.allclose(arm.pose(found, "tip")[:, :3, 3], place, rtol=0, atol=1e-7)
    return found
