"""Load, write, load in the tool the file is for: the same dynamics there, or a loss that is listed."""

import re

import mujoco
import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.files.load import read_text
from articulated.files.mjcf.writer import write_mjcf
from articulated.files.urdf.writer import FAR, write_urdf
from articulated.model import build
from tests.zoo import random_inertia, random_tree, zoo

from .corpus import CORPUS, label

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

UNREADABLE = ("alex_description/alex_psyonic_hands", "ur_description/ur3")
KINDS = ["revolute", "continuous", "prismatic", "fixed", "planar", "spherical"]
SOURCES = {
    **{label(path): path for path in CORPUS if label(path) not in UNREADABLE},
    **{name: name for name in art.robots()},
    **{f"zoo {name}": robot for name, robot in zoo().items()},
    **{f"tree {seed}": random_tree(seed, 9, KINDS) for seed in range(3)},
}
CHANGED = "MuJoCo refuses its inertia"


def loaded(name):
    source = SOURCES[name]
    return source if isinstance(source, art.Robot) else art.load(source)


def bare(robot):
    """Every joint free, without friction: what the other tools' mass matrix and bias are of."""
    return art.Robot(robot.frictionless().model.unmimicked)


def written(robot, write):
    """The text that is written; refusals are of joints the format does not have."""
    try:
        return write(robot.model)
    except art.ModelError as problem:
        assert re.search("helical|cylindrical|floats", str(problem)), problem
        pytest.skip("refused with its reason")


def states(robot, count=3):
    rng = np.random.default_rng(4)
    for _ in range(count):
        yield robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)


def torques(robot, *state):
    """On plain floats: nothing to compile for robots that are met once."""
    return np.array(inverse_dynamics(robot.model, *map(array, state)), float)


@pytest.mark.parametrize("name", SOURCES)
def test_every_frame_is_there_or_said_to_be_lost(name):
    robot = loaded(name)
    found = written(robot, write_mjcf)
    there = {link.name for link in read_text(found.text).links}
    there |= {frame for link in read_text(found.text).links for frame, _ in link.frames}
    for frame in robot.frame_names:
        told = (repr(frame) in loss or " …: " in loss for loss in found.lost)  # of many the first are named
        assert frame in there or any(told), frame


@pytest.mark.parametrize("name", SOURCES)
def test_mujoco_moves_as_we_do(name):
    robot = loaded(name)
    found = written(robot, write_mjcf)
    model = mujoco.MjModel.from_xml_string(found.text)
    data = mujoco.MjData(model)
    if any(CHANGED in loss for loss in found.lost):
        read = read_text(found.text)  # the robot as it is there, with the inertias that were changed
        robot = art.Robot(build(read.links, read.gravity, report=read.report))
    free = bare(robot)
    assert model.nv == free.nv
    for q, v, a in states(free):
        there = art.conventions.to_mujoco(free, q, v, a, torques(free, q, v, a))
        data.qpos[:], data.qvel[:], data.qacc[:] = there.q, there.v, there.a
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        expected = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, expected)
        np.testing.assert_allclose(there.tau, expected, rtol=0, atol=1e-9 * max(1, abs(expected).max(initial=0)))


@pytest.mark.parametrize("name", SOURCES)
def test_pinocchio_moves_as_we_do(name):
    pin = pytest.importorskip("pinocchio")
    robot = loaded(name)
    found = written(robot, write_urdf)
    if any("urdfdom refuses" in loss for loss in found.lost):
        with pytest.raises(ValueError, match="valid URDF"):
            pin.buildModelFromXML(found.text)
        return
    model = pin.buildModelFromXML(found.text)
    model.gravity.linear = robot.gravity
    twin = bare(art.Robot(build(read_text(found.text).links, robot.gravity)))  # a hinge without limits is continuous
    free, data = bare(robot), model.createData()
    assert model.nv == free.nv == twin.nv
    for q, v, a in states(free):
        there = art.conventions.to_pinocchio(twin, q, v, a, torques(free, q, v, a))
        expected = pin.rnea(model, data, there.q, there.v, there.a)
        np.testing.assert_allclose(there.tau, expected, rtol=0, atol=1e-9 * max(1, abs(expected).max(initial=0)))


# -- each loss, one by one --------------------------------------------------------------------------

BODY = random_inertia(np.random.default_rng(0))
ROD = art.Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 0.0]))


def losses(write, *links):
    return " | ".join(write(art.build(links).model).lost)


