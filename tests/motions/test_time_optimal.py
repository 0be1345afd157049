"""Laws of `art.time_optimal`; numbers of toppra are stored beside the script that made them."""

import json
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from tests.motions.make_toppra import CASES, case
from tests.zoo import random_tree

STORED = json.loads((Path(__file__).parent / "toppra.json").read_text())


@pytest.mark.parametrize("name", CASES)
def test_it_is_as_fast_as_toppra_at_every_point(name):
    robot, way, limits, points = case(name)
    found = art.time_optimal(robot, way, limits=limits, points=points)
    at = way.at(np.linspace(way.s[0], way.s[-1], points))
    k = np.argmax(abs(at.slope), axis=1)[:, None]
    speed = (np.take_along_axis(found.v, k, 1) / np.take_along_axis(at.slope, k, 1))[:, 0]
    wanted = np.array(STORED[name])
    assert abs(speed[:: len(speed) // 40] - wanted).max() < 1e-6 * wanted.max()


@pytest.fixture(scope="module")
def panda() -> art.Robot:
    return art.load("panda")


@pytest.fixture(scope="module")
def way(panda):
    home = panda.poses["home"]
    return art.path(panda, home + np.array([[0.0] * 7, [1, 0.3, 0, 0.5, 0, 0, 0], [1.5, 0, 0.4, 0, 0, 0, 0.3]]))


@pytest.mark.parametrize("limits", [{}, {"acceleration": 8.0}, {"effort": [40, 40, 40, 40, 8, 8, 8]}])
def test_every_limit_holds_and_one_is_reached_everywhere(limits, panda, way):
    found = art.time_optimal(panda, way, limits=limits)
    effort = limits.get("effort", panda.limits.effort)
    most = limits.get("acceleration", np.inf)
    shares = np.hstack([abs(found.v) / panda.limits.velocity, abs(found.tau) / effort, abs(found.a) / most])
    assert shares.max() < 1 + 1e-9
    # the constraint of an interval is that of either of its ends
    worst = shares.max(axis=1)
    assert np.maximum(worst[:-1], worst[1:]).min() > 0.98
    assert abs(found.q[[0, -1]] - way.q[[0, -1]]).max() < 1e-12
    assert not found.v[[0, -1]].any()


def test_friction_takes_its_share_of_the_torque():
    """Dry and viscous: torques of the motion, friction included, keep their limits and reach them."""
    rough = random_tree(5, 5, ["revolute", "prismatic"], friction=True)
    way = art.path(rough, np.random.default_rng(0).uniform(-1, 1, (3, rough.nv)))
    effort = 1.3 * abs(rough.gravity_forces(way.at(np.linspace(0, way.s[-1], 100)).q)).max(axis=0) + 1.0
    found = art.time_optimal(rough, way, limits={"effort": effort})
    slick = art.time_optimal(rough.frictionless(), art.path(rough.frictionless(), way.q), limits={"effort": effort})
    share = abs(found.tau[1:-1]) / effort  # at rest friction is not the one of the motion
    assert 0.999 < share.max() < 1 + 1e-6
    assert np.median(share.max(axis=1)) > 0.99
    assert found.duration > slick.duration


def test_finer_grids_converge(panda, way):
    times = [art.time_optimal(panda, way, points=n).duration for n in (250, 500, 1000, 2000)]
    steps = abs(np.diff(times))
    assert steps[-1] < steps[0] and steps[-1] < 2e-3


def test_a_payload_that_cannot_be_held_is_said(panda, way):
    with pytest.raises(art.ShapeError, match=r"effort limit of 'panda_joint2', 5, does not hold the robot: \d"):
        art.time_optimal(panda, way, limits={"effort": [87, 5, 87, 87, 12, 12, 12]})
    with pytest.raises(art.ShapeError, match="no fastest motion"):
        art.time_optimal(panda, way, torque_limits=False)
    with pytest.raises(art.ShapeError, match="beyond its range"):
        art.time_optimal(panda, [panda.poses["home"], panda.poses["home"] + 3])


def test_a_kink_is_said_and_slows_the_motion_down(panda):
    """A polyline with many waypoints and one corner: which, by how much; the motion found keeps its limits."""
    home, along = panda.poses["home"], np.linspace(0, 0.5, 40)[:, None]
    first, then = np.eye(7)[0], (0.6 * np.eye(7)[1] + 0.8 * np.eye(7)[3])
    corner = np.concatenate([home + along * first, home + 0.5 * first + along[1:] * then])
    with pytest.warns(art.ModelWarning, match=r"a kink at waypoint 39, where the direction turns by 90° \(1 in all\)"):
        found = art.time_optimal(panda, corner, limits={"acceleration": 10.0})
    speed = np.linalg.norm(found.v, axis=1)
    assert abs(found.a).max() < 10 * (1 + 1e-9) and speed[480:520].min() < 0.3 * speed.max()


def test_a_base_that_nothing_holds_is_said():
    dog = art.load("quadruped", floating_base=True)
    home = dog.poses["home"]
    with pytest.warns(art.ModelWarning, match="contacts="):
        art.time_optimal(dog, [home, dog.integrate(home, 0.1 * np.eye(dog.nv)[2])])


def test_a_trunk_moves_as_fast_as_friction_and_motors_allow():
    """On four feet: forces within their cones and torques within their limits exist, and no faster motion has any."""
    dog, feet = art.load("quadruped", floating_base=True), ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    home = dog.poses["home"]
    target = dog.pose(home, "base")[:3, 3] + [0.12, 0.05, -0.05]
    way = art.frame_path(dog, "base", home, target, hold=feet)
    runs = {mu: art.time_optimal(dog, way, contacts=feet, friction=mu, points=60) for mu in (0.3, 0.6)}
    assert runs[0.6].duration < 0.9 * runs[0.3].duration
    for mu, run in runs.items():
        turned = [dog.pose(run.q, foot)[:, :3, :3] @ run.forces[foot][:, :3, None] for foot in feet]
        pushes = np.stack(turned, axis=1)[..., 0]
        assert (np.hypot(pushes[..., 0], pushes[..., 1]) <= mu * pushes[..., 2] + 1e-5).all()
        assert (abs(run.tau) <= np.append(np.full(6, 1e-9), dog.limits.effort[6:]) + 1e-5).all()
        shares = [_least_share(dog, feet, mu, run, k, 1.03) for k in range(1, 59, 6)]
        assert all(_least_share(dog, feet, mu, run, k, 1.0) < 1e-6 for k in range(1, 59, 6)) and max(shares) > 1e-3
    with pytest.raises(art.ShapeError, match=r"'FL_FOOT' is held, but at point \d+ of 60 the path moves it"):
        art.time_optimal(dog, [home, dog.integrate(home, 0.1 * np.eye(18)[7])], contacts=feet, points=60)
    with pytest.raises(art.ShapeError, match="at point 0 of 60 no contact forces within their cones"):
        art.time_optimal(dog, way, limits={"effort": 1.0}, contacts=feet, points=60)


def _least_share(dog, feet, mu, run, k, faster):
    """By how much of the weight the best forces in pyramids miss the motion at a sample: a linear program."""
    optimize = pytest.importorskip("scipy.optimize")
    q, v, a = run.q[k], faster * run.v[k], faster**2 * run.a[k]
    J, wrench = art.Contacts(dog, point=feet).jacobian(q), dog.inverse_dynamics(q, v, a)
    cone = np.kron(np.eye(4), [[1, 1, -mu], [1, -1, -mu], [-1, 1, -mu], [-1, -1, -mu]])
    weight, most = 9.81 * dog.parameters[::10].sum(), dog.limits.effort[6:]
    # forces, and a part of the weight by which the six rows of the base may be missed
    base = np.block([[J.T[:6], np.full((6, 1), -weight)], [-J.T[:6], np.full((6, 1), -weight)]])
    joints = np.block([[-J.T[6:], np.zeros((12, 1))], [J.T[6:], np.zeros((12, 1))]])
    rows = np.vstack([base, joints, np.column_stack([cone, np.zeros(16)])])
    right = [*wrench[:6], *-wrench[:6], *(most - wrench[6:]), *(most + wrench[6:]), *np.zeros(16)]
    bounds = [(None, None), (None, None), (0, None)] * 4 + [(0, None)]
    found = optimize.linprog([0] * 12 + [1], rows, right, bounds=bounds)
    return found.fun if found.success else 1.0
