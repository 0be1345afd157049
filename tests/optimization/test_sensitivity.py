"""Laws of `art.simulate_derivatives`: eighth-order differences of whole runs, and forwards is backwards transposed."""

import numpy as np
import pytest

import articulated as art
from articulated.optimization.step import STEPS
from tests.zoo import random_tree

from .test_step import WEIGHTS

TREE = random_tree(1, 2, ["floating", "revolute"])


def started(robot, rng, steps):
    return robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=(steps, robot.nv))


@pytest.mark.parametrize("method", STEPS)
def test_they_are_differences_of_runs(method):
    robot, rng, n, steps = TREE, np.random.default_rng(0), TREE.nv, 5
    dt = 2e-3 if method == "midpoint" else 0.01  # six passes, which converge faster in short steps
    q, v, tau = started(robot, rng, steps)
    dq, dv, dtau = (rng.normal(size=x) for x in (n, n, (steps, n)))
    heavier, dp = 1.1 * robot.parameters, 0.1 * rng.normal(size=len(robot.parameters)) * robot.parameters

    def run(s):
        start, own = (robot.integrate(q, s * dq), v + s * dv), heavier + s * dp
        return art.simulate(robot, *start, steps * dt, dt, tau + s * dtau, method=method, parameters=own)

    h, here = 1e-2, run(0)
    ends = {s * k: run(s * k * h) for k in WEIGHTS for s in (1, -1)}
    wanted = [
        sum(w / h * (of(ends[k]) - of(ends[-k])) for k, w in WEIGHTS.items())
        for of in (lambda x: robot.difference(here.q, x.q), lambda x: x.v)
    ]
    of = art.simulate_derivatives(here)
    found = of.forward(dq, dv, dtau, dp)
    for x, y in zip(found, wanted, strict=True):
        assert abs(x - y).max() < 1e-8 * (1 + abs(y).max())
    by = rng.normal(size=(2, steps + 1, n))
    back = of.adjoint(*by, parameters=True)
    pairs = zip(back, (dq, dv, dtau, dp), strict=True)
    assert sum((x * y).sum() for x, y in pairs) == pytest.approx((by[0] * found.q + by[1] * found.v).sum(), rel=1e-9)
    own, told = (art.simulate(robot, q, v, dt, dt, method=method, parameters=p) for p in (None, robot.parameters))
    for name in ("A", "B", "P"):
        x, y = (getattr(art.simulate_derivatives(run), name) for run in (own, told))
        assert np.allclose(x, y, rtol=0, atol=1e-9 * (1 + abs(y).max()))


def test_by_gains():
    """The gains of a PD law by the chain rule on what its torques feel."""
    arm, goal = art.load("2r"), np.array([0.5, -0.3])

    def swung(k):
        law = lambda t, x, w: k[0] * (goal - x) - k[1] * w  # noqa: E731
        return art.simulate(arm, [0.1, 0.2], [0, 0], 0.2, 0.01, torque=law, limits=False)

    gains, run = np.array([20.0, 3.0]), swung([20.0, 3.0])
    of = art.simulate_derivatives(run, feedback=np.hstack([-gains[0] * np.eye(2), -gains[1] * np.eye(2)]))
    felt = of.adjoint(q=run.q - goal).tau
    found = [(felt * (goal - run.q[:-1])).sum(), -(felt * run.v[:-1]).sum()]
    for k, unit in enumerate(np.eye(2)):
        high, low = (0.5 * ((swung(gains + s * 1e-4 * unit).q - goal) ** 2).sum() for s in (1, -1))
        assert found[k] == pytest.approx((high - low) / 2e-4, rel=1e-6)


def test_where_there_are_none_it_is_said():
    ball, rough = art.Scene([art.Ball(0.1, 1.0, at=(0, 0, 0.1)), art.Ground()]), random_tree(3, 3, friction=True)
    flat = rough.neutral()
    for robot, q, tau in (
        (ball, ball.poses["start"], None),
        (rough, flat, rough.gravity_forces(flat)[None].repeat(2, 0)),
    ):
        run = art.simulate(robot, q, torque=tau, method="midpoint", duration=0.004, dt=0.002)
        with pytest.raises(art.ShapeError, match="joint limit or dry friction that holds acts at t = 0 s"):
            art.simulate_derivatives(run)
    run = art.simulate(
        TREE, *started(TREE, np.random.default_rng(0), 1)[:2], 0.1, 0.01, forces={"link0": [1, 0, 0, 0, 0, 0]}
    )
    with pytest.raises(art.ShapeError, match="without forces="):
        art.simulate_derivatives(run)
    with pytest.raises(art.ShapeError, match="every step stored"):
        art.simulate_derivatives(art.simulate(art.load("2r"), [0.1, 0], duration=0.1, dt=0.01, every=2))
    with pytest.raises(art.ShapeError, match="takes a run"):
        art.simulate_derivatives(3)
