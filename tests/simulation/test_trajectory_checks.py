"""Impossible trajectories are refused where they are made, with the array, the joint and the time."""

import numpy as np
import pytest

import articulated as art

from .rollouts import FEET, contacts, dog, rollout


def given(**changes):
    run = rollout(art.load("2r"), 5, batch=(3,))
    return {"robot": run.robot, **{name: getattr(run, name).copy() for name in ("t", "q", "v", "a", "tau")}, **changes}


def spoilt(name, place, value):
    arrays = given()
    arrays[name][place] = value
    return arrays


CASES = [
    (spoilt("a", (1, 3, 0), np.nan), r"a of joint1 is nan at t = 0\.003 s \(sample 3\) of member 1 of the batch"),
    (spoilt("q", (0, 0, 1), np.inf), r"q of joint2 is inf at t = 0 s \(sample 0\) of member 0"),
    (spoilt("tau", (2, 4, 1), -np.inf), r"tau of joint2 is -inf at t = 0\.004 s"),
    (spoilt("t", 2, np.nan), r"t\[2\] is nan"),
    (spoilt("t", 2, 0.001), r"t must increase: t\[2\] = 0\.001 does not come after t\[1\] = 0\.001"),
    (spoilt("t", 4, -1.0), "t must increase"),
    (given(t=[]), "T from 1"),
    (given(t=0.5), "T from 1"),
    (given(t=np.zeros((2, 3))), "T from 1"),
    (given(t=["a"] * 5), "t must hold real numbers"),
    (given(q=np.zeros((3, 5, 3))), r"q has shape \(3, 5, 3\); it must be \(…, 5, 2\)"),
    (given(q=np.zeros(2)), r"q has shape \(2,\); it must be \(…, 5, 2\)"),
    (given(v=np.zeros((5, 2))), r"v has shape \(5, 2\); it must be \(3, 5, 2\)"),
    (given(tau=np.zeros((3, 4, 2))), r"tau has shape \(3, 4, 2\); it must be \(3, 5, 2\)"),
    (given(a=None), "a must hold real numbers"),
    (given(v=np.zeros((3, 5, 2), complex)), "v must hold real numbers"),
    (given(robot="2r"), "takes a robot first"),
    (given(contact={}), "contact is a ContactHistory"),
    (given(contact=contacts(5)), r"contact has a residual of shape \(5,\); for this q it must be \(3, 5\)"),
    (given(forces=[1]), "forces maps frames"),
    (given(forces={"link2": np.zeros((5, 6))}), r"forces\['link2'\] has shape \(5, 6\); it must be \(3, 5, 6\)"),
    (given(forces={"link2": np.full((3, 5, 6), np.nan)}), r"forces\['link2'\] is nan"),
    (given(info=3), "info maps names"),
    (given(info={"robot": art.load("2r")}), "info holds plain values"),
    (
        given(q=np.zeros((0, 5, 2)), v=np.zeros((0, 5, 2)), a=np.zeros((0, 5, 2)), tau=np.zeros((0, 5, 2))),
        "at least one",
    ),
]


@pytest.mark.parametrize("arguments, words", CASES, ids=[words for _, words in CASES])
def test_a_trajectory_that_cannot_be(arguments, words):
    with pytest.raises(art.ShapeError, match=words):
        art.Trajectory(**arguments)


@pytest.mark.parametrize("name", ["q", "v", "tau"])
def test_only_accelerations_may_be_a_function(name):
    usual = given()
    art.Trajectory(**{**usual, "a": lambda: usual["a"]})
    with pytest.raises(art.ShapeError, match=f"^{name} must hold real numbers"):
        art.Trajectory(**{**usual, name: lambda: usual[name]})


def test_what_does_not_move_is_not_simulated():
    rock = art.build([art.Link("rock", inertia=art.Inertia(1.0, None, np.eye(3)))], name="rock")
    with pytest.raises(art.ModelError, match="rock has no moving joint"):
        art.simulate(rock, [], [], 0.1)
    assert len(art.simulate(rock.floating(), rock.floating().neutral(), duration=0.01)) == 11


