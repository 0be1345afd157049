"""Distances of links: equal to coal's, with exact gradients, alone and in a batch."""

import numpy as np
import pytest

import articulated as art
from articulated.geometry.pairs import pairs
from articulated.model.shapes import Box, Capsule, Cylinder, Hull, Mesh, Sphere

NAMES = ["panda", "quadruped"]
TABLE = Box((1.0, 1.0, 0.1), placement=art.Transform(p=(0.8, 0, -0.05)))
BALL = Sphere(0.1, placement=art.Transform(p=(0.5, 0.3, 0.5)))


def theirs(coal, shape):
    if isinstance(shape, Box):
        return coal.Box(*shape.size)
    return coal.Sphere(shape.radius) if isinstance(shape, Sphere) else coal.Capsule(shape.radius, shape.length)


@pytest.mark.parametrize("name", NAMES)
def test_distances_are_those_of_coal(name):
    coal = pytest.importorskip("coal")
    robot = art.load(name)
    q = robot.random(np.random.default_rng(2), (12,))
    asked, found = coal.DistanceRequest(), coal.DistanceResult()
    asked.enable_signed_distance, asked.gjk_tolerance, asked.epa_tolerance = True, 1e-12, 1e-12
    got, by_links = robot.distances(q), pairs(robot.model)
    assert robot.distance_pairs == list(by_links)
    for state, row in zip(q, got, strict=True):
        for links, distance in zip(by_links, row, strict=True):
            exact = []
            for pair in by_links[links]:
                args = []
                for x in (pair.first, pair.second):
                    place = art.Transform(x.shape.placement.R, x.shape.placement.p)
                    X = robot.pose(state, x.link.name)
                    R, p = X[:3, :3] @ np.array(place.R, float), X[:3, :3] @ np.array(place.p, float) + X[:3, 3]
                    args += [theirs(coal, x.shape), coal.Transform3s(R, p)]
                found.clear()
                exact.append(coal.distance(*args, asked, found))
            assert distance == pytest.approx(min(exact), abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_differences(name):
    """Away from kinks, where differences to both sides agree; also of obstacles."""
    robot = art.load(name)
    q, step = robot.random(np.random.default_rng(3), (6,)), 1e-6
    options = {"obstacles": [TABLE, BALL]}
    gradient = robot.derivatives("distances")(q, **options).q
    for k in range(robot.nv):
        ahead, here, behind = (robot.distances(q + s * step * np.eye(robot.nv)[k], **options) for s in (1, 0, -1))
        smooth = abs(ahead + behind - 2 * here) < 1e-10
        assert smooth.mean() > 0.99
        assert abs((ahead - behind) / (2 * step) - gradient[..., k])[smooth].max() < 1e-8


@pytest.mark.parametrize("kind", ["hull", "cylinder"])
def test_gradients_of_searched_shapes_are_those_of_differences(kind):
    """Also where a face or an edge is nearest, whose corners are all as far along the direction.

    A search ends a little off the nearest points now and then, more often where shapes are curved.
    """
    rng = np.random.default_rng(0)
    points = [tuple(x) for x in (0.2 * rng.normal(size=(8, 3))).tolist()]
    shape = Hull(points=points, collision=True) if kind == "hull" else Cylinder(0.05, 0.4, collision=True)
    robot = art.build(
        [art.Link("one", joint=art.Floating(), inertia=art.Inertia(1, [0, 0, 0], np.eye(3)), shapes=[shape])]
    )
    q, step = robot.random(rng, (60,)), 1e-6
    q[:, :3] *= rng.uniform(0.45, 0.8, (60, 1)) / np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    gradient, compared = robot.derivatives("distances")(q, obstacles=[shape]).q[:, 0], 0
    for k in range(6):
        moves = (robot.integrate(q, s * step * np.eye(6)[k]) for s in (1, 0, -1))
        ahead, here, behind = (robot.distances(x, obstacles=[shape])[:, 0] for x in moves)
        smooth = (here > 1e-3) & (abs(ahead + behind - 2 * here) < 1e-10)
        compared += smooth.sum()
        off = abs((ahead - behind) / (2 * step) - gradient[:, k])[smooth]
        usual, worst = (1e-8, 1e-3) if kind == "hull" else (1e-6, 0.05)
        assert np.quantile(off, 0.9) < usual and off.max() < worst
    assert compared > 150


def test_obstacles_come_after_the_pairs_of_links():
    panda = art.load("panda")
    q = np.array([0, -0.8, 0, -2.4, 0, 1.6, 0.8])
    own, both = panda.distances(q), panda.distances(q, [TABLE, BALL])
    moving = [x for x in panda.links if any(s.collision for s in x.shapes) and x.name != "panda_link0"]
    assert np.array_equal(own, both[: len(own)]) and len(both) == len(own) + 2 * len(moving)
    below = art.Transform(p=(0, 0, -10.0))
    far = panda.distances(q, Box((1, 1, 2.0), placement=below))[len(own) :]
    assert far.min() == pytest.approx(9.003, abs=1e-9)  # link 1 ends 3 mm above the floor
    assert panda.names("distances")[0] == [f"{a}~{b}" for a, b in panda.distance_pairs]


def test_what_collides():
    panda = art.load("panda")
    q = np.array([[0, -0.8, 0, -2.4, 0, 1.6, 0.8], [0, 1.7, 0, -2.9, 0, 0.0, 0]])
    assert panda.collides(q).tolist() == [False, True] and panda.collides(q[0]).shape == ()
    hand = panda.pose(q[0], "panda_hand")[:3, 3]
    assert panda.collides(q[0], [Sphere(0.05, placement=art.Transform(p=hand))])
    assert not panda.collides(q[0], [Sphere(0.05, placement=art.Transform(p=hand + 1))])
    assert art.load("2r").distances([0, 0]).shape == (0,) and not art.load("2r").collides([0, 0])


def test_shapes_are_part_of_what_is_computed():
    """Two robots that differ in shapes alone share no code."""
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3))

    def sliders(*shapes):
        links = [art.Link("rail")]
        for k, shape in enumerate(shapes):
            joint = art.Prismatic((1, 0, 0), name=f"j{k}")
            links.append(art.Link(f"b{k}", "rail", joint, inertia=body, shapes=[shape]))
        return art.build(links)

    ball, box = Sphere(0.1, collision=True), Box((0.2, 0.2, 0.2), collision=True)
    for shapes, apart in (((ball, ball), 0.8), ((ball, Sphere(0.2, collision=True)), 0.7), ((box, ball), 0.8)):
        robot = sliders(*shapes)
        # at q = 0 they are built into each other; a robot whose own pose is not its neutral one has them apart
        assert robot.distance_pairs == []
        moved = robot.replace("b0", placement=art.Transform(p=(1.0, 0, 0)))
        assert moved.distance_pairs == [("b0", "b1")]
        assert moved.distances([0.0, 0.0]).tolist() == pytest.approx([apart])


