"""The largest effort at every coordinate is the largest that MuJoCo gives there, whatever its motors are asked for."""

from itertools import product

import mujoco
import numpy as np
import pytest

import articulated as art

from .mjcf_models import flag, tendon, two

pytestmark = pytest.mark.filterwarnings("ignore::articulated.ModelWarning")  # robots with known findings

GEAR = '<equality><joint joint1="k" joint2="j" polycoef="0 {} 0 0 0"/></equality>'


def motors(**forces):
    """By joint: its forcerange, each in a group of its own."""
    given = [
        f'<motor joint="{joint}" gear="{1 if joint == "j" else -0.5}" forcerange="-{force} {force}" group="{group}"/>'
        for group, (joint, force) in enumerate(forces.items(), start=1)
    ]
    return f"<actuator>{''.join(given)}</actuator>"


def largest(text, factor):
    """The largest generalized force at the leader that any full use of the motors gives in MuJoCo."""
    model = mujoco.MjModel.from_xml_string(text)
    found = 0.0
    for signs in product((-1e3, 1e3), repeat=model.nu):
        data = mujoco.MjData(model)
        data.ctrl[:] = signs
        mujoco.mj_forward(model, data)
        found = max(found, abs(data.qfrc_actuator @ [1.0, factor]))
    return found


@pytest.mark.parametrize("factor", [2.0, -0.25, 0.0])
@pytest.mark.parametrize("ranges", [("", ""), ('actuatorfrcrange="-1 1"', 'actuatorfrcrange="-0.5 0.5"')])
@pytest.mark.parametrize("option", [
    "", '<option actuatorgroupdisable="1"/>', '<option actuatorgroupdisable="1 2"/>', flag('actuation="disable"'),
])  # fmt: skip
@pytest.mark.parametrize("forces", [{"j": 1, "k": 3}, {"k": 3}, {"j": 4}], ids=str)
def test_a_leader_has_the_motors_of_its_followers(factor, ranges, option, forces):
    text = two(GEAR.format(factor) + motors(**forces), *ranges, option=option)
    if forces.keys() == {"k"} and not factor:
        pytest.skip("no motor acts on the leader: nothing says how strong it is")
    assert art.load(text).limits.effort.tolist() == [pytest.approx(largest(text, factor), abs=1e-12)]


@pytest.mark.parametrize("option", ['<option actuatorgroupdisable="1"/>', flag('actuation="disable"')])
def test_a_motor_that_is_off_gives_nothing_and_is_noted(option):
    robot = art.load(two(motors(j=10), option=option))
    assert robot.limits.effort.tolist() == [0.0, np.inf]
    assert [d.severity for d in robot.report if d.code == "MJCF025"] == ["note"]


def test_ranges_without_motors_are_those_of_each_joint():
    """As files written here have them: they come back as they were."""
    text = two(GEAR.format(2), 'actuatorfrcrange="-7 7"', 'actuatorfrcrange="-5 5"')
    assert [k.joint.limits.effort for k in art.load(text).links[1:]] == [7, 5]


def test_a_motor_on_a_follower_through_a_tendon():
    text = two(GEAR.format(-3) + tendon("", "k:2") + '<actuator><motor tendon="t" forcerange="-1 1"/></actuator>')
    assert art.load(text).limits.effort.tolist() == [6.0] == [largest(text, -3)]


@pytest.mark.parametrize(("qpos", "noted"), [(".1 .9", True), (".1 .2", False), (".1 .20001", False)])
def test_a_keyframe_that_contradicts_an_equality_is_noted(qpos, noted):
    text = two(f'{GEAR.format(2)}<keyframe><key name="home" qpos="{qpos}"/></keyframe>')
    robot = art.load(text)
    assert robot.poses["home"].tolist() == [0.1]
    said = [d.text for d in robot.report if d.code == "MJCF026"]
    assert said == (["keyframe 'home': 'k' is at 0.9, and follows 'j' to 0.2"] if noted else [])


@pytest.mark.parametrize("what", ['stiffness="3" springlength="0 1"', 'range="0 1"'])
def test_what_a_tendon_on_one_joint_has_is_not_said_to_be_on_several(what):
    finding = next(d for d in art.load(two(tendon(what, "j:1"))).report if d.code == "MJCF020")
    assert "on several joints" not in finding.why and "with one length" in finding.why
