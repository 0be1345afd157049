"""Mistakes are refused at the door, with what would have worked."""

import numpy as np
import pytest

import articulated as art

from .standing import FEET, contacts, law, pose, robot, targets

Q, V = pose("solo12"), np.zeros(18)
POSTURE = [art.tasks.Posture()]
SOLES = ("left_sole", "right_sole")


def refused(text, kind, make):
    with pytest.raises(kind) as caught:
        make()
    assert isinstance(caught.value, art.ArticulatedError)
    assert text in str(caught.value)


MISTAKES = {
    "frame of a task": ("did you mean 'FL_FOOT'", lambda: law("solo12", [art.tasks.Frame("FL_FOTO")])),
    "what a frame follows": ("did you mean 'position'", lambda: law("solo12", [art.tasks.Frame("FL_FOOT", "positon")])),
    "joint of a posture": ("did you mean 'FL_KFE'", lambda: law("solo12", [art.tasks.Posture(joints=["FL_KFF"])])),
    "joints as a word": ("did you mean ['FL_KFE']", lambda: law("solo12", [art.tasks.Posture(joints="FL_KFE")])),
    "gain": ("gain of posture", lambda: law("solo12", [art.tasks.Posture(gain=-1)])),
    "weights": ("weight of center_of_mass", lambda: law("solo12", [art.tasks.CenterOfMass(weight=(1, 2))])),
    "no task": ("tasks are art.tasks", lambda: law("solo12", ["posture"])),
    "one name twice": ("more than one task", lambda: law("solo12", [*POSTURE, *POSTURE])),
    "friction of no foot": ("did you mean 'FL_FOOT'", lambda: law("solo12", friction={"FL_FOT": 0.5})),
    "negative friction": ("friction at FL_FOOT", lambda: law("solo12", friction=-0.5)),
    "sides": ("a whole number from 3", lambda: law("solo12", sides=2)),
    "normal": ("three numbers", lambda: law("solo12", normals={"FL_FOOT": (0, 0, 0)})),
    "no sole": ('soles={"left_sole": (length, width)}', lambda: law("biped", soles={})),
    "odd sole": ("(length, width)", lambda: law("biped", soles=dict.fromkeys(("left_sole", "right_sole"), (1, 2, 3)))),
    "torque limits": ("it is a number, (12,)", lambda: law("solo12", torque_limits=[1, 2])),
    "torque limit of no joint": ("did you mean 'FL_KFE'", lambda: law("solo12", torque_limits={"FL_KFF": 1})),
    "horizon": ("a time in seconds", lambda: law("solo12", horizon=0)),
    "regularization": ("must be positive", lambda: law("solo12", force_weight=0)),
    "robot for contacts": ("art.Contacts(robot", lambda: art.WholeBody(robot("solo12"))),
    "lifted foot": ("did you mean 'FL_FOOT'", lambda: law("solo12").lift("FL_FOT")),
    "fixed base": (
        "has a fixed base",
        lambda: art.WholeBody(art.Contacts(art.load("solo12")), [art.tasks.Frame("base_link", "orientation")]),
    ),
    "no target": ("law(q, v, posture=…)", lambda: law("solo12", POSTURE)(Q, V)),
    "unknown target": ("did you mean 'posture'", lambda: law("solo12", POSTURE)(Q, V, posture=Q, postrue=Q)),
    "size of a target": ("(19,)", lambda: law("solo12", POSTURE)(Q, V, posture=V)),
    "size of a rate": ("the rate of posture", lambda: law("solo12", POSTURE)(Q, V, posture=(Q, Q))),
    "parts of a target": ("has 4 parts", lambda: law("solo12", POSTURE)(Q, V, posture=(Q, V, V, V))),
    "no rotation": (
        "rotation matrix",
        lambda: law("solo12", [art.tasks.Frame("base_link", "orientation")])(Q, V, base_link=2 * np.eye(3)),
    ),
    "NaN": ("q holds NaN", lambda: law("solo12", POSTURE)(np.full(19, np.nan), V, posture=Q)),
    "NaN velocity": ("v holds NaN", lambda: law("solo12", POSTURE)(Q, np.full(18, np.nan), posture=Q)),
    "NaN target": ("posture holds NaN", lambda: law("solo12", POSTURE)(Q, V, posture=np.full(19, np.nan))),
    "standing": ("names of contacts", lambda: law("solo12", POSTURE)(Q, V, standing=[1, 0, 1, 1], posture=Q)),
    "weights of a call": (
        "did you mean 'posture'",
        lambda: law("solo12", POSTURE)(Q, V, weights={"postur": 1}, posture=Q),
    ),
    **{
        f"force_range {given}": ("(least, most) newtons", lambda given=given: law("solo12", force_range=given))
        for given in ((10, 5), (np.nan, 1), (50, 10), 5, (0, None), "05")
    },
    "gain as a word": ("gain of posture", lambda: law("solo12", [art.tasks.Posture(gain="high")])),
    "damping as a word": ("damping of posture", lambda: law("solo12", [art.tasks.Posture(damping="1")])),
    "level as a word": ("level of posture", lambda: law("solo12", [art.tasks.Posture(level="first")])),
    "torque limits as a word": ("torque_limits is a number", lambda: law("solo12", torque_limits="none")),
    "torque limit as a word": ("torque_limits of FL_KFE", lambda: law("solo12", torque_limits={"FL_KFE": "1"})),
    "sole as a word": ("sole of left_sole", lambda: law("biped", soles=dict.fromkeys(SOLES, "wide"))),
    "one sole for all": ("soles= maps", lambda: law("biped", soles=(0.2, 0.1))),
    "sole of a point": ("is a point contact", lambda: law("solo12", soles={"FL_FOOT": (0.1, 0.1)})),
    "width of a line": (
        "a length or (x0, x1)",
        lambda: art.WholeBody(
            art.Contacts(robot("biped"), line={"left_sole": (0, 1, 0)}), soles={"left_sole": ((0, 0.1), (0, 0.1))}
        ),
    ),
    "normal as a word": ("three numbers", lambda: law("solo12", normals={"FL_FOOT": "up"})),
    "one normal for all": ("normals= maps", lambda: law("solo12", normals=(0, 0, 1))),
    "horizon as a word": ("a time in seconds", lambda: law("solo12", horizon="0.1")),
    "weight as a word": ("force_weight is a number", lambda: law("solo12", force_weight="1")),
    "friction as a word": ("friction at FL_FOOT", lambda: law("solo12", friction="0.5")),
    "torsion without soles": ("torsion at FL_FOOT", lambda: law("solo12", torsion=-1)),
    "glued as a word": ("did you mean ['FL_FOOT']", lambda: law("solo12", glued="FL_FOOT")),
    "one task, no list": ("did you mean [art.tasks.Posture(…)]", lambda: law("solo12", art.tasks.Posture())),
    "a number of tasks": ("a list of tasks", lambda: law("solo12", 3)),
    "empty target": ("(19,)", lambda: law("solo12", POSTURE)(Q, V, posture=())),
    "ragged target": ("19 numbers", lambda: law("solo12", POSTURE)(Q, V, posture=([1, [2]], V))),
    "orientation as a word": (
        "quaternion",
        lambda: law("solo12", [art.tasks.Frame("base_link", "orientation")])(Q, V, base_link="up"),
    ),
    "momentum of three parts": (
        "it is (value, rate)",
        lambda: law("solo12", [art.tasks.Momentum()])(Q, V, momentum=(np.zeros(6),) * 3),
    ),
    "size of q": ("(…, 19)", lambda: law("solo12", POSTURE)(Q[:-1], V, posture=Q)),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused_with_what_would_have_worked(mistake):
    text, make = MISTAKES[mistake]
    refused(text, (ValueError, KeyError), make)


@pytest.mark.parametrize("options", [
    {"friction": np.float32(0.5)},
    {"friction": np.int64(1)},
    {"friction": {"FL_FOOT": np.float32(0.5)}},
    {"sides": np.int64(6)},
    {"force_weight": np.float32(1e-3), "torque_weight": np.int64(1), "contact_damping": np.float32(1)},
    {"horizon": np.float32(0.5)},
    {"force_range": np.array([0, 500])},
    {"force_range": (5, np.inf)},
])  # fmt: skip
def test_numbers_of_numpy_are_numbers(options):
    plain = {
        name: {foot: float(x) for foot, x in given.items()} if isinstance(given, dict)
        else tuple(map(float, given)) if np.ndim(given)
        else int(given) if name == "sides"
        else float(given)
        for name, given in options.items()
    }  # fmt: skip
    ours, theirs = (law("solo12", **given)(Q, V, **targets("solo12", Q)) for given in (options, plain))
    assert abs(ours.tau - theirs.tau).max() < 1e-9


def test_a_law_says_what_it_is():
    assert repr(law("solo12").lift("HR_FOOT")) == (
        f"<WholeBody of solo: on {', '.join(FEET[:3])}; center_of_mass, posture, base>"
    )
    assert set(law("solo12")(Q, V, **targets("solo12", Q)).residuals) == {"center_of_mass", "posture", "base"}
    assert contacts("solo12").names == list(FEET)


def test_a_hand_is_not_led_by_nan():
    arm = art.load("panda")
    hand, q = arm.frame_names[-1], arm.neutral()
    law, here = art.CartesianImpedance(arm, hand, 100, 10, follows="position"), arm.pose(q, hand)[:3, 3]
    for state in ((np.full(7, np.nan), here), (np.zeros(7), here * np.nan)):
        with pytest.raises(art.ArticulatedError, match="NaN"):
            law(q, *state)


def test_nothing_holds_a_force_without_stiffness():
    arm = art.load("2r")
    with pytest.raises(art.ArticulatedError, match="nonsingular stiffness"):
        art.Impedance(arm, [1.0, 0.0], 1.0).error_dynamics(arm.neutral()).deflection([1.0, 1.0])


def test_a_law_names_what_is_not_finite_and_what_is_too_large():
    """Squares of velocities overflow long before they are infinite."""
    dog = art.load("quadruped", floating_base=True)
    feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    law, q, still = art.WholeBody(feet, [art.tasks.CenterOfMass()]), dog.neutral(), np.zeros(dog.nv)
    com = dog.center_of_mass(q)
    cases = [
        (still + 1e160, com, "v holds .* too large"),
        (still * np.nan, com, "v holds NaN or infinity"),
        (still, com + 1e200, "center_of_mass holds .* too large"),
        (still, com + np.inf, "center_of_mass holds NaN or infinity"),
        (still + np.inf, com + np.nan, "v holds NaN or infinity"),
    ]
    for v, target, words in cases:
        with pytest.raises(art.ShapeError, match=words):
            law(q, v, center_of_mass=target)
    with pytest.raises(art.ShapeError, match="quaternion of zeros in q"):
        law(0 * q, still, center_of_mass=com)
    arm = art.load("ur5")
    held = art.CartesianImpedance(arm, "tool0", 100, 20)
    for v, words in ((1e308, "v holds .* too large"), (np.nan, "v holds NaN or infinity")):
        with pytest.raises(art.ShapeError, match=words):
            held(np.ones(6), np.full(6, v), arm.pose(np.ones(6), "tool0"))