@pytest.mark.parametrize("wrong", ["box", [Mesh("a.stl")], 3, [None]])
def test_what_is_no_obstacle_is_said(wrong):
    with pytest.raises(art.ArticulatedError, match="obstacles are shapes"):
        art.load("panda").distances(np.zeros(7), wrong)


def test_cylinders_and_capsules_at_the_door_of_the_table():
    """Known distances of a cylinder that stands beside others."""
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3))
    post = Cylinder(0.1, 1.0, collision=True)
    others = [
        (Sphere(0.1), 0.8), (Capsule(0.1, 0.5), 0.8), (Cylinder(0.2, 0.4), 0.7), (Box((0.2, 0.4, 0.6)), 0.8),
    ]  # fmt: skip
    robot = art.build(
        [art.Link("base"), art.Link("post", "base", art.Prismatic((1, 0, 0)), inertia=body, shapes=[post])]
    )
    for shape, apart in others:
        placed = type(shape)(**{**vars(shape), "placement": art.Transform(p=(1.0, 0, 0))})
        assert robot.distances([0.0], [placed]) == pytest.approx([apart], abs=1e-9)
        assert robot.distances([0.95 * apart], [placed]) == pytest.approx([0.05 * apart], abs=1e-9)
        assert robot.collides([apart + 1e-3], [placed])
