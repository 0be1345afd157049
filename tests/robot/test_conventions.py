"""States of other libraries: there and back, and the recipes for the floating base."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call, engine
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


# -- every joint kind, placed anywhere: the numbers are theirs ------------------------------------

PLACED = art.Transform.from_rpy([0.3, -0.5, 0.8], [1.0, -2.0, 0.5])
URDF_FLOATING = """<robot name="placed"><link name="world_link"/><link name="trunk"><inertial>
<origin xyz="0.1 0 0.05"/><mass value="2"/><inertia ixx="0.2" iyy="0.3" izz="0.25" ixy="0.01" ixz="0" iyz="0"/>
</inertial></link><link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="free" type="floating"><origin xyz="1 -2 0.5" rpy="0.3 -0.5 0.8"/><parent link="world_link"/>
<child link="trunk"/></joint><joint name="hinge" type="continuous"><origin xyz="0 0.3 0" rpy="0.1 0.2 0.3"/>
<parent link="trunk"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


def placed_robots():
    """A free joint with an `<origin>`, read and built, with a link frame elsewhere, on a welded base."""
    body = art.Inertia(2.0, [0.1, 0.0, 0.05], np.diag([0.2, 0.3, 0.25]))
    tool = art.Link("arm", "trunk", art.Revolute((0, 1, 0)), art.Transform(p=[0, 0.3, 0]), body)
    welded = art.Link("stand", None, placement=art.Transform.from_rpy([0, 0.4, 0], [0, 0, 1]))
    free = art.Floating(name="free")
    return {
        "urdf": art.load(URDF_FLOATING),
        "root": art.build([art.Link("trunk", None, free, PLACED, body), tool]),
        "tail": art.build([art.Link("trunk", None, free, PLACED, body, tail=PLACED), tool]),
        "welded": art.build([welded, art.Link("trunk", "stand", free, PLACED, body), tool]),
    }


@pytest.mark.parametrize("name", placed_robots())
def test_a_free_joint_with_an_origin_is_where_mujoco_has_it(name, rng):
    mujoco = pytest.importorskip("mujoco")
    robot = placed_robots()[name]
    from articulated.files.mjcf.writer import write_mjcf

    model = mujoco.MjModel.from_xml_string(write_mjcf(robot.model).text)
    data = mujoco.MjData(model)
    q, v, a = state(robot, rng)
    there = conventions.to_mujoco(robot, q, v, a, robot.inverse_dynamics(q, v, a))
    data.qpos[:], data.qvel[:], data.qacc[:] = there.q, there.v, there.a
    mujoco.mj_inverse(model, data)
    assert near(there.tau, data.qfrc_inverse, 1e-12)
    for frame in ("trunk", "arm"):
        assert near(robot.pose(q, frame)[:3, 3], data.body(frame).xpos, 1e-12)
        assert near(robot.pose(q, frame)[:3, :3], data.body(frame).xmat.reshape(3, 3), 1e-12)
    back = conventions.from_mujoco(robot, there.q, there.v, there.a, there.tau)
    assert near(robot.difference(q, back.q), np.zeros(robot.nv)) and near(back.v, v) and near(back.a, a)


def test_a_free_joint_with_an_origin_is_where_pinocchio_has_it(rng):
    pin = pytest.importorskip("pinocchio")
    robot, model = art.load(URDF_FLOATING), pin.buildModelFromXML(URDF_FLOATING)
    q, v, a = state(robot, rng)
    there = conventions.to_pinocchio(robot, q, v, a, robot.inverse_dynamics(q, v, a))
    data = model.createData()
    assert near(there.tau, pin.rnea(model, data, there.q, there.v, there.a), 1e-12)


@pytest.mark.parametrize("library, robot", CONVERTIBLE[::5], ids=[f"{lib}-{r.name}" for lib, r in CONVERTIBLE[::5]])
def test_a_batch_is_its_states(library, robot, rng):
    to, back = THERE_AND_BACK[library]
    q, v, a = state(robot, rng, 5)
    for convert, given in ((to, (q, v, a, a)), (back, to(robot, q, v, a, a))):
        whole = convert(robot, *given)
        for i in range(5):
            for part, one in zip(whole, convert(robot, *(x[i] for x in given)), strict=True):
                assert part[i].tobytes() == one.tobytes()


@pytest.mark.parametrize("shape", [(), (3,), (2, 4)], ids=str)
def test_what_is_converted_goes_straight_into_a_law(shape, rng):
    """Whole arrays, not columns of a wider one: a law takes those as they are."""
    robot = art.load("quadruped").floating()
    q, v, a = state(robot, rng, shape)
    for found in (conventions.to_mujoco(robot, q, v, a), conventions.from_mujoco(robot, q, v, a, a)):
        assert all(x.flags.c_contiguous and x.flags.owndata for x in found)


@pytest.mark.parametrize("names", ["q", "q v", "q v a", "q v a tau"])
def test_results_go_where_they_are_wanted(names, rng):
    robot = art.load("quadruped").floating()
    given = dict(zip(("q", "v", "a", "tau"), (*state(robot, rng, 3), rng.normal(size=(3, robot.nv))), strict=True))
    given = {name: given[name] for name in names.split()}
    for convert in (conventions.from_mujoco, conventions.to_pinocchio):
        expected = convert(robot, **given)
        for _ in range(2):
            out = np.empty_like(given["q"]) if names == "q" else tuple(map(np.empty_like, given.values()))
            convert(robot, **given, out=out)
            pairs = [(out, expected)] if names == "q" else zip(out, expected, strict=True)
            assert all((x == y).all() for x, y in pairs)
    with pytest.raises(art.ShapeError, match="out"):
        conventions.from_mujoco(robot, given["q"], out=np.empty(3))


def test_a_converter_is_looked_up_once(rng):
    """Beside the machine code a call is one Python function: it takes no longer than what it prepares."""
    robot = art.load("quadruped").floating()
    q, v, a = state(robot, rng)
    there = conventions.from_mujoco(robot, q, v, a)
    calls = []
    sys.setprofile(lambda frame, event, arg: event == "call" and calls.append(frame.f_code.co_name))
    try:
        again = conventions.from_mujoco(robot, q, v, a)
    finally:
        sys.setprofile(None)
    assert all((x == y).all() for x, y in zip(there, again, strict=True))
    assert call.reason() or engine.reason() or calls == ["function"]


def test_wrong_sizes_are_said(rng):
    robot = art.load("quadruped").floating()
    with pytest.raises(art.ShapeError, match=r"conventions.to_mujoco: q has shape \(18,\)"):
        conventions.to_mujoco(robot, np.zeros(18))
    with pytest.raises(art.ShapeError, match="tau"):
        conventions.from_drake(robot, robot.neutral(), tau=np.zeros(19))


def test_lists_and_single_precision(rng):
    robot = art.load("quadruped").floating()
    q, v, _ = state(robot, rng)
    there = conventions.to_mujoco(robot, q.tolist(), v.astype(np.float32))
    assert near(there.q, conventions.to_mujoco(robot, q)) and there.v.dtype == np.float64


def test_a_robot_that_does_not_move():
    robot = art.build([art.Link("a")])
    assert conventions.to_mujoco(robot, np.zeros(0)).shape == (0,)
    assert [x.shape for x in conventions.from_mujoco(robot, np.zeros((2, 0)), np.zeros((2, 0)))] == [(2, 0)] * 2