@pytest.mark.parametrize(("joint", "words"), [
    (art.Revolute(limits=art.Limits(lower=-1)), ["limit on one side"]),
    (art.Revolute(limits=art.Limits(-1, 1, 3)), ["a velocity limit"]),
    (art.Revolute(limits=art.Limits(-1, 1, effort=3)), []),
    (art.Planar(limits=art.Limits(-1, 1, effort=3)), ["position limits", "effort limit"]),
    (art.Spherical(limits=art.Limits(effort=3)), ["effort limit"]),
    (art.Planar(), ["two slides and a hinge"]),
    (art.Revolute(limits=art.Limits(0, 0)), ["only be at one place"]),
    (art.Prismatic(limits=art.Limits(-1, 1, effort=0)), ["an effort limit of 0"]),
    (art.Planar(friction=1), ["in the world there"]),
    (art.Floating(armature=1), ["in the world there"]),
])  # fmt: skip
def test_what_mjcf_loses_of_a_joint(joint, words):
    found = losses(write_mjcf, art.Link("a", None, joint.replace(name="j"), inertia=BODY))
    assert all(word in found for word in words) and bool(found) == bool(words)


@pytest.mark.parametrize(("inertia", "words"), [
    (art.Inertia(), "1e-14 kg instead of 0"), (art.Inertia(1.0), "2e-14 kg m² away"), (ROD, "away"),
    (art.Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 9.0])), "away"), (BODY, ""),
])  # fmt: skip
def test_a_moving_body_mujoco_refuses(inertia, words):
    robot = art.build([art.Link("a", None, art.Revolute(), inertia=inertia)])
    found = write_mjcf(robot.model)
    assert words in " ".join(found.lost) and bool(found.lost) == bool(words)
    mujoco.MjModel.from_xml_string(found.text)


@pytest.mark.parametrize("strange", [art.Inertia(0.5), ROD, art.Inertia(0.5, (1, 0, 0), np.diag([0.1, 0.1, 0.9]))])
def test_a_welded_body_mujoco_refuses_is_part_of_its_carrier(strange):
    links = [
        art.Link("a", None, art.Revolute((0, 1, 0)), inertia=art.Inertia(2.0, (0, 0, 0.1), np.eye(3))),
        art.Link("b", "a", placement=art.Transform(p=[0.1, 0.2, 0.3])),
        art.Link("c", "b", placement=art.Transform.from_rpy([0.1, 0.2, 0.3], [1, 0, 0]), inertia=strange),
    ]
    robot = art.build(links)
    found = write_mjcf(robot.model)
    assert "link 'c': its inertia is part of link 'a'" in found.lost[0] and len(found.lost) == 1
    again = read_text(found.text)
    before, after = (np.array(m.bodies[0].inertia.matrix(), float) for m in (robot.model, build(again.links)))
    np.testing.assert_allclose(after, before, atol=1e-12)


def test_what_is_fixed_to_the_world_may_weigh_nothing_there():
    found = losses(write_mjcf, art.Link("base", inertia=ROD), art.Link("a", "base", art.Revolute(), inertia=BODY))
    assert "link 'base': its inertia, which MuJoCo refuses; it does not move" in found


def test_only_the_world_is_called_world():
    links = [
        art.Link("base"),
        art.Link("world", "base", art.Revolute(name="j"), inertia=BODY),
        art.Link("world_", "world"),
    ]
    found = write_mjcf(art.build(links).model)
    assert "link 'world' is called 'world__'" in found.lost
    assert mujoco.MjModel.from_xml_string(found.text).body("world__").id == 2
    heavy = write_mjcf(
        art.build([art.Link("world", inertia=BODY), art.Link("a", "world", art.Revolute(), inertia=BODY)]).model
    )
    assert heavy.lost == ("link 'world': its inertia; MuJoCo's world has none",)
    mujoco.MjModel.from_xml_string(heavy.text)


def test_shapes_without_extent():
    from articulated.model.shapes import Box, Sphere

    shapes = (Box((0.0, 1.0, 1.0)), Sphere(0.0), Sphere(0.1))
    found = write_mjcf(art.build([art.Link("a", None, art.Revolute(), inertia=BODY, shapes=shapes)]).model)
    assert found.lost == ("2 shapes without extent are left out",)
    assert mujoco.MjModel.from_xml_string(found.text).ngeom == 1


