"""Servos: gains of laws taken implicitly, torques that acted, motors that clip, digital controllers."""

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import engine

from ..control.standing import FEET, contacts
from ..control.standing import robot as standing_robot

#: torques against inverse dynamics of the accelerations, relative to the largest
BALANCED = 1e-9


def panda():
    arm = art.load("panda")
    return arm, arm.poses["home"]


def unbalanced(run):
    """The largest torque that the motion does not tell, relative to the largest of all."""
    return abs(run.robot.inverse_dynamics(run.q, run.v, run.a) - run.tau).max() / (1 + abs(run.tau).max())


@pytest.mark.parametrize("law", [art.PD, art.Impedance])
@pytest.mark.parametrize("gains", [(100, 20), (1e4, 10), (1e6, 1e4), (0, 1e5), (50, 0)])
def test_any_gains_hold_an_arm(law, gains):
    arm, home = panda()
    run = art.simulate(arm, home + 0.1, duration=0.5, torque=law(arm, *gains).towards(home), limits=False)
    stored = 0.5 * gains[0] * 7 * 0.1**2  # of the springs, at the start
    assert run.energy.kinetic.max() < 1.001 * stored + 1e-3 and unbalanced(run) < BALANCED
    assert not [found for found in run.findings if found.what == "energy"]


def test_a_step_is_backward_euler():
    slider = art.build(
        [art.Link("mass", None, art.Prismatic([1, 0, 0]), inertia=art.Inertia(2.0, [0, 0, 0], np.eye(3)))]
    )
    Kp, Kd, m, dt, goal, a_ref = 3e4, 70.0, 2.0, 1e-2, 0.3, 0.5
    reference = art.traced(lambda t: ([goal + a_ref * t * t / 2], [a_ref * t], [a_ref]))
    law = art.PD(slider, Kp, Kd, gravity=False)
    run = art.simulate(slider, [0.0], duration=0.2, dt=dt, torque=law.towards(reference))
    q = v = 0.0
    for k in range(20):
        # the errors after the step, by the velocity after it
        wanted, speed = goal + a_ref * (k * dt) ** 2 / 2, a_ref * (k + 1) * dt
        v = (m * v + dt * (Kp * (wanted + dt * speed - q) + Kd * speed)) / (m + dt * Kd + dt * dt * Kp)
        q += dt * v
        assert np.isclose(run.q[k + 1, 0], q, rtol=1e-12) and np.isclose(run.v[k + 1, 0], v, rtol=1e-10)


def test_short_steps_agree_with_the_continuous_law():
    arm, home = panda()
    law = art.PD(arm, 30, 3).towards(home)
    exact = art.simulate(arm, home + 0.1, duration=0.2, torque=law, method="adaptive").q[-1]
    missed = [
        abs(art.simulate(arm, home + 0.1, duration=0.2, dt=dt, torque=law, limits=False).q[-1] - exact).max()
        for dt in (1e-3, 5e-4, 2.5e-4)
    ]
    assert 1.8 < missed[0] / missed[1] < 2.2 and 1.8 < missed[1] / missed[2] < 2.2


def test_gains_and_references_are_data(monkeypatch):
    arm, home = panda()
    art.simulate(arm, home, duration=0.01, torque=art.PD(arm, 100, 20).towards(home))
    monkeypatch.setattr(engine, "load", None)  # no machine code is added
    art.simulate(arm, home, duration=0.01, torque=art.PD(arm, 300, [1, 2, 3, 4, 5, 6, 7]).towards(home + 0.01))


def test_compiled_called_and_batched_are_one_law(rng):
    arm, home = panda()
    law = art.PD(arm, 200, 5)
    goals = home + rng.uniform(-0.1, 0.1, (3, 7))
    whole = art.simulate(arm, np.tile(home, (3, 1)), duration=0.05, torque=law.towards(goals))
    for k, goal in enumerate(goals):
        one = art.simulate(arm, home, duration=0.05, torque=law.towards(goal))
        assert np.array_equal(whole.q[k], one.q) and np.array_equal(whole.tau[k], one.tau)
        called = art.simulate(arm, home, duration=0.05, torque=law.towards(lambda t, goal=goal: goal))
        assert np.allclose(called.q, one.q, rtol=0, atol=1e-12) and np.allclose(called.tau, one.tau, atol=1e-8)
    with pytest.raises(art.ShapeError, match="q_ref"):
        art.simulate(arm, np.tile(home, (2, 1)), duration=0.05, torque=law.towards(goals))


def test_gains_that_couple_joints_stay_explicit():
    arm = art.load("2r")
    law = art.PD(arm, [[30, 5], [5, 30]], [[3, 1], [1, 3]])
    implicit = art.simulate(arm, [0.1, 0.2], duration=0.1, torque=law.towards([0, 0]))
    explicit = art.simulate(arm, [0.1, 0.2], duration=0.1, torque=lambda t, q, v: law(q, v, [0, 0]).tau)
    assert np.allclose(implicit.q, explicit.q, rtol=0, atol=1e-12)


@pytest.mark.parametrize("clip", [False, True])
def test_a_stiff_quadruped_on_its_feet(clip):
    dog = standing_robot("quadruped")
    home = dog.poses["home"]
    hold = art.PD(contacts("quadruped"), 2000, 50).towards(home)
    q = home.copy()
    q[2] += 0.05
    ground = art.Ground(feet=dict.fromkeys(FEET, 0.02))
    run = art.simulate(dog, q, duration=0.3, torque=art.Servo(hold, clip=clip), contacts=ground)
    assert run.contact.residual.max() < 1e-6
    assert abs(run.v).max() < 10 and abs(run.q[-1, 7:] - home[7:]).max() < 0.05
    assert not run.tau[:, :6].any()
    if clip:
        assert (abs(run.tau) <= dog.limits.effort * (1 + 1e-9)).all()


