"""Single bodies on the ground against closed forms: slopes, sliding, bouncing, rolling, falling."""

import numpy as np
import pytest

from articulated.simulation.ground import Ground

from .scenes import G, at, ball, block, run


#: corners of a block
LOWER, UPPER = slice(0, 8, 2), slice(1, 8, 2)


def on_slope(angle: float, distance: float) -> np.ndarray:
    """A block lying on a slope that rises along x, `distance` off it."""
    return at(-distance * np.sin(angle), 0, distance * np.cos(angle), -angle)


@pytest.mark.parametrize("part", [0.5, 0.9, 0.999])
def test_below_the_friction_angle_a_block_does_not_creep(part):
    angle = part * np.arctan(0.6)
    q = on_slope(angle, 0.05)
    found = run(block(), Ground(0.6, slope=angle), q, None, 400)
    assert abs(found.q[-1] - q).max() < 1e-9
    assert abs(found.v[-1]).max() < 1e-8
    assert (found.states[5:, LOWER] == 1).all()
    assert found.residual.max() <= 1e-6


@pytest.mark.parametrize("part", [1.05, 1.5])
def test_above_the_friction_angle_it_slides_as_the_formula_says(part):
    angle, dt, steps = part * np.arctan(0.4), 1e-3, 500
    found = run(block(), Ground(0.4, slope=angle), on_slope(angle, 0.05), None, steps, dt)
    acceleration = G * (np.sin(angle) - 0.4 * np.cos(angle))
    # semi-implicit steps: v = a k dt, x = a dt² k (k + 1) / 2, exactly
    way = acceleration * dt**2 * steps * (steps + 1) / 2
    moved = found.q[-1, :3] - on_slope(angle, 0.05)[:3]
    assert moved == pytest.approx(-way * np.array([np.cos(angle), 0, np.sin(angle)]), rel=1e-5, abs=1e-7)
    assert (found.states[-1, LOWER] == 2).all()
    assert (found.states[:, UPPER] == 0).all()
    assert abs(found.gaps[:, LOWER]).max() < 1e-7


def test_at_the_friction_angle_it_stays_or_slides_by_rounding_only():
    angle = np.arctan(0.5)
    found = run(block(), Ground(0.5, slope=angle), on_slope(angle, 0.05), None, 300)
    assert abs(found.q[-1, :3] - on_slope(angle, 0.05)[:3]).max() < 1e-6


def test_a_block_slides_and_stops_where_the_formula_says():
    dt, speed, friction = 1e-3, 1.0, 0.5
    found = run(block(), Ground(friction), at(z=0.05), [speed, 0.3, 0, 0, 0, 0], 400, dt)
    total = np.hypot(speed, 0.3)
    steps = int(np.ceil(total / (friction * G * dt)))
    way = sum(max(0.0, total - friction * G * dt * k) for k in range(1, steps + 1)) * dt
    assert found.q[-1, :2] == pytest.approx(way * np.array([speed, 0.3]) / total, rel=1e-5)
    assert way == pytest.approx(total**2 / (2 * friction * G), rel=0.01)
    assert abs(found.v[-1]).max() < 1e-8
    # and stays there
    assert abs(found.q[-1, :2] - found.q[-100, :2]).max() < 1e-10
    # friction is at the edge of its cone, against the motion
    forces = found.forces[50].sum(axis=0)
    assert forces == pytest.approx(2 * G * np.array([-friction / total, -0.3 * friction / total, 1]), rel=1e-5)


def test_a_ball_bounces_by_its_restitution():
    robot, e, height, dt = ball(), 0.8, 0.5, 2e-4
    found = run(robot, Ground(restitution=e), at(z=0.1 + height), None, 8000, dt)
    clearance = found.q[:, 2] - 0.1
    tops = [clearance[k] for k in range(1, len(clearance) - 1) if clearance[k - 1] <= clearance[k] > clearance[k + 1]]
    expected = height * e ** (2 * np.arange(1, len(tops) + 1))
    assert len(tops) >= 2
    assert tops[:3] == pytest.approx(expected[:3], rel=0.01)
    assert clearance.min() > -5e-6


