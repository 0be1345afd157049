"""Levels of tasks: what a higher one has reached, no lower one touches."""

import numpy as np
import pytest

import articulated as art

from ..near import near
from .standing import NAMES, balance, law, robot, state, targets, tasks


@pytest.mark.parametrize("name", NAMES)
def test_a_lower_level_changes_nothing_above_it(name, rng):
    for shift in ((0, 0, 0), (0.2, 0.1, -0.1)):
        q, v = state(name, rng)
        given = targets(name, q, shift)
        first, second, third = tasks(name, base=1, posture=2)[0], tasks(name, base=1)[2], tasks(name, posture=2)[1]
        alone = law(name, [first])(q, v, center_of_mass=given["center_of_mass"])
        two = law(name, [second, first])(q, v, center_of_mass=given["center_of_mass"], base=given["base"])
        three = law(name, [third, second, first])(q, v, **given)
        assert near(two.residuals["center_of_mass"], alone.residuals["center_of_mass"], 1e-7)
        assert near(three.residuals["center_of_mass"], alone.residuals["center_of_mass"], 1e-7)
        assert near(three.residuals["base"], two.residuals["base"], 1e-7)
        assert near(balance(name, q, v, three) / (robot(name).mass * 9.81), np.zeros(robot(name).nv), 1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_stretched_legs_have_levels(name, rng):
    """Rows of the contacts depend on each other there: the first level is often solved with slacks that stay zero."""
    own, alone = (law(name, tasks(name, base=1, posture=2)[:count]) for count in (3, 1))
    states = [(0, 0), (1e-12, 1), (1e-7, 0.001), (1e-5, 1), (1e-3, 1)]
    compared = 0
    for shift, speed in 4 * states:
        q = robot(name).integrate(robot(name).neutral(), shift * rng.normal(size=robot(name).nv))
        v, given = speed * rng.normal(size=robot(name).nv), targets(name, q, 0.1 * rng.normal(size=3))
        found, first = own(q, v, **given), alone(q, v, center_of_mass=given["center_of_mass"])
        if found.status == first.status == "solved":
            size = 1 + np.linalg.norm(first.residuals["center_of_mass"])
            missed = found.residuals["center_of_mass"] - first.residuals["center_of_mass"]
            assert near(missed / size, np.zeros(3), 1e-7)
            compared += 1
    assert compared > 5


def test_levels_are_the_limit_of_weights(rng):
    name = "solo12"
    q, v = state(name, rng)
    given = targets(name, q, (0.02, 0, 0))
    levels = law(name, tasks(name, posture=1, base=0), torque_limits=False, friction=3.0)(q, v, **given)
    far = []
    for weight in (1e-1, 1e-3, 1e-5):
        mixed = tasks(name)
        mixed[1] = art.tasks.Posture(gain=20.0, weight=weight)
        done = law(name, mixed, torque_limits=False, friction=3.0, acceleration_weight=1e-9)(q, v, **given)
        far.append(np.linalg.norm(done.residuals["center_of_mass"] - levels.residuals["center_of_mass"]))
    assert far[2] <= far[1] <= far[0] or far[2] < 1e-6


def test_rows_of_no_weight_are_left_out(rng):
    name = "solo12"
    q, v = state(name, rng)
    com = robot(name).center_of_mass(q)
    height = art.tasks.CenterOfMass(weight=(0, 0, 1))
    rest = art.tasks.Posture(level=1)
    done = law(name, [height, rest], torque_limits=False)(q, v, center_of_mass=com + np.array([9, 9, 0]), posture=q)
    plain = law(name, [height, rest], torque_limits=False)(q, v, center_of_mass=com, posture=q)
    assert near(done.a, plain.a, 1e-8)


def test_motors_too_weak_for_the_first_level_leave_the_others_next_to_nothing(rng):
    """Lower levels are solved all the same: a command that motors can follow, and no worse for the first level."""
    name = "biped"
    own = law(name, tasks(name, base=1, posture=2), torque_limits=8.0)
    above = law(name, tasks(name, base=1, posture=2)[:1], torque_limits=8.0)
    seen = set()
    for _ in range(25):
        q, v = state(name, rng)
        given = targets(name, q, 0.5 * rng.normal(size=3))
        done = own(q, v, **given)
        seen.add(done.status)
        assert not done.unconfirmed
        if done.status == "solved":
            alone = above(q, v, center_of_mass=given["center_of_mass"])
            assert near(done.residuals["center_of_mass"], alone.residuals["center_of_mass"], 1e-6)
            assert (abs(done.tau) <= 8.0 + 1e-6).all() and not done.violations
            left = balance(name, q, v, done) / (robot(name).mass * 9.81)
            assert near(left, np.zeros(robot(name).nv), 1e-9)
    assert "solved" in seen