def test_mujoco_reads_no_deeper_file():
    chain = [art.Link(f"a{i}", f"a{i - 1}" if i else None, art.Revolute(), inertia=BODY) for i in range(480)]
    mujoco.MjModel.from_xml_string(write_mjcf(art.build(chain).model).text)
    longer = [*chain, *(art.Link(f"a{i}", f"a{i - 1}", art.Revolute(), inertia=BODY) for i in range(480, 520))]
    with pytest.raises(art.ModelError, match="which MuJoCo cannot read"):
        write_mjcf(art.build(longer).model)


@pytest.mark.parametrize(("joint", "words"), [
    (art.Prismatic(), f"written as {FAR:g}"), (art.Revolute(limits=art.Limits(lower=-1)), f"written as {FAR:g}"),
    (art.Revolute(armature=1), "no armature"), (art.Spherical(), "urdfdom refuses"),
    (art.Planar(limits=art.Limits(-1, 1)), "one coordinate"), (art.Revolute(), "without limits it is continuous"),
    (art.Continuous(), ""), (art.Continuous(limits=art.Limits(-1, 1)), "has no position limits"),
    (art.Revolute(limits=art.Limits(-1, 1)), ""),
])  # fmt: skip
def test_what_urdf_loses_of_a_joint(joint, words):
    found = losses(write_urdf, art.Link("a", None, joint.replace(name="j"), inertia=BODY))
    assert words in found and bool(found) == bool(words)


@pytest.mark.parametrize("limits", [
    art.Limits(), art.Limits(-1, 2), art.Limits(lower=-1), art.Limits(upper=2), art.Limits(velocity=3, effort=4),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("kind", [art.Revolute, art.Continuous, art.Prismatic])
def test_urdf_gives_back_the_joint(kind, limits):
    """Its class, but for a hinge without limits, and its limits; Pinocchio has the coordinates of what is read."""
    if kind is art.Continuous:
        limits = limits._replace(lower=-np.inf, upper=np.inf)
    robot = art.build([art.Link("a", None, kind(name="j", limits=limits), inertia=BODY)])
    text = write_urdf(robot.model).text
    back = read_text(text).links[-1].joint
    free = (limits.lower, limits.upper) == (-np.inf, np.inf)
    assert type(back) is (art.Continuous if kind is art.Revolute and free else kind) and back.limits == limits
    pin = pytest.importorskip("pinocchio")
    there = art.conventions.to_pinocchio(art.build([art.Link("a", None, back, inertia=BODY)]), [0.3])
    assert pin.buildModelFromXML(text).nq == len(there)


def test_capsules_are_not_for_urdfdom():
    """Said once for all links."""
    found = write_urdf(art.load("quadruped").model).lost
    assert sum("capsules" in x for x in found) == 1
    assert "8 links, 'FL_THIGH', 'FL_SHANK', 'FR_THIGH' …: capsules, which urdfdom leaves out" in found


def test_welded_joints_may_share_a_name():
    links = [art.Link("a", None, art.Revolute(name="j"), inertia=BODY), art.Link("b", "a", art.Fixed(name="j")),
             art.Link("c", "a", art.Fixed(name="j"))]  # fmt: skip
    found = write_urdf(art.build(links).model)
    assert len(found.lost) == 3 and [k.joint.name for k in read_text(found.text).links[1:]] == ["j", "j_", "j__"]


def test_the_largest_torque_survives_mjcf():
    robot = art.build([art.Link("a", None, art.Revolute(limits=art.Limits(-1, 1, effort=7.5)), inertia=BODY)])
    assert read_text(write_mjcf(robot.model).text).links[-1].joint.limits == art.Limits(-1, 1, effort=7.5)


def test_links_that_are_no_bodies_there_are_said():
    inertia = art.Inertia(1.0, [0.1, 0.0, 0.0], np.eye(3))
    links = [
        art.Link("first", None, art.Revolute([0, 0, 1]), inertia=inertia),
        art.Link("between", "first", art.Revolute([0, 1, 0]), art.Transform(None, [0.1, 0, 0])),
        art.Link("last", "between", art.Revolute([1, 0, 0]), art.Transform(None, [0.1, 0, 0]), inertia),
    ]
    found = write_mjcf(art.build(links).model)
    assert found.lost == ("link 'between': it has no mass, and is no body but a joint of 'last' there",)
    again = read_text(found.text)
    assert [link.name for link in again.links] == ["world", "first", "last/between", "last"]
    assert write_mjcf(build(again.links)).lost == ()  # what was read from such a file is written as it was