def test_without_restitution_it_stays_and_below_the_slow_speed_too():
    for ground in (Ground(), Ground(restitution=1.0, slow=0.1)):
        found = run(ball(), ground, at(z=0.1004), None, 300)
        assert abs(found.q[-1, 2] - 0.1) < 5e-6
        assert abs(found.v[-1]).max() < 1e-8
        assert found.forces[-1, 0] == pytest.approx([0, 0, 1.5 * G])


def test_a_slipping_ball_rolls_at_five_sevenths_of_its_speed():
    radius, speed, friction, dt = 0.1, 2.0, 0.3, 1e-3
    found = run(ball(radius), Ground(friction), at(z=radius), [speed, 0, 0, 0, 0, 0], 500, dt)
    rolling = 2 * speed / (7 * friction * G)  # from when on it rolls
    v = found.v[-1]
    world = found.q[-1]
    assert (found.states[: int(rolling / dt) - 2] == 2).all()
    assert (found.states[int(rolling / dt) + 3 :] == 1).all()
    assert np.linalg.norm(v[:3]) == pytest.approx(5 / 7 * speed, rel=1e-5)
    assert np.linalg.norm(v[3:]) * radius == pytest.approx(5 / 7 * speed, rel=1e-5)
    assert world[2] == pytest.approx(radius, abs=1e-7)


def test_a_cube_falls_on_its_edge_and_comes_to_rest_on_a_face():
    robot = block((0.2, 0.2, 0.2), 1.0)
    q = at(z=0.4)
    q[3:] = np.array([0.3, 0.2, 0.1, 1.0]) / np.linalg.norm([0.3, 0.2, 0.1, 1.0])
    found = run(robot, Ground(0.5), q, None, 1500)
    assert abs(found.v[-1]).max() < 1e-6
    assert found.q[-1, 2] == pytest.approx(0.1, abs=5e-6)
    assert found.forces[-1].sum(axis=0) == pytest.approx([0, 0, G], abs=1e-4)
    assert found.gaps.min() > -1e-4
    assert found.residual.max() <= 1e-6
    energy = robot.kinetic_energy(found.q, found.v) + robot.potential_energy(found.q)
    assert np.diff(energy).max() < 1e-4  # impacts and friction take energy, the drift term gives next to none


def test_frictionless_ground_takes_no_momentum_along_it():
    found = run(block(), Ground(0.0), at(z=0.05), [1.0, -0.5, 0, 0, 0, 0.3], 300)
    R = found.q[-1, 3:]
    assert found.forces[:, :, :2] == pytest.approx(0.0)
    assert found.q[-1, :2] == pytest.approx([0.3, -0.15], rel=1e-9)
    assert 2 * np.arctan2(R[2], R[3]) == pytest.approx(0.3 * 0.3, rel=1e-9)


def test_steps_carry_and_stop():
    radius = 0.05
    ground = Ground(0.6, steps=[(0.5, 0.1), (1.5, -0.1)])
    # a ball that rolls against a riser stops there; one on the tread rests on it; one that rolls off falls
    found = run(ball(radius), ground, [at(0.3, z=radius), at(1.0, z=0.1 + radius), at(2.0, z=radius)], None, 500)
    assert found.q[-1, 0, 2] == pytest.approx(radius, abs=1e-6)
    assert found.q[-1, 1, 2] == pytest.approx(0.1 + radius, abs=1e-6)
    assert found.q[-1, 2, 2] == pytest.approx(-0.1 + radius, abs=1e-6)
    into = run(ball(radius), ground, at(0.3, z=radius), [1.0, 0, 0, 0, 1.0 / radius, 0], 400)
    assert into.q[:, 0].max() <= 0.5 - radius + 1e-3  # the riser is met once it is nearer than the tread
