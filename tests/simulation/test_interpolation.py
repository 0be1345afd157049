"""Between the samples: exact at them, on the manifold, of the order that is claimed, and nothing jumps."""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.trajectory.interpolation import rates
from tests.near import near
from tests.zoo import ZOO, single

from .rollouts import contacts, dog, rollout, scattered

SMALL = [robot for robot in ZOO if robot.nv <= 20]


@pytest.mark.parametrize("robot", SMALL, ids=lambda robot: robot.name)
def test_samples_are_met_and_quaternions_stay_unit(robot):
    run = scattered(robot, 4, batch=(2,))
    at = run.at(run.t)
    assert np.array_equal(at.q, run.q) and near(at.v, run.v) and np.array_equal(at.tau, run.tau)
    between = run.at(np.linspace(run.t[0], run.t[-1], 11))
    for b in robot.model.bodies:
        if b.leader is b and b.joint.quaternion is not None:
            lengths = np.linalg.norm(between.q[..., b.coords][..., b.joint.quaternion], axis=-1)
            assert near(lengths, np.ones(lengths.shape))


def cubic(t):
    """A motion that a cubic meets exactly: q, v, a of two joints."""
    c = np.array([[0.3, -1.0, 0.5, 2.0], [0.1, 0.7, -0.2, -1.0]])
    powers = np.stack([t**k for k in range(4)], axis=-1)
    slopes = np.stack([0 * t, 1 + 0 * t, 2 * t, 3 * t**2], axis=-1)
    return powers @ c.T, slopes @ c.T, np.stack([0 * t, 0 * t, 2 + 0 * t, 6 * t], axis=-1) @ c.T


def test_cubics_are_met_exactly():
    """For joints with plain coordinates: a cubic q, and its quadratic v."""
    robot, t = art.load("2r"), np.array([0.0, 0.4, 0.5, 1.3])
    q, v, a = cubic(t)
    run = art.Trajectory(robot, t, q, v, a, np.zeros_like(v))
    fine = np.linspace(0, 1.3, 40)
    wanted = cubic(fine)
    at = run.at(fine)
    assert near(at.q, wanted[0]) and near(at.v, wanted[1])
    assert np.array_equal(at.a[0], a[0]) and np.array_equal(at.a[-1], a[-1])


def spinning(dt, fine=2048):
    """A free asymmetric body that tumbles for 1 s, by small steps of RK4 on the manifold; every dt a sample."""
    inertia = art.Inertia(1.0, (0, 0, 0), np.diag([0.2, 0.35, 0.5]))
    robot = art.build([art.Link("body", None, art.Floating(), inertia=inertia)], gravity=(0, 0, 0))
    q, v, h = robot.neutral(), np.array([0.3, -0.2, 0.1, 1.0, 2.0, -1.5]), 1 / fine
    zero, states = np.zeros(6), []
    for _ in range(fine + 1):
        k = [robot.forward_dynamics(q, v, zero)]
        states.append((q, v, k[0]))
        for share in (0.5, 0.5, 1.0):
            k.append(robot.forward_dynamics(q, v + share * h * k[-1], zero))
        q = robot.integrate(q, h * (v + h * (k[0] + k[1] + k[2]) / 6))
        v = v + h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6
    every = round(dt * fine)
    q, v, a = (np.array(x) for x in zip(*states, strict=True))
    t = np.arange(fine + 1) * h
    coarse = art.Trajectory(robot, t[::every], q[::every], v[::every], a[::every], 0 * v[::every])
    return robot, t, q, v, coarse


def test_orders_on_the_group():
    """Positions to the fourth order, velocities to the third, for a body that turns about all axes."""
    errors = []
    for dt in (1 / 16, 1 / 32):
        robot, t, q, v, coarse = spinning(dt)
        at = coarse.at(t)
        errors.append((abs(robot.difference(q, at.q)).max(), abs(v - at.v).max()))
    orders = np.log2(np.array(errors[0]) / errors[1])
    assert 3.7 < orders[0] < 4.3 and 2.7 < orders[1] < 3.3, (errors, orders)