def test_unknown_frames_are_named():
    with pytest.raises(art.UnknownName, match="link22"):
        art.Trajectory(**given(forces={"link22": np.zeros((3, 5, 6))}))
    with pytest.raises(art.UnknownName, match="did you mean 'link2'"):
        rollout(art.load("2r"), 2).pose("link22")


def test_a_quaternion_must_be_one():
    run = dog(4)
    q = run.q.copy()
    q[2, 3:7] *= 0.5
    with pytest.raises(art.ShapeError, match=r"quaternion of floating_base has the length 0\.5, .* at t = 0\.002 s"):
        art.Trajectory(run.robot, run.t, q, run.v, run.a, run.tau)


def points(**changes):
    found = contacts(5)
    names = ("names", "forces", "positions", "normals", "gaps", "frictions", "states", "residual")
    return {**{name: getattr(found, name) for name in names}, **changes}


@pytest.mark.parametrize("changes, words", [
    ({"names": FEET[:3]}, r"contact\.gaps has shape \(5, 4\); for 3 points it must be \(…, T, 3\)"),
    ({"names": "FL"}, "list of names"), ({"names": [*FEET[:3], FEET[0]]}, "'FL_FOOT' twice"),
    ({"gaps": 0.0}, "gaps has shape"), ({"gaps": np.full((5, 4), np.nan)}, "gaps of FL_FOOT is nan in sample 0"),
    ({"gaps": np.full((5, 4), -np.inf)}, "gaps of FL_FOOT is -inf"),
    ({"forces": np.zeros((5, 4, 2))}, r"forces has shape \(5, 4, 2\); it must be \(5, 4, 3\)"),
    ({"forces": np.full((5, 4, 3), np.nan)}, "forces is nan"), ({"positions": np.zeros((5, 3, 3))}, "positions"),
    ({"normals": np.ones((5, 4, 3))}, "length 1.73"), ({"states": np.full((5, 4), 3)}, "0 open, 1 sticking or 2"),
    ({"states": np.full((5, 4), 0.5)}, "holds 0.5"), ({"frictions": [0.5]}, "frictions has shape"),
    ({"frictions": [-1, 0, 0, 0]}, "from 0"), ({"frictions": [np.nan] * 4}, "from 0"),
    ({"residual": np.zeros(4)}, "residual has shape"), ({"residual": np.full(5, np.nan)}, "residual is nan"),
])  # fmt: skip
def test_contacts_that_cannot_be(changes, words):
    with pytest.raises(art.ShapeError, match=words):
        art.ContactHistory(**points(**changes))


def test_far_from_any_ground_and_without_slip_are_fine():
    found = art.ContactHistory(**points(gaps=np.full((5, 4), np.inf), frictions=[np.inf, 0, 1, 2]))
    assert found.states.dtype == np.int8 and found.gaps.max() == np.inf


@pytest.mark.parametrize("index, words", [
    (5, "samples are 0 … 4"), (-6, "samples are 0 … 4"), ("a", "or a slice"),
    ((0, 1), r"run\.batch\[i\] is for the batch"),
    (slice(3, 3), r"run\[.*\]: no sample"), (slice(None, None, -1), r"run\[.*-1\)\]: time runs forward"),
    (slice("a", None), "run"), (slice(None, None, 0), "run"), (1.5, "or a slice"),
])  # fmt: skip
def test_samples_that_are_not_there(index, words):
    with pytest.raises(art.ShapeError, match=words):
        rollout(art.load("2r"), 5)[index]


@pytest.mark.parametrize("index", [3, -4, (0, 0), "a", slice(0, 0), [0, 7], np.zeros(3, bool), 1.0])
def test_members_that_are_not_there(index):
    with pytest.raises(art.ShapeError, match="batch"):
        rollout(art.load("2r"), 5, batch=(3,)).batch[index]


def test_one_run_is_no_batch():
    run = rollout(art.load("2r"), 5)
    with pytest.raises(TypeError, match="single run"):
        len(run.batch)
    with pytest.raises(art.ShapeError):
        run.batch[0]
    with pytest.raises(art.ShapeError, match="between 5 s and 6 s"):
        run.between(5, 6)
    with pytest.raises(art.ShapeError, match="between: start"):
        run.between("a", 6)
