"""Mistakes are refused at the door, with what would have worked."""

import sys

import numpy as np
import pytest

import articulated as art

from .standing import FEET, contacts, law, pose, robot, targets

Q, V = pose("solo12"), np.zeros(18)
POSTURE = [art.tasks.Posture()]


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
    "sides": ("at least 3 sides", lambda: law("solo12", sides=2)),
    "normal": ("three numbers", lambda: law("solo12", normals={"FL_FOOT": (0, 0, 0)})),
    "no sole": ('soles={"left_sole": (length, width)}', lambda: law("biped", soles={})),
    "odd sole": ("(length, width)", lambda: law("biped", soles=dict.fromkeys(("left_sole", "right_sole"), (1, 2, 3)))),
    "torque limits": ("it is a number, (12,)", lambda: law("solo12", torque_limits=[1, 2])),
    "torque limit of no joint": ("did you mean 'FL_KFE'", lambda: law("solo12", torque_limits={"FL_KFF": 1})),
    "horizon": ("a time in seconds", lambda: law("solo12", horizon=0)),
    "regularisation": ("must be positive", lambda: law("solo12", force_weight=0)),
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
    "NaN target": ("a target holds NaN", lambda: law("solo12", POSTURE)(Q, V, posture=np.full(19, np.nan))),
    "batch": ("one state", lambda: law("solo12", POSTURE)(np.tile(Q, (3, 1)), V, posture=Q)),
    "size of q": ("(…, 19)", lambda: law("solo12", POSTURE)(Q[:-1], V, posture=Q)),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused_with_what_would_have_worked(mistake):
    text, make = MISTAKES[mistake]
    refused(text, (ValueError, KeyError), make)


def test_without_the_solver_the_command_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "daqp", None)
    refused("pip install 'articulated[qp]'", ImportError, lambda: law("solo12", POSTURE))


def test_a_law_says_what_it_is():
    assert repr(law("solo12").lift("HR_FOOT")) == (
        f"<WholeBody of solo: on {', '.join(FEET[:3])}; center_of_mass, posture, base>"
    )
    assert set(law("solo12")(Q, V, **targets("solo12", Q)).residuals) == {"center_of_mass", "posture", "base"}
    assert contacts("solo12").names == list(FEET)
