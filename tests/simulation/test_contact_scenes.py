"""Single bodies on the ground against closed forms: slopes, sliding, bouncing, rolling, falling, redundant contacts."""

import numpy as np
import pytest

import articulated as art

from .scenes import BASE, G, at, ball, block, on_slope, run

#: rad, of the slope
ANGLE = 0.5


def slope(part: float) -> art.Ground:
    """Whose friction angle is so much larger than the slope."""
    return art.Ground(np.tan(part * ANGLE), slope=ANGLE, feet=BASE)


@pytest.mark.parametrize("part", [1.5, 1.001])
def test_below_the_friction_angle_a_block_does_not_creep(part):
    q = on_slope(ANGLE, 0.05)
    found = run(block(), slope(part), q, None, 2000)
    # what the first steps leave of the residual, and no more of it later
    assert abs(found.q[-1] - q).max() < 1e-9
    assert abs(found.q[-1] - found.q[1000]).max() < 1e-12
    assert abs(found.v[-1]).max() < 1e-12
    assert (found.contact.states == 1).all()
    assert found.contact.residual.max() <= 1e-6


@pytest.mark.parametrize("part", [0.95, 0.6])
def test_above_the_friction_angle_it_slides_as_the_formula_says(part):
    dt, steps, ground = 1e-3, 500, slope(part)
    found = run(block(), ground, on_slope(ANGLE, 0.05), None, steps, dt)
    acceleration = G * (np.sin(ANGLE) - ground.friction * np.cos(ANGLE))
    # semi-implicit steps: v = a k dt, x = a dt² k (k + 1) / 2, but for the residual
    way = acceleration * dt**2 * steps * (steps + 1) / 2
    moved = found.q[-1, :3] - on_slope(ANGLE, 0.05)[:3]
    assert moved == pytest.approx(-way * np.array([np.cos(ANGLE), 0, np.sin(ANGLE)]), rel=1e-5, abs=1e-7)
    assert (found.contact.states[-1] == 2).all()
    assert abs(found.contact.gaps).max() < 1e-7


def test_at_the_friction_angle_it_stays_or_slides_by_rounding_only():
    found = run(block(), slope(1.0), on_slope(ANGLE, 0.05), None, 300)
    assert abs(found.q[-1, :3] - on_slope(ANGLE, 0.05)[:3]).max() < 1e-6


def test_a_normal_and_a_slope_are_the_same_ground():
    assert art.Ground(normal=(-np.sin(0.5), 0, np.cos(0.5))).surface == art.Ground(slope=0.5).surface
    assert art.Ground(normal=(0, 0, 7), height=0.3).surface == art.Ground(height=0.3).surface


def test_a_block_slides_and_stops_where_the_formula_says():
    dt, speed, friction = 1e-3, 1.0, 0.5
    found = run(block(), art.Ground(friction, feet=BASE), at(z=0.05), [speed, 0.3, 0, 0, 0, 0], 400, dt)
    total = np.hypot(speed, 0.3)
    steps = int(np.ceil(total / (friction * G * dt)))
    way = sum(max(0.0, total - friction * G * dt * k) for k in range(1, steps + 1)) * dt
    assert found.q[-1, :2] == pytest.approx(way * np.array([speed, 0.3]) / total, rel=1e-5)
    assert way == pytest.approx(total**2 / (2 * friction * G), rel=0.01)
    assert abs(found.v[-1]).max() < 1e-9
    assert abs(found.q[-1, :2] - found.q[-100, :2]).max() < 1e-10
    # friction is at the edge of its cone, against the motion
    forces = found.contact.forces[50].sum(axis=0)
    assert forces == pytest.approx(2 * G * np.array([-friction / total, -0.3 * friction / total, 1]), rel=1e-5)


def test_a_ball_bounces_by_its_restitution():
    e, height, dt = 0.8, 0.5, 2e-4
    found = run(ball(), art.Ground(restitution=e), at(z=0.1 + height), None, 8000, dt)
    clearance = found.q[:, 2] - 0.1
    tops = [clearance[k] for k in range(1, len(clearance) - 1) if clearance[k - 1] <= clearance[k] > clearance[k + 1]]
    assert len(tops) >= 2
    assert tops[:3] == pytest.approx(height * e ** (2 * np.arange(1, len(tops[:3]) + 1)), rel=0.01)
    assert clearance.min() > -5e-6


def test_without_restitution_it_stays_and_below_the_slow_speed_too():
    for ground in (art.Ground(), art.Ground(restitution=1.0, slow=0.1)):
        found = run(ball(), ground, at(z=0.1004), None, 300)
        assert abs(found.q[-1, 2] - 0.1) < 5e-6
        assert abs(found.v[-1]).max() < 1e-8
        assert found.contact.forces[-1, 0] == pytest.approx([0, 0, 1.5 * G])


def test_there_is_no_force_at_a_distance():
    found = run(ball(), art.Ground(), at(z=0.2), [0.3, 0, 0, 0, 0, 0], 120)
    open_steps = found.contact.states[:, 0] == 0
    assert open_steps.any()
    assert (found.contact.forces[open_steps] == 0).all()
    # before it has fallen far enough it falls as if there were no ground
    free = art.simulate(ball(), at(z=0.2), [0.3, 0, 0, 0, 0, 0], 0.1, limits=False)
    assert found.q[: len(free)] == pytest.approx(free.q, abs=1e-15)


