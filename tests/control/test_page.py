"""The page on control, read from its beginning to its end."""

import re
from pathlib import Path

import numpy as np
import pytest

import articulated as art

from .standing import contacts, law, pose, targets

PAGE = Path(__file__).parents[2] / "docs" / "control.md"


def test_the_blocks_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # one draws a picture
    names = {"art": art, "np": np}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S):
        exec(compile(block, str(PAGE), "exec"), names)


def test_a_foot_whose_friction_is_not_said_has_the_usual():
    q = pose("solo12")
    given = targets("solo12", q, (1.0, 0, 0))
    one = law("solo12", friction={"FL_FOOT": 0.3})(q, np.zeros(18), **given)
    said = dict.fromkeys(contacts("solo12").names, 0.6) | {"FL_FOOT": 0.3}
    assert abs(one.tau - law("solo12", friction=said)(q, np.zeros(18), **given).tau).max() < 1e-9


@pytest.mark.parametrize("side", [1, -1])
def test_a_direction_contact_pushes_along_its_direction_only(side):
    arm = art.load("panda")
    hand, q = arm.body_names[-1], np.array([0.1, 0.3, -0.2, -1.5, 0.1, 1.2, 0.3])
    wall = art.Contacts(arm, direction={hand: (side, 0, 0)})
    free = art.WholeBody(wall, [art.tasks.Posture(target=q)], torque_weight=1.0, torque_limits=False, glued=[hand])
    done = art.WholeBody(wall, free.tasks, torque_weight=1.0, torque_limits=False)(q, np.zeros(7))
    wished = free(q, np.zeros(7)).forces[0]
    assert abs(wished) > 1 and abs(done.forces[0] - max(wished, 0)) < 1e-6 * abs(wished)


def test_impedance_leans_on_a_wall_unless_forces_have_a_price():
    arm = art.load("panda")
    hand, q, v = arm.body_names[-1], np.array([0.1, 0.3, -0.2, -1.5, 0.1, 1.2, 0.3]), np.zeros(7)
    wall = art.Contacts(arm, direction={hand: (-1, 0, 0)})
    done = art.Impedance(wall, 10.0, 1.0)(q, v, q)
    assert np.linalg.norm(done.tau) < np.linalg.norm(arm.inverse_dynamics(q, v, v)) - 1e-3
    priced = wall.inverse_dynamics(q, v, v, force_weight=1e6)
    assert abs(priced.forces).max() < 1e-3 < abs(wall.inverse_dynamics(q, v, v).forces).max()
    held = wall.inverse_dynamics(q, v, v, tau0=arm.inverse_dynamics(q, v, v))
    assert abs(held.forces).max() < 1e-6
