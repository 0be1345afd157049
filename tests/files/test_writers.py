"""Writing a file and reading it back gives the same robot."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms.inverse_dynamics import inverse_dynamics
from articulated.files.toml.reader import read_toml
from articulated.files.toml.writer import write_toml
from articulated.files.urdf.reader import read_urdf
from articulated.files.urdf.writer import write_urdf
from tests.zoo import ZOO, random_tree, state

from .corpus import CORPUS, label
from .poses import poses

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

IN_URDF = ["revolute", "continuous", "prismatic", "fixed", "planar", "spherical", "floating"]
ROBOTS = [
    *(art.load(name) for name in art.robots()),
    *(random_tree(seed, 9, IN_URDF, friction=True) for seed in range(4)),
]
UNREADABLE = ("alex_description/alex_psyonic_hands", "ur_description/ur3")
SOME = [path for path in CORPUS if label(path) not in UNREADABLE][::4]


def again(robot, write, read):
    """The robot read back from what was written; the file itself is without warnings."""
    found = read(write(robot.model).text, "again")
    assert [d for d in found.report if d.severity != "note" and d.code not in ("URDF031", "TOML009", "URDF056")] == []
    return art.Robot(art.build(found.links, found.gravity or robot.gravity, found.name).model)


def assert_same(before, after, rng):
    assert (before.name, before.nq, before.nv) == (after.name, after.nq, after.nv)
    assert before.joint_names == after.joint_names and set(before.frame_names) <= set(after.frame_names)
    q, v, a = state(before, rng)
    expected, found = (torques(robot.frictionless().model, q, v, a) for robot in (before, after))
    np.testing.assert_allclose(found, expected, atol=1e-12 * max(1, abs(expected).max(initial=0.0)))
    there, back = poses(before.model, q), poses(after.model, q)
    for frame, pose in there.items():
        np.testing.assert_allclose(back[frame], pose, atol=1e-12)


def torques(model, *state):
    """On plain floats: nothing to compile for robots that are met once."""
    return np.array(inverse_dynamics(model, *map(array, state)), float)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_urdf_round_trip(robot, rng):
    assert_same(robot, again(robot, write_urdf, read_urdf), rng)


@pytest.mark.parametrize("robot", ZOO, ids=lambda r: r.name)
def test_toml_round_trip_of_everything(robot, rng):
    after = again(robot, write_toml, read_toml)
    assert_same(robot, after, rng)
    for b, c in zip(robot.model.bodies, after.model.bodies, strict=True):
        assert (b.joint.damping, b.joint.friction, b.joint.armature) == (
            c.joint.damping,
            c.joint.friction,
            c.joint.armature,
        )
        assert b.joint.limits == c.joint.limits and b.joint.mimic == c.joint.mimic


@pytest.mark.parametrize("path", SOME, ids=label)
def test_real_robots_survive(path, rng):
    robot = art.load(path)
    for write, read in ((write_urdf, read_urdf), (write_toml, read_toml)):
        after = again(robot, write, read)
        assert_same(robot, after, rng)
        assert sum(len(k.shapes) for k in after.links) == sum(len(k.shapes) for k in robot.links)


def test_a_second_round_changes_nothing():
    for robot in ROBOTS[:6]:
        for write, read in ((write_urdf, read_urdf), (write_toml, read_toml)):
            once = again(robot, write, read)
            twice = again(once, write, read)
            assert once.parameters == pytest.approx(twice.parameters, rel=1e-14, abs=1e-300)


def test_what_urdf_cannot_say():
    lost = write_urdf(
        art.build([art.Link("a", None, art.Revolute(armature=1.0), inertia=art.Inertia(1.0))], (0, 0, 0)).model
    ).lost
    assert len(lost) == 3 and "armature" in lost[0] and "continuous" in lost[1] and "gravity" in lost[2]
    with pytest.raises(art.ModelError, match="helical"):
        write_urdf(art.build([art.Link("a", None, art.Helical((0, 0, 1), 0.1), inertia=art.Inertia(1.0))]).model)
    with pytest.raises(art.ModelError, match="cannot be written in XML"):
        write_urdf(art.build([art.Link("a\x1b")]).model)


@pytest.mark.parametrize("name", ["a&b", '"quoted"', "<tag>", "tab\there", "line\nbreak", "ünïcödé", "]]>", "${x}"[1:]])
def test_names_are_escaped(name):
    robot = art.build([art.Link(name, None, art.Revolute(name=f"{name}!"), inertia=art.Inertia(1.0))], name=name)
    for write, read in ((write_urdf, read_urdf), (write_toml, read_toml)):
        after = again(robot, write, read)
        assert (after.name, after.body_names, after.joint_names) == (name, [name], [f"{name}!"])


def test_symbols_are_refused():
    sympy = pytest.importorskip("sympy")
    robot = art.build([art.Link("a", None, art.Revolute(), inertia=art.Inertia(sympy.Symbol("m")))])
    for write in (write_urdf, write_toml):
        with pytest.raises(art.ModelError, match="symbols"):
            write(robot.model)


@pytest.mark.parametrize("ending", ["urdf", "toml", "xml"])
def test_save_and_load(ending, tmp_path, rng):
    robot = art.load("ur5")
    lost = art.save(robot, tmp_path / f"arm.{ending}")
    speeds = [loss for loss in lost if "a velocity limit" in loss]
    assert [x[:9] for x in speeds] == (["6 joints,"] if ending == "xml" else [])
    capsules = [loss for loss in lost if loss.endswith("which urdfdom leaves out")]
    assert bool(capsules) == (ending == "urdf")
    assert [x for x in lost if x not in speeds + capsules] == [x for x in lost if x.startswith("poses home: ")]
    assert len(lost) - len(speeds) - len(capsules) == (ending != "toml")
    q = robot.random(rng)
    np.testing.assert_allclose(art.load(tmp_path / f"arm.{ending}").mass_matrix(q), robot.mass_matrix(q), atol=1e-13)
    with pytest.raises(art.ModelError, match=r"writers for \.xml \(MJCF\), \.urdf, \.toml"):
        art.save(robot, tmp_path / "arm.step")
    assert [path.name for path in tmp_path.iterdir()] == [f"arm.{ending}"]
