"""Ellipsoids and convex hulls in a simulation: they stand, roll and rest where a closed form says."""

from itertools import product

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Mesh, Sphere
from articulated.robot.hulls import extreme_points

from .scenes import G, at, body

CUBE = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]


def stacked(lower, upper) -> art.Robot:
    """Two free bodies."""
    about = art.Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3))
    shapes = {"a": lower, "b": upper}
    free = [art.Link(n, "world", art.Floating(name=n), inertia=about, shapes=[x]) for n, x in shapes.items()]
    return art.build([art.Link("world"), *free])


@pytest.mark.parametrize(
    ("lower", "upper", "height"),
    [
        (Hull(points=CUBE, collision=True), Hull(points=CUBE, collision=True), 0.3),
        (Box((0.4, 0.4, 0.2), collision=True), Ellipsoid((0.2, 0.2, 0.1), collision=True), 0.25),
        (Hull(points=CUBE, collision=True), Cylinder(0.05, 0.1, collision=True), 0.25),
        (Hull(points=CUBE, collision=True), Capsule(0.05, 0.1, collision=True), 0.3),
    ],
    ids=["hulls", "ellipsoid", "cylinder", "capsule"],
)
def test_one_stands_on_the_other(lower, upper, height):
    robot = stacked(lower, upper)
    q = robot.neutral()
    q[2], q[9] = 0.1, height + 1e-3
    run = art.simulate(robot, q, duration=0.3, contacts=art.Ground(0.7, self_collision=True))
    assert run.q[-1, [2, 9]] == pytest.approx([0.1, height], abs=1e-6)
    assert run.contact.gaps.min() > -1e-6 and run.contact.residual.max() <= 1e-6
    grounded = ["~" not in name for name in run.contact.names]
    assert run.contact.normal[-1, grounded].sum() == pytest.approx(2 * G, rel=1e-3)


def test_an_ellipsoid_rocks_as_its_curvature_says():
    """On the ground it is a pendulum: g (R - h) / (k² + h²), R = a²/c the radius of curvature below it, h = c."""
    a, c = 0.2, 0.1
    inertia = 1.0 / 5 * (a * a + c * c)
    robot = body(Ellipsoid((2 * a, 2 * a, 2 * c), collision=True), 1.0, [inertia, inertia, 2 / 5 * a * a])
    tilt = 0.01
    height = np.sqrt((a * np.sin(tilt)) ** 2 + (c * np.cos(tilt)) ** 2)
    run = art.simulate(robot, at(z=height, tilt=tilt), duration=1.5, contacts=art.Ground(0.9), method="midpoint")
    rate = np.sqrt(G * (a * a / c - c) / (inertia + c * c))
    sines = 2 * run.q[:, 4]  # of small angles
    crossings = run.t[1:][np.diff(np.sign(sines)) != 0]
    assert crossings[0] == pytest.approx(np.pi / 2 / rate, abs=3e-3)
    assert abs(sines[-1]) <= tilt * 1.01


def test_a_hull_of_a_box_falls_as_the_box_does():
    shape = {"mass": 2.0, "inertia": [0.02, 0.02, 0.03]}
    hull, box = body(Hull(points=CUBE, collision=True), **shape), body(Box((0.2, 0.2, 0.2), collision=True), **shape)
    v = [0.5, 0.1, 0, 1, 2, 3]
    runs = [art.simulate(x, at(z=0.3, tilt=0.4), v, 0.6, contacts=art.Ground(0.5)) for x in (hull, box)]
    assert runs[0].q[-1] == pytest.approx(runs[1].q[-1], abs=1e-6)


@pytest.mark.parametrize("radius", [0.05, 1.0])
def test_a_ball_rolls_down_a_hull_as_down_a_box(radius):
    """It touches at one point, however large the face, and however large the ball."""
    tilt = art.Transform([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]])
    sides = 6.0, 4.0, 1.0
    corners = [tuple(s * h / 2 for s, h in zip(signs, sides, strict=True)) for signs in product((1, -1), repeat=3)]
    about, v = art.Inertia(1.0, (0, 0, 0), 0.4 * radius**2 * np.eye(3)), []
    q = [*np.array([0.6, 0.3, 0.8]) * (0.5 + radius), 0, 0, 0, 1]
    q[1] = 0.3
    for ramp in (Box(sides, placement=tilt, collision=True), Hull(points=corners, placement=tilt, collision=True)):
        ball = art.Link("ball", "ramp", art.Floating(), inertia=about, shapes=[Sphere(radius, collision=True)])
        robot = art.build([art.Link("ramp", shapes=[ramp]), ball])
        ground = art.Ground(1.0, height=-99.0, self_collision=[("ramp", "ball")])
        v.append(art.simulate(robot, q, duration=0.1, contacts=ground).v[-1])
    assert np.linalg.norm(v[0][:3]) == pytest.approx(5 / 7 * G * 0.6 * 0.1, rel=1e-6)
    assert v[1] == pytest.approx(v[0], abs=1e-9)