def test_a_slipping_ball_rolls_at_five_sevenths_of_its_speed():
    radius, speed, friction, dt = 0.1, 2.0, 0.3, 1e-3
    found = run(ball(radius), art.Ground(friction), at(z=radius), [speed, 0, 0, 0, 0, 0], 500, dt)
    rolling = 2 * speed / (7 * friction * G)  # from when on it rolls
    assert (found.contact.states[: int(rolling / dt) - 2] == 2).all()
    assert (found.contact.states[int(rolling / dt) + 3 :] == 1).all()
    assert np.linalg.norm(found.v[-1, :3]) == pytest.approx(5 / 7 * speed, rel=1e-5)
    assert np.linalg.norm(found.v[-1, 3:]) * radius == pytest.approx(5 / 7 * speed, rel=1e-5)
    assert found.q[-1, 2] == pytest.approx(radius, abs=1e-7)


def test_a_cube_falls_on_its_edge_and_comes_to_rest_on_a_face():
    robot = block((0.2, 0.2, 0.2), 1.0)
    q = at(z=0.4)
    q[3:] = np.array([0.3, 0.2, 0.1, 1.0]) / np.linalg.norm([0.3, 0.2, 0.1, 1.0])
    found = run(robot, art.Ground(0.5), q, None, 1500)
    assert abs(found.v[-1]).max() < 1e-6
    assert found.q[-1, 2] == pytest.approx(0.1, abs=5e-6)
    assert found.contact.forces[-1].sum(axis=0) == pytest.approx([0, 0, G], abs=1e-4)
    assert found.contact.gaps.min() > -1e-4
    assert found.contact.residual.max() <= 1e-6
    # impacts and friction take energy, the drift term gives next to none
    assert np.diff(found.energy.total).max() < 1e-4


def test_a_wall_of_redundant_contacts_carries_its_weight_and_nothing_more():
    """Six contacts of one body: 18 rows of rank 6."""
    feet = {"body": [(x, y, -0.05) for x in (-0.1, 0.02, 0.1) for y in (-0.1, 0.1)]}
    found = run(block(), art.Ground(0.6, feet=feet), at(z=0.055), None, 200)
    assert found.contact.residual.max() <= 1e-6
    assert found.contact.forces[-1].sum(axis=0) == pytest.approx([0, 0, 2 * G], abs=1e-4)
    assert (found.contact.normal >= 0).all()
    assert abs(found.v[-1]).max() < 1e-8


def test_frictionless_ground_takes_no_momentum_along_it():
    found = run(block(), art.Ground(0.0, feet=BASE), at(z=0.05), [1.0, -0.5, 0, 0, 0, 0.3], 300)
    z, w = found.q[-1, 5:]
    assert (found.contact.forces[..., :2] == 0).all()
    assert found.q[-1, :2] == pytest.approx([0.3, -0.15], rel=1e-9)
    assert 2 * np.arctan2(z, w) == pytest.approx(0.3 * 0.3, rel=1e-9)


def test_steps_carry_and_stop():
    radius = 0.05
    ground = art.Ground(0.6, steps=[(0.5, 0.1), (1.5, -0.1)])
    starts = [at(0.3, z=radius), at(1.0, z=0.1 + radius), at(2.0, z=radius)]
    found = run(ball(radius), ground, starts, None, 500)
    assert found.q[:, -1, 2] == pytest.approx(np.array([0, 0.1, -0.1]) + radius, abs=1e-6)
    into = run(ball(radius), ground, at(0.3, z=radius), [1.0, 0, 0, 0, 1.0 / radius, 0], 400)
    assert into.q[:, 0].max() <= 0.5 - radius + 1e-3  # the riser is met once it is nearer than the tread
    off = run(ball(radius), ground, at(1.4, z=0.1 + radius), [1.0, 0, 0, 0, 1.0 / radius, 0], 600)
    assert off.q[-1, 0] > 1.6
    assert off.q[-1, 2] == pytest.approx(-0.1 + radius, abs=1e-4)


def test_a_height_field_that_is_a_slope_is_that_slope():
    rise = 2 * np.tan(ANGLE)
    field = art.Ground(np.tan(0.6 * ANGLE), heights=[[-rise] * 2, [rise] * 2], extent=(-2, 2, -2, 2), feet=BASE)
    one, other = (run(block(), ground, on_slope(ANGLE, 0.05), None, 200) for ground in (field, slope(0.6)))
    assert one.q[-1] == pytest.approx(other.q[-1], abs=1e-7)
    assert one.contact.normals[-1] == pytest.approx(other.contact.normals[-1], abs=1e-12)


def test_a_ball_comes_to_rest_in_a_hollow():
    x = np.linspace(-1, 1, 9)
    ground = art.Ground(0.3, heights=0.2 * (x[:, None] ** 2 + x**2), extent=(-1, 1, -1, 1))
    found = run(ball(0.1), ground, at(0.6, 0.3, 0.3), None, 4000, every=100)
    assert found.energy.total[-1] < found.energy.total[0]
    assert np.abs(found.q[:, :2]).max() < 0.75
    assert found.contact.gaps.min() > -4e-3  # over an edge of the field the normal jumps; it is brought back slowly


def test_any_friction_and_any_direction_of_the_ground_is_the_same_physics():
    """A block pushed along its ground moves the same way whichever way the ground and its axes point."""
    flat = block()
    base = run(flat, art.Ground(0.5, feet=BASE), at(z=0.05), [0.5, 0.2, 0, 0, 0, 0.4], 200)
    # a slope whose gravity is turned with it
    c, s = np.cos(ANGLE), np.sin(ANGLE)
    tilted = flat.replace(gravity=(s * G, 0, -c * G))
    ground = art.Ground(0.5, feet=BASE, slope=ANGLE)
    turned = run(tilted, ground, on_slope(ANGLE, 0.05), [0.5, 0.2, 0, 0, 0, 0.4], 200)
    assert turned.v[-1] == pytest.approx(base.v[-1], abs=1e-6)
    assert turned.contact.normal == pytest.approx(base.contact.normal, abs=2e-2)
