"""Distances of links: equal to coal's, with exact gradients, alone and in a batch."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import articulated as art
from articulated.compiler.passes.builder import Builder
from articulated.geometry.obstacles import height_field, point_cloud
from articulated.geometry.pairs import pairs
from articulated.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Hull, Mesh, Sphere

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


@pytest.mark.parametrize("wrong", [Sphere(-0.1), Sphere(np.nan), Box((1, -1, 1)), Capsule(0.1, np.inf)])
def test_lengths_of_obstacles_are_lengths(wrong):
    """An obstacle of no size would collide with nothing, silently."""
    with pytest.raises(art.ArticulatedError, match="obstacle 1 has lengths that are no lengths"):
        art.load("ur5").collides(np.zeros(6), [TABLE, wrong])


def test_meshes_that_are_left_out_are_said():
    """A robot of meshes would collide with nothing, silently."""
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3))
    robot = art.build(
        [art.Link("one", joint=art.Floating(), inertia=body, shapes=[Mesh("a.stl", collision=True)])], name="meshes"
    )
    with pytest.warns(art.ModelWarning, match=r"those of 'one'; take robot.with_hulls\(\)"):
        assert not robot.collides(robot.neutral(), [BALL])
    with pytest.raises(art.ArticulatedError, match="meshes has no collision shapes that can meet"):
        art.Problem(robot, horizon=2, dt=0.1, costs=[art.costs.clearance(0.1, [BALL])]).solve(robot.neutral())
    with pytest.raises(art.ArticulatedError, match="margin"):
        art.costs.clearance(np.nan)


def test_points_of_a_hull_are_finite():
    with pytest.raises(art.ArticulatedError, match="point 1 is not finite"):
        Hull(points=[(0, 0, 0), (np.nan, 0, 0), (0, 1, 0)])


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


#: shapes of every kind, which move apart and into each other
ZOO = [
    Sphere(0.1), Capsule(0.08, 0.3), Cylinder(0.1, 0.3), Box((0.2, 0.3, 0.1)), Ellipsoid((0.2, 0.3, 0.1)),
    Hull(points=[(0.1, 0, 0), (-0.1, 0.1, 0), (0, -0.1, 0.1), (0, 0, -0.2), (0.1, 0.1, 0.1)]),
]  # fmt: skip


def floats(shape, **more):
    """A robot of two links with the same shape: a free base, and what a mimic joint moves."""
    body, shapes = art.Inertia(1.0, (0, 0, 0), np.eye(3)), [replace(shape, collision=True)]
    follower = art.Revolute((0, 0, 1), name="last", mimic=art.Mimic("first", -2.0))
    return art.build(
        [
            art.Link("base", joint=art.Floating(), inertia=body, shapes=shapes),
            art.Link("arm", "base", art.Revolute((0, 1, 0), name="first"), art.Transform(p=(0.4, 0, 0)), inertia=body),
            art.Link("hand", "arm", follower, art.Transform(p=(0.4, 0.1, 0)), inertia=body, shapes=shapes),
        ],
        **more,
    )


@pytest.mark.parametrize("shape", ZOO, ids=lambda x: type(x).__name__)
def test_loops_over_pairs_are_the_recursion(shape):
    """Every kind with every kind: distances, gradients by all ways, one state and a batch, in bits."""
    robot, definition = floats(shape), floats(shape, name="definition")
    definition.kernels.longest = 0
    q = robot.random(np.random.default_rng(7), (9,))
    q[:, :3] *= 0.5 / np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    d = robot.distances(q, ZOO)
    exact = definition.distances(q, ZOO)
    apart = exact > 1e-3
    assert d.shape == (9, 13) and apart.mean() > 0.5
    # a search does not exceed the distance, and that of a loop has more steps; of an overlap both find what they find
    assert (d - exact > -1e-9)[apart].all() and np.quantile(abs(d - exact)[apart], 0.9) < 1e-9
    options = {"obstacles": ZOO}
    gradient = robot.derivatives("distances")(q, **options).q
    assert np.array_equal(d, [robot.distances(x, ZOO) for x in q])
    assert np.array_equal(gradient, [robot.derivatives("distances")(x, **options).q for x in q])
    v, w = np.random.default_rng(8).normal(size=(9, robot.nv)), np.random.default_rng(9).normal(size=d.shape)
    along = robot.jvp("distances")(q, **options, tangents={"q": v})
    assert along == pytest.approx(np.einsum("npv,nv->np", gradient, v), abs=1e-12)
    back = robot.vjp("distances")(q, **options, cotangents=w).q
    assert back == pytest.approx(np.einsum("npv,np->nv", gradient, w), abs=1e-12)
    # what moves the whole robot moves no distance between its links
    assert not gradient[:, 0, :6].any()


@pytest.mark.parametrize("second", ZOO, ids=lambda x: type(x).__name__)
@pytest.mark.parametrize("first", ZOO, ids=lambda x: type(x).__name__)
def test_gradients_of_every_kind_of_pair_are_those_of_differences(first, second):
    """To 1e-8, the error of differences; nine of ten of hulls, and of curved ones apart to 1e-6."""
    robot = floats(first)
    q, step = robot.random(np.random.default_rng(3), (40,)), 1e-6
    q[:, :3] *= np.random.default_rng(4).uniform(0.05, 0.5, (40, 1)) / np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    gradient, errors = robot.derivatives("distances")(q, obstacles=[second]).q, []
    curved = bool({Cylinder, Ellipsoid}.intersection((type(first), type(second))))
    for k in range(robot.nv):
        moves = (robot.integrate(q, s * step * np.eye(robot.nv)[k]) for s in (1, 0, -1))
        ahead, here, behind = (robot.distances(x, [second]) for x in moves)
        smooth = (abs(ahead + behind - 2 * here) < 1e-10) & ((here > 1e-3) | (not curved))
        errors.append(abs((ahead - behind) / (2 * step) - gradient[..., k])[smooth])
    errors = np.concatenate(errors)
    flat = not curved and Hull not in (type(first), type(second))
    assert len(errors) > 300
    assert np.quantile(errors, 1.0 if flat else 0.9) < (1e-6 if curved else 1e-8)


def test_hulls_are_found_exactly():
    """Where three points of a search coincide, the rounding of a flat triangle was taken for a nearer point."""
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(1)
    corners = 0.2 * rng.normal(size=(8, 3)), 0.2 * rng.normal(size=(12, 3))
    one, other = (Hull(points=[tuple(x) for x in each.tolist()], collision=True) for each in corners)
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3))
    robot = art.build([art.Link("one", joint=art.Floating(), inertia=body, shapes=[one])])
    q = robot.random(rng, (600,))
    q[:, :3] *= rng.uniform(0.3, 1.0, (600, 1)) / np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    solids = []
    for each in corners:
        given = coal.StdVec_Vec3s()
        for point in each:
            given.append(point)
        solids.append(coal.Convex.convexHull(given, False, ""))
    asked, found, exact = coal.DistanceRequest(), coal.DistanceResult(), []
    asked.gjk_tolerance, asked.gjk_max_iterations = 1e-12, 2000
    for x in q:
        found.clear()
        X = robot.pose(x, "one")
        exact.append(
            coal.distance(solids[0], coal.Transform3s(X[:3, :3], X[:3, 3]), solids[1], coal.Transform3s(), asked, found)
        )
    apart = np.array(exact) > 1e-6
    assert apart.sum() > 400
    assert robot.distances(q, [other])[apart, 0] == pytest.approx(np.array(exact)[apart], abs=1e-9)


def test_the_nearest_of_several_shapes_counts():
    """A height field of coarse and steep cells, and a cloud: the least distance of their parts, and its gradient."""
    robot, rng = art.load("panda"), np.random.default_rng(0)
    hills = height_field(rng.uniform(-0.3, 0.2, (4, 3)), (-1, 1, -1, 1), bottom=-1.0)
    cloud = point_cloud(rng.uniform(-0.8, 0.8, (20, 3)), 0.03)
    q, own, links = robot.random(rng, (5,)), len(robot.distance_pairs), 8
    for parts in (hills, cloud):
        got = robot.distances(q, obstacles=[parts, BALL])[:, own:]
        alone = robot.distances(q, obstacles=[*parts, BALL])[:, own:].reshape(5, len(parts) + 1, links)
        assert np.array_equal(got, np.concatenate([alone[:, :-1].min(axis=1), alone[:, -1]], axis=1))
        by_part = robot.derivatives("distances")(q, obstacles=list(parts)).q[:, own:].reshape(5, -1, links, robot.nv)
        nearest = np.take_along_axis(by_part, alone[:, :-1].argmin(axis=1)[:, None, :, None], axis=1)[:, 0]
        gradient = robot.derivatives("distances")(q, obstacles=[parts]).q[:, own:]
        assert gradient == pytest.approx(nearest, abs=1e-9)
    ball = art.build(
        [
            art.Link(
                "ball",
                joint=art.Floating(),
                inertia=art.Inertia(1, [0, 0, 0], np.eye(3)),
                shapes=[replace(BALL, placement=art.Transform(), collision=True)],
            )
        ]
    )
    ramp = height_field([[0, 0], [1, 1]], (0, 2, -1, 1), bottom=-1.0)
    assert ball.distances([1, 0.2, 1, 0, 0, 0, 1], obstacles=[ramp])[0] == pytest.approx(
        1 / np.sqrt(5) - 0.1, abs=1e-12
    )


@pytest.mark.parametrize("heights", [[[0, 1]], [[0, 0], [0, -1]], [[0, np.nan], [0, 0]]])
def test_height_fields_that_are_none(heights):
    with pytest.raises(art.ShapeError, match="above bottom"):
        height_field(heights, (0, 1, 0, 1), bottom=-1.0)


def test_allowed_collisions(tmp_path):
    """Of a call, of TOML and of SRDF: the pairs are gone, from what collides as well, and stay gone."""
    panda = art.load("panda")
    q, pairs = [0, 1.7, 0, -2.9, 0, 0.0, 0], panda.distance_pairs
    hits = [pair for pair, d in zip(pairs, panda.distances(q), strict=True) if d < 0]
    free = panda.allow_collisions(pair[::-1] for pair in hits)
    left = [pair for pair in pairs if pair not in hits]
    assert hits and panda.collides(q) and not free.collides(q) and free.distance_pairs == left
    assert pickle.loads(pickle.dumps(free)).lock({"panda_joint7": 0.0}).model.allowed_collisions
    art.save(free, tmp_path / "free.toml")
    assert art.load(tmp_path / "free.toml").distance_pairs == left
    lost = art.save(free, tmp_path / "free.urdf")
    assert any("allowed collisions" in x for x in lost)
    said = "".join(f'<disable_collisions link1="{a}" link2="{b}" reason="Never"/>' for a, b in [*hits, ("no", "such")])
    (tmp_path / "free.srdf").write_text(f'<robot name="panda">{said}</robot>')
    assert art.load(tmp_path / "free.urdf").distance_pairs == left
    two = panda.attach("panda_hand", free, prefix="second_")
    assert not {("second_" + a, "second_" + b) for a, b in hits} & set(two.distance_pairs)
    with pytest.raises(art.ShapeError, match="two different links"):
        panda.allow_collisions([("panda_hand",)])


def test_what_is_not_known_to_be_clear_collides():
    panda = art.load("panda")
    q = panda.poses["home"]
    assert panda.collides([q, np.full(7, np.nan)]).tolist() == [False, True]


def test_other_obstacles_are_other_numbers(monkeypatch):
    """Nothing but the arguments of a loop is compiled for obstacles that move."""
    robot = art.load("panda")
    q = robot.neutral()
    for name in ("distances", "derivatives"):
        ask = robot.distances if name == "distances" else lambda *x: robot.derivatives("distances")(*x).q
        first = ask(q, [TABLE, BALL])
        with monkeypatch.context() as patch:
            patch.setattr(Builder, "routine", None)
            moved = ask(q, [TABLE, replace(BALL, placement=art.Transform(p=(0.5, 0.3, 0.6)))])
        assert not np.array_equal(first, moved)
