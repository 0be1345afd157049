"""States of other libraries: there and back, and the recipes for the floating base."""

import json
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.robot import conventions
from tests.near import near
from tests.zoo import ZOO, state

ORACLES = Path(__file__).parents[1] / "oracles"
DRAKE = json.loads((ORACLES / "drake.json").read_text())
THERE_AND_BACK = {
    "pinocchio": (conventions.to_pinocchio, conventions.from_pinocchio),
    "mujoco": (conventions.to_mujoco, conventions.from_mujoco),
    "drake": (conventions.to_drake, conventions.from_drake),
}
CONVERTIBLE = [
    (library, robot)
    for library in THERE_AND_BACK
    for robot in ZOO
    if not (library == "drake" and any(isinstance(b.joint, art.Spherical) for b in robot.model.bodies))
]


@pytest.mark.parametrize("library, robot", CONVERTIBLE, ids=[f"{lib}-{r.name}" for lib, r in CONVERTIBLE])
def test_there_and_back(library, robot, rng):
    to, back = THERE_AND_BACK[library]
    q, v, a = state(robot, rng, (2, 3))
    tau = rng.normal(size=v.shape)
    theirs = to(robot, q, v, a, tau)
    ours = back(robot, *theirs)
    turns = (ours.q - q) / (2 * np.pi)
    assert near(turns, np.round(turns), 1e-13)  # an angle stored as (cos, sin) comes back within one turn
    assert near(robot.pose(ours.q, robot.frame_names[-1]), robot.pose(q, robot.frame_names[-1]))
    assert near(ours.v, v) and near(ours.a, a) and near(ours.tau, tau)
    # power is the same in every coordinate system
    assert near((theirs.v * theirs.tau).sum(-1), (v * tau).sum(-1))


def test_floating_base_recipes(rng):
    robot = art.load("quadruped").floating()
    q, v, a = state(robot, rng)
    R = robot.pose(q, "base")[:3, :3]
    swirl = np.cross(v[3:6], v[:3])
    mujoco, drake = conventions.to_mujoco(robot, q, v, a), conventions.to_drake(robot, q, v, a)
    assert near(mujoco.q[:7], [*q[:3], q[6], *q[3:6]])
    assert near(mujoco.v[:6], [*(R @ v[:3]), *v[3:6]])
    assert near(mujoco.a[:6], [*(R @ (a[:3] + swirl)), *a[3:6]])
    assert near(drake.q[:7], [q[6], *q[3:6], *q[:3]])
    assert near(drake.v[:6], [*(R @ v[3:6]), *(R @ v[:3])])
    assert near(drake.a[:6], [*(R @ a[3:6]), *(R @ (a[:3] + swirl))])


def test_only_what_is_given_comes_back(rng):
    robot = art.load("quadruped").floating()
    q, v, a = state(robot, rng)
    assert conventions.to_mujoco(robot, q).shape == q.shape
    assert conventions.to_mujoco(robot, q, v)._fields == ("q", "v")
    q2, tau2 = conventions.to_drake(robot, q, tau=a)
    assert q2.shape == q.shape and tau2.shape == a.shape
    with pytest.raises(art.ArticulatedError, match="velocity"):
        conventions.to_mujoco(robot, q, a=a)


def test_drake_has_no_quaternion_for_ball_joints():
    ball = next(r for r in ZOO if r.name == "one_spherical")
    with pytest.raises(art.ArticulatedError, match="roll-pitch-yaw"):
        conventions.to_drake(ball, ball.neutral())


def test_permutation_sorts_like_pinocchio():
    robot = art.build(
        [
            art.Link("root"),
            art.Link("z", "root", art.Revolute(name="jb")),
            art.Link("a", "root", art.Revolute(name="jc")),
            art.Link("m", "root", art.Revolute(name="ja")),
        ]
    )
    assert robot.joint_names == ["jb", "jc", "ja"]
    assert robot.permutation("pinocchio").tolist() == [2, 0, 1]
    assert robot.permutation("mujoco").tolist() == robot.permutation("drake").tolist() == [0, 1, 2]


@pytest.mark.parametrize("case", DRAKE, ids=lambda c: f"{c['urdf']}-{'floating' if c['floating'] else 'fixed'}")
def test_drake_computes_the_same_torques(case):
    """Numbers made by Drake itself (tests/oracles/make_drake.py)."""
    robot = art.load(ORACLES / "urdf" / case["urdf"], floating_base=case["floating"])
    ours = conventions.from_drake(robot, case["q"], case["v"], case["a"], case["tau"])
    assert near(robot.inverse_dynamics(ours.q, ours.v, ours.a), ours.tau)
