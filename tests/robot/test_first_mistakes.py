"""First mistakes of newcomers are answered with what to write: words of other libraries, arguments in a wrong order."""

import copy
import pickle
import re

import numpy as np
import pytest

import articulated as art
from articulated.robot.foreign_names import OF_A_ROBOT, OF_THE_PACKAGE

PANDA = art.load("panda")


def test_words_of_other_libraries_say_what_to_write():
    with pytest.raises(AttributeError, match=r"no attribute 'rnea'; here it is robot\.inverse_dynamics"):
        PANDA.rnea  # noqa: B018
    with pytest.raises(AttributeError, match=re.escape("art.load")):
        art.buildModelFromUrdf  # noqa: B018
    assert [word for word in OF_A_ROBOT if hasattr(PANDA, word)] == [], "it is ours"


def test_what_is_written_instead_exists():
    for text in {*OF_A_ROBOT.values(), *OF_THE_PACKAGE.values()}:
        names = re.findall(r"\b(robot|art)\.(\w+)", text.replace("robot.urdf", ""))
        assert names or "arrays" in text, text
        assert all(hasattr(PANDA if owner == "robot" else art, name) for owner, name in names), text
        for method in re.findall(r'derivatives\("(\w+)"\)', text):
            PANDA.derivatives(method)


def test_a_misspelt_method_is_guessed():
    with pytest.raises(AttributeError, match="did you mean 'inverse_dynamics'"):
        PANDA.invers_dynamics  # noqa: B018
    with pytest.raises(AttributeError, match=re.escape("here it is robot.poses['home']")):
        PANDA.poses.home  # noqa: B018


def test_robots_and_poses_are_copied_all_the_same():
    for made in (copy.copy(PANDA), copy.deepcopy(PANDA), pickle.loads(pickle.dumps(PANDA))):
        assert np.array_equal(made.poses["home"], PANDA.poses["home"])
    assert np.array_equal(copy.deepcopy(PANDA.poses)["home"], PANDA.poses["home"])
    assert not hasattr(PANDA, "__array__") and getattr(PANDA, "no_such_thing", 3) == 3


def test_a_robot_is_loaded():
    with pytest.raises(TypeError, match=r"art\.load, art\.build or art\.from_dh; got 'panda'"):
        art.Robot("panda")


def test_arguments_the_wrong_way_round():
    with pytest.raises(art.UnknownName, match=r"no frame \[0, 0.* A frame is given by its name: pose\(q, frame\)"):
        PANDA.pose("panda_hand", [0] * 7)


def test_a_position_where_a_placement_is_asked_for():
    with pytest.raises(art.ModelError, match=r"did you mean art\.Transform\(p=\[0, 0, 0\.1\]\)"):
        PANDA.add_frame("tip", "panda_hand", [0, 0, 0.1])


def test_a_rotation_is_not_taken_for_three_positions():
    with pytest.raises(art.ShapeError, match=r"is a rotation: write art\.Orientation"):
        PANDA.inverse_kinematics({"panda_hand": np.eye(3)})
    places = PANDA.pose(PANDA.random(0, (3,)), "panda_hand")[:, :3, 3]
    assert PANDA.inverse_kinematics({"panda_hand": places}).success.shape == (3,)
    assert PANDA.inverse_kinematics({"panda_hand": np.eye(3)[:, None]}, restarts=2).q.shape == (3, 1, 7)


def test_directions_as_letters():
    q = PANDA.poses["home"]
    assert PANDA.manipulability(q, "panda_hand", directions="xyz") == PANDA.manipulability(
        q, "panda_hand", directions=["x", "y", "z"]
    )


# -- what computes, and is hardly meant -------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        lambda arm: arm.mass_matrix([0, -45, 0, -135, 0, 90, 45]),
        lambda arm: arm.pose(np.full((2, 3, 7), 90.0), "panda_hand"),
    ],
)
def test_degrees_are_remarked_on_once(asked):
    arm = art.load("panda").replace(name="arm")
    with pytest.warns(art.ModelWarning, match=r"turns: is q in degrees\? np.radians"):
        asked(arm)
    asked(arm)


def test_a_simulation_that_starts_in_degrees_is_remarked_on():
    with pytest.warns(art.ModelWarning, match="is q in degrees"):
        art.simulate(PANDA, [0, -45, 0, -135, 0, 90, 45], duration=0.001, limits=False)


def test_without_limits_whole_numbers_of_a_single_state_are_remarked_on():
    with pytest.warns(art.ModelWarning, match="is q in degrees"):
        art.load("2r").replace(name="arm").mass_matrix([90, 45])
    with pytest.warns(art.ModelWarning, match="is q in degrees") as told:
        art.simulate(art.load("2r"), [90, 45], duration=0.001)
    assert told[0].filename == __file__
    art.load("2r").replace(name="arm").mass_matrix([90.1, 45.0])  # it may have turned for long


@pytest.mark.parametrize("q", [[0, -0.8, 0, -2.3, 0, 1.6, 0.8], [6.9] * 7, [1e4] * 7, [np.nan] * 7])
def test_radians_and_nonsense_are_not_taken_for_degrees(q):
    art.load("panda").replace(name="arm").gravity_forces(q)


def test_feet_of_a_robot_whose_base_is_bolted_down_are_remarked_on():
    feet = ["FL_FOOT", "FR_FOOT"]
    with pytest.warns(art.ModelWarning, match="floating_base=True"):
        art.Contacts(art.load("quadruped"), point=feet)
    art.Contacts(art.load("quadruped", floating_base=True), point=feet)
    art.Contacts(art.load("panda"), point=["panda_hand"])


def test_no_body_has_negative_mass():
    with pytest.raises(art.ModelError, match="mass must not be negative; got -1 kg"):
        art.Inertia(-1.0)
