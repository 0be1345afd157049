"""Laws on trees nobody chose: up to 60 links, every kind of joint, straight on the recursions (no kernels)."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from articulated.algebra.scalars import array
from articulated.algorithms import (
    configuration,
    coriolis,
    energy,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
    study,
)
from tests.near import near
from tests.zoo import random_tree, state

trees = st.builds(random_tree, st.integers(0, 10**9), st.integers(1, 12), friction=st.booleans())
large_trees = st.builds(
    random_tree, st.integers(0, 10**9), st.integers(20, 60), st.just(["revolute", "prismatic", "spherical", "fixed"])
)
seeds = st.integers(0, 10**9)
few = settings(max_examples=8, deadline=None)
many = settings(max_examples=25, deadline=None)


def drawn(robot, seed):
    return robot.model, [array(x) for x in state(robot, np.random.default_rng(seed))]


@many
@given(trees, seeds)
def test_equations_of_motion(robot, seed):
    model, (q, v, a) = drawn(robot, seed)
    M, h = mass_matrix.mass_matrix(model, q), inverse_dynamics.bias_forces(model, q, v)
    assert near(M @ a + h, inverse_dynamics.inverse_dynamics(model, q, v, a))


@few
@given(large_trees, seeds)
def test_forward_undoes_inverse_on_large_trees(robot, seed):
    model, (q, v, a) = drawn(robot, seed)
    tau = inverse_dynamics.inverse_dynamics(model, q, v, a)
    condition = np.linalg.cond(np.array(mass_matrix.mass_matrix(model, q), float))
    assert near(forward_dynamics.forward_dynamics(model, q, v, tau), a, 1e-14 * max(100, condition))
    by_mass_matrix = forward_dynamics.forward_dynamics_by_composite_bodies(model, q, v, tau)
    assert near(by_mass_matrix, a, 1e-14 * max(100, condition))


@many
@given(trees, seeds)
def test_energy_is_the_quadratic_form(robot, seed):
    model, (q, v, _) = drawn(robot, seed)
    assert near(energy.kinetic_energy(model, q, v), v @ mass_matrix.mass_matrix(model, q) @ v / 2)


@many
@given(trees, seeds)
def test_three_factorizations_one_force(robot, seed):
    model, (q, v, _) = drawn(robot, seed)
    c = inverse_dynamics.coriolis_forces(model, q, v)
    for factorization in ("christoffel", "body_jacobian"):
        C = coriolis.coriolis_matrix(model, q, v, factorization)
        assert near(C @ v, c)
        assert near(C + C.T, mass_matrix.mass_matrix_rate(model, q, v))


@many
@given(trees, seeds)
def test_weights_and_jacobian_sums_are_other_ways_to_say_it(robot, seed):
    model, (q, v, a) = drawn(robot, seed)
    tau = inverse_dynamics.inverse_dynamics(model, q, v, a)
    assert near(study.inverse_dynamics_with_weights(model, q, v, a), tau)
    assert near(study.inverse_dynamics_by_jacobians(model, q, v, a), tau)


@many
@given(trees, seeds)
def test_moving_and_coming_back(robot, seed):
    model, (q, v, _) = drawn(robot, seed)
    v = 0.3 * v  # less than half a turn: beyond it the shorter way back is another one
    there = configuration.integrate(model, q, v)
    assert near(configuration.difference(model, q, there), v, 1e-12)
    assert near(configuration.difference(model, there, q), -v, 1e-12)