@pytest.mark.parametrize("turn", [(0.6, 0.5, 0.2), (0.1, 0.2, 0.0)], ids=["corner", "edge"])
def test_a_hull_tumbles_on_a_hull_as_a_box_on_a_box(turn):
    """From a corner over an edge to a face: corners and edges touch where they are, not where the other face ends."""
    about, runs = art.Inertia(1.0, (0, 0, 0), 0.04 / 6 * np.eye(3)), []
    pose = art.spatial.exp([0, 0, 0, *turn])
    pose[:3, 3] = [0.3, 0.2, 0.1 + 1e-6 - (np.array(CUBE) @ pose[:3, :3].T)[:, 2].min()]
    sides = np.array([4.0, 4.0, 0.2])
    for hull in (False, True):
        floor, cube = (
            Hull(points=np.array(CUBE) * 5 * x, collision=True) if hull else Box(x, collision=True)
            for x in (sides, np.full(3, 0.2))
        )
        free = art.Link("cube", "floor", art.Floating(), inertia=about, shapes=[cube])
        robot = art.build([art.Link("floor", shapes=[floor]), free])
        ground = art.Ground(0.8, height=-9.0, self_collision=[("floor", "cube")])
        runs.append(art.simulate(robot, art.spatial.xyz_quaternion(pose), duration=0.15, contacts=ground))
    assert abs(runs[0].v[-1]).max() > 0.1
    assert runs[1].q == pytest.approx(runs[0].q, abs=1e-7)


def test_meshes_become_hulls(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / "ball.stl"
    trimesh.creation.icosphere(3, 0.1).export(path)
    robot = body(Mesh("ball.stl", (2.0, 2.0, 2.0), file=str(path), collision=True), 1.0, [0.01] * 3)
    with pytest.warns(art.ModelWarning, match="with_hulls"), pytest.raises(art.ArticulatedError):
        art.simulate(robot, at(z=0.5), contacts=art.Ground())
    hull = robot.with_hulls(64)
    run = art.simulate(hull, at(z=0.21), duration=0.2, contacts=art.Ground())
    assert run.q[-1, 2] == pytest.approx(0.2, abs=0.02)  # of a ball with 64 corners
    with pytest.raises(art.ArticulatedError, match="most"):
        robot.with_hulls(65)
    with pytest.raises(art.ArticulatedError, match="no such file"):
        body(Mesh("nowhere.stl", collision=True), 1.0, [0.01] * 3).with_hulls()


def test_the_points_of_a_hull_are_its_corners():
    rng = np.random.default_rng(0)
    inside = rng.uniform(-0.09, 0.09, (500, 3))
    found = extreme_points(np.concatenate([inside, CUBE]), 32)
    assert {tuple(x) for x in found} == set(CUBE)
    assert len(extreme_points(rng.normal(size=(5000, 3)), 16)) == 16


def test_hulls_without_points_are_refused():
    with pytest.raises(art.ArticulatedError, match="points"):
        Hull(points=[])
    with pytest.raises(art.ArticulatedError, match="points"):
        Hull(points=np.zeros((65, 3)))


def test_a_pair_moves_by_the_same_bits_alone_and_in_a_batch():
    robot = stacked(Hull(points=CUBE, collision=True), Ellipsoid((0.2, 0.15, 0.1), collision=True))
    q = np.tile(robot.neutral(), (5, 1))
    q[:, 2], q[:, 7], q[:, 9] = 0.1, [0.0, 0.05, 0.5, 0.02, 0.01], [0.26, 0.3, 0.1, 0.8, 0.28]
    ground = art.Ground(0.7, self_collision=True)
    whole = art.simulate(robot, q, duration=0.25, contacts=ground)
    for k in range(5):
        alone = art.simulate(robot, q[k], duration=0.25, contacts=ground)
        assert np.array_equal(alone.q, whole.q[k]) and np.array_equal(alone.contact.gaps, whole.contact.gaps[k])
