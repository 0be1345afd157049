"""Every kernel against the recursion it was made from: as a NumPy program, and as it is written on Python floats."""

from functools import cache

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms import forward_dynamics, inverse_dynamics, mass_matrix
from tests import doubtful
from tests.methods import ROBOT, arguments, results, variants
from tests.near import near
from tests.oracles.peers import ROBOTS
from tests.oracles.test_peers import NAMES
from tests.zoo import STRUCTURES, state, zoo


@pytest.fixture
def cache_directory():
    """The cache of the whole run will do: these kernels are shared with the laws."""


def condition(robot, name, given):
    """How much a method may make of a rounding error: what it inverts decides."""
    M = robot.mass_matrix(given["q"]) if "q" in given else np.eye(robot.nv)
    found = np.linalg.cond(M).max()
    if name == "operational_space":
        J = robot.jacobian(given["q"], given["frame"])
        found *= np.linalg.cond(J @ np.swapaxes(J, -1, -2)).max()
    return found


@cache
def plain(robot):
    """The same robot, whose kernels are made where there is no JIT."""
    return art.Robot(robot.model)


def both(robot, name, given, monkeypatch):
    """Results of a method, with a JIT and without."""
    found = getattr(robot, name)(**given)
    monkeypatch.setenv("ARTICULATED_JIT", "off")
    expected = getattr(plain(robot), name)(**given)
    monkeypatch.delenv("ARTICULATED_JIT")
    return zip(results(found), results(expected), strict=True)


@pytest.mark.parametrize("robot", [r for r in STRUCTURES if r.nv <= 9], ids=lambda r: r.name)
def test_machine_code_agrees_with_the_numpy_programs(robot, rng, monkeypatch):
    for name in ROBOT:
        given = arguments(robot, name, rng, (5,))
        limit = 1e-14 * max(100, condition(robot, name, given))
        if limit > 1e-6:  # an operational space that does not exist here
            assert name == "operational_space"
            continue
        for part, wanted in both(robot, name, given, monkeypatch):
            assert near(part, wanted, limit), name


@pytest.mark.parametrize("name", ROBOT)
def test_machine_code_agrees_for_every_option(name, rng, monkeypatch):
    robot = zoo()["stanford"]
    given = arguments(robot, name, rng, (5,))
    # distances of cylinders are searched, and end where the search of this program does (docs/distances.md)
    limit = 1e-6 if name == "distances" else 1e-14 * max(100, condition(robot, name, given))
    for options in variants(robot, name, rng, (5,)):
        for part, wanted in both(robot, name, {**given, **options}, monkeypatch):
            assert near(part, wanted, limit), options


@pytest.mark.parametrize("name", NAMES[::3])
def test_kernels_of_real_robots_agree_with_the_recursion(name, rng):
    robot = doubtful.load(ROBOTS[name], floating_base=True)
    q, v, a = state(robot, rng, 5)
    exact = [array(x[3]) for x in (q, v, a)]
    tau = robot.inverse_dynamics(q, v, a)
    M = robot.mass_matrix(q)
    assert near(tau[3], inverse_dynamics.inverse_dynamics(robot.model, *exact))
    assert near(M[3], mass_matrix.mass_matrix(robot.model, exact[0]))
    if robot.nv <= 30 and not robot.kernels.massless_joints:  # larger ones compile for long; talos is in the benchmarks
        expected = forward_dynamics.forward_dynamics(robot.model, *exact)
        limit = 1e-14 * max(100, np.linalg.cond(M[3]))
        assert near(robot.forward_dynamics(q, v, a)[3], expected, limit)
