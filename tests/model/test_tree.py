"""Links in any order in, a numbered tree out; or an error that names the culprits."""

import warnings

import numpy as np
import pytest

import articulated as art
from tests.counting import calls


def chain(*arcs):
    return [art.Link(name, parent, art.Revolute(), inertia=art.Inertia(1.0, (0.1, 0, 0))) for name, parent in arcs]


@pytest.mark.parametrize(
    "arcs, words",
    [
        ([("a", "c"), ("b", "a"), ("c", "b")], ["closed loop", "a → b → c → a"]),
        ([("a", "a")], ["closed loop", "a → a"]),
        ([("r", None), ("a", "b"), ("b", "a")], ["closed loop"]),
        ([("r", None), ("s", None)], ["several roots", "'r'", "'s'"]),
        ([("r", None), ("a", "r"), ("b", "r"), ("b", "a")], ["'b' has two parents", "'r'", "'a'"]),
        ([("r", None), ("a", "r"), ("a", "r")], ["two links are called 'a'"]),
        ([("root", None), ("a", "rooot")], ["link 'a'", "'rooot'", "did you mean 'root'"]),
        ([], ["at least one link"]),
    ],
)
def test_what_is_not_a_tree_is_refused(arcs, words):
    with pytest.raises(art.ModelError) as error:
        art.build(chain(*arcs))
    assert all(word in str(error.value) for word in words), str(error.value)


def test_numbers_follow_depth_first_document_order():
    robot = art.build(chain(("c", "a"), ("d", "b"), ("b", "r"), ("a", "r"), ("e", "c"), ("r", None)))
    assert robot.body_names == ["r", "b", "d", "a", "c", "e"]
    assert robot.topology().parent == [0, 1, 2, 1, 4, 5]
    assert robot.topology().children == [[1], [2, 4], [3], [], [5], [6], []]


def test_fixed_links_merge_and_stay_addressable():
    tool = art.Link("tool", "arm", art.Fixed(), art.Transform(p=(0, 0, 0.5)), art.Inertia(2.0))
    tip = tool.replace(name="tip", parent="tool", inertia=art.Inertia(), frames=[("pen", art.Transform(p=(0.1, 0, 0)))])
    arm = art.Link("arm", "base", art.Revolute((0, 1, 0)), inertia=art.Inertia(1.0))
    robot = art.build([tip, tool, arm, art.Link("base")])
    assert robot.body_names == ["arm"] and robot.nv == 1
    assert robot.frame_names == ["base", "arm", "tool", "tip", "pen"]
    assert np.allclose(robot.pose([0.0], "pen")[:3, 3], [0.1, 0, 1.0])
    assert np.isclose(robot.mass_matrix([0.3])[0, 0], 2.0 * 0.25)


def test_joint_and_frame_names_are_unique():
    twins = [
        art.Link("a", None, art.Revolute(name="j")),
        art.Link("b", "a", art.Revolute(name="j")),
    ]
    with pytest.raises(art.ModelError, match="two joints are called 'j'"):
        art.build(twins)
    with pytest.raises(art.ModelError, match="called 'x'"):
        art.build([art.Link("x"), art.Link("y", "x", frames=[("x", art.Transform())])])


