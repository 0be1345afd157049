"""Programs without a solution say which constraints exclude each other, and by how much they would have to give."""

import numpy as np
import pytest

import articulated as art
from articulated.control import infeasible, whole_body

from .standing import FEET, law, pose, robot, targets

JOINTS = ("FL_HAA", "FL_HFE", "FL_KFE")


def bent_too_far(joint: int = 2, by: float = 0.15) -> np.ndarray:
    q = pose("quadruped")
    q[7 + joint] = robot("quadruped").model.bodies[1 + joint].joint.limits.lower - by
    return q


def test_a_joint_that_cannot_get_back_in_time_is_named():
    q, v = bent_too_far(), np.zeros(18)
    with pytest.raises(art.Infeasible) as caught:
        law("quadruped", horizon=0.02, torque_limits=5.0)(q, v, **targets("quadruped", q))
    joint = robot("quadruped").joint_names[3]
    assert f"joint limit {joint}" in caught.value.conflict
    assert any(name.startswith("torque limit") for name in caught.value.conflict)
    assert joint in str(caught.value) and "rad/s²" in str(caught.value)


def test_position_and_velocity_limits_that_exclude_each_other_are_said():
    q, v = bent_too_far(by=2.0), np.zeros(18)
    with pytest.raises(art.Infeasible) as caught:
        law("quadruped", horizon=0.02, torque_limits=False)(q, v, **targets("quadruped", q))
    joint = robot("quadruped").joint_names[3]
    assert caught.value.conflict == (f"position limit {joint}", f"velocity limit {joint}")
    assert set(caught.value.relaxation) == {f"joint limit {joint}"}


def test_the_relaxation_is_enough_and_half_of_it_is_not():
    q, v = pose("quadruped"), np.zeros(18)
    names, own = robot("quadruped").joint_names[1:], {"force_range": (400.0, np.inf), "horizon": None}
    limits = dict.fromkeys(names, 3.0)
    given = targets("quadruped", q)
    with pytest.raises(art.Infeasible) as caught:
        law("quadruped", torque_limits=limits, **own)(q, v, **given)
    found = caught.value.relaxation
    assert found

    def relaxed(part: float):
        torques = {name: 3.0 + part * found.get(f"torque limit {name}", 0.0) for name in names}
        give = {name: part * amount for name, amount in found.items() if name.startswith("unilateral")}
        least = 400.0 - min((give.get(f"unilateral {foot}", 0.0) for foot in FEET), default=0.0)
        return law("quadruped", torque_limits=torques, force_range=(least, np.inf))(q, v, **given)

    assert relaxed(1.001).tau.shape == (12,)
    with pytest.raises(art.Infeasible):
        relaxed(0.5)


def test_the_conflict_is_one_and_no_part_of_it_is(monkeypatch):
    """All groups of a conflict together cannot hold; without any one of them the others can."""
    q, v = bent_too_far(), np.zeros(18)
    own, asked = law("quadruped", horizon=0.02, torque_limits=5.0), []
    monkeypatch.setattr(whole_body, "explained", lambda *rows: asked.append(rows) or infeasible.explained(*rows))
    with pytest.raises(art.Infeasible) as caught:
        own(q, v, **targets("quadruped", q))
    ((layout, A, lower, upper),) = asked
    G = np.concatenate([np.eye(layout.bounded, layout.n), A])

    def can_hold(names):
        rows = np.isin(layout.groups, ["dynamics", *names])
        return infeasible._can_hold(G[rows], lower[rows], upper[rows])

    conflict = caught.value.conflict
    assert not can_hold(conflict)
    for name in conflict:
        assert can_hold([other for other in conflict if other != name])


def test_contacts_that_contradict_each_other_are_named(rng):
    """Planar legs: 12 rows of rank 10, and a velocity with which no acceleration keeps all feet where they are."""
    me = art.load("solo", floating_base=True)
    held = art.Contacts(me, point=FEET)
    q = me.neutral()
    q[7:] = [0.8, -1.6, 0.8, -1.6, -0.8, 1.6, -0.8, 1.6]
    with pytest.raises(art.Infeasible) as caught:
        art.WholeBody(held, [art.tasks.Momentum()])(q, rng.normal(size=me.nv))
    assert set(caught.value.conflict) <= {f"contact {foot}" for foot in FEET} and len(caught.value.conflict) >= 2


def test_an_infeasible_law_is_a_value_error():
    assert issubclass(art.Infeasible, art.ArticulatedError) and issubclass(art.Infeasible, ValueError)
