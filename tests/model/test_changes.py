"""A changed robot is a new robot: frames, tools, parts; and the laws that say it is the right one."""

import numpy as np
import pytest

import articulated as art
from tests.near import near
from tests.zoo import ZOO, random_inertia, random_pose

robots = pytest.mark.parametrize("robot", ZOO[::5], ids=lambda r: r.name)


@robots
def test_a_frame_is_where_it_is_put_and_weighs_nothing(robot, rng):
    place, q = random_pose(rng), robot.random(rng)
    for on in (robot.frame_names[0], robot.frame_names[-1]):
        other = robot.add_frame("new frame", on, place)
        assert near(other.pose(q, "new frame"), robot.pose(q, on) @ place.matrix(), 1e-13)
        assert near(robot.add_frame("new frame", on, place.matrix()).pose(q, "new frame"), other.pose(q, "new frame"))
        assert (other.mass_matrix(q) == robot.mass_matrix(q)).all() and "new frame" not in robot.frame_names


@robots
def test_a_payload_adds_its_own_inertia(robot, rng):
    """M grows by Jᵀ I J of the place where it is attached, and g by its weight."""
    inertia, place, q = random_inertia(rng), random_pose(rng), robot.random(rng)
    on = robot.frame_names[-1]
    heavy = robot.attach(on, inertia, place, name="load")
    J = heavy.jacobian(q, "load", axes="frame")
    I = np.array(inertia.matrix(), float)
    assert near(heavy.mass_matrix(q), robot.mass_matrix(q) + J.T @ I @ J, 1e-12)
    point = robot.add_frame("com", on, place @ art.Transform(p=inertia.com)).jacobian(q, "com")[:3]
    assert near(heavy.gravity_forces(q), robot.gravity_forces(q) - point.T @ robot.gravity * float(inertia.mass), 1e-12)


@robots
def test_a_robot_on_a_robot_moves_as_both(robot, rng):
    tool, place = art.load("2r"), random_pose(rng)
    on = robot.frame_names[-1]
    both = robot.attach(on, tool, place, prefix="tool_")
    assert both.nq == robot.nq + tool.nq and {f"tool_{name}" for name in tool.frame_names} <= set(both.frame_names)
    q, q2 = robot.random(rng), tool.random(rng)
    state = both.configuration(robot.named(q)) if robot.nq else both.neutral()
    state = both.configuration({f"tool_{name}": x for name, x in tool.named(q2).items()}, state)
    tip = tool.frame_names[-1]
    assert near(both.pose(state, f"tool_{tip}"), robot.pose(q, on) @ place.matrix() @ tool.pose(q2, tip), 1e-12)
    assert both.mass == pytest.approx(robot.mass + tool.mass, rel=1e-12) or not robot.nq


@robots
def test_a_subtree_is_the_robot_seen_from_its_root(robot, rng):
    q = robot.random(rng)
    for link in robot.links:
        try:
            part = robot.subtree(link.name)
        except art.ModelError as problem:  # a gear that is cut
            assert "follows" in str(problem)
            continue
        own = robot.named(q)
        state = part.configuration({name: own[name] for name in part.joint_names})
        for frame in part.frame_names:
            root = np.linalg.inv(robot.pose(q, link.name))
            assert near(part.pose(state, frame), root @ robot.pose(q, frame), 1e-12)


def test_what_is_attached_brings_its_poses():
    panda = art.load("panda")
    two = panda.attach("panda_link0", panda, art.Transform(p=(0, 1, 0)), prefix="other_")
    home = two.named(two.poses["home"])
    assert home["other_panda_joint4"] == home["panda_joint4"] == panda.poses["home"][3]


def test_gears_come_along():
    gripper = next(r for r in ZOO if r.name == "mimic")
    both = art.load("panda").attach("panda_hand", gripper, prefix="g_")
    assert both.nq == 7 + gripper.nq and "g_j3" not in both.joint_names and both.index("g_j3") == both.index("g_j1")


def test_poses_stay_with_the_joints():
    dog = art.load("quadruped")
    assert dog.floating().poses["home"][2] == pytest.approx(0.29868, abs=1e-5)
    assert dog.lock({"FL_HFE": 0.1}).poses["home"].shape == (11,)
    assert (dog.replace(name="rex").poses["home"] == dog.poses["home"]).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r.add_frame("x", "panda_hnd"), "did you mean 'panda_hand'"),
        (lambda r: r.add_frame("panda_hand", "panda_hand"), "already"),
        (lambda r: r.add_frame("", "panda_hand"), "the name of a frame"),
        (lambda r: r.add_frame("x", "panda_hand", "here"), "a Transform or a 4×4 matrix"),
        (lambda r: r.add_frame("x", "panda_hand", 2 * np.eye(4)), "last row"),
        (lambda r: r.attach("panda_hand", r), 'prefix="left_"'),
        (lambda r: r.attach("panda_hand", 3.0), "an Inertia or a Robot"),
        (lambda r: r.attach("panda_hand", art.Inertia(1.0), name="panda_link3"), "already"),
        (lambda r: r.attach("panda_hand", art.Inertia(1.0), name=3), "texts"),
        (lambda r: r.subtree("panda_joint3"), "did you mean 'panda_link3'"),
    ],
)
def test_mistakes_are_named(change, words):
    with pytest.raises(art.ArticulatedError) as caught:
        change(art.load("panda"))
    assert words in str(caught.value)


@pytest.mark.parametrize("placement", [[[1, 2], [3]], [[1, 2], [3, 4]], "here", 3.0, np.zeros((4, 3))], ids=str)
def test_what_is_no_placement_is_refused(placement):
    arm = art.load("2r")
    with pytest.raises(art.ModelError, match="add_frame: placement is a Transform or a 4×4 matrix; got"):
        arm.add_frame("new", "link2", placement)
    with pytest.raises(art.ModelError, match="attach: placement is a Transform or a 4×4 matrix; got"):
        arm.attach("link2", art.Inertia(1.0), placement)