@pytest.mark.parametrize(
    "follows, words",
    [
        ({"a": "b", "b": "a"}, ["circle", "a → b → a"]),
        ({"a": "a"}, ["circle"]),
        ({"a": "nobody"}, ["'nobody'", "mimic"]),
    ],
)
def test_mimic_must_end_at_a_free_joint(follows, words):
    joint = lambda name: art.Revolute(mimic=art.Mimic(follows[name]) if name in follows else None)  # noqa: E731
    links = [art.Link("a", None, joint("a")), art.Link("b", "a", joint("b"))]
    with pytest.raises(art.ArticulatedError) as error:
        art.build(links)
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize("ending", ["urdf", "xml", "toml"])
def test_a_free_base_in_a_file_is_not_freed_again(ending, tmp_path):
    free = art.load("quadruped", floating_base=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", art.ModelWarning)  # what a format cannot hold
        art.save(free, tmp_path / f"free.{ending}")
        again = art.load(tmp_path / f"free.{ending}", floating_base=True)
    assert again.joint_names == free.joint_names and again.nv == again.floating().nv == free.nv
    world = [
        art.Link("world", None),
        art.Link("ball", "world", art.Floating(), inertia=art.Inertia(2.0, about_com=np.eye(3))),
    ]
    heavy = art.build([world[0].replace(inertia=art.Inertia(1.0, about_com=np.eye(3))), world[1]])
    assert art.build(world).floating().nv == 6 and heavy.floating().nv == 12


def test_floating_replace_and_lock():
    robot = art.load("quadruped")
    free = robot.floating()
    assert free.nq == robot.nq + 7 and free.nv == robot.nv + 6 and free.joint_names[0] == "floating_base"
    assert free.floating().nv == free.nv
    arm = art.load("2r").floating()  # its root moves: a massless base link appears under it
    assert arm.joint_names[0] == "floating_base" and arm.body_names[0] == "base"
    heavier = robot.replace("base", inertia=art.Inertia(50.0, about_com=np.eye(3)))
    assert heavier.floating().mass > free.mass and robot.floating().mass == free.mass
    assert robot.replace(gravity=(0, 0, -1.62)).gravity[2] == -1.62
    with pytest.raises(art.UnknownName, match="did you mean 'base'"):
        robot.replace("bse", inertia=art.Inertia())
    with pytest.raises(art.UnknownName, match="did you mean 'FL_KFE'"):
        robot.lock({"FL_KFF": 0.0})
    with pytest.raises(art.ModelError, match=r"floating_base. has shape \(7,\)"):
        free.lock({"floating_base": 0.0})


def test_joints_that_move_no_mass_are_named():
    links = [
        art.Link("arm", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0, (0.3, 0, 0), 0.01 * np.eye(3))),
        art.Link("spinner", "arm", art.Revolute((0, 0, 1), name="spin"), inertia=art.Inertia(1.0)),  # on its axis
    ]
    robot = art.build(links)
    assert np.isfinite(robot.inverse_dynamics([0, 0], [1, 1], [1, 1])).all()
    for call in (
        lambda: robot.forward_dynamics([0, 0], [0, 0], [0, 0]),
        lambda: robot.mass_matrix_inverse([0, 0]),
        lambda: robot.articulated_bodies([0, 0], [0, 0], [0, 0]),
    ):
        with pytest.raises(art.SingularModelError, match="'spin' moves no mass"):
            call()
    geared = robot.replace("spinner", joint=art.Revolute((0, 0, 1), name="spin", armature=0.1))
    assert np.isfinite(geared.forward_dynamics([0, 0], [0, 0], [1, 1])).all()


def test_two_joints_about_one_axis_with_one_mass_are_singular():
    links = [
        art.Link("first", None, art.Revolute((0, 0, 1))),
        art.Link("second", "first", art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0, (0.3, 0, 0))),
    ]
    with pytest.raises(art.SingularModelError, match="'first'"):
        art.build(links).forward_dynamics([0, 0], [0, 0], [0, 0])


def test_a_long_chain_builds_without_recursion():
    n = 10_000
    links = chain(("link0", None), *((f"link{i}", f"link{i - 1}") for i in range(1, n)))
    robot = art.build(links[::-1])
    tau = robot.gravity_forces(np.zeros(n))
    assert robot.body_names[-1] == f"link{n - 1}" and tau.shape == (n,) and np.isfinite(tau).all()


def test_the_work_grows_with_the_number_of_links():
    def work(n):
        links = chain(("link0", None), *((f"link{i}", f"link{i - 1}") for i in range(1, n)))
        return calls(lambda: art.build(links[::-1]))

    work(10)  # whatever is done once
    assert work(800) < 2.1 * work(400)


def test_every_joint_kind_states_consistent_facts():
    from articulated.joints import JOINTS, Universal

    for kind, cls in JOINTS.items():
        joint = cls()
        if cls is Universal:
            continue  # a shorthand for two links
        assert joint.S.shape == (6, joint.nv), kind
        assert len(joint.neutral()) == joint.nq, kind
        assert np.linalg.matrix_rank(np.array(joint.S, float)) == joint.nv, kind


@pytest.mark.parametrize("axis", [(0, 0, 0), (1, 0), (float("nan"), 0, 0)])
def test_axes_need_a_direction(axis):
    with pytest.raises(art.ModelError):
        art.Revolute(axis)


def test_axes_are_normalized():
    assert np.allclose(np.array(art.Revolute((0, 3, 4)).axis, float), [0, 0.6, 0.8])
