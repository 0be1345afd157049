"""`simulate(…, parameters=…)`: a batch of robots with inertias of their own moves as those robots do, one by one."""

import numpy as np
import pytest

import articulated as art
from articulated.model.parameters import from_parameters

METHODS = ("euler", "rk4", "adaptive")
#: of positions after a quarter of a second: two programs round in their own ways
NEAR = 1e-11


def drawn(robot, count, rng):
    """Sets of parameters: every body heavier or lighter as a whole."""
    return np.array(robot.parameters) * np.repeat(rng.uniform(0.5, 2.0, (count, len(robot.body_names))), 10, axis=1)


def with_own(robot, parameters):
    """The robot that has them."""
    by_body = dict(zip(robot.body_names, parameters.reshape(-1, 10), strict=True))
    links = [
        link.replace(inertia=from_parameters(by_body[link.name].tolist())) if link.name in by_body else link
        for link in robot.links
    ]
    return art.build(links, gravity=robot.gravity, name=robot.name)


def push(t, q, v):
    return 0.3 * np.sin(4 * t) - 0.1 * v


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["cart_pole", "triple_pendulum", "tree4"])
def test_each_moves_as_the_robot_it_is(name, method, rng):
    robot = art.load(name)
    parameters, q = drawn(robot, 3, rng), robot.random(rng, (3,)) * 0.3
    options = {"duration": 0.25, "dt": 2e-3, "method": method, "limits": False if method == "euler" else None}
    forces = {robot.body_names[-1]: [0.2, 0, 0.1, 0, 0.05, 0]}
    run = art.simulate(robot, q, torque=art.traced(push), parameters=parameters, forces=forces, **options)
    for k in range(3):
        own = with_own(robot, parameters[k])
        assert np.allclose(own.parameters, parameters[k], rtol=1e-13, atol=1e-15)
        one = art.simulate(own, q[k], torque=art.traced(push), forces=forces, **options)
        assert np.abs(run.q[k] - one.q).max() < NEAR and np.abs(run.tau[k] - one.tau).max() < NEAR


def test_called_and_compiled_are_the_same(rng):
    robot = art.load("cart_pole")
    parameters, options = drawn(robot, 4, rng), {"duration": 0.2, "limits": False}
    traced = art.simulate(robot, [0, 0.3], torque=art.traced(push), parameters=parameters, **options)
    called = art.simulate(robot, [0, 0.3], torque=push, parameters=parameters, **options)
    assert traced.q.shape == (4, 201, 2) and np.abs(traced.q - called.q).max() < NEAR
    single = art.simulate(robot, [0, 0.3], torque=push, parameters=parameters[2], **options)
    assert single.q.shape == (201, 2) and np.abs(single.q - called.q[2]).max() < NEAR


def test_what_follows_from_the_robot_is_refused(rng):
    robot = art.load("cart_pole")
    run = art.simulate(robot, [0, 0.3], parameters=drawn(robot, 2, rng), duration=0.01, method="rk4")
    for what in ("energy", "momentum", "center_of_mass"):
        with pytest.raises(art.ShapeError, match=f"{what}: this run has other inertial parameters"):
            getattr(run, what)
    assert "energy" not in run._repr_html_()


@pytest.mark.parametrize("options, words", [
    ({"parameters": np.zeros(7)}, "parameters"), ({"parameters": np.full(20, np.nan)}, "holds NaN"),
    ({"parameters": "heavy"}, "parameters"), ({"parameters": np.ones((3, 20)), "q0": np.zeros((2, 2))}, "broadcast"),
    ({"method": "symplectic"}, "own parameters only"), ({"method": "euler"}, "limits=False"),
])  # fmt: skip
def test_refused(options, words):
    robot = art.load("cart_pole")
    given = {"q0": [0, 0.3], "parameters": robot.parameters, "duration": 0.01, "method": "rk4", **options}
    with pytest.raises(art.ArticulatedError, match=words):
        art.simulate(robot, **given)
