"""Mistakes with contacts get an answer that helps."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.contacts.ranks import subspaces

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


@pytest.fixture(scope="module")
def robot():
    return art.load("quadruped", floating_base=True)


@pytest.fixture(scope="module")
def held(robot):
    return art.Contacts(robot, point=FEET)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"point": ["FL_FOT"]}, "no frame 'FL_FOT' in quadruped; did you mean 'FL_FOOT'"),
        ({"point": "FL_FOOT"}, r"point= takes a list of names; did you mean \['FL_FOOT'\]"),
        ({"point": ["FL_FOOT", "FL_FOOT"]}, "FL_FOOT: named by more than one contact"),
        ({"point": ["FL_FOOT"], "surface": ["FL_FOOT"]}, "FL_FOOT: named by more than one contact"),
        ({"direction": {"FL_FOOT": (0, 0, 0)}}, "direction at FL_FOOT must be three numbers, not all zero"),
        ({"direction": {"FL_FOOT": "up"}}, "direction at FL_FOOT must hold real numbers"),
        ({"line": {"FL_FOOT": (1, 0)}}, "direction at FL_FOOT must be three numbers"),
        ({"loops": [("FL_FOOT", "FR_FOOT", "hinge")]}, "a hinge, and only a hinge, needs the axis"),
        ({"loops": [("FL_FOOT", "FR_FOOT", "glue")]}, "no kind = 'glue' in a loop"),
        ({"loops": [("FL_FOOT", "FL_FOOT")]}, "a loop needs two frames"),
        ({"loops": ("FL_FOOT", "FR_FOOT")}, "loops= takes a list such as"),
        ({"loops": [("FL_FOOT", None)]}, "loops= takes a list such as"),
        ({"loops": [("FL_FOOT",)]}, "loops= takes a list such as"),
        ({"line": ["FL_FOOT"]}, "line= takes a direction for each frame"),
        ({"direction": ["FL_FOOT"]}, "direction= takes a direction for each frame"),
        ({"passive": "FL_HAA"}, r"passive= takes a list of names; did you mean \['FL_HAA'\]"),
        ({"passive": ["FL_HA"]}, "no joint 'FL_HA' in quadruped; did you mean 'FL_HAA'"),
    ],
)
def test_sets_that_make_no_sense(robot, given, message):
    with pytest.raises(art.ArticulatedError, match=message):
        art.Contacts(robot, **given)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c, q, v: c.inverse_dynamics(q[:-1], v, v), r"q has shape \(18,\), but quadruped needs \(…, 19\)"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, tau0=np.zeros(18)), r"tau0 has shape \(18,\)"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, method="svd"), "no method = 'svd'"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, weight=-1), "weight must not be negative"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, weight=np.ones(5)), r"weight is a number, .*got shape \(5,\)"),
        (lambda c, q, v: c.acceleration(q, v, v * np.nan), "a0 holds NaN"),
        (lambda c, q, v: c.forward_dynamics(q, v, v, anchors=c.poses(q)), "anchors needs baumgarte="),
        (lambda c, q, v: c.impact(q, v * np.nan), "v holds NaN"),
        (
            lambda c, q, v: c.inverse_dynamics(q, v, v, weight=-np.eye(12)),
            "positive semidefinite; it has the eigenvalue -1",
        ),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, weight=np.triu(np.ones((12, 12)))), "one symmetric matrix"),
        (
            lambda c, q, v: c.inverse_dynamics(q, v, v, force_weight=1, method="projector"),
            "force_weight does not apply",
        ),
        (lambda c, q, v: c.inverse_dynamics(q * np.nan, v, v), "q holds NaN or infinity"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v + np.nan), "a holds NaN or infinity"),
        (
            lambda c, q, v: c.inverse_dynamics(np.stack([q, q * np.nan]), v, v),
            r"q holds NaN or infinity in state \(1,\)",
        ),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, tau0=np.full(12, np.nan)), "tau0 holds NaN"),
        (lambda c, q, v: c.forward_dynamics(q, v, np.zeros(7)), r"tau has shape \(7,\), but quadruped needs \(…, 12\)"),
        (lambda c, q, v: c.forward_dynamics(q, v + np.inf, np.zeros(12)), "v holds NaN or infinity"),
        (lambda c, q, v: c.forward_dynamics(q, v, np.zeros(12), baumgarte=10), "needs anchors: contacts.poses"),
        (lambda c, q, v: c.forward_dynamics(q, v, np.zeros(12), baumgarte=-1, anchors=c.poses(q)), "not negative"),
        (
            lambda c, q, v: c.forward_dynamics(q, [v] * 3, np.zeros(12), baumgarte=1, anchors=c.poses([q] * 2)),
            "do not broadcast: q .* v .* anchors",
        ),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, weight="a"), "weight must hold real numbers"),
        (lambda c, q, v: c.inverse_dynamics(q, v, v, tau0=np.zeros(5), method="projector"), r"tau0 has shape \(5,\)"),
        (
            lambda c, q, v: c.inverse_dynamics([q] * 3, v, v, tau0=np.zeros((2, 12)), method="projector"),
            r"leading axes do not broadcast.*tau0 \(2, 12\)",
        ),
        (
            lambda c, q, v: c.inverse_dynamics(q, v, v, weight=[0] * 12, method="projector"),
            "positive definite weight",
        ),
        (
            lambda c, q, v: c.inverse_dynamics(q, v, v, forces={"base": np.full(6, np.nan)}),
            "the force at base holds NaN",
        ),
        (
            lambda c, q, v: c.forward_dynamics(q, v, np.zeros(12), {"base": np.full(6, np.nan)}),
            "force at base holds NaN",
        ),
        (lambda c, q, v: c.inverse_dynamics(q * 0, v, v), "zero quaternion"),
        (lambda c, q, v: c.forward_dynamics(q * 0, v, np.zeros(12)), "zero quaternion"),
        (lambda c, q, v: c.forward_dynamics(q, v, np.zeros(12), baumgarte="fast"), "baumgarte is a rate"),
        (lambda c, q, v: c.impact(q, v, None), "between 0"),
        (lambda c, q, v: c.drift(q, c.poses(q) * np.nan), "anchors holds NaN"),
        (lambda c, q, v: c.assemble(q, np.stack([c.poses(q)] * 2)), "the anchors of one configuration"),
        (lambda c, q, v: c.drift(q, np.zeros((3, 4, 4))), r"it must be \(…, 4, 4, 4\)"),
        (lambda c, q, v: c.impact(q, v, 2), "between 0"),
        (lambda c, q, v: c.analyse(np.stack([q, q])), "analyze takes one configuration"),
        (lambda c, q, v: c.analyse(q * np.nan), "q holds NaN"),
        (lambda c, q, v: c.lift("FR"), "no contact 'FR' in this set"),
        (lambda c, q, v: c.by_contact(np.zeros(5)), "the set has 12 rows"),
        (lambda c, q, v: c.warm("everything"), "no method to warm"),
        (lambda c, q, v: c.assemble(q, c.poses(q), locked="FL_HAA"), "locked takes a list"),
    ],
)
def test_calls_that_make_no_sense(held, call, message):
    q, v = held.robot.neutral(), np.zeros(held.robot.nv)
    with pytest.raises(art.ArticulatedError, match=message):
        call(held, q, v)


def test_a_fixed_base_where_a_floating_one_is_needed():
    fixed = art.load("quadruped")
    with pytest.raises(art.ArticulatedError, match=r"base does not move: the base of quadruped is fixed; .*floating"):
        art.Contacts(fixed, surface=["base"])
    with pytest.warns(art.ModelWarning, match="floating_base=True"):
        found = art.Contacts(fixed, point=FEET).analyse(fixed.neutral())
    assert any("robot.floating()" in note for note in found.notes)


@pytest.mark.parametrize("given", ["quadruped", None])
def test_a_robot_comes_first(given):
    with pytest.raises(art.ArticulatedError, match="Contacts takes a robot first"):
        art.Contacts(given, point=FEET)


def test_directions_of_any_length(robot):
    for size in (1e200, 1e-310):
        J = art.Contacts(robot, direction={"FL_FOOT": (size, size, 0)}).jacobian(robot.neutral())
        assert np.allclose(np.linalg.norm(J[0, :3]), 1, rtol=1e-12)


def test_a_joint_without_mass_is_said():
    links = [
        art.Link("base"),
        art.Link("light", "base", art.Revolute((0, 0, 1))),
        art.Link("heavy", "base", art.Revolute((0, 1, 0)), inertia=art.Inertia(1, (0.1, 0, 0), np.eye(3))),
    ]
    held = art.Contacts(art.build(links, name="odd"), point=["heavy"])
    for tau in ([0, 0], np.zeros(2)):
        with pytest.raises(art.SingularModelError, match="moves no mass"):
            held.forward_dynamics([0, 0], [0, 0], tau)


def test_an_infeasible_acceleration_is_reported(held):
    """With two feet the body cannot be turned about the line between them at will, nor can a held foot move."""
    robot = held.robot
    q, v, a = robot.neutral(), np.zeros(robot.nv), np.zeros(robot.nv)
    q[7:] = [0.1, 0.8, -1.6, -0.1, 0.8, -1.6, 0.1, -0.8, 1.6, -0.1, -0.8, 1.6]
    two = held.lift("FL_FOOT", "FR_FOOT")
    a[4] = 5.0
    consistent = two.acceleration(q, v, a)
    found = two.inverse_dynamics(q, v, consistent)
    assert found.violation < 1e-12 and found.residual > 0.1
    assert held.inverse_dynamics(q, v, a).violation > 0.1


def test_sets_go_to_other_processes(held):
    q, v = held.robot.neutral(), np.zeros(held.robot.nv)
    here = held.lift("FL_FOOT")
    there = pickle.loads(pickle.dumps(here))
    assert repr(there) == repr(here)
    assert np.array_equal(there.inverse_dynamics(q, v, v).tau, here.inverse_dynamics(q, v, v).tau)


def test_lifting_and_names(held):
    three = held.lift("HR_FOOT")
    assert three.names == FEET[:3] and three.k == 9 and held.k == 12
    assert three.rows[:3] == ["FL_FOOT x", "FL_FOOT y", "FL_FOOT z"]
    assert repr(three) == "<Contacts of quadruped: FL_FOOT, FR_FOOT, HL_FOOT; 9 rows>"
    tilted = art.Contacts(held.robot, direction={"FL_FOOT": (0, 3, 4)}, line={"FR_FOOT": (0, 0, 1)})
    assert tilted.rows[-1] == "FL_FOOT (0, 0.6, 0.8)" and tilted.rows[3:5] == ["FR_FOOT about x", "FR_FOOT about y"]


def test_leading_axes_that_do_not_fit_are_said():
    A, b = np.ones((3, 2, 2)), np.ones((4, 2))
    with pytest.raises(art.ShapeError, match=r"general_solution: the leading axes do not broadcast: A \(3, 2, 2\)"):
        subspaces.general_solution(A, b, np.ones(2))
