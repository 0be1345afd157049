"""`art.Simulator`: the steps of `simulate`, one at a time."""

import numpy as np
import pytest

import articulated as art

FEET = dict.fromkeys(("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"), 0.02)


@pytest.fixture(scope="module")
def dog():
    return art.load("quadruped", floating_base=True)


def test_steps_are_those_of_simulate(rng):
    arm = art.load("panda")
    home, tau = arm.poses["home"], 5 * rng.normal(size=(30, 7))
    run = art.simulate(arm, home, duration=0.03, torque=tau)
    sim = art.Simulator(arm)
    sim.reset(home)
    for k in range(30):
        assert np.array_equal(sim.q, run.q[k]) and np.array_equal(sim.v, run.v[k])
        sim.step(tau[k])
        assert np.array_equal(sim.tau, run.tau[k])
    assert np.array_equal(sim.q, run.q[30]) and sim.t == pytest.approx(0.03)
    assert repr(sim) == "<Simulator of panda, dt 0.001 s>" and sim.contact.names == ()


def test_steps_on_the_ground_are_those_of_simulate(dog, rng):
    home, ground = dog.poses["home"], art.Ground(feet=FEET)
    q = np.tile(home, (3, 1))
    q[:, 2] += [0.0, 0.01, 0.03]
    tau = np.concatenate([np.zeros((50, 6)), rng.normal(size=(50, 12))], axis=1)
    run = art.simulate(dog, q, duration=0.05, torque=tau, contacts=ground)
    sim = art.Simulator(dog, contacts=ground, n=3)
    sim.reset(q)
    for k in range(50):
        sim.step(np.tile(tau[k], (3, 1)))
        assert np.array_equal(sim.contact.forces, run.contact.forces[:, k])
    assert np.array_equal(sim.q, run.q[:, 50]) and np.array_equal(sim.v, run.v[:, 50])
    assert sim.contact.names == run.contact.names and "3 × quadruped" in repr(sim)
    # torques of the motors alone, and several steps at once
    motors = art.Simulator(dog, contacts=ground, n=3)
    motors.reset(q)
    motors.step(np.tile(tau[0, 6:], (3, 1)), steps=20)
    held = art.simulate(dog, q, duration=0.02, torque=tau[0], contacts=ground)
    assert np.array_equal(motors.q, held.q[:, 20]) and np.allclose(motors.t, 0.02)


def test_servos_hold_as_a_law_does():
    arm = art.load("panda")
    home = arm.poses["home"]
    law = art.PD(arm, 5000, 100, gravity=False)
    run = art.simulate(arm, home, duration=0.2, torque=art.Servo(law.towards(home + 0.1), clip=True))
    sim = art.Simulator(arm, stiffness=5000, damping=100, clip=True)
    sim.reset(home)
    sim.step(target=home + 0.1, steps=200)
    assert np.allclose(sim.q, run.q[200], rtol=0, atol=1e-12)
    weight = arm.gravity_forces(home)  # torques are added to those of the servos
    sim.reset(home)
    sim.step(weight, target=home, steps=300)
    assert abs(sim.q - home).max() < 1e-12 and np.allclose(sim.tau, weight, atol=1e-9)


def test_some_are_reset(dog):
    home = dog.poses["home"]
    sim = art.Simulator(dog, 2e-3, art.Ground(feet=FEET), n=4, stiffness=60, damping=1)
    sim.reset(home)
    sim.step(steps=50)
    before = sim.q.copy()
    sim.reset(home, np.arange(18) / 18, where=[False, True, False, False])
    assert np.array_equal(sim.q[1], home) and np.array_equal(sim.v[1], np.arange(18) / 18)
    assert np.array_equal(sim.q[[0, 2, 3]], before[[0, 2, 3]]) and sim.t.tolist() == [0.1, 0.0, 0.1, 0.1]
    sim.reset(np.stack([home, home]), where=[3, 0])
    assert np.array_equal(sim.q[0], home) and np.array_equal(sim.q[2], before[2])
    sim.reset(before, where=[True, False, True, False])
    assert np.allclose(sim.q[0], before[0], rtol=0, atol=1e-15) and not sim.v[0].any()
    for nobody in (np.zeros(4, bool), []):
        sim.reset(home, where=nobody)
    sim.reset()
    assert np.array_equal(sim.q, np.tile(home, (4, 1))) and not sim.t.any()
    # a robot begins anew: nothing is left of the impulses before
    fresh = art.Simulator(dog, 2e-3, art.Ground(feet=FEET), n=4, stiffness=60, damping=1)
    fresh.reset(home)
    for each in (sim, fresh):
        each.step(target=home[7:], steps=30)
    assert np.array_equal(sim.q, fresh.q)


