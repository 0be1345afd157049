"""PD, and laws with a reference."""

import numpy as np
import pytest

import articulated as art

from .standing import FEET, contacts
from .standing import robot as standing_robot


@pytest.mark.parametrize("name", ["2r", "ur5", "tree9"])
def test_pd_is_springs_dampers_and_weight(name, rng):
    robot = art.load(name)
    q, v, q_ref, v_ref = (*robot.random(rng, (2, 5)), *rng.normal(size=(2, 5, robot.nv)))
    Kp, Kd = rng.uniform(1, 50, (2, robot.nv))
    springs = Kp * robot.difference(q, q_ref) + Kd * (v_ref - v)
    found = art.PD(robot, Kp, Kd)(q, v, q_ref, v_ref)
    assert np.allclose(found.tau, springs + robot.gravity_forces(q), rtol=1e-12, atol=1e-10)
    assert np.allclose(art.PD(robot, Kp, Kd, gravity=False)(q, v, q_ref, v_ref).tau, springs, rtol=1e-12, atol=1e-12)


def test_two_controllers_of_one_robot_do_not_share_their_code():
    arm = art.load("2r")
    ends = [
        art.simulate(arm, [0, 0], duration=3.0, torque=art.PD(arm, Kp, 20).towards(target)).q[-1]
        for Kp, target in ((100, [0.3, 0.1]), (100, [-0.3, 0.1]), (200, [-0.3, 0.1]))
    ]
    assert np.allclose(ends[0], [0.3, 0.1], atol=1e-2) and np.allclose(ends[1], [-0.3, 0.1], atol=1e-2)
    assert (ends[1] != ends[2]).any()


def test_a_batch_goes_to_one_reference(rng):
    arm = art.load("2r")
    towards = art.ComputedTorque(arm, 100, 20).towards([0.2, -0.1])
    q0 = rng.uniform(-1, 1, (4, 2))
    run = art.simulate(arm, q0, duration=0.1, torque=towards)
    for k in range(4):
        assert (art.simulate(arm, q0[k], duration=0.1, torque=towards).q == run.q[k]).all()


def test_a_hand_goes_where_it_shall():
    arm = art.load("panda")
    home, hand = arm.poses["home"], "panda_hand"
    wanted = arm.pose(home, hand)[:3, 3] + [0.02, 0, 0.03]
    law = art.CartesianImpedance(arm, hand, 400, 40, follows="position")
    run = art.simulate(arm, home, duration=0.6, dt=2e-3, torque=law.towards(wanted))
    before, after = (np.linalg.norm(arm.pose(q, hand)[:3, 3] - wanted) for q in (home, run.q[-1]))
    assert after < 0.1 * before


def test_a_quadruped_stands_on_its_contacts():
    dog = standing_robot("quadruped")
    home = dog.poses["home"]
    towards = art.PD(contacts("quadruped"), 40, 2).towards(home)
    assert towards.on_scalars is None and not towards(0.0, home, np.zeros(dog.nv))[:6].any()
    run = art.simulate(dog, home, duration=0.1, torque=towards, contacts=art.Ground(feet=dict.fromkeys(FEET, 0.02)))
    assert np.abs(run.q - home).max() < 1e-3 and (run.contact.states[-1] == 1).all()


@pytest.mark.parametrize("make, words", [
    (lambda arm: art.PD(arm, -1, 1), "negative eigenvalue"), (lambda arm: art.PD(arm, [1, 2, 3], 1), "stiffness is"),
    (lambda arm: art.PD(arm, 1, np.nan), "damping is"), (lambda arm: art.PD(arm, 1, 1, gravity=1), "True or False"),
    (lambda arm: art.PD("2r", 1, 1), "takes a robot"), (lambda arm: art.PD(arm.floating(), 1, 1), "floating base"),
    (lambda arm: art.PD(arm, 1, 1).towards([1, 2, 3]), "q_ref"), (lambda arm: art.PD(arm, 1, 1).towards(()), "0 parts"),
    (lambda arm: art.PD(arm, 1, 1).towards("home"), "q_ref"),
    (lambda arm: art.PD(arm, 1, 1).towards(([0, 0], [0])), "v_ref"),
])  # fmt: skip
def test_bad_laws(make, words):
    with pytest.raises(art.ArticulatedError, match=words):
        make(art.load("2r"))


def test_a_reference_of_the_wrong_size_is_found_in_the_run():
    arm = art.load("2r")
    for reference in (lambda t: [1.0, 2.0, 3.0], art.traced(lambda t: [t, t, t])):
        with pytest.raises(art.ShapeError, match="q_ref"):
            art.simulate(arm, [0, 0], torque=art.PD(arm, 1, 1).towards(reference))


def test_the_controller_of_another_robot():
    with pytest.raises(art.ShapeError, match="the controller is for"):
        art.simulate(art.load("3r"), [0, 0, 0], torque=art.PD(art.load("ur5"), 1, 1).towards(np.zeros(6)))


def test_laws_show_what_they_hold_and_how():
    arm = art.load("2r")
    matrix = [[4.0, 1.0], [1.0, 4.0]]
    assert repr(art.PD(arm, 100, [20, 10])) == "<PD of 2r: stiffness 100, damping [20, 10]>"
    assert repr(art.ComputedTorque(arm, matrix, 1e-3)) == "<ComputedTorque of 2r: stiffness 2x2, damping 0.001>"
    held = art.CartesianImpedance(arm, "tip", 300, 30, follows="position")
    assert repr(held) == "<CartesianImpedance of 2r, position of tip: stiffness 300, damping 30>"
    assert repr(art.DifferentialIK(arm, ["tip"], dt=0.002)) == "<DifferentialIK of 2r: tip; gain 1, dt 0.002 s>"
    assert repr(art.PD(arm, 1, 1).towards([0.5, -0.25])) == "<PD of 2r towards [ 0.5 , -0.25]>"


def test_a_call_takes_a_reference_as_one_tuple():
    arm = art.load("2r")
    law, q, v = art.ComputedTorque(arm, 100, 20), np.array([0.1, 0.2]), np.array([0.3, -0.1])
    reference = (q + 0.1, v, 2 * v)
    assert (law(q, v, reference).tau == law(q, v, *reference).tau).all()
    assert (law(q, v, reference[:1]).tau == law(q, v, q + 0.1).tau).all()


def test_targets_of_tasks_that_are_none_are_refused_at_once():
    dog = art.load("quadruped", floating_base=True)
    law = art.WholeBody(
        art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]), [art.tasks.CenterOfMass()]
    )
    with pytest.raises(art.UnknownName, match="did you mean 'center_of_mass'"):
        law.towards({"center_of_mas": [0, 0, 0.3]})
