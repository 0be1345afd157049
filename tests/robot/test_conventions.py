"""States of other libraries: there and back, and the recipes for the floating base."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call, engine
from articulated.robot.conventions import converters as conventions
from tests.contacts.legged import Interpreted
from tests.near import near
from tests.zoo import STRUCTURES, state, zoo

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
    for robot in STRUCTURES
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
    ball = zoo()["one_spherical"]
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


# -- mimic joints have numbers of their own there -------------------------------------------------

GEARED_MJCF = """<mujoco><worldbody><body name="a"><joint name="h" axis="0 1 0" ref="20"/>
<geom size=".1" pos=".1 0 0" mass="1"/><body name="b"><joint name="s" type="slide" axis="1 0 1" ref=".2"/>
<geom size=".1" pos="0 .2 0" mass="1"/></body></body></worldbody>
<equality><joint joint1="s" joint2="h" polycoef=".1 2 0 0 0"/></equality></mujoco>"""


def geared_urdf(leader="revolute", follower="continuous", ratio=-1.5):
    """Two fingers and a thumb that follow one joint; Pinocchio sorts them otherwise, the follower before its leader."""
    limits = '<limit lower="-9" upper="9" effort="1" velocity="1"/>'
    body = '<inertial><origin xyz="0.1 0.02 0.3"/><mass value="2"/><inertia ixx="0.2" iyy="0.3" izz="0.25" ixy="0.01" '
    body += 'ixz="0" iyz="0"/></inertial>'
    links = "".join(f'<link name="{name}">{body}</link>' for name in ("palm", "finger", "tip", "thumb"))

    def joint(name, kind, parent, child, axis, mimic=""):
        bounds = limits if kind != "continuous" else ""
        return (
            f'<joint name="{name}" type="{kind}"><origin xyz="0 0.3 0" rpy="0.1 0.2 0.3"/><parent link="{parent}"/>'
            f'<child link="{child}"/><axis xyz="{axis}"/>{bounds}{mimic}</joint>'
        )

    follows = f'<mimic joint="k" multiplier="{ratio}" offset="0.2"/>'
    joints = joint("k", leader, "palm", "finger", "0 1 0") + joint("j", follower, "finger", "tip", "1 0 0", follows)
    joints += joint("b", "prismatic", "palm", "thumb", "0 0 1", '<mimic joint="j" multiplier="0.5"/>')
    return f'<robot name="hand">{links}{joints}</robot>'


GEARED = [robot for robot in STRUCTURES if robot.model.unmimicked is not robot.model]
GEARED_URDF = [
    (leader, follower, ratio)
    for leader, ratio in (("revolute", -1.5), ("continuous", 0.3))
    for follower in ("revolute", "continuous")
]


@pytest.mark.parametrize("library", THERE_AND_BACK)
@pytest.mark.parametrize("robot", GEARED, ids=str)
def test_followers_are_filled_in_and_left_out(library, robot, rng):
    """Theirs is the state of the tree in which no joint follows another, and forces do the same work."""
    to, back = THERE_AND_BACK[library]
    free = art.Robot(robot.model.unmimicked)
    q, v, a = state(robot, rng, 4)
    every = {"mimic": False} if library == "pinocchio" else {}
    there = to(robot, q, v, a, rng.normal(size=v.shape), **every)
    assert there.v.shape == (4, free.nv)
    # forces on all joints come back as what the leaders feel of them: the same power for every velocity
    tau = rng.normal(size=there.v.shape)
    assert near((tau * there.v).sum(-1), (back(robot, there.q, there.v, tau=tau).tau * v).sum(-1), 1e-12)
    on_free = back(free, *there)
    robot, free = Interpreted(robot.model), Interpreted(free.model)
    for frame in robot.frame_names:
        assert near(free.pose(on_free.q, frame), robot.pose(q, frame), 1e-12)
        assert near(free.frame_velocity(on_free.q, on_free.v, frame), robot.frame_velocity(q, v, frame), 1e-11)
        moved = free.frame_acceleration(on_free.q, on_free.v, on_free.a, frame)
        assert near(moved, robot.frame_acceleration(q, v, a, frame), 1e-11)


@pytest.mark.parametrize("written", [False, True], ids=["read", "written"])
def test_mujoco_moves_a_robot_with_followers_as_we_do(written, rng):
    mujoco = pytest.importorskip("mujoco")
    from articulated.files.mjcf.writer import write_mjcf

    robot = art.load(geared_urdf()) if written else art.load(GEARED_MJCF)
    model = mujoco.MjModel.from_xml_string(write_mjcf(robot.model).text if written else GEARED_MJCF)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    q, v, a = state(robot, rng)
    there = conventions.to_mujoco(robot, q, v, a)
    assert there.q.shape == (model.nq,) and there.v.shape == (model.nv,)
    data.qpos[:], data.qvel[:], data.qacc[:] = there
    mujoco.mj_inverse(model, data)
    for body in range(1, model.nbody):
        assert near(robot.pose(q, model.body(body).name)[:3, 3], data.xpos[body], 1e-12)
    back = conventions.from_mujoco(robot, data.qpos, data.qvel, data.qacc, data.qfrc_inverse)
    assert near(back.q, q) and near(back.v, v) and near(back.a, a)
    assert near(back.tau, robot.inverse_dynamics(q, v, a), 1e-12)


def test_mujoco_drives_a_robot_with_followers_as_we_do(rng):
    """Its constraint gives a little, so accelerations agree only roughly; the torque is on the leader."""
    mujoco = pytest.importorskip("mujoco")
    text = GEARED_MJCF.replace("<mujoco>", '<mujoco><option timestep="1e-5"/>')
    text = text.replace("<joint joint1", '<joint solref="2e-5 1" solimp=".9999 .9999 1e-3 .5 2" joint1')
    robot, model = art.load(text), mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    q, v, tau = robot.random(rng), rng.normal(size=1), rng.normal(size=1)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = conventions.to_mujoco(robot, q, v, tau=tau)
    mujoco.mj_forward(model, data)
    found = conventions.from_mujoco(robot, data.qpos, data.qvel, data.qacc, tolerance=np.inf)
    assert near(found.a, robot.forward_dynamics(q, v, tau), 1e-2)


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize(("leader", "follower", "ratio"), GEARED_URDF)
def test_pinocchio_moves_a_robot_with_followers_as_we_do(leader, follower, ratio, floating, rng):
    pin = pytest.importorskip("pinocchio")
    text = geared_urdf(leader, follower, ratio)
    robot = art.load(text, floating_base=floating)
    model = pin.buildModelFromXML(text, *([pin.JointModelFreeFlyer()] if floating else []))
    data = model.createData()
    q, v, a = state(robot, rng)
    q[-1] = 7.0  # more than one turn
    there = conventions.to_pinocchio(robot, q, v, a, mimic=False)
    assert there.q.shape == (model.nq,) and there.v.shape == (model.nv,)
    tau = pin.rnea(model, data, there.q, there.v, there.a)
    back = conventions.from_pinocchio(robot, there.q, there.v, there.a, tau)
    assert near(back.tau, robot.inverse_dynamics(q, v, a), 1e-12) and near(back.v, v) and near(back.a, a)
    # the turns of the leader are those at which its followers are where they are
    for frame in robot.frame_names:
        assert near(robot.pose(back.q, frame), robot.pose(q, frame), 1e-12)


def test_pinocchio_told_of_mimic_joints_leaves_them_out(rng):
    pin = pytest.importorskip("pinocchio")
    # it wants leaders first, and leaders that do not follow
    text = (
        geared_urdf("revolute", "revolute")
        .replace('"b"', '"z"')
        .replace('"j"', '"l"')
        .replace('mimic joint="l"', 'mimic joint="k"')
    )
    robot, model = art.load(text), pin.buildModelFromXML(text, mimic=True)
    q, v, a = state(robot, rng)
    order = robot.permutation("pinocchio")
    assert order.tolist() == robot.permutation("mujoco").tolist() == [0] and model.nv == robot.nv == 1
    there = conventions.to_pinocchio(robot, q, v, a)
    assert (there.v == v[order]).all() and (there.a == a[order]).all()
    tau = pin.rnea(model, model.createData(), *there)
    for _ in range(2):  # also by the short way, and after states of the other length
        assert near(conventions.from_pinocchio(robot, *there, tau).tau, robot.inverse_dynamics(q, v, a), 1e-12)
        every = conventions.to_pinocchio(robot, q, v, a, mimic=False)
        assert every.q.shape == (pin.buildModelFromXML(text).nq,)
        for back in (conventions.from_pinocchio(robot, *there), conventions.from_pinocchio(robot, *every)):
            assert near(back.q, q) and near(back.v, v) and near(back.a, a)


def test_mimic_is_for_pinocchio_and_true_or_false():
    robot = art.load(GEARED_MJCF)
    for wrong in ("yes", 3, [True]):
        with pytest.raises(art.ArticulatedError, match="mimic"):
            conventions.to_pinocchio(robot, [0.1], mimic=wrong)
    for convert in (conventions.to_mujoco, conventions.from_pinocchio, conventions.to_drake):
        with pytest.raises(TypeError, match=rf"{convert.__name__}\(\) got an unexpected keyword argument 'mimic'"):
            convert(robot, [0.1], mimic=True)


def test_a_joint_that_does_not_follow_is_said():
    robot = art.load(GEARED_MJCF)
    q, v, a = (np.array(conventions.to_mujoco(robot, *[[[0.1]]] * 3)[k]) for k in range(3))
    off = np.array([0, 0.1])
    for name, given in (("q", (q + off, v, a)), ("v", (q, v + off, a)), ("a", (q, v, a + off))):
        with pytest.raises(art.ArticulatedError, match=rf"'s' is 2 × 'h'.* not in the {name} given in state \(0,\)"):
            conventions.from_mujoco(robot, *given)
        found = conventions.from_mujoco(robot, *given, tolerance=0.1)
        assert all(near(x, [[0.1]]) for x in found)
    # forces only add up
    assert near(conventions.from_mujoco(robot, q, v, tau=[[1.0, 1.0]]).tau, [[3.0]])
    rounded = conventions.from_mujoco(robot, q.astype(np.float32), np.round(v, 7))
    assert near(rounded.q, [[0.1]], 1e-6)
    spoiled = conventions.from_mujoco(robot, np.array([*q, [0.1, np.nan]]))
    assert near(spoiled[0], [0.1]) and np.isnan(spoiled[1]).all()
    for wrong in (-1.0, np.nan, "much", np.ones(2)):
        with pytest.raises(art.ShapeError, match="tolerance"):
            conventions.from_mujoco(robot, q, tolerance=wrong)
    with pytest.raises(TypeError, match=r"to_mujoco\(\) got an unexpected keyword argument 'tolerance'"):
        conventions.to_mujoco(robot, [0.1], tolerance=1.0)


def test_followers_in_tables_and_blocks():
    """By name, with what is out of place said when its block is computed."""
    robot = art.load(geared_urdf(follower="revolute"))
    q = robot.random(1, 4)
    there = conventions.to_mujoco(robot, q)
    names = [b.joint.name for b in robot.model.bodies]
    pandas, dask = pytest.importorskip("pandas"), pytest.importorskip("dask.array")
    table = pandas.DataFrame(there, columns=names)
    assert near(conventions.from_mujoco(robot, table[names[::-1]]), q)
    assert near(conventions.from_mujoco(robot, dask.from_array(there, chunks=(2, 3))).compute(), q)
    there[3, 1] += 1
    lazy = conventions.from_mujoco(robot, dask.from_array(there, chunks=(2, 3)))
    with pytest.raises(art.ArticulatedError, match="not in the q given"):
        lazy.compute()
