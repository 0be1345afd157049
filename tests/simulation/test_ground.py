"""Ground: what it is, what touches it, and what it refuses."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.model.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from articulated.simulation.contact.candidates import candidates
from articulated.simulation.contact.surfaces import Steps, axes_off, treads

from .scenes import ball, block


@pytest.mark.parametrize(
    "given, words",
    [
        ({"friction": -0.1}, "friction"),
        ({"friction": float("nan")}, "friction"),
        ({"friction": "0.7"}, "friction"),
        ({"friction": {"foot": -1}}, "friction of 'foot'"),
        ({"restitution": 1.1}, "restitution"),
        ({"restitution": None}, "restitution"),
        ({"height": float("inf")}, "height"),
        ({"slope": 2.0}, "slope"),
        ({"normal": (0, 0, -1)}, "normal"),
        ({"normal": (1, 0)}, "normal"),
        ({"normal": (0, 0, float("nan"))}, "normal"),
        ({"slope": 0.1, "normal": (0, 0, 1)}, "slope and normal"),
        ({"steps": [(1.0, 0.1), (0.5, 0.2)]}, "each x beyond the last"),
        ({"steps": [1.0, 2.0]}, "steps"),
        ({"steps": 3}, "steps"),
        ({"heights": np.zeros((3, 3))}, "extent"),
        ({"heights": np.zeros((3, 3)), "extent": (0, 1, 1, 0)}, "extent"),
        ({"heights": np.zeros((3, 1)), "extent": (0, 1, 0, 1)}, "heights"),
        ({"heights": np.full((3, 3), np.nan), "extent": (0, 1, 0, 1)}, "heights"),
        ({"heights": np.zeros((33, 33)), "extent": (0, 1, 0, 1)}, "at most 1024"),
        ({"heights": np.zeros((3, 3)), "extent": (0, 1, 0, 1), "slope": 0.1}, "slope and heights"),
        ({"feet": "FL_FOOT"}, "feet"),
        ({"feet": 3}, "feet"),
        ({"feet": [3]}, "feet"),
        ({"feet": {"FL_FOOT": -0.1}}, "radius of 'FL_FOOT'"),
        ({"feet": {"FL_FOOT": [1, 2]}}, "'FL_FOOT'"),
        ({"feet": {"FL_FOOT": [[0, 0, float("nan")]]}}, "'FL_FOOT'"),
        ({"self_collision": "yes"}, "self_collision"),
        ({"self_collision": [("a", "b", "c")]}, "self_collision"),
        ({"self_collision": [("a", "a")]}, "'a' cannot collide with itself"),
        ({"slow": -1}, "slow"),
    ],
)
def test_bad_values_are_refused_by_name(given, words):
    with pytest.raises(art.ShapeError, match=words):
        art.Ground(**given)


def test_what_touches_comes_from_the_collision_shapes():
    about = art.Inertia(1, (0, 0, 0), np.eye(3))
    shapes = [
        Sphere(0.1, placement=art.Transform(p=(0, 0, 0.5)), collision=True),
        Capsule(0.05, 0.4, collision=True),
        Box((0.2, 0.4, 0.6), collision=True),
        Sphere(0.3),  # to be looked at
        Cylinder(0.1, 0.2, collision=True),
        Mesh("foot.stl", collision=True),
    ]
    robot = art.build([art.Link("foot", None, art.Floating(), inertia=about, shapes=shapes)])
    with pytest.warns(art.ModelWarning, match="mesh do not touch the ground, those of 'foot'"):
        found = candidates(robot.model, art.Ground(0.4))
    balls, rims = [x for x in found if x.kind == "ball"], [x for x in found if x.kind == "rims"]
    assert [touch.numbers[3] for touch in balls] == [0.1, 0.05, 0.05, *[0.0] * 8]
    assert balls[0].numbers[:3] == (0, 0, 0.5)
    assert sorted(touch.numbers[2] for touch in balls[1:3]) == [-0.2, 0.2]
    assert {tuple(np.abs(touch.numbers[:3])) for touch in balls[3:]} == {(0.1, 0.2, 0.3)}
    assert [touch.point for touch in rims] == list(range(8)) and rims[0].numbers[12:] == (0.1, 0.1)
    assert [touch.name for touch in found] == [f"foot.{k}" for k in range(19)]
    assert {touch.friction for touch in found} == {0.4}


def test_nothing_to_touch_and_feet_that_are_not_there():
    with pytest.raises(art.ModelError, match="name its feet"):
        candidates(legs("left").model, art.Ground())
    with pytest.raises(art.ModelError, match=r"begins 0\.03 m below the ground"):
        art.simulate(art.load("2r"), [0, 0], contacts=art.Ground())
    with pytest.raises(art.UnknownName, match="FL_FOOT"):
        candidates(art.load("quadruped").model, art.Ground(feet=["FL_FOTO"]))
    with pytest.raises(art.ModelError, match="does not move"):
        art.simulate(art.load("quadruped"), np.zeros(12), contacts=art.Ground(feet=["base"]))
    with pytest.raises(art.UnknownName, match="friction"):
        candidates(ball().model, art.Ground({"foot": 0.3}))
    with pytest.raises(art.ModelError, match=r"'body.2' is missing"):
        candidates(block().model, art.Ground({"body.0": 0.3, "body.1": 0.3}))
    with pytest.raises(art.UnknownName, match="collide"):
        candidates(ball().model, art.Ground(self_collision=[("body", "head")]))


def test_friction_and_restitution_by_name():
    found = candidates(block().model, art.Ground({"body": 0.3, "body.2": 0.9}, {"body": 0.5}))
    assert [touch.friction for touch in found] == [0.3, 0.3, 0.9, 0.3, 0.3, 0.3, 0.3, 0.3]
    assert {touch.restitution for touch in found} == {0.5}


def legs(*names):
    """A body with legs of these names."""
    box = art.Inertia(1.0, None, np.eye(3))
    joints = [art.Link(n, "body", art.Revolute([0, 1, 0], name=f"j {n}"), inertia=box) for n in names]
    return art.build([art.Link("body", inertia=box), *joints], name="legs").floating()


def test_contacts_have_names_of_their_own():
    """Two points of `foot` are numbered, and a link called foot.0 keeps its name."""
    robot = legs("foot", "foot.0")
    shapes = [Sphere(0.1, collision=True), Sphere(0.1, collision=True)]
    robot = robot.replace("foot", shapes=shapes).replace("foot.0", shapes=shapes[:1])
    assert [x.name for x in candidates(robot.model, art.Ground())] == ["foot.1", "foot.2", "foot.0"]
    found = candidates(robot.model, art.Ground(friction={"foot": 0.5, "foot.0": 0.9}))
    assert [touch.friction for touch in found] == [0.5, 0.5, 0.9]


def test_a_name_stands_for_a_link_and_not_for_what_begins_alike():
    robot, feet = legs("foot.left", "foot.right"), ["foot.left", "foot.right"]
    with pytest.raises(art.UnknownName, match="friction of 'foot'"):
        candidates(robot.model, art.Ground(feet=feet, friction={"foot": 0.5}))
    found = candidates(robot.model, art.Ground(feet=feet, friction={"foot.left": 0.5, "foot.right": 0.6}))
    assert [touch.friction for touch in found] == [0.5, 0.6]


def test_a_start_below_the_ground_names_the_foot_and_how_deep():
    with pytest.raises(art.ModelError, match=r"'body' begins 0.02 m below the ground"):
        art.simulate(ball(0.1), [0, 0, 0.08, 0, 0, 0, 1], contacts=art.Ground())
    deep = [[0, 0, 0.2, 0, 0, 0, 1], [0, 0, 0.05, 0, 0, 0, 1]]
    with pytest.raises(art.ModelError, match=r"0.05 m below the ground in state 1"):
        art.simulate(ball(0.1), deep, contacts=art.Ground())


def test_a_start_beyond_a_limit_names_the_joint():
    panda = art.load("panda")
    q = panda.neutral()
    q[3] = 1.0
    with pytest.raises(art.ModelError, match=r"joint 'panda_joint4' begins .* beyond its upper limit"):
        art.simulate(panda, q, duration=0.01)
    assert len(art.simulate(panda, q, duration=0.01, limits=False)) == 11


@pytest.mark.parametrize(("coordinate", "unit"), [(0, "m"), (1, "rad")])
def test_a_start_beyond_the_limit_of_one_of_several_coordinates(coordinate, unit):
    joint = art.Cylindrical([0, 0, 1], name="slide and turn", limits=art.Limits(-1, 1))
    robot = art.build([art.Link("a", None, joint, inertia=art.Inertia(1.0, (0.1, 0, 0), np.eye(3)))])
    with pytest.raises(art.ModelError, match=rf"begins 0.5 {unit} beyond its upper limit 1 {unit} in state 1"):
        art.simulate(robot, np.stack([np.zeros(2), 1.5 * np.eye(2)[coordinate]]), duration=0.01)


@pytest.mark.parametrize(
    "contacts", [3, "ground", [art.Ground(), art.Ground()], [art.Ground(), None]], ids=["3", "text", "two", "none"]
)
def test_contacts_that_are_none(contacts):
    with pytest.raises(art.ShapeError, match="contacts"):
        art.simulate(ball(), [0, 0, 1, 0, 0, 0, 1], contacts=contacts)


def test_only_eulers_method_has_contacts():
    q = [0, 0, 1, 0, 0, 0, 1]
    with pytest.raises(art.ShapeError, match='method="euler"'):
        art.simulate(ball(), q, contacts=art.Ground(), method="rk4")
    with pytest.raises(art.ShapeError, match="limits"):
        art.simulate(ball(), q, limits=True, method="rk4")
    with pytest.raises(art.ShapeError, match="limits"):
        art.simulate(ball(), q, limits=1)
    other = art.Contacts(art.load("quadruped", floating_base=True), point=["FL_FOOT"])
    with pytest.raises(art.ShapeError, match="quadruped"):
        art.simulate(ball(), q, contacts=other)


def test_distance_from_steps_is_the_distance():
    """Against the nearest of many points of the profile, above it and outside its corners."""
    profile = treads(0.0, ((0.5, 0.2), (1.0, 0.1), (2.0, -0.3)))
    x = np.concatenate([np.linspace(-1, 3, 8001), *(np.full(501, c) for c in (0.5, 1.0, 2.0))])
    height = np.select([x < 0.5, x < 1.0, x < 2.0], [0.0, 0.2, 0.1], -0.3)
    z = height.copy()
    for k, (low, high) in enumerate(((0.0, 0.2), (0.1, 0.2), (-0.3, 0.1))):
        z[8001 + 501 * k : 8001 + 501 * (k + 1)] = np.linspace(low, high, 501)
    rng, found = np.random.default_rng(0), []
    for px, pz in rng.uniform((-0.5, -0.3), (2.5, 0.6), (200, 2)):
        if pz <= [0.0, 0.2, 0.1, -0.3][int(np.searchsorted([0.5, 1.0, 2.0], px))]:
            continue
        met = Steps(profile).meet(array([float(px), 0.3, float(pz)]))
        found.append((met.distance, np.hypot(x - px, z - pz).min()))
        axes = np.array(met.axes, float)
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1)
    ours, reference = np.array(found, float).T
    assert ours == pytest.approx(reference, abs=6e-4)


def test_a_height_field_is_bilinear_between_its_nodes():
    rng = np.random.default_rng(1)
    heights = rng.uniform(-0.1, 0.1, (4, 5))
    surface = art.Ground(heights=heights, extent=(-1, 2, 0, 2), height=0.3).surface
    for x, y in rng.uniform((-1.5, -0.5), (2.5, 2.5), (60, 2)):
        u, w = np.clip((x + 1) / 3 * 3, 0, 3), np.clip(y / 2 * 4, 0, 4)
        i, j = min(int(u), 2), min(int(w), 3)
        a, b = u - i, w - j
        corners = heights[i : i + 2, j : j + 2]
        z = 0.3 + np.array([1 - a, a]) @ corners @ np.array([1 - b, b])
        slope = np.array([
            np.array([-1, 1]) @ corners @ np.array([1 - b, b]) * (-1 < x < 2),
            np.array([1 - a, a]) @ corners @ np.array([-1, 1]) * 2 * (0 < y < 2),
        ])  # fmt: skip
        normal = np.array([*-slope, 1]) / np.sqrt(1 + slope @ slope)
        met = surface.meet(array([float(x), float(y), 0.7]))
        assert met.distance == pytest.approx((0.7 - z) * normal[2], abs=1e-12)
        assert np.array(met.axes, float)[2] == pytest.approx(normal, abs=1e-12)


def test_axes_off_any_direction_are_a_right_handed_frame():
    rng = np.random.default_rng(0)
    for normal in (*rng.normal(size=(50, 3)), (0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 1e-9, -1)):
        unit = np.array(normal, float) / np.linalg.norm(normal)
        axes = np.array(axes_off(array(unit.tolist())), float)
        assert axes[2] == pytest.approx(unit)
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(axes) == pytest.approx(1)


def test_a_ground_does_not_change_and_can_be_sent():
    import pickle

    ground = art.Ground(0.4, 0.2, steps=[(1.0, 0.1)], feet={"a": 0.1})
    again = pickle.loads(pickle.dumps(ground))
    assert (again.friction, again.surface, again.feet) == (ground.friction, ground.surface, ground.feet)
    with pytest.raises(AttributeError):
        ground.friction = 1.0
    assert "friction 0.4" in repr(ground)


GROUNDS = [
    {}, {"friction": 0.5}, {"friction": [0.5, 0.7]}, {"friction": [[0.5], [0.7]]}, {"friction": {"a": 0.5}},
    {"friction": {"a": [0.5, 0.7]}}, {"friction": {"b": 0.5}}, {"restitution": 0.5}, {"restitution": {"a": 0.5}},
    {"rolling": 0.1}, {"spinning": 0.1}, {"height": 0.1}, {"slope": 0.1}, {"normal": (0.1, 0, 1)},
    {"steps": [(0, 0), (1, 0.1)]}, {"steps": [(0, 0), (1, 0.2)]}, {"heights": np.zeros((2, 2)), "extent": (0, 1, 0, 1)},
    {"heights": np.zeros((2, 2)), "extent": (0, 1, 0, 2)}, {"heights": np.eye(2), "extent": (0, 1, 0, 1)},
    {"feet": ["a"]}, {"feet": {"a": 0.1}}, {"feet": {"a": [[0.0, 0.0, 0.1]]}}, {"self_collision": True},
    {"self_collision": [("a", "b")]}, {"slow": 0.1},
]  # fmt: skip


def test_grounds_are_equal_if_all_that_they_are_given_is():
    made, again = ([art.Ground(**given) for given in GROUNDS] for _ in range(2))
    for i, one in enumerate(made):
        for j, other in enumerate(again):
            assert (one == other) == (i == j), (GROUNDS[i], GROUNDS[j])
        assert hash(one) == hash(again[i]) == hash(pickle.loads(pickle.dumps(one)))
