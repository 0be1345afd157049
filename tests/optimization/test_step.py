"""Laws of `art.linearize_step`, on every row of STEPS: the derivative of what `simulate` does."""

import numpy as np
import pytest

import articulated as art
from articulated.optimization.step import STEPS
from articulated.simulation.methods.table import INTEGRATORS
from tests.zoo import random_tree

#: central differences of order 8
WEIGHTS = {1: 672 / 840, 2: -168 / 840, 3: 32 / 840, 4: -3 / 840}
SPRUNG = art.load("2r").add_springs([art.Spring("tip", (0.9, 1.0, 0.0), stiffness=100.0, damping=2.0)])
ROBOTS = {
    "arm": lambda: art.load("2r"),
    "manifold": lambda: random_tree(7, 3, ["revolute", "spherical", "planar", "prismatic", "cylindrical"]),
    "floating": lambda: random_tree(1, 2, ["floating", "revolute"]),
    "friction": lambda: random_tree(3, 3, ["revolute", "prismatic"], friction=True),
    "springs": lambda: SPRUNG,
}


def stepped(robot, q, v, tau, dt, method):
    """The states after one step of `simulate`."""
    held = False if INTEGRATORS[method].contacts else None
    run = art.simulate(robot, q, v, dt, dt, torque=tau[:, None], method=method, limits=held)
    return run.q[:, -1], run.v[:, -1]


def by_differences(robot, q, v, tau, dt, method, step=2e-3):
    n = robot.nv
    moves = np.concatenate([s * k * step * np.eye(3 * n) for k in WEIGHTS for s in (1, -1)])
    parts = robot.integrate(q, moves[:, :n]), v + moves[:, n : 2 * n], tau + moves[:, 2 * n :]
    q1, v1 = stepped(robot, *parts, dt, method)
    q0, _ = stepped(robot, q[None], v[None], tau[None], dt, method)
    out = np.concatenate([robot.difference(np.broadcast_to(q0, q1.shape), q1), v1], axis=1)
    signed = out.reshape(len(WEIGHTS), 2, 3 * n, 2 * n)
    weights = np.array(list(WEIGHTS.values()))[:, None, None] / step
    return (weights * (signed[:, 0] - signed[:, 1])).sum(axis=0).T


@pytest.mark.parametrize("kind", ROBOTS)
@pytest.mark.parametrize("method", STEPS)
def test_it_is_the_derivative_of_a_step_of_simulate(method, kind):
    robot, rng = ROBOTS[kind](), np.random.default_rng(2)
    if kind == "friction" and method == "symplectic":
        return  # `simulate` refuses dry friction there
    q, v, tau = robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)
    dt = 2e-3 if method == "midpoint" else 0.02  # six passes, which converge faster in short steps
    A, B = art.linearize_step(robot, q, v, tau, dt, method)
    wanted = by_differences(robot, q, v, tau, dt, method)
    # the impulse of dry friction comes after the passes of the midpoint rule, and is no part of their gyroscopic terms
    tolerance = 1e-5 if method == "midpoint" and kind == "friction" else 1e-9
    assert abs(np.hstack([A, B]) - wanted).max() < tolerance * (1 + abs(wanted).max())


@pytest.mark.parametrize("method", STEPS)
def test_batches_are_states_one_by_one(method):
    robot, rng = art.load("2r"), np.random.default_rng(0)
    q, v = rng.normal(size=(2, 2, 3, 2))
    A, B = art.linearize_step(robot, q, v, [0.1, 0.2], 0.01, method)
    assert A.shape == (2, 3, 4, 4) and B.shape == (2, 3, 4, 2)
    one = art.linearize_step(robot, q[1, 2], v[1, 2], [0.1, 0.2], 0.01, method)
    assert np.allclose(A[1, 2], one.A, atol=1e-12) and np.allclose(B[1, 2], one.B, atol=1e-12)
    empty = art.linearize_step(robot, q[:0], v[:0], [0.1, 0.2], 0.01, method)
    assert empty.A.shape == (0, 3, 4, 4)


def test_every_method_of_fixed_steps_has_a_row():
    assert set(STEPS) == {name for name, row in INTEGRATORS.items() if not row.adaptive}


def test_bad_input():
    with pytest.raises(art.ArticulatedError, match="euler"):
        art.linearize_step(art.load("2r"), [0, 0], [0, 0], [0, 0], 0.01, "adaptive")
    with pytest.raises(art.ShapeError, match="dt"):
        art.linearize_step(art.load("2r"), [0, 0], [0, 0], [0, 0], -1)
