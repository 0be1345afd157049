"""Laws of `art.frame_path`, on every row of SHAPES."""

import numpy as np
import pytest

import articulated as art
from articulated.motions.frame_path import SHAPES

FRAME = "panda_hand"


@pytest.fixture(scope="module")
def panda() -> art.Robot:
    return art.load("panda")


def ends(panda):
    start = panda.pose(panda.poses["home"], FRAME)
    end = start @ art.spatial.exp([0.1, 0.2, -0.1, 0.3, 0.2, 0.5])
    return start, end, start[:3, 3] + [0.1, 0.05, 0.05]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_frame_stays_on_the_curve(shape, panda):
    start, end, via = ends(panda)
    way = art.frame_path(panda, FRAME, panda.poses["home"], end, shape, via=via)
    assert np.allclose(panda.pose(way.at(1.0).q, FRAME), end, atol=1e-7)
    s = np.linspace(0, 1, 350)  # not the points of inverse kinematics
    poses, at = panda.pose(way.at(s).q, FRAME), way.at(s)
    assert np.allclose(poses, SHAPES[shape](start, end, via, s), atol=2e-7)
    twist = panda.frame_velocity(at.q, at.slope, FRAME, axes="frame")
    if shape == "screw":
        assert abs(twist - twist[0]).max() < 1e-4
    if shape == "straight":
        assert abs(panda.frame_velocity(at.q, at.slope, FRAME)[:, :3] - (end - start)[:3, 3]).max() < 1e-4
    if shape == "circular":
        center = [np.linalg.norm(panda.frame_velocity(at.q, at.slope, FRAME)[:, :3], axis=1)]
        assert np.ptp(center) < 1e-4  # an even speed
        assert abs(poses[:, :3, 3] - via).max(axis=1).min() < 2e-3


def test_a_motion_along_it_keeps_the_limits(panda):
    _, end, _ = ends(panda)
    way = art.frame_path(panda, FRAME, panda.poses["home"], end)
    run = art.motion(panda, way, "jerk_limited", {"acceleration": 10.0, "jerk": 200.0})
    assert abs(run.v / panda.limits.velocity).max() < 1 + 1e-6
    assert abs(run.a).max() < 10 * (1 + 1e-4)
    assert abs(np.diff(run.a, axis=0) / np.diff(run.t)[:, None]).max() < 200 * (1 + 1e-2)


def test_branch_changes_and_ends_of_the_workspace_are_said():
    """Paths of a UR5 between random poses: each follows its line also between points, or an error says where."""
    arm, rng = art.load("ur5"), np.random.default_rng(0)
    frame, reached = arm.frame_names[-1], 0
    for _ in range(12):
        q, goal = arm.random(rng), arm.random(rng)
        try:
            way = art.frame_path(arm, frame, q, arm.pose(goal, frame), points=51)
        except art.ShapeError as problem:
            assert "s = " in str(problem)
            continue
        reached += 1
        s, start = np.linspace(0, 1, 2000), arm.pose(q, frame)
        line = SHAPES["straight"](start, arm.pose(goal, frame), None, s)
        assert abs(arm.pose(way.at(s).q, frame) - line).max() < 3e-6
    assert reached > 3


@pytest.mark.parametrize("seed", [0, 4])
def test_paths_stay_within_joint_limits(seed, panda):
    """A joint that comes to its limit and stays there has a kink, which no spline follows: more points, or an error."""
    rng, lower, upper = np.random.default_rng(seed), panda.limits.lower, panda.limits.upper
    for _ in range(8):
        q, twist = panda.random(rng), np.r_[rng.uniform(-0.25, 0.25, 3), rng.uniform(-0.8, 0.8, 3)]
        try:
            way = art.frame_path(panda, FRAME, q, panda.pose(q, FRAME) @ art.spatial.exp(twist))
        except art.ShapeError as problem:
            assert "s = " in str(problem)
            continue
        s = way.at(np.linspace(0, 1, 2000)).q
        assert max((s - upper).max(), (lower - s).max()) < 5e-6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": [9.0, 0, 0]}, "cannot follow"),
        ({"target": [0.3, 0, 0.5], "shape": "circular"}, "via"),
        ({"target": [0.3, 0, 0.5], "shape": "circular", "via": [0.3, 0, 0.5]}, "one line"),
        ({"target": [0.3, 0]}, "target"),
        ({"target": [0.3, 0, 0.5], "shape": "line"}, "straight"),
    ],
)
def test_bad_input(options, words, panda):
    with pytest.raises(art.ArticulatedError) as caught:
        art.frame_path(panda, FRAME, panda.poses["home"], **options)
    assert words in str(caught.value)