def test_robots_that_differ():
    robot = art.load("cart_pole")
    joint = robot.joint_names[1]
    sim = art.Simulator(robot, n=2, joints={joint: {"damping": np.array([0.0, 0.5])}})
    sim.reset([0.0, 1.0])
    sim.step(steps=300)
    for k, damping in enumerate((0.0, 0.5)):
        run = art.simulate(robot, [0.0, 1.0], duration=0.3, joints={joint: {"damping": damping}})
        assert np.allclose(sim.q[k], run.q[-1], rtol=0, atol=1e-9)


def test_contacts_that_hold_begin_where_a_reset_puts_them(dog):
    sim = art.Simulator(dog, contacts=art.Contacts(dog, point=list(FEET)), stiffness=60, damping=1)
    higher = dog.poses["home"].copy()
    higher[2] += 1.0
    sim.reset(higher)
    foot = dog.pose(higher, "FL_FOOT")[:3, 3]
    sim.step(target=higher[7:], steps=50)
    assert abs(dog.pose(sim.q, "FL_FOOT")[:3, 3] - foot).max() < 1e-5


@pytest.mark.parametrize("clip", [False, True])
def test_a_robot_that_is_given_nan_ends_alone_until_it_is_reset(dog, clip, rng):
    given = {"contacts": art.Ground(), "n": 9, "stiffness": 60, "damping": 1, "clip": clip}  # more than a vector holds
    one, whole = art.Simulator(dog, **given), art.Simulator(dog, **given)
    for k in range(12):
        tau = rng.normal(size=(9, 12))
        whole.step(tau)
        if k in (3, 5):
            tau[k, k] = np.nan if k == 3 else np.inf
        one.step(tau)
        if k > 5:
            assert np.array_equal(np.isnan(one.q).all(axis=1), np.isin(range(9), [3, 5]))
            assert np.array_equal(np.delete(one.q, [3, 5], axis=0), np.delete(whole.q, [3, 5], axis=0))
    one.reset(where=np.isnan(one.q[:, 0]))
    whole.reset(where=[3, 5])
    for each in (one, whole):
        each.step(np.full(12, 0.1), steps=5)
    assert np.array_equal(one.q, whole.q) and np.array_equal(one.contact.forces, whole.contact.forces)


@pytest.mark.parametrize("wrong, words", [
    (lambda: art.Simulator("2r"), "takes a robot first"), (lambda: art.Simulator(two(), dt=0), "dt is a time step"),
    (lambda: art.Simulator(two(), n=0), "n is a whole number"),
    (lambda: art.Simulator(two(), stiffness=-1), "stiffness"),
    (lambda: art.Simulator(two(), damping=[1, 2, 3]), "damping"), (lambda: art.Simulator(two(), clip=1), "clip"),
    (lambda: sim().step([1, 2, 3]), "step was given an array"), (lambda: sim().step([np.nan, 0]), "step was given nan"),
    (lambda: sim().step([[np.nan, 0], [0, np.inf], [1, np.nan]]), "step was given nan"),
    (lambda: sim().step(target=[0, 0]), "a target is for servos"), (lambda: sim().step(steps=0), "steps"),
    (lambda: sim().reset([0, 0], where=[5]), "from 0 to 2"),
    (lambda: sim().reset([0, np.inf]), "reset: q0 holds NaN or infinity"),
    (lambda: sim().reset([[0, 0], [1, 1]]), "3 robots are reset"), (lambda: sim().reset([0]), "q0"),
    (lambda: sim(damping=1).step(target=[1, 2, 3]), "target has shape"),
    (lambda: sim(damping=1).step(target=[np.nan, 0]), "target holds NaN"),
])  # fmt: skip
def test_bad_input(wrong, words):
    with pytest.raises(art.ArticulatedError, match=words):
        wrong()


def two():
    return art.load("2r")


def sim(**options):
    return art.Simulator(two(), n=3, **options)


def test_a_start_below_the_ground_is_refused(dog):
    sim = art.Simulator(dog, contacts=art.Ground(feet=FEET))
    low = dog.poses["home"].copy()
    low[2] -= 0.05
    with pytest.raises(art.ModelError, match="below the ground"):
        sim.reset(low)
