"""Regulators: the Riccati equation holds, motions decay, and what has none is said."""

import numpy as np
import pytest

import articulated as art
from tests.near import near


@pytest.mark.parametrize("discrete", [False, True])
@pytest.mark.parametrize("n, m", [(1, 1), (4, 1), (6, 3), (12, 4), (36, 12)])
def test_the_riccati_equation_holds(n, m, discrete, rng):
    A, B = rng.normal(size=(n, n)) / np.sqrt(n), rng.normal(size=(n, m))
    Q, R = np.diag(rng.uniform(0.5, 2, n)), np.diag(rng.uniform(0.5, 2, m))
    K, P = art.lqr(A, B, Q, R, discrete=discrete)
    if discrete:
        near(A.T @ P @ A - A.T @ P @ B @ K + Q, P, 1e-10)
        assert abs(np.linalg.eigvals(A - B @ K)).max() < 1
    else:
        near(A.T @ P + P @ A - P @ B @ K + Q, np.zeros((n, n)), 1e-10, abs(P).max())
        near(R @ K, B.T @ P, 1e-12)
        assert np.linalg.eigvals(A - B @ K).real.max() < 0
    assert np.linalg.eigvalsh(P).min() > 0


def test_a_double_integrator_is_known():
    K, P = art.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 1], [1])
    near(K, [[1, np.sqrt(3)]])
    near(P, [[np.sqrt(3), 1], [1, np.sqrt(3)]])


@pytest.mark.parametrize("r", [1e-15, 1e-9, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("b", [1e-3, 1.0, 1e3])
def test_cheap_and_dear_inputs_are_known_too(b, r):
    """A mass with q₁ x² + q₂ v² + r u²: k₁ = √(q₁/r), k₂ = √(q₂/r + 2 k₁ / b); and what falls over, ẋ = 3 x + b u."""
    k1 = np.sqrt(2.0 / r)
    mass = art.lqr([[0, 1], [0, 0]], [[0], [b]], [2, 3], [r])
    assert near(mass.K / [[k1, np.sqrt(3.0 / r + 2 * k1 / b)]], np.ones((1, 2)), 1e-7)
    falls = art.lqr([[3.0]], [[b]], [2.0], [r])
    assert near(falls.K * b / (3 + np.sqrt(9 + 2 * b * b / r)), [[1.0]], 1e-9)


def test_a_batch_is_its_systems(rng):
    A, B = rng.normal(size=(5, 4, 4)), rng.normal(size=(5, 4, 2))
    together = art.lqr(A, B, np.ones(4), np.ones(2))
    for k in range(5):
        near(together.K[k], art.lqr(A[k], B[k], np.eye(4), np.eye(2)).K, 1e-9)
    for discrete in (False, True):  # one of the two may be the same for all
        for one, other in ((A[0], B), (A, B[0])):
            found = art.lqr(one, other, np.ones(4), np.ones(2), discrete).K
            pairs = zip(np.broadcast_to(one, A.shape), np.broadcast_to(other, B.shape), strict=True)
            for k, (a, b) in enumerate(pairs):
                near(found[k], art.lqr(a, b, np.ones(4), np.ones(2), discrete).K, 1e-9)


@pytest.mark.parametrize("robot, q, passive", [("cart_pole", [0, np.pi], 1), ("acrobot", [np.pi, 0], 0)])
def test_what_stands_upright_is_regulated(robot, q, passive, rng):
    robot = art.load(robot)
    still = np.zeros(robot.nv)
    upright = next(x for x in ([0, np.pi], [np.pi, 0], [0, 0], [np.pi / 2, 0], [-np.pi / 2, 0], [0, np.pi / 2])
                   if abs(robot.gravity_forces(x)).max() < 1e-9 and _falls(robot, x))  # fmt: skip
    A, B = robot.linearize(upright, still, still)
    motors = robot.actuation_map(passive=[robot.joint_names[passive]])
    K = art.lqr(A, B @ motors, np.ones(4), [1]).K
    assert np.linalg.eigvals(A).real.max() > 1 and np.linalg.eigvals(A - B @ motors @ K).real.max() < 0
    sampled = robot.linearize(upright, still, still, dt=0.01)
    gain = art.lqr(sampled.A, sampled.B @ motors, np.ones(4), [1], discrete=True).K
    assert abs(np.linalg.eigvals(sampled.A - sampled.B @ motors @ gain)).max() < 1


def _falls(robot, q):
    A = robot.linearize(q, [0, 0], [0, 0]).A
    return np.linalg.eigvals(A).real.max() > 1


@pytest.mark.parametrize(
    "given, words",
    [
        (([[1, 0], [0, 1]], [[1], [0]], [1, 1], [1]), "not stabilizable|no regulator"),
        (([[0, 1], [-1, 0]], [[0], [1]], [0, 0], [1]), "no regulator|does not decay"),
        (([[1]], [[1]], [1], [0]), "R must be positive"),
        (([[1]], [[1]], [-1], [1]), "Q must be positive semidefinite"),
        (([[1, 2]], [[1]], [1], [1]), r"A has shape \(1, 2\)"),
        (([[1]], [[1, 2], [3, 4]], [1], [1]), r"B has shape \(2, 2\)"),
        (([[1]], [[1]], [1, 2], [1]), "Q is a finite matrix"),
        (([[1, 0], [0, 1]], np.eye(2), [[1, 2], [0, 1]], [1, 1]), "Q must be symmetric"),
        (([[np.nan]], [[1]], [1], [1]), "not finite"),
        (("A", [[1]], [1], [1]), "lqr: A"),
        (([[0, 1], [0, 0]], [[0], [1e308]], [1, 1], [1]), "too large"),
        (([[0, 1], [1e308, 0]], [[0], [1]], [1, 1], [1]), "no regulator|does not decay"),
        (([[0, 1], [0, 0]], [[0], [1]], [1, 1], [1e-320]), "no regulator"),
        (([[0, 1], [0, 0]], [[0], [1]], [1, 1.7e308], [1]), "no regulator|does not decay"),
    ],
)
def test_what_has_no_regulator_is_said(given, words):
    with pytest.raises(art.ArticulatedError, match=words):
        art.lqr(*given)
