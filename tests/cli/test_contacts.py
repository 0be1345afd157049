"""`articulated contacts`: ranks and standing torques."""

import numpy as np
import pytest

import articulated as art

from .command import run

BENT = "0 0 0 0 0 0 1 0.1 0.8 -1.6 -0.1 0.8 -1.6 0.1 -0.8 1.6 -0.1 -0.8 1.6"


def test_standing_on_four_feet():
    done = run("contacts", "quadruped", "--q", BENT)
    assert done.code == 0 and "feet: FL_FOOT, FR_FOOT, HL_FOOT, HR_FOOT" in done.err
    assert "over-actuated" in done.out and "HR_KFE" in done.out


def test_json_holds_the_numbers_of_the_library():
    done = run("contacts", "quadruped", "--feet", "FL_FOOT,HR_FOOT", "--q", BENT, "--json").json
    robot = art.load("quadruped", floating_base=True)
    held = art.Contacts(robot, point=["FL_FOOT", "HR_FOOT"])
    found = held.inverse_dynamics(done["q"], np.zeros(18), np.zeros(18))
    assert (done["k"], done["internal"], done["uncontrollable"], done["actuation"]) == (6, 1, 1, "under")
    assert list(done["standing"]["tau"].values()) == found.tau.tolist()
    assert done["standing"]["forces"]["HR_FOOT"] == found.forces[3:].tolist()
    assert done["rows"] == held.rows and done["standing"]["feasible"]


def test_a_free_joint_of_mjcf_is_a_floating_base(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "free.xml").write_text(
        '<mujoco><worldbody><body name="trunk"><freejoint name="root"/><geom size="0.1" mass="2"/>'
        '<body name="left_foot" pos="0 0.1 -0.3"><joint name="hip" axis="0 1 0"/><geom size="0.05" mass="0.5"/></body>'
        "</body></worldbody></mujoco>"
    )
    done = run("contacts", str(tmp_path / "free.xml"), "--json").json
    assert len(done["q"]) == 8 and done["uncontrollable"] == 3 and done["contacts"] == ["left_foot"]


def test_lifting_by_how_a_name_begins():
    assert run("contacts", "quadruped", "--lift", "FR", "--json").json["contacts"] == ["FL_FOOT", "HL_FOOT", "HR_FOOT"]


def test_falling_is_said():
    done = run("contacts", "quadruped", "--feet", "FL_FOOT", "--q", BENT)
    assert done.code == 1 and "no contact forces hold the robot still" in done.err


def test_flat_feet():
    done = run("contacts", "biped", "--surface", "--lift", "right", "--json").json
    assert (done["k"], done["actuation"]) == (6, "fully") and len(done["standing"]["forces"]["left_sole"]) == 6


def test_every_subset_in_a_table():
    done = run("contacts", "quadruped", "--table", "--q", BENT, "--json").json["subsets"]
    counted = {(len(row["feet"]), row["constraints"], row["internal"], row["uncontrollable"]) for row in done}
    assert len(done) == 16 and counted == {(0, 0, 0, 6), (1, 3, 0, 3), (2, 6, 1, 1), (3, 9, 3, 0), (4, 12, 6, 0)}
    assert run("contacts", "quadruped", "--table").out.count("\n") == 17


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["quadruped", "--feet", "FL_FOT"], "did you mean 'FL_FOOT'"),
        (["quadruped", "--lift", "F"], "more than one of"),
        (["quadruped", "--lift", "X"], "none of"),
        (["panda"], "no frame of panda is called a foot"),
        (["quadruped", "--q", "nan"], "nan"),
    ],
)
def test_mistakes_are_messages(words, says):
    done = run("contacts", *words)
    assert done.code == 3 and says in done.err and "Traceback" not in done.err
