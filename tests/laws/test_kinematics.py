"""Poses, Jacobians, momentum and the configuration manifold."""

import numpy as np
import pytest

from tests.near import near
from tests.zoo import STRUCTURES, state, zoo

everywhere = pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
in_axes = pytest.mark.parametrize("axes", ["world", "frame", "spatial"])
free_hands = pytest.mark.parametrize(
    "robot",
    [zoo()[name] for name in ("quadruped_floating", "stanford")],
    ids=lambda r: r.name,
)
STEP = 1e-5


def tip(robot):
    return robot.frame_names[-1]


@everywhere
def test_difference_undoes_integrate(robot, rng):
    q, v, _ = state(robot, rng, 6)
    assert near(robot.difference(q, robot.integrate(q, v)), v, 1e-12)
    tiny = 1e-7 * v
    assert near(robot.difference(q, robot.integrate(q, tiny)), tiny, 1e-15)


@everywhere
def test_integrate_follows_the_configuration_rate(robot, rng):
    q, v, _ = state(robot, rng)
    ahead, back = robot.integrate(q, STEP * v), robot.integrate(q, -STEP * v)
    assert near((ahead - back) / (2 * STEP), robot.configuration_rate(q, v), 1e-8)


@everywhere
def test_neutral_is_where_joints_do_nothing(robot):
    q = robot.neutral()
    assert near(robot.integrate(q, np.zeros(robot.nv)), q)
    for b in robot.model.bodies:
        own = b.joint.transform(b.joint.neutral()).matrix()
        assert near(own, np.eye(4))


@everywhere
@in_axes
def test_jacobian_gives_the_velocity(robot, rng, axes):
    q, v, _ = state(robot, rng, 3)
    J = robot.jacobian(q, tip(robot), axes)
    assert near(np.einsum("bij,bj->bi", J, v), robot.frame_velocity(q, v, tip(robot), axes))


@everywhere
def test_velocity_is_the_derivative_of_the_pose(robot, rng):
    q, v, _ = state(robot, rng)
    ahead, back = (robot.pose(robot.integrate(q, h * v), tip(robot)) for h in (STEP, -STEP))
    rate = (ahead - back) / (2 * STEP)
    velocity = robot.frame_velocity(q, v, tip(robot))
    turning = rate[:3, :3] @ robot.pose(q, tip(robot))[:3, :3].T
    assert near(velocity[:3], rate[:3, 3], 1e-8)
    assert near(velocity[3:], [turning[2, 1], turning[0, 2], turning[1, 0]], 1e-8)


@everywhere
@in_axes
def test_jacobian_rate_is_the_derivative_of_the_jacobian(robot, rng, axes):
    q, v, _ = state(robot, rng)
    ahead, back = (robot.jacobian(robot.integrate(q, h * v), tip(robot), axes) for h in (STEP, -STEP))
    assert near(robot.jacobian_rate(q, v, tip(robot), axes), (ahead - back) / (2 * STEP), 1e-7)


@everywhere
def test_acceleration_is_the_rate_of_the_velocity(robot, rng):
    q, v, a = state(robot, rng)
    expected = robot.jacobian(q, tip(robot)) @ a + robot.jacobian_rate(q, v, tip(robot)) @ v
    assert near(robot.frame_acceleration(q, v, a, tip(robot)), expected)


@everywhere
def test_spatial_acceleration_differs_by_the_swirl(robot, rng):
    q, v, a = state(robot, rng)
    velocity = robot.frame_velocity(q, v, tip(robot))
    swirl = np.concatenate([np.cross(velocity[3:], velocity[:3]), np.zeros(3)])
    point = robot.frame_acceleration(q, v, a, tip(robot))
    assert near(robot.frame_acceleration(q, v, a, tip(robot), spatial=True) + swirl, point)


@everywhere
def test_columns_vanish_exactly_where_nothing_supports(robot, rng):
    J = robot.body_jacobians(robot.random(rng))
    moved = robot.support()
    assert ((abs(J).max(axis=1) > 0) <= (moved > 0)).all()


@everywhere
def test_momentum_is_map_times_velocity(robot, rng):
    q, v, _ = state(robot, rng, 3)
    assert near(np.einsum("bij,bj->bi", robot.centroidal_map(q), v), robot.centroidal_momentum(q, v))


@everywhere
def test_linear_momentum_moves_the_center_of_mass(robot, rng):
    q, v, _ = state(robot, rng)
    ahead, back = (robot.center_of_mass(robot.integrate(q, h * v)) for h in (STEP, -STEP))
    assert near(robot.centroidal_momentum(q, v)[:3], robot.mass * (ahead - back) / (2 * STEP), 1e-7)


@free_hands
def test_operational_space_feels_what_the_joints_feel(robot, rng):
    q, v, _ = state(robot, rng)
    assert np.linalg.svd(robot.jacobian(q, tip(robot)))[1].min() > 1e-2, "not in all six directions: pick another state"
    felt = robot.operational_space(q, v, tip(robot))
    push = rng.normal(size=6)
    J = robot.jacobian(q, tip(robot))
    a = robot.forward_dynamics(q, v, J.T @ push)
    rate = J @ a + robot.jacobian_rate(q, v, tip(robot)) @ v
    assert near(felt.inertia @ rate + felt.bias, push, 1e-9)  # two inversions of a matrix of condition up to 1e4
