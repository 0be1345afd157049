"""Mass and Coriolis matrices: every route to them agrees, and what is promised to be skew is."""

import numpy as np
import pytest

from articulated.algebra.scalars import array
from articulated.algorithms import study
from articulated.algorithms.mass_matrix import mass_matrix
from tests.near import near
from tests.zoo import STRUCTURES, state

everywhere = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
one_dof = pytest.mark.parametrize(
    "robot", [r for r in STRUCTURES if all(b.joint.nv == 1 for b in r.model.bodies)], ids=lambda r: r.name
)
without_gears = pytest.mark.parametrize(
    "robot", [r for r in STRUCTURES if not any(b.joint.mimic for b in r.model.bodies)], ids=lambda r: r.name
)
STEP = 1e-5


@everywhere
@pytest.mark.parametrize(
    "route",
    [
        mass_matrix,
        study.mass_matrix_by_unit_accelerations,
        study.mass_matrix_by_jacobians,
        study.mass_matrix_by_energy,
        study.mass_matrix_by_screws,
    ],
    ids=lambda f: f.__name__,
)
def test_all_routes_to_the_mass_matrix_agree(robot, rng, route):
    q = robot.random(rng)
    # polarisation adds and subtracts energies far larger than small entries
    assert near(route(robot.model, array(q)), robot.mass_matrix(q), 1e-12, scale=np.trace(robot.mass_matrix(q)))


def rate_by_differences(robot, q, v):
    ahead, back = robot.integrate(q, STEP * v), robot.integrate(q, -STEP * v)
    return (robot.mass_matrix(ahead) - robot.mass_matrix(back)) / (2 * STEP)


@everywhere
def test_rate_of_the_mass_matrix(robot, rng):
    q, v, _ = state(robot, rng)
    assert near(robot.mass_matrix_rate(q, v), rate_by_differences(robot, q, v), 1e-7)


@everywhere
@pytest.mark.parametrize("factorization", ["christoffel", "body_jacobian", "nonskew"])
def test_every_coriolis_matrix_gives_the_same_forces(robot, rng, factorization):
    q, v, _ = state(robot, rng)
    assert near(robot.coriolis_matrix(q, v, factorization) @ v, robot.coriolis_forces(q, v))


@everywhere
@pytest.mark.parametrize("factorization", ["christoffel", "body_jacobian"])
def test_rate_minus_twice_coriolis_is_skew(robot, rng, factorization):
    q, v, _ = state(robot, rng)
    C = robot.coriolis_matrix(q, v, factorization)
    assert near(C + C.T, rate_by_differences(robot, q, v), 1e-7)
    assert robot.skewness_defect(q, v, factorization) <= 1e-12 * max(1, abs(C).max())


@everywhere
def test_power_of_coriolis_forces_vanishes_for_every_factorization(robot, rng):
    q, v, _ = state(robot, rng)
    for factorization in ("christoffel", "body_jacobian", "nonskew"):
        N = robot.mass_matrix_rate(q, v) - 2 * robot.coriolis_matrix(q, v, factorization)
        assert abs(v @ N @ v) <= 1e-11 * max(1, abs(N).max()) * (v @ v)


def test_the_lumped_factorization_is_not_skew(rng):
    robot = STRUCTURES[0]
    q, v, _ = state(robot, rng)
    assert robot.skewness_defect(q, v, "nonskew") > 1e-2


@everywhere
def test_christoffel_symbols_make_the_coriolis_matrix(robot, rng):
    q, v, _ = state(robot, rng)
    assert near(np.einsum("ijk,k->ij", robot.christoffel(q), v), robot.coriolis_matrix(q, v))


@one_dof
def test_christoffel_symbols_are_those_of_the_metric(robot, rng):
    q = robot.random(rng)
    dM = np.stack([rate_by_differences(robot, q, e) for e in np.eye(robot.nv)], axis=-1)  # [i, j, k] = dM_ij/dq_k
    expected = (dM + dM.transpose(0, 2, 1) - dM.transpose(2, 1, 0)) / 2
    symbols = robot.christoffel(q)
    assert near(symbols, expected, 1e-7)
    assert near(symbols, symbols.transpose(0, 2, 1), 1e-12)


@without_gears
def test_joints_of_different_branches_do_not_couple(robot, rng):
    M = robot.mass_matrix(robot.random(rng))
    bodies = robot.model.bodies
    for b in bodies:
        for c in bodies:
            if b not in c.support() and c not in b.support():
                assert not M[b.dofs, c.dofs].any()


@without_gears
def test_composite_inertias_add_up(robot, rng):
    q = robot.random(rng)
    local, spatial = robot.composite_inertias(q, axes="frame"), robot.composite_inertias(q)
    screws = robot.screws(q)
    M = robot.frictionless().mass_matrix(q)
    for b, I_frame, I_world in zip(robot.model.bodies, local, spatial, strict=True):
        S = np.array(b.S, float)
        assert near(S.T @ I_frame @ S, M[b.dofs, b.dofs])
        assert near(screws[b.dofs] @ I_world @ screws[b.dofs].T, M[b.dofs, b.dofs])
