"""A and B of a robot near a state: what differences say, in continuous and in discrete time."""

import numpy as np
import pytest

import articulated as art
from articulated.robot.derivatives.linearization import exponential
from tests.near import near
from tests.robot.callables import small

robots = pytest.mark.parametrize("robot", [art.load("2r"), small()], ids=str)


def moved(robot, q, v, tau, duration, steps=10):
    """The state after some time, by small steps."""
    h = duration / steps
    for _ in range(steps):
        a = robot.forward_dynamics(q, v, tau)
        q, v = robot.integrate(q, h * (v + h / 2 * a)), v + h * a
    return q, v


@robots
def test_neighboring_motions_part_as_the_linear_system_says(robot, rng):
    q, v, tau = robot.random(rng), 0.5 * rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    A, B = robot.linearize(q, v, tau)
    n, size, duration = robot.nv, 1e-5, 1e-3
    x, u = rng.normal(size=2 * n), rng.normal(size=n)

    def parted(sign):
        beside = robot.integrate(q, sign * size * x[:n]), v + sign * size * x[n:], tau + sign * size * u
        return moved(robot, *beside, duration)

    (q1, v1), (q0, v0) = parted(1), parted(-1)
    middle = moved(robot, q, v, tau, duration)[0]
    apart = (robot.difference(middle, q1) - robot.difference(middle, q0)) / (2 * size)
    rate = (np.concatenate([apart, (v1 - v0) / (2 * size)]) - x) / duration
    expected = A @ x + B @ u
    assert abs(rate - expected).max() < 10 * duration * abs(expected).max()  # to first order in the duration


@robots
def test_sampling_is_the_exponential(robot, rng):
    q, v, tau = robot.random(rng, 3), rng.normal(size=(3, robot.nv)), rng.normal(size=(3, robot.nv))
    A, B = robot.linearize(q, v, tau)
    half, whole = robot.linearize(q, v, tau, dt=0.005), robot.linearize(q, v, tau, dt=0.01)
    near(half.A @ half.A, whole.A)
    near(half.A @ half.B + half.B, whole.B)
    tiny = robot.linearize(q, v, tau, dt=1e-9)
    near((tiny.A - np.eye(2 * robot.nv)) / 1e-9, A, 1e-5)  # digits lost to the identity
    near(tiny.B / 1e-9, B, 1e-5)


def test_exponentials_of_large_and_small_matrices(rng):
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    for angle in (0.0, 1e-300, 1e-8, 1.0, 30.0, 1000.0):
        expected = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        near(exponential(angle * turn)[0], expected, 1e-12)
    batch = np.stack([np.diag([1.0, -2.0]), np.zeros((2, 2)), np.diag([20.0, 0.0])])
    near(exponential(batch)[0], np.stack([np.diag(np.exp(np.diag(x))) for x in batch]), 1e-13)
    assert np.isnan(exponential(np.full((2, 2), np.nan))).all()
    for much in (1e70, 1e300):  # decays to nothing, however many squarings that takes
        assert np.array_equal(exponential(np.diag([-much, 0.0]))[0], np.diag([0.0, 1.0]))


def test_a_time_step_beyond_all_numbers_shows():
    A, B = art.load("2r").linearize([0.1, 0.2], [0, 0], [0, 0], dt=1e308)
    assert not (np.isfinite(A).all() and np.isfinite(B).all())


def test_a_free_body_in_free_fall(rng):
    """Its difference to a neighbor turns with it: the block of dq is minus the cross product with v."""
    robot = art.build([art.Link("body", None, art.Floating(), inertia=art.Inertia(1.0, about_com=np.diag([1, 2, 3])))])
    v = rng.normal(size=6)
    A = robot.linearize(robot.random(rng), v, np.zeros(6)).A
    across = np.zeros((6, 6))
    x, y, z = (np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]]) for a, b, c in (v[:3], v[3:], v[3:]))
    across[:3, :3], across[:3, 3:], across[3:, 3:] = y, x, z
    near(A[:6, :6], -across)


@pytest.mark.parametrize("dt", [-1.0, "0.1", float("nan")])
def test_a_time_step_that_is_none(dt):
    robot = art.load("2r")
    with pytest.raises(art.ShapeError, match="linearize: dt"):
        robot.linearize([0, 0], [0, 0], [0, 0], dt=dt)
