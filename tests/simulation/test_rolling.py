"""Friction against rolling and spinning: closed forms, and moments that gain no energy."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Cylinder

from . import campaign
from .scenes import G, at, ball, block, body

ROLLING, SPINNING = 0.004, 0.005
GROUND = art.Ground(0.7, rolling=ROLLING, spinning=SPINNING)
RADIUS = 0.1


def rolling(direction: float) -> np.ndarray:
    """A ball that rolls at 0.5 m/s."""
    x, y = 0.5 * np.cos(direction), 0.5 * np.sin(direction)
    return np.array([x, y, 0, -y / RADIUS, x / RADIUS, 0])


@pytest.mark.parametrize("method", ["euler", "midpoint"])
def test_a_ball_rolls_to_a_stop_the_same_in_every_direction(method):
    """Deceleration 5/7 g rolling / radius; by Euler's method to the order of a step."""
    v = np.stack([rolling(angle) for angle in (0.0, 0.3, np.pi / 4, 2.0)])
    run = art.simulate(ball(RADIUS), at(z=RADIUS), v, 2.5, contacts=GROUND, method=method)
    slows = 5 / 7 * G * ROLLING / RADIUS
    way = np.linalg.norm(run.q[:, -1, :2], axis=-1)
    assert way == pytest.approx(0.5**2 / (2 * slows), abs=0.5e-3)
    assert abs(run.v[:, -1]).max() < 1e-9
    assert run.info["residual"] <= 1e-6


def test_a_ball_spins_to_a_stop():
    run = art.simulate(ball(RADIUS), at(z=RADIUS), [0, 0, 0, 0, 0, 10.0], 1.2, contacts=GROUND)
    slows = SPINNING * G / (0.4 * RADIUS**2)
    assert run.t[int(np.argmax(abs(run.v[:, 5]) < 1e-6))] == pytest.approx(10 / slows, abs=1.1e-3)
    # the moment is the largest that it can be
    assert run.contact.moments[10, 0, 2] == pytest.approx(-SPINNING * 1.5 * G)


def test_a_disc_on_one_point_spins_by_its_moment_alone():
    """On the ball under a disc, with a slope too gentle to roll on: it holds, and spins down."""
    disc = body(Cylinder(0.2, 0.05, collision=True), 2.0, [0.02, 0.02, 0.04])
    ground = art.Ground({"body": 0.0}, spinning=0.01, feet={"body": RADIUS})
    run = art.simulate(disc, at(z=RADIUS), [0, 0, 0, 0, 0, 4.0], 1.2, contacts=ground)
    slows = 0.01 * 2.0 * G / 0.04
    assert run.v[500, 5] == pytest.approx(4.0 - 0.5 * slows, abs=1e-6)


def test_a_ball_rests_on_a_slope_gentler_than_its_friction_against_rolling():
    """It begins to roll where tan α passes rolling / radius."""
    for part, moves in ((0.95, False), (1.05, True)):
        angle = np.arctan(part * ROLLING / RADIUS)
        ground = art.Ground(0.7, slope=angle, rolling=ROLLING)
        start = at(-RADIUS * np.sin(angle), 0, RADIUS * np.cos(angle))
        run = art.simulate(ball(RADIUS), start, duration=0.5, contacts=ground)
        assert (abs(run.v[-1, 0]) > 1e-4) == moves


def test_nothing_of_it_is_nothing():
    """Coefficients of zero leave every bit as it is; tiny ones nearly so."""
    v = np.array([1.0, 0, 0, 1, 2, 3])
    run = art.simulate(block(), at(z=0.1, tilt=0.3), v, 0.5, contacts=art.Ground(0.5))
    same = art.simulate(block(), at(z=0.1, tilt=0.3), v, 0.5, contacts=art.Ground(0.5, rolling=0.0, spinning=0.0))
    assert np.array_equal(run.q, same.q)


@pytest.mark.parametrize("name", ["quadruped", "box"])
def test_limp_robots_gain_nothing(name):
    robot = campaign.box(3) if name == "box" else art.load(name, floating_base=True)
    q, v = campaign.starts(robot, np.random.default_rng(5), 3)
    run = art.simulate(robot, q, v, 0.6, contacts=art.Ground(0.7, rolling=0.01, spinning=0.01))
    found = campaign.judged(run, 0.0)
    assert found.gains == 0
    assert found.above <= 0.01 * found.steps
    assert (abs(run.contact.moments) > 0).any()


def test_a_state_rolls_by_the_same_bits_alone_and_in_a_batch():
    v = np.stack([rolling(0.3), np.zeros(6), [0, 0, 0.5, 3, 1, 2]])
    q = np.stack([at(z=RADIUS), at(z=0.15), at(z=0.12)])
    whole = art.simulate(ball(RADIUS), q, v, 0.4, contacts=GROUND)
    for k in range(3):
        alone = art.simulate(ball(RADIUS), q[k], v[k], 0.4, contacts=GROUND)
        assert np.array_equal(alone.q, whole.q[k])


def test_coefficients_are_lengths_from_zero():
    with pytest.raises(art.ArticulatedError, match="rolling"):
        art.Ground(rolling=-1.0)
    with pytest.raises(art.ArticulatedError, match="more than 16"):
        balls = [art.Ball(radius=0.1, mass=1.0, at=(k, 0, 0.1)) for k in range(17)]
        art.simulate(art.Scene([*balls, art.Ground(rolling=0.1)]))
