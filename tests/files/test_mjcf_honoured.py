"""Flags, tendons, actuators and equalities of an MJCF file are in the numbers, or a finding."""

import mujoco
import numpy as np
import pytest

import articulated as art
from articulated.files.description import FileError

from .mjcf_models import HONORED, flag, one, tendon, two

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings


def inverse(model, q, v, a):
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
    mujoco.mj_inverse(model, data)
    return data.qfrc_inverse


def mass_matrix(model, q):
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_fwdPosition(model, data)
    columns = np.zeros((model.nv, model.nv))
    for column, unit in zip(columns, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    return columns.T


@pytest.mark.parametrize("what", HONORED)
def test_what_is_honored_is_in_the_numbers(what, rng):
    robot, model = art.load(HONORED[what]), mujoco.MjModel.from_xml_string(HONORED[what])
    q, v, a = rng.uniform(-1, 1, (3, model.nv))
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, a), inverse(model, q, v, a), atol=1e-12)
    np.testing.assert_allclose(robot.mass_matrix(q), mass_matrix(model, q), atol=1e-12)
    assert not [d for d in robot.report if d.severity != "note"]


def test_friction_is_off_where_mujoco_has_none():
    rubbing = two(tendon('frictionloss="3"', "k:-2"), first='frictionloss="1"')
    assert [b.friction for b in art.load(rubbing).model.bodies] == [1, 6]
    for off in ('frictionloss="disable"', 'constraint="disable"'):
        smooth = two(tendon('frictionloss="3"', "k:-2"), first='frictionloss="1"', option=flag(off))
        assert [b.friction for b in art.load(smooth).model.bodies] == [0, 0]


def test_limits_are_off_where_mujoco_has_none():
    limited = {"first": 'range="-10 20"'}
    assert art.load(two(**limited)).links[1].joint.limits.upper == pytest.approx(np.deg2rad(20))
    assert art.load(two(**limited, option=flag('limit="disable"'))).links[1].joint.limits.upper == np.inf


@pytest.mark.parametrize(("rest", "joint", "effort"), [
    ("", 'actuatorfrcrange="-3 3"', 3),
    ("", 'actuatorfrcrange="-1 3"', 3),
    ('<actuator><motor joint="j" gear="-5" forcerange="-2 3"/></actuator>', "", 15),
    ('<actuator><motor joint="j" gear="5" ctrlrange="-1 1"/></actuator>', "", 5),
    ('<actuator><motor joint="j" gear="5" ctrlrange="-1 1"/></actuator>', 'actuatorfrcrange="-3 3"', 3),
    ('<actuator><motor joint="j" forcerange="-2 2"/><motor joint="j" forcerange="-1 1"/></actuator>', "", 3),
    ('<actuator><motor joint="j" forcerange="-2 2"/><position joint="j" kp="9"/></actuator>', "", np.inf),
    ('<actuator><position joint="j" kp="9" ctrlrange="-1 1"/></actuator>', "", np.inf),
    (f'{tendon("", "j:2")}<actuator><motor tendon="t" gear="3" forcerange="-1 1"/></actuator>', "", 6),
])  # fmt: skip
def test_the_largest_torque_is_a_limit(rest, joint, effort):
    robot = art.load(one(joint=joint, rest=rest))
    assert robot.links[1].joint.limits.effort == effort
    # MuJoCo gives no more, whatever is asked of it
    model = mujoco.MjModel.from_xml_string(one(joint=joint, rest=rest))
    data = mujoco.MjData(model)
    data.ctrl[:] = 1e3 if model.nu and effort < np.inf else 0
    mujoco.mj_forward(model, data)
    assert abs(data.qfrc_actuator[0]) <= effort


GEARED = two(
    '<equality><joint joint1="k" joint2="j" polycoef="0.1 -2 0 0 0"/></equality>', 'ref="20"', 'ref="0.3"',
)  # fmt: skip


def test_a_joint_equality_is_a_mimic_joint(rng):
    robot, model = art.load(GEARED), mujoco.MjModel.from_xml_string(GEARED)
    assert robot.joint_names == ["j"] and robot.nv == 1
    q, v, a = rng.uniform(-1, 1, (3, 1))
    G = np.array([1.0, -2.0])
    q0 = model.qpos0
    there = np.array([q[0], q0[1] + 0.1 - 2 * (q[0] - q0[0])])
    data = mujoco.MjData(model)
    data.qpos[:] = there
    mujoco.mj_forward(model, data)
    assert abs(data.efc_pos[: data.ne]).max() < 1e-12  # the constraint holds
    np.testing.assert_allclose(robot.mass_matrix(q), [[G @ mass_matrix(model, there) @ G]], atol=1e-12)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EQUALITY
    expected = G @ inverse(model, there, G * v, G * a)
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, a), [expected], atol=1e-12)


@pytest.mark.parametrize("off", ["", 'equality="disable"', 'constraint="disable"'])
def test_only_active_equalities_are_gears(off):
    gear = '<equality><joint joint1="k" joint2="j" active="{}"/></equality>'
    assert art.load(two(gear.format("true"), option=flag(off))).nv == (2 if off else 1)
    assert art.load(two(gear.format("false"), option=flag(off))).nv == 2


def test_equalities_in_a_circle_follow_once():
    circle = "".join(f'<joint joint1="{a}" joint2="{b}"/>' for a, b in ("kj", "jk", "kj"))
    robot = art.load(two(f"<equality>{circle}</equality>"))
    assert robot.joint_names == ["j"] and [d.code for d in robot.report].count("MJCF011") == 2


def test_mujoco_is_quiet(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for text in (one('pos="nan 0 0"'), one(joint='armature="-1"'), "<mujoco><bad/></mujoco>"):
        with pytest.raises(FileError):
            art.load(text)
    assert "NaN" in art.load(one(rest='<custom><numeric name="n" data="nan"/></custom>')).report[0].text
    assert list(tmp_path.iterdir()) == [] and capfd.readouterr() == ("", "")
    assert mujoco.get_mju_user_warning() is None


def test_an_included_file_counts(tmp_path):
    copies = '<mujocoinclude><replicate count="100000"><geom size="0.1"/></replicate></mujocoinclude>'
    (tmp_path / "part.xml").write_text(copies)
    (tmp_path / "robot.xml").write_text(
        '<mujoco><worldbody><body><joint/><include file="part.xml"/></body></worldbody></mujoco>'
    )
    with pytest.raises(FileError, match="elements, copies included: more than 20000"):
        art.load(tmp_path / "robot.xml")
