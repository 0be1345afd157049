"""The adaptive method: its order, its tolerances, lanes that go their own ways, and what it refuses."""

import numpy as np
import pytest

import articulated as art
from articulated import PD, Diverged, simulate, traced
from articulated.simulation.methods.dormand_prince import DORMAND_PRINCE, FIFTH, THIRD

from ..near import near
from ..zoo import zoo
from .closed_forms import GRAVITY, LENGTH, order, pendulum, swing


def one_step(y, h):
    """A step of the pendulum by the tableau alone: the state after it, and what the two estimates say of its error."""
    slopes = []
    for row in DORMAND_PRINCE.a:
        angle, rate = y + h * sum((w * k for w, k in zip(row, slopes, strict=True)), start=np.zeros(2))
        slopes.append(np.array([rate, -GRAVITY / LENGTH * np.sin(angle)]))
    after = y + h * np.dot(DORMAND_PRINCE.b, slopes)
    return after, *(np.linalg.norm(h * np.dot(weights, slopes)) for weights in (FIFTH, THIRD))


def test_the_coefficients_have_the_orders_they_should():
    steps = np.array([0.2, 0.16, 0.125, 0.1])
    exact = [np.array(swing(2.0, 0.3 + h)) for h in steps]
    found = [one_step(np.array(swing(2.0, 0.3)), h) for h in steps]
    local = [np.linalg.norm(y - x) for (y, _, _), x in zip(found, exact, strict=True)]
    assert 8.7 < order(steps, local) < 9.6  # of one step: one more than of a run
    shorter = steps / 8
    estimates = np.array([one_step(np.array(swing(2.0, 0.3)), h)[1:] for h in shorter])
    assert 5.8 < order(shorter, estimates[:, 0]) < 6.2
    assert 3.8 < order(shorter, estimates[:, 1]) < 4.2
    for k in range(8):  # quadrature of t^k
        c = np.array([sum(row) for row in DORMAND_PRINCE.a])
        assert abs(np.dot(DORMAND_PRINCE.b, c**k) - 1 / (k + 1)) < 1e-14


def test_errors_follow_the_tolerance():
    exact = np.array(swing(2.5, 3.0))
    tolerances = 10.0 ** -np.arange(4, 13)
    errors = []
    for tolerance in tolerances:
        run = simulate(pendulum(), [2.5], [0], 3.0, dt=0.5, method="adaptive", rtol=tolerance, atol=tolerance)
        errors.append(np.abs([run.q[-1, 0] - exact[0], run.v[-1, 0] - exact[1]]).max())
    assert (errors < 300 * tolerances).all(), errors
    assert 0.8 < order(tolerances, errors) < 1.2


def test_steps_grow_by_the_eighth_root_of_the_tolerance():
    attempts = [
        simulate(pendulum(), [2.5], [0], 30.0, dt=30.0, method="adaptive", rtol=r, atol=r).info["attempts"][0]
        for r in (1e-6, 1e-12)
    ]
    assert 0.8 * 1e6 ** (1 / 8) < attempts[1] / attempts[0] < 1.25 * 1e6 ** (1 / 8)


@pytest.mark.parametrize(
    "name", ["one_spherical", "one_floating", "one_planar", "tree6_6", "mimic_floating", "massless"]
)
def test_every_joint_against_steps_that_are_very_short(name, rng):
    """Fourth-order steps of 0.1 ms: their error is 1e-13 where the motion is slow, and rounding."""
    robot = zoo()[name]
    q0, v0 = robot.random(rng), 0.3 * rng.normal(size=robot.nv)
    fine = simulate(robot, q0, v0, 0.2, dt=1e-4, method="rk4", every=2000)
    run = simulate(robot, q0, v0, 0.2, dt=0.1, method="adaptive", rtol=1e-12, atol=1e-12)
    near(run.q[-1], fine.q[-1], 1e-9)
    near(run.v[-1], fine.v[-1], 1e-9, scale=abs(fine.v).max())
    for b in robot.model.bodies:
        if b.joint.quaternion and b.leader is b:
            near(np.linalg.norm(run.q[:, b.coords][:, b.joint.quaternion], axis=1), np.ones(len(run)), 1e-15)


def test_samples_do_not_change_the_motion(rng):
    """The step is carried from sample to sample, and every sample is hit exactly."""
    robot = art.load("double_pendulum")
    often = simulate(robot, [1, 2], [0, 0], 2.0, dt=0.01, method="adaptive", rtol=1e-11)
    seldom = simulate(robot, [1, 2], [0, 0], 2.0, dt=1.0, method="adaptive", rtol=1e-11)
    near(often.q[::100], seldom.q, 1e-9)
    assert (
        seldom.info["attempts"][0]
        < 2 * simulate(robot, [1, 2], [0, 0], 2.0, dt=2.0, method="adaptive").info["attempts"][0]
    )
    every = simulate(robot, [1, 2], [0, 0], 2.0, dt=0.01, every=50, method="adaptive", rtol=1e-11)
    near(every.q, often.q[::50], 1e-13)
    assert np.array_equal(every.t, often.t[::50])
    near(often.a, robot.forward_dynamics(often.q, often.v, np.zeros_like(often.v)), 1e-13)


