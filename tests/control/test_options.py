"""Options of a whole-body law: lifted, soft, glued and redundant contacts, limits, active rows."""

import numpy as np
import pytest

import articulated as art

from ..near import near
from .standing import FEET, STANDING, balance, contacts, law, pose, robot, state, targets, tasks


def test_contacts_can_be_lifted_at_run_time(rng):
    q, v = state("solo12", rng)
    given = targets("solo12", q)
    whole = law("solo12")
    for lifted in (("FL_FOOT",), ("FR_FOOT", "HL_FOOT"), FEET):
        fewer = whole.lift(*lifted)
        made = art.WholeBody(contacts("solo12").lift(*lifted), tasks("solo12"))
        ours, theirs = fewer(q, v, **given), made(q, v, **given)
        assert near(ours.tau, theirs.tau, 1e-9) and near(ours.a, theirs.a, 1e-9)
        assert ours.active == theirs.active
        assert near(balance("solo12", q, v, ours, fewer.contacts), np.zeros(18), 1e-10)
    assert near(whole(q, v, **given).tau, law("solo12")(q, v, **given).tau, 0)


def test_redundant_contacts_are_no_trouble(rng):
    """Feet of planar legs: 12 rows of rank 10."""
    me = art.load("solo", floating_base=True)
    held = art.Contacts(me, point=FEET)
    q = me.neutral()
    q[7:] = [0.8, -1.6, 0.8, -1.6, -0.8, 1.6, -0.8, 1.6]
    done = art.WholeBody(held, [art.tasks.CenterOfMass()])(q, np.zeros(me.nv), center_of_mass=me.center_of_mass(q))
    left = me.inverse_dynamics(q, np.zeros(me.nv), done.a) - held.jacobian(q).T @ done.forces
    left[held.actuated] -= done.tau
    assert near(left, np.zeros(me.nv), 1e-9)
    assert abs(done.residuals["center_of_mass"]).max() < 1e-4


def test_active_friction_is_named(rng):
    q = pose("solo12")
    done = law("solo12", friction=0.3)(q, np.zeros(18), **targets("solo12", q, (1.0, 0, 0)))
    on_the_edge = {
        f"friction {foot}"
        for foot, f in contacts("solo12").by_contact(done.forces).items()
        if (abs(f[0]) + abs(f[1])) > 0.3 * f[2] * (1 - 1e-6) and f[2] > 1e-6
    }
    assert on_the_edge and on_the_edge <= set(done.active)


def test_a_foot_that_should_pull_is_named_unilateral():
    """The lecture's pulling foot: a body thrown to one side."""
    q = pose("solo12")
    own = law("solo12", [art.tasks.Frame("base_link", "orientation", gain=400.0)], friction=2.0)
    R = art.Transform.from_rpy([2.0, 0, 0], [0, 0, 0]).R.astype(float)
    done = own(q, np.zeros(18), base_link=R)
    empty = {f"unilateral {foot}" for foot, f in contacts("solo12").by_contact(done.forces).items() if f[2] < 1e-7}
    assert empty and empty & set(done.active)


@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_joint_limits_hold_over_the_horizon(name, rng):
    me, horizon = robot(name), 0.1
    q, v = state(name, rng, 0)
    far = me.integrate(q, np.concatenate([np.zeros(6), np.full(me.nv - 6, 4.0)]))
    own = law(name, [art.tasks.Posture(gain=400.0)], horizon=horizon, torque_limits=False)
    loose = law(name, [art.tasks.Posture(gain=400.0)], torque_limits=False)
    done, wild = own(q, v, posture=far), loose(q, v, posture=far)
    limits = np.array([b.joint.limits[:3] for b in me.model.bodies[1:]])

    def beyond(a):
        ahead, speed = q[7:] + horizon * v[6:] + horizon**2 / 2 * a[6:], v[6:] + horizon * a[6:]
        return np.maximum.reduce([limits[:, 0] - ahead, ahead - limits[:, 1], abs(speed) - limits[:, 2]]).max()

    assert beyond(done.a) <= 1e-7 < beyond(wild.a)
    assert all(
        label.split()[0] in ("position", "velocity", "friction", "unilateral", "torsion", "center")
        for label in done.active
    )
    assert any(label.split()[0] in ("position", "velocity") for label in done.active)


def test_soft_contacts_give_way_a_little(rng):
    q, v = state("solo12", rng)
    given, held = targets("solo12", q), contacts("solo12")
    moved = []
    for weight in (1.0, 1e4, 1e8):
        done = law("solo12", contact_weight=weight)(q, v, **given)
        moved.append(np.linalg.norm(held.jacobian(q) @ done.a + held.bias(q, v)))
    assert moved[0] > moved[1] > moved[2] and moved[2] < 1e-4


def test_damped_contacts_lose_their_speed(rng):
    q, v = robot("solo12").integrate(pose("solo12"), 0.1 * rng.normal(size=18)), 0.1 * rng.normal(size=18)
    held = contacts("solo12")
    done = law("solo12", contact_damping=50.0)(q, v, **targets("solo12", q))
    J = held.jacobian(q)
    assert near(J @ done.a + held.bias(q, v), -50 * J @ v, 1e-8)


def test_all_kinds_of_contact_push_and_do_not_pull(rng):
    me = robot("biped")
    mixed = art.Contacts(me, surface=["left_sole"], line={"right_sole": (0, 1, 0)})
    own = art.WholeBody(mixed, [art.tasks.Momentum()], soles={"left_sole": ((-0.05, 0.15), (-0.05, 0.05))})
    q, _ = state("biped", rng, 0)
    done = own(q, np.zeros(me.nv))
    for force in mixed.by_contact(done.forces).values():
        assert force[2] >= -1e-8 and np.hypot(*force[:2]) <= 0.6 * force[2] + 1e-6
    glued = art.WholeBody(
        art.Contacts(me, surface=STANDING["biped"][1]),
        [art.tasks.CenterOfMass()],
        glued=STANDING["biped"][1],
        torque_limits=False,
    )
    down = glued(q, np.zeros(me.nv), center_of_mass=me.center_of_mass(q) - [0, 0, 1])
    assert down.forces[2] + down.forces[8] < 0 and down.active == []


def test_a_fixed_arm_is_a_robot_too(rng):
    arm = art.load("panda")
    hand = arm.body_names[-1]
    own = art.WholeBody(
        art.Contacts(arm), [art.tasks.Frame(hand, level=0), art.tasks.Posture(level=1)], torque_limits=False
    )
    q, v = arm.random(rng), 0.1 * rng.normal(size=arm.nv)
    goal = arm.pose(q, hand)
    done = own(q, v, **{hand: goal, "posture": q})
    reached = arm.frame_acceleration(q, v, done.a, hand)
    assert near(reached, -20 * arm.jacobian(q, hand) @ v, 1e-4)
    assert near(done.tau, arm.inverse_dynamics(q, v, done.a), 1e-10)