@pytest.mark.parametrize("kind", ["spherical", "floating", "planar", "cylindrical"])
@pytest.mark.parametrize("angle", [1e-9, 0.01, 0.2, 0.24, 1.0, 3.0])
def test_rates_of_the_coordinates(kind, angle, rng):
    """Against their difference quotient, by steps of 1e-5: to the square of that."""
    robot = single(kind)
    v = rng.normal(size=robot.nv)
    along = rng.normal(size=robot.nv)
    turns = np.array(robot.model.bodies[0].joint.S, float)[3:] @ along
    along *= angle / np.linalg.norm(turns)
    start = robot.random(rng)
    there = robot.integrate(start, along)
    h = 1e-5
    ahead, behind = (robot.difference(start, robot.integrate(there, side * h * v)) for side in (1, -1))
    assert near(rates(robot.model, along, v), (ahead - behind) / (2 * h), 1e-8, abs(v).max())


def test_what_belongs_to_a_step_is_held():
    run = dog(8, (2,))
    fine = run.resample(dt=0.25e-3)
    assert len(fine) == 29 and near(fine.t[-1], run.t[-1])
    for k in range(29):
        assert np.array_equal(fine.tau[:, k], run.tau[:, k // 4])
        assert np.array_equal(fine.contact.forces[:, k], run.contact.forces[:, k // 4])
        assert np.array_equal(fine.forces["base"][:, k], run.forces["base"][:, k // 4])
    assert near(fine.q[:, ::4], run.q)
    assert dict(fine.info) == {**run.info, "dt": 0.25e-3, "step": 1e-3}


def test_a_jump_of_the_velocity_stays_in_its_step():
    """A bounce: -1 m/s before, +0.8 m/s after, in one step; no velocity beyond these."""
    robot = art.build([art.Link("base"), art.Link("ball", "base", art.Prismatic((0, 0, 1)), inertia=art.Inertia(1.0))])
    t, v = np.arange(5) * 0.1, np.array([-1, -1, 0.8, 0.8, 0.8])[:, None]
    a = np.append(np.diff(v[:, 0]) / 0.1, 0)[:, None]
    q = np.cumsum(np.insert(0.1 * v[1:, 0], 0, 0))[:, None]
    at = art.Trajectory(robot, t, q, v, a, 0 * v).at(np.linspace(0, 0.4, 81))
    assert at.v.min() >= -1 - 1e-12 and at.v.max() <= 0.8 + 1e-12
    assert near(at.v[:21], -np.ones((21, 1))) and near(at.v[41:], 0.8 * np.ones((40, 1)))


def test_one_time_or_several():
    run = dog(5, contact=contacts(5))
    one, several = run.at(0.0013), run.at([0.0013, 0.002])
    assert one.q.shape == (19,) and several.q.shape == (2, 19) and near(one.q, several.q[0])
    assert one.t == 0.0013 and np.array_equal(several.q[1], run.q[2])


@pytest.mark.parametrize("asked, words", [
    (-0.1, "at: t = -0.1 s is outside the trajectory, which goes from 0 s to 0.004 s"), (0.1, "outside"),
    (np.nan, "outside"), ("now", "real numbers"), ([[0.001]], "a time or a list of times"), (None, "real numbers"),
])  # fmt: skip
def test_times_that_are_not_there(asked, words):
    with pytest.raises(art.ShapeError, match=words):
        rollout(art.load("2r"), 5).at(asked)


@pytest.mark.parametrize("given, words", [
    ({}, "times or dt"), ({"dt": 0.1, "times": [0]}, "times or dt"), ({"dt": 0}, "dt is a time above zero"),
    ({"dt": -1}, "dt"), ({"dt": np.nan}, "dt"), ({"dt": 1e-300}, "makes .* samples"),
    ({"times": [0.002, 0.001]}, "increase"), ({"times": []}, "T from 1"), ({"times": [0.1]}, "outside"),
])  # fmt: skip
def test_resampling_that_cannot_be(given, words):
    with pytest.raises(art.ShapeError, match=words):
        rollout(art.load("2r"), 5).resample(**given)


@pytest.mark.parametrize("name", ["double_pendulum", "quadruped"])
def test_smooth_runs_have_dense_output(name):
    """Positions of order 6, velocities of order 4: half the samples cost so much; fixed and floating bases."""
    robot = art.load(name, floating_base=name == "quadruped").frictionless()
    rng = np.random.default_rng(0)
    q0, v0 = robot.integrate(robot.neutral(), 0.3 * rng.normal(size=robot.nv)), rng.normal(size=robot.nv)

    def run(dt):
        return art.simulate(robot, q0, v0, 0.4, dt, method="adaptive", rtol=1e-12, atol=1e-14)

    truth = run(0.4 / 256)
    assert truth.info["smooth"] is True
    errors = []
    for parts in (4, 8, 16):
        at = run(0.4 / parts).at(truth.t)
        errors.append(
            [abs(robot.difference(truth.q, at.q)).max(), abs(at.v - truth.v).max(), abs(at.a - truth.a).max()]
        )
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert (orders[-1] > [5.2, 3.5, 2.5]).all(), orders
    assert errors[-1][0] < 1e-8


def test_what_jumps_is_not_smooth():
    robot = art.load("double_pendulum")
    for options in (
        {},
        {"method": "rk4", "torque": np.ones((100, 2))},
        {"method": "rk4", "torque": lambda t, q, v: 0 * v},
    ):
        assert "smooth" not in art.simulate(robot, [0.5, 0], duration=0.1, **options).info
    run = art.simulate(robot, [0.5, 0], duration=0.1, method="rk4")
    assert run.info["smooth"] is True and run.resample(dt=0.01).info["smooth"] is True
    assert near(run.resample(dt=0.01).resample(run.t[::10]).a, run.a[::10])
    assert "smooth" not in (run[:50] + run[49:]).info


SMOOTH = {
    "waves": lambda t, q, v: np.sin(3 * t) * np.cos(q) - 0.1 * v, "tan": lambda t, q, v: np.tan(q / 10),
    "quotient": lambda t, q, v: np.sin(t) * v / (2 + np.cos(q)), "cubic": lambda t, q, v: -v * v * v,
}  # fmt: skip
JUMPS = {
    "where": lambda t, q, v: np.where(t < 0.5, 0.0, 1.0) * v, "sign": lambda t, q, v: np.sign(v),
    "floor": lambda t, q, v: np.floor(10 * t) + 0 * v, "remainder": lambda t, q, v: t % 0.3 + 0 * q,
    "comparison": lambda t, q, v: (t < 0.5) * q, "x/|x|": lambda t, q, v: v / np.abs(v),
    "|x|/x": lambda t, q, v: np.abs(v) / v, "direction": lambda t, q, v: v / np.linalg.norm(v),
    "angle": lambda t, q, v: np.arctan2(q, v), "inside": lambda t, q, v: np.minimum(np.where(q > 0, 1.0, 2.0), v),
    "hidden": lambda t, q, v: v / np.sqrt(v * v), "clip": lambda t, q, v: np.clip(-q, -1, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SMOOTH, *JUMPS])
def test_traced_torques_that_jump(name):
    torque = art.traced({**SMOOTH, **JUMPS}[name])
    run = art.simulate(art.load("double_pendulum"), [0.3, 0.2], [0.5, 1.0], 0.002, method="rk4", torque=torque)
    assert run.info.get("smooth", False) is (name in SMOOTH)  # what compares may jump, also if it only bends


def test_references_that_jump():
    robot = art.load("double_pendulum")
    law, to = art.PD(robot, 10, 1), np.array([0.1, 0.2])
    for jumps, reference in ((False, lambda t: to * np.sin(t)), (True, lambda t: to * np.where(t < 0.5, 0.0, 1.0))):
        torque = law.towards(art.traced(reference))
        assert ("smooth" in art.simulate(robot, [0, 0], duration=0.01, method="rk4", torque=torque).info) is not jumps


def test_nothing_reaches_across_a_jump_of_a_traced_torque():
    """Before the jump, between two samples: to the third order of the step, not by what comes after it."""
    robot = art.load("double_pendulum")
    kick = art.traced(lambda t, q, v: np.array([1.0, 0.5]) * np.where(t < 0.5, 0.0, 20.0))

    def run(dt, method="adaptive"):
        return art.simulate(robot, [0.3, 0.1], duration=1.0, dt=dt, method=method, torque=kick)

    coarse, fine = run(0.1), run(0.001)
    assert near(coarse.at(coarse.t).v, fine.at(coarse.t).v, 1e-7)
    assert near(coarse.at(0.45).v, fine.at(0.45).v, 0.01)
    assert near(coarse.resample(dt=0.05).v[9], fine.at(0.45).v, 0.01)
    assert near(run(0.01, "rk4").at(0.497).a, fine.at(0.497).a, 0.1)


def test_resampled_runs_tell_their_own_time_step():
    run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.1, method="rk4")
    twice = run.resample(dt=0.01).resample(dt=0.02)
    assert (twice.info["dt"], twice.info["step"]) == (0.02, 1e-3) and np.allclose(np.diff(twice.t), 0.02)
    some = run.resample([0.0, 0.01, 0.05])
    assert "dt" not in some.info and some.info["step"] == 1e-3
    assert "step" not in (run[:50] + run[49:]).resample(dt=0.01).info