def test_motors_give_at_most_their_effort(rng):
    arm, home = panda()
    most, hold = arm.limits.effort, art.PD(arm, 5000, 100).towards(home)
    q = home + rng.uniform(-0.3, 0.3, (3, 7))
    run = art.simulate(arm, q, duration=0.2, torque=art.Servo(hold, clip=True))
    assert (abs(run.tau) <= most * (1 + 1e-9)).all() and (abs(run.tau) > 0.999 * most).any()
    assert abs(run.q[:, -1] - home).max() < 0.02
    for k in range(3):
        one = art.simulate(arm, q[k], duration=0.2, torque=art.Servo(hold, clip=True))
        assert np.array_equal(one.q, run.q[k]) and np.array_equal(one.tau, run.tau[k])
    # where no limit is reached, a servo that clips is one that does not
    near = [art.simulate(arm, home + 1e-3, duration=0.1, torque=x) for x in (hold, art.Servo(hold, clip=True))]
    assert np.array_equal(near[0].q, near[1].q)


@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("kind", [art.traced, lambda f: f])
def test_any_torques_can_be_clipped(method, kind):
    arm = art.load("2r")
    limited = art.build([k.replace(joint=k.joint.replace(limits=art.Limits(effort=0.2))) for k in arm.links], name="2r")

    def push(t, q, v):
        return np.array([0.1, 5.0 * np.sin(20 * t)])

    run = art.simulate(limited, [0, 0], duration=0.5, torque=art.Servo(kind(push), clip=True), method=method)
    assert np.allclose(run.tau, np.clip([push(t, 0, 0) for t in run.t], -0.2, 0.2), rtol=0, atol=1e-12)
    with pytest.raises(art.ShapeError, match="effort limit"):
        art.simulate(art.load("2r"), [0, 0], torque=art.Servo(kind(push), clip=True))


def test_a_digital_servo_holds_and_is_late():
    arm = art.load("2r")
    servo = art.Servo(lambda t, q, v: [t, 0.0], period=0.003, delay=0.002)
    for _ in range(2):  # a run begins anew
        run = art.simulate(arm, [0, 0], duration=0.02, torque=servo)
        wanted = [max(0.0, 0.003 * np.floor((k - 2) / 3)) for k in range(21)]
        assert np.allclose(run.tau[:, 0], wanted, rtol=0, atol=1e-12)
    assert run.info["servo"]["period"] == 0.003


def test_noise_is_measured_and_not_there():
    arm = art.load("2r")
    seen = []
    servo = art.Servo(lambda t, q, v: seen.append((q, v)) or [0, 0], noise=(0.01, [0.0, 0.2]))
    run = art.simulate(arm, np.zeros((500, 2)), duration=0.01, torque=servo)
    quiet = art.simulate(arm, np.zeros((500, 2)), duration=0.01)
    assert np.array_equal(run.q, quiet.q)
    q, v = (np.stack(x)[:10] for x in zip(*seen, strict=True))
    assert np.allclose((q - run.q.swapaxes(0, 1)[:10]).std((0, 1)), 0.01, rtol=0.05)
    assert np.allclose((v - run.v.swapaxes(0, 1)[:10]).std((0, 1)), [0, 0.2], rtol=0.05)
    first = seen[0][0]
    seen.clear()
    art.simulate(arm, np.zeros((500, 2)), duration=0.01, torque=servo)
    assert np.array_equal(seen[0][0], first)


@pytest.mark.parametrize("options, words", [
    ({"period": 0.0}, "period"), ({"delay": -1}, "delay"), ({"noise": -1}, "noise"),
    ({"noise": [1, 2, 3]}, "noise of q"), ({"noise": np.nan}, "noise"),
    ({"clip": 1}, "True or False"), ({"seed": "x"}, "seed"),
])  # fmt: skip
def test_bad_servos(options, words):
    with pytest.raises(art.ArticulatedError, match=words):
        art.simulate(art.load("2r"), [0, 0], torque=art.Servo(lambda t, q, v: [0, 0], **options))


def test_a_servo_takes_a_controller():
    arm = art.load("2r")
    for wrong, words in ((None, "law.towards"), (lambda q: q, "other arguments")):
        with pytest.raises(art.ShapeError, match=words):
            art.Servo(wrong)
    with pytest.raises(art.ShapeError, match="has no reference yet"):
        art.simulate(arm, [0, 0], torque=art.Servo(art.PD(arm, 1, 1)))


@pytest.mark.parametrize("gains", [(100, 20), (1e4, 10), (1e6, 1e4)])
def test_any_gains_hold_an_arm_in_the_middle_of_a_step(gains):
    """Also by the midpoint rule, whose steps evaluate the law in their middle."""
    arm, home = panda()
    law = art.PD(arm, *gains).towards(home)
    run = art.simulate(arm, home + 0.1, duration=0.5, torque=law, limits=False, method="midpoint")
    assert run.energy.kinetic.max() < 1.01 * 0.5 * gains[0] * 7 * 0.1**2 + 1e-3
    assert abs(run.q[-1] - home).max() < 0.1


def test_implicit_gains_keep_the_order_of_the_midpoint_rule():
    arm = art.load("2r")
    law = art.PD(arm, 30, 2).towards([1.0, 0.5])
    exact = art.simulate(arm, [0.0, 0.0], duration=1.0, torque=law, method="adaptive").q[-1]
    errors = [
        abs(art.simulate(arm, [0.0, 0.0], duration=1.0, dt=dt, torque=law, method="midpoint").q[-1] - exact).max()
        for dt in (4e-3, 2e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(4, abs=0.2)