def test_lanes_are_single_runs_to_the_last_bit(rng):
    robot = zoo()["one_floating"]
    q0, v0 = robot.random(rng, 11), rng.normal(size=(11, 6)) * np.geomspace(0.1, 30, 11)[:, None]
    batch = simulate(robot, q0, v0, 1.0, dt=0.25, method="adaptive", threads=2)
    assert len(set(batch.info["attempts"])) > 3, "the lanes should need different steps"
    for i in (0, 4, 10):
        alone = simulate(robot, q0[i], v0[i], 1.0, dt=0.25, method="adaptive")
        assert np.array_equal(batch.q[i], alone.q) and np.array_equal(batch.a[i], alone.a)
        assert batch.info["attempts"][i] == alone.info["attempts"][0]


def test_the_same_without_machine_code(monkeypatch):
    options = {"dt": 0.1, "method": "adaptive", "rtol": 1e-7}
    run = simulate(pendulum(), [[2.0], [0.1]], [0], 0.2, **options)
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    near(simulate(pendulum(), [[2.0], [0.1]], [0], 0.2, **options).q, run.q, 1e-12)


def test_torques_of_every_kind(rng):
    """Held torques and forces make kinks at the samples; there no step goes across one."""
    robot = art.load("ur5")
    q0, v0 = robot.random(rng), 0.1 * rng.normal(size=robot.nv)
    drives = [
        {"torque": rng.normal(size=(10, robot.nv))},
        {"torque": traced(lambda t, q, v: 3 * np.sin(2 * t) - 0.5 * v), "forces": {"tool0": rng.normal(size=(10, 6))}},
        {"torque": PD(robot, 50.0, 10.0).towards(robot.neutral()), "forces": {"tool0": [5, 0, 3, 0, 0.1, 0]}},
    ]
    for options in drives:
        fine = {k: np.repeat(x, 100, 0) if np.ndim(x) == 2 else x for k, x in options.items()}
        if "forces" in fine:
            fine["forces"] = {f: np.repeat(x, 100, 0) if np.ndim(x) == 2 else x for f, x in fine["forces"].items()}
        run = simulate(robot, q0, v0, 0.2, dt=0.02, method="adaptive", rtol=1e-11, **options)
        other = simulate(robot, q0, v0, 0.2, dt=2e-4, method="rk4", every=100, **fine)
        near(run.q, other.q, 1e-8)
        near(run.tau, other.tau, 1e-7, scale=abs(other.tau).max())


def test_a_motion_that_cannot_go_on():
    robot = art.load("double_pendulum")
    pulse = traced(lambda t, q, v: [0.1 / ((0.55 - t) * (0.55 - t)), 0])
    with pytest.raises(Diverged, match=r"stopped at t = 0\.55 s, where joint 'joint[12]' .*rtol") as caught:
        simulate(robot, [0, 0], [0, 0], 1.0, dt=0.1, torque=pulse, method="adaptive")
    assert caught.value.run.t[-1] == pytest.approx(0.5) and caught.value.run.info["ended"] == "diverged"


def test_a_run_of_a_batch_that_cannot_go_on_ends_alone():
    robot = art.load("double_pendulum")
    law = traced(lambda t, q, v: [v[0] * v[0] * v[0] * 20 - 100 * q[1], 0])
    options = {"dt": 0.1, "method": "adaptive", "torque": law}
    starts = np.array([[0, 0], [1, 0], [0.1, 0], [2, 0]])
    with pytest.warns(art.SimulationWarning, match="2 of 4 runs ended early"):
        run = simulate(robot, np.zeros(2), starts, 0.5, **options)
    assert run.info["ended_by"] == [None, "diverged", None, "diverged"]
    for k, v in enumerate(starts):
        if k in (0, 2):
            near(run.q[k], simulate(robot, [0, 0], v, 0.5, **options).q, 1e-7)
            continue
        with pytest.raises(Diverged, match="stopped at") as caught:
            simulate(robot, [0, 0], v, 0.5, **options)
        alone = caught.value.run
        assert run.info["ended_at"][k] == alone.t[-1]
        near(run.q[k, : len(alone.t)], alone.q, 1e-7)
        assert (run.q[k, len(alone.t) :] == run.q[k, len(alone.t) - 1]).all()
    with pytest.raises(Diverged, match=r"in state [01] of the batch"):
        simulate(robot, np.zeros(2), starts[[1, 3]], 0.5, **options)


def test_a_motion_that_is_too_stiff(monkeypatch):
    from articulated.simulation.methods import adaptive_routine

    monkeypatch.setattr(adaptive_routine, "ATTEMPTS", 50)
    with pytest.raises(Diverged, match=r"50 steps do not reach the next sample.*stiff"):
        simulate(pendulum(), [0.1], [0], 1.0, dt=0.5, torque=traced(lambda t, q, v: -1e5 * v), method="adaptive")


@pytest.mark.parametrize(
    "options, word",
    [
        ({"method": "rk4", "rtol": 1e-6}, "adaptive"),
        ({"method": "euler", "atol": 1e-6}, "adaptive"),
        ({"method": "adaptive", "rtol": 1e-16}, "1e-13"),
        ({"method": "adaptive", "rtol": -1}, "1e-13"),
        ({"method": "adaptive", "atol": 0}, "above zero"),
        ({"method": "adaptive", "rtol": "fine"}, "rtol"),
    ],
)
def test_what_is_refused(options, word):
    with pytest.raises(ValueError, match=word):
        simulate(pendulum(), [0.1], [0], 1.0, **options)
