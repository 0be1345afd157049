"""The legged robots of the catalogue have feet that touch: files keep them, and they weigh nothing."""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.contact.constraints import constraints as constrained
from articulated.simulation.contact.constraints import gaps_of, require_possible
from articulated.simulation.contact.joints import joint_rows

#: robot -> what touches, how often
FEET = {
    "quadruped": {"FL_FOOT": 1, "FR_FOOT": 1, "HL_FOOT": 1, "HR_FOOT": 1},
    "biped": {"left_ankle_roll_link": 4, "right_ankle_roll_link": 4},
    "humanoid": {"left_ankle_roll_link": 4, "right_ankle_roll_link": 4},
}
MASSES = {"quadruped": 12.0, "biped": 32.0, "humanoid": 50.0}


def lowest(robot, q, name):
    """Heights of the feet above the ground, and of everything else that touches."""
    system = constrained(robot, art.Ground(), joint_rows(robot.model), True)
    found = gaps_of(robot, system)(q[None])[0]
    feet = np.array([touch.frame in FEET[name] for touch in system.contacts])
    frames = [touch.frame for touch in system.contacts]
    assert {frame: frames.count(frame) for frame in FEET[name]} == FEET[name]
    require_possible(robot, system, q[None], np.zeros((1, robot.nv)))
    return found[feet], found[~feet]


@pytest.mark.parametrize("name", FEET)
def test_feet_touch_without_being_named_and_home_stands_on_them(name):
    robot = art.load(name, floating_base=True)
    feet, others = lowest(robot, robot.poses["home"], name)
    assert np.abs(feet).max() < 1e-12 and others.min() > 0


@pytest.mark.parametrize("name", FEET)
def test_feet_weigh_nothing(name):
    robot = art.load(name)
    plain = art.build([link.replace(shapes=()) for link in robot.links], gravity=robot.gravity, name=name)
    q, rng = robot.random(np.random.default_rng(0), (5,)), np.random.default_rng(1)
    v, a = rng.normal(size=(2, 5, robot.nv))
    assert (robot.inverse_dynamics(q, v, a) == plain.inverse_dynamics(q, v, a)).all()
    assert sum(link.inertia.mass for link in robot.links) == pytest.approx(MASSES[name])


@pytest.mark.parametrize("ending", [".toml", ".urdf", ".xml"])
@pytest.mark.parametrize("name", FEET)
def test_files_keep_the_feet(name, ending, tmp_path):
    if ending == ".xml":
        pytest.importorskip("mujoco")
    robot = art.load(name)
    art.save(robot, tmp_path / f"robot{ending}")
    again = art.load(tmp_path / f"robot{ending}", floating_base=True)
    q = art.load(name, floating_base=True).poses["home"]
    assert np.allclose(lowest(again, q, name)[0], 0, rtol=0, atol=1e-9)  # meters; a file has its digits
