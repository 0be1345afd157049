"""Many free bodies: closed forms, the step of a robot beside, and the certificate of energy."""

from functools import cache

import numpy as np
import pytest

import articulated as art
from articulated.algebra.rotations import quaternion
from articulated.algebra.spatial import Transform
from articulated.model.shapes import Ellipsoid
from articulated.simulation.contact import constraints
from articulated.simulation.pile import pile
from articulated.simulation.pile.blocks import ball_on_body
from articulated.simulation.pile.rollout import PileEuler
from articulated.simulation.run import planned

G = 9.81


@cache
def heap(count: int, restitution: float = 0.0) -> art.Scene:
    """Balls of different masses over the ground, layer by layer."""
    places = [(0.21 * (k % 3), 0.205 * (k // 3 % 3), 0.11 + 0.21 * (k // 9)) for k in range(count)]
    balls = [art.Ball(radius=0.1, mass=1.0 + k % 4, at=at) for k, at in enumerate(places)]
    return art.Scene([*balls, art.Ground(restitution=restitution)], restitution=restitution)


def in_world(scene: art.Scene, run: art.Trajectory, name: str) -> np.ndarray:
    """Linear velocity of an object at the end, in world axes."""
    own = scene.index(name)
    return np.array(quaternion(run.q[-1, own.q][3:]), float) @ run.v[-1, own.v][:3]


def test_balls_on_a_pulled_plate():
    """SimBenchmark's rolling: on an accelerating plate a ball has 2/7 of its acceleration."""
    grid = np.linspace(-2, 2, 5)
    balls = [art.Ball(radius=0.2, mass=1.0, at=(x, y, 0.3)) for x in grid for y in grid]
    plate = art.Box(size=(8, 8, 0.1), mass=10.0, at=(0, 0, 0.05))
    scene = art.Scene([plate, *balls, art.Ground(friction=0.4)], friction=0.8)
    pull = art.Wrenches({"box": np.array([150, 150, 0, 0, 0, 0]) / np.sqrt(2)}, "world")
    steps = np.broadcast_to(pull["box"], (1000, 6)) * np.where(np.arange(1000) < 999, 1, 5)[:, None]
    run = art.simulate(scene, duration=1.0, forces=pull, every=100)
    jerked = art.simulate(scene, duration=1.0, forces=art.Wrenches({"box": steps}, "world"), every=100)
    assert (jerked.v[-2] == run.v[-2]).all() and (jerked.v[-1] != run.v[-1]).any()  # its own force in each step
    acceleration = (150 - 0.4 * 35 * G) / (10 + 25 * 2 / 7)
    assert np.isclose(np.linalg.norm(in_world(scene, run, "box")), acceleration, rtol=1e-6)
    for k in range(1, 26):
        assert np.isclose(np.linalg.norm(in_world(scene, run, f"ball{k}")), 2 / 7 * acceleration, rtol=1e-6)
    assert run.contact.residual.max() <= 1e-4 and run.contact.gaps.min() > -1e-8


def test_bouncing_balls_rise_again():
    grid = np.arange(7.0)
    balls = [art.Ball(radius=0.1, mass=10.0, at=(x, y, 1.1)) for x in grid for y in grid]
    scene = art.Scene([*balls, art.Ground(friction=0.0, restitution=1.0)])
    run = art.simulate(scene, duration=5.0, every=5)
    heights = run.q.reshape(len(run.t), -1, 7)[:, :, 2]
    assert np.allclose(heights[len(run.t) // 2 :].max(axis=0), 1.1, atol=1e-4)
    assert np.ptp(heights, axis=1).max() == 0


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_the_same_motion_as_by_the_step_of_a_robot(restitution, monkeypatch):
    scene, v0 = heap(6, restitution), 0.5 * np.random.default_rng(1).normal(size=36)
    robot = art.simulate(scene, v0=v0, duration=0.1)
    monkeypatch.setattr(pile, "FEW", 1)
    rows = art.simulate(heap.__wrapped__(6, restitution), v0=v0, duration=0.1)
    assert rows.contact.names == robot.contact.names[:6]
    assert abs(rows.q - robot.q).max() < 1e-4 and abs(rows.v - robot.v).max() < 2e-2
    assert np.isclose(rows.contact.forces.sum(), robot.contact.forces[:, :6].sum(), rtol=1e-3)


@pytest.mark.parametrize("restitution", [0.0, 0.8, 1.0])
def test_no_step_gains_energy(restitution):
    """Kinetic energy after a step is at most that of the velocities without impulses: the certificate, step by step."""
    scene, v0 = heap(40, restitution), np.random.default_rng(2).normal(size=240)
    run = art.simulate(scene, v0=v0, duration=0.5)
    q, v = run.q.reshape(-1, 40, 7), run.v.reshape(-1, 40, 6)
    masses = np.array([1.0 + k % 4 for k in range(40)])
    x, u = q[..., 3:6], v[..., :3]  # turned by the quaternion (x, w)
    world = u + 2 * np.cross(x, np.cross(x, u) + q[..., 6:] * u)
    turning = 0.004 * (v[..., 3:] ** 2).sum(axis=-1)
    free, after = (((w**2).sum(axis=-1) + turning) @ masses for w in (world - [0, 0, 1e-3 * G], world))
    assert (after[1:] - free[:-1] <= 1e-12 * free[:-1]).all()
    assert run.energy.total[-1] < run.energy.total[0] and np.median(run.contact.residual) <= 1e-4


def test_a_batch_moves_by_the_same_bits_as_each_state_alone():
    scene, v0 = heap(20, 0.3), 0.5 * np.random.default_rng(3).normal(size=(3, 120))
    batch = art.simulate(scene, v0=v0, duration=0.1, every=10)
    for k in range(3):
        alone = art.simulate(scene, v0=v0[k], duration=0.1, every=10)
        assert (alone.q == batch.q[k]).all() and (alone.contact.forces == batch.contact.forces[k]).all()


def test_momentum_of_a_pile_is_kept_and_nobody_passes_through():
    """A fast ball into a row of twenty at rest, without gravity."""
    balls = [art.Ball(radius=0.1, mass=1.0, at=(0.25 * k, 0, 0)) for k in range(20)]
    scene = art.Scene(balls, friction=0.0, restitution=1.0, gravity=(0, 0, 0))
    run = art.simulate(scene, v0=scene.velocity({"ball1": [40, 0, 0, 0, 0, 0]}), duration=0.1)
    x = run.q.reshape(len(run.t), 20, 7)[:, :, 0]
    assert np.diff(x, axis=1).min() > 0.2 - 0.041  # no further than one goes in a step
    speeds = run.v[-1].reshape(20, 6)[:, 0]
    assert np.isclose(speeds[-1], 40, rtol=1e-9) and abs(speeds[:-1]).max() < 1e-6
    assert np.ptp(scene.centroidal_momentum(run.q, run.v)[:, 0]) < 1e-9


def test_a_ball_meets_a_box():
    """Over a face, beyond an edge, at a corner, and with its center inside."""
    here, box, ball = Transform(), np.array([0.5, 1.0, 2.0, 0.0]), np.array([0, 0, 0, 0.1])
    cases = {
        (0.2, 0.3, 2.4): (0.3, (0, 0, 1)),
        (0.8, 0.0, 2.4): (0.4, (0.6, 0, 0.8)),
        (1.5, 2.0, 3.0): (np.sqrt(3) - 0.1, (3**-0.5,) * 3),
        (0.4, 0.0, 0.0): (-0.2, (1, 0, 0)),
        (0.0, -0.95, 0.0): (-0.15, (0, -1, 0)),
    }
    for p, (gap, normal) in cases.items():
        met = ball_on_body(Transform(p=p), here, ball, box)
        assert np.isclose(float(met.gap), gap) and np.allclose(np.array(met.normal, float), normal)


@pytest.mark.parametrize("given", [{"method": "midpoint"}, {"joints": {"ball1": {"damping": 1.0}}}], ids=str)
def test_what_is_for_robots_is_refused(given):
    with pytest.raises(art.ModelError, match=r"more than 16 objects moves by \"euler\", without"):
        art.simulate(heap(17), **given)


def test_inside_each_other_or_too_many():
    places = [(0.3 * k, 0, 0.1) for k in range(19)]
    balls = [art.Ball(radius=0.1, mass=1.0, at=at) for at in [*places, (0.02, 0, 0.25)]]
    with pytest.raises(art.ModelError, match=r"'ball1' and 'ball20' begin 0\.04867 m inside each other"):
        art.simulate(art.Scene([*balls, art.Ground()]))
    with pytest.raises(art.ModelError, match=r"'ball\d+' begins 0\.2 m below the ground"):
        art.simulate(art.Scene([*balls[:-1], art.Ground(height=0.2)]))


def bricks(rows: int, columns: int) -> list[art.Box]:
    """A wall: every other row is shifted by half a brick, and ends with halves."""
    found = []
    for row in range(rows):
        lengths = [0.2] * columns if row % 2 == 0 else [0.1, *[0.2] * (columns - 1), 0.1]
        ends = np.cumsum([0, *lengths])
        for length, middle in zip(lengths, (ends[1:] + ends[:-1]) / 2, strict=True):
            found.append(art.Box(size=(length - 1e-4, 0.1, 0.1), mass=5 * length, at=(middle, 0, 0.05 + 0.1 * row)))
    return found


def test_a_wall_stands_until_a_ball_hits_it():
    wall = bricks(5, 3)
    scene = art.Scene([*wall, art.Ball(radius=0.1, mass=5.0, at=(0.3, -0.3, 0.3)), art.Ground()])
    v0 = scene.velocity({"ball": [[0, 0, 0, 0, 0, 0], [0, 6, 0, 0, 0, 0]]})
    run = art.simulate(scene, scene.configuration({"ball_z": [0.1, 0.3]}), v0, duration=0.2, every=10)
    place = run.q.reshape(2, len(run.t), -1, 7)[:, :, : len(wall), :3]
    moved = np.linalg.norm(place[:, -1] - place[:, 0], axis=-1)
    assert moved[0].max() < 1e-5 and moved[1].max() > 0.1
    assert run.contact.gaps.min() > -1e-5
    weight = sum(5 * 9.81 * (box.shape.size[0] + 1e-4) for box in wall) + 5 * G
    assert np.isclose(run.contact.forces[0, -1, :, 2].sum(), weight, rtol=1e-3)
    assert np.diff(run.energy.total[1]).max() < 1e-3


def test_a_bin_holds_balls_and_boxes():
    """Walls that do not move, without a ground under them: a floor that does not move either."""
    walls = [art.Box(size=(0.1, 1.2, 1.0), mass=None, at=(x, 0, 0.5)) for x in (-0.55, 0.55)]
    walls += [art.Box(size=(1.0, 0.1, 1.0), mass=None, at=(0, y, 0.5)) for y in (-0.55, 0.55)]
    floor = art.Box(size=(2, 2, 0.1), mass=None, at=(0, 0, -0.05))
    places = [(0.23 * (k % 4) - 0.35, 0.23 * (k // 4 % 4) - 0.35, 0.11 + 0.25 * (k // 16)) for k in range(32)]
    balls = [art.Ball(radius=0.1, mass=1.0, at=at) for at in places[:16]]
    boxes = [art.Box(size=(0.2, 0.15, 0.1), mass=1.0, at=at) for at in places[16:]]
    scene = art.Scene([*walls, floor, *balls, *boxes])
    v0 = np.random.default_rng(4).normal(size=scene.nv)
    run = art.simulate(scene, v0=v0, duration=0.5, every=10)
    place = run.q[-1].reshape(-1, 7)[:, :3]
    assert scene.nv == 6 * 32 and run.contact is None
    assert abs(place[:, :2]).max() < 0.46 and place[:, 2].min() > 0.04 and place[:, 2].max() < 0.7
    assert np.diff(run.energy.total).max() < 1e-3


def test_a_stack_by_the_step_of_a_robot_and_by_rows(monkeypatch):
    boxes = [art.Box(size=(0.4, 0.3, 0.2), mass=1.0 + k, at=(0.02 * k, 0.01 * k, 0.101 + 0.201 * k)) for k in range(2)]
    scene = art.Scene([*boxes, art.Ground()])
    robot = art.simulate(scene, duration=0.1, every=10)
    monkeypatch.setattr(pile, "FEW", 1)
    rows = art.simulate(scene, duration=0.1, every=10)
    assert abs(rows.q - robot.q).max() < 1e-6
    assert np.allclose(rows.q[-1, [2, 9]], [0.1, 0.3], atol=1e-6)


def test_a_box_that_spins_keeps_its_energy():
    """The gyroscopic term of the middle of a step, against 2 % and more that an explicit one gains."""
    boxes = [art.Box(size=(0.1, 0.2, 0.3), mass=1.0, at=(k, 0, 0)) for k in range(17)]
    scene = art.Scene(boxes, gravity=(0, 0, 0))
    v0 = np.tile([0, 0, 0, 1.0, 20.0, 0.5], 17)
    run = art.simulate(scene, v0=v0, duration=2.0, every=100)
    assert np.ptp(run.energy.total) < 1e-4 * run.energy.total[0]


# -- robots among many objects --------------------------------------------------------------------------------


def bare(name: str) -> art.Robot:
    """A robot of the catalogue without shapes."""
    robot = art.load(name)
    for link in robot.links:
        robot = robot.replace(link.name, shapes=[])
    return robot


def beside_robot(robot: art.Robot, count: int, at=(0, 0, 0), above: float = 0.0, restitution: float = 0.0) -> art.Scene:
    """Balls and boxes before a robot and after it, over the ground."""
    objects = [
        art.Ball(radius=0.06, mass=0.3) if k % 3 else art.Box(size=(0.1, 0.09, 0.07), mass=0.4) for k in range(count)
    ]
    places = [
        (0.16 * (k % 4) - 0.25, 0.16 * (k // 4 % 4) - 0.25, above + 0.06 + 0.16 * (k // 16)) for k in range(count)
    ]
    parts = {f"o{k}": x for k, x in enumerate(objects)}
    first = {name: parts[name] for name in list(parts)[: count // 2]}
    whole = {**first, "robot": robot, **parts, "ground": art.Ground(restitution=restitution)}
    return art.Scene(whole, at={**dict(zip(parts, places, strict=True)), "robot": at}, restitution=restitution)


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_robot_among_objects_moves_as_by_its_own_step(restitution, monkeypatch):
    """A limp arm that falls on objects and into its limits, from data and as straight-line code."""

    def moved():
        scene = beside_robot(art.load("panda"), 5, (-0.5, 0, 0), 0.02, restitution)
        v0 = scene.velocity({f"robot/panda_joint{k + 1}": x for k, x in enumerate([1, 3, 0, 2, 0, 1])})
        return art.simulate(scene, v0=v0, duration=0.5)

    own = moved()
    monkeypatch.setattr(pile, "FEW", 1)
    among = moved()
    hit = [k for k, name in enumerate(among.contact.names) if "robot/" in name and "~" in name]
    same = [own.contact.names.index(name) for name in among.contact.names]
    assert set(own.contact.names) - set(among.contact.names) <= {x for x in own.contact.names if "robot" not in x}
    assert among.contact.forces[:, hit].any() and among.contact.residual.max() <= 1e-6
    # both to a residual of 1e-6 in every step
    assert abs(among.q[:300] - own.q[:300]).max() < 1e-6 and abs(among.v[:300] - own.v[:300]).max() < 1e-3
    for some in (hit, [k for k in range(len(same)) if k not in hit]):  # corners share forces in many ways
        pushed = among.contact.forces[:300, some].sum(axis=(0, 1))
        others = own.contact.forces[:300, [same[k] for k in some]].sum(axis=(0, 1))
        assert np.allclose(pushed, others, atol=1e-3 * abs(pushed).max())
    near = own.contact.gaps[:300, same] < 0.005  # of bodies that are far apart no more is known than that they are
    assert np.allclose(among.contact.gaps[:300][near], own.contact.gaps[:300, same][near], atol=1e-6)


def test_servos_and_pushes_among_objects(monkeypatch):
    def moved():
        scene = beside_robot(art.load("panda"), 4, (-0.5, 0, 0), 0.8)
        sim = art.Simulator(scene, stiffness=300.0, damping=30.0, clip=True)
        target = sim.q
        target[scene.index("robot").q] += 0.3
        sim.step(target=target, steps=200)
        frames = {"robot/panda_hand": [5, 20, -30, 1, 0, 2], "o1": [1, 2, 3, 0.1, 0.2, 0]}
        run = art.simulate(scene, duration=0.2, forces=art.Wrenches(frames, "world"), every=20)
        return sim.q, sim.v, sim.tau, run.q, run.v

    own = moved()
    monkeypatch.setattr(pile, "FEW", 1)
    for a, b in zip(own, moved(), strict=True):  # both to a residual of 1e-6 in every step
        assert np.allclose(a, b, atol=1e-5, rtol=1e-5)


@cache
def buried() -> art.Scene:
    return beside_robot(art.load("quadruped", floating_base=True), 40, above=0.75)


def test_no_step_of_a_robot_among_objects_gains_energy():
    """Against the velocities without impulses: forward dynamics of the whole scene."""
    scene = buried()
    run = art.simulate(scene, duration=0.5)
    q, v = run.q[:-1], run.v[:-1]
    free = v + 1e-3 * scene.forward_dynamics(q, v, np.zeros_like(v))
    gained = scene.kinetic_energy(q, run.v[1:]) - scene.kinetic_energy(q, free)
    # the velocity of a floating body is written in the axes of q after the step: ω × v dt more
    assert gained.max() < 1e-6 * scene.kinetic_energy(q, free).max() and np.diff(run.energy.total).max() < 0
    assert run.contact.residual.max() < 1e-3 and np.mean(run.contact.residual > 1e-6) < 0.2


def test_a_robot_among_objects_moves_by_the_same_bits_in_a_batch():
    scene = buried()
    v0 = 0.3 * np.random.default_rng(5).normal(size=(2, scene.nv))
    batch = art.simulate(scene, v0=v0, duration=0.1, every=10)
    for k in range(2):
        alone = art.simulate(scene, v0=v0[k], duration=0.1, every=10)
        assert (alone.q == batch.q[k]).all() and (alone.contact.forces == batch.contact.forces[k]).all()


def test_code_does_not_grow_with_the_number_of_objects():
    def operations(count):
        scene = beside_robot(bare("2r"), count)
        plan = planned(scene, None, None, (1e-3, 1, 1), None, None, "euler")[0]
        return [len(block.program) for block in PileEuler(plan).routine().blocks()]

    assert operations(20) == operations(40)


def test_what_a_pile_does_not_take_is_left_to_the_step_of_a_robot(monkeypatch):
    monkeypatch.setattr(pile, "FEW", 1)
    scene = beside_robot(bare("2r"), 3)
    for given in ({"method": "midpoint"}, {"joints": {"robot/joint1": {"damping": 1.0}}}):
        run = art.simulate(scene, duration=0.01, **given)
        assert np.isfinite(run.q).all() and any("~" in name for name in run.contact.names)


def test_more_contacts_than_a_robot_takes_are_refused_in_words(monkeypatch):
    monkeypatch.setattr(constraints, "MOST_AT_ONCE", 100)
    scene = beside_robot(bare("2r"), 18)
    with pytest.raises(art.ModelError, match=r"are possible in scene, more than the 100 .*without parameters="):
        art.simulate(scene, duration=0.01, method="midpoint")
    assert art.simulate(scene, duration=0.002).contact.names


def test_a_shape_that_is_searched_among_balls():
    """An ellipsoid that falls on balls: pairs whose nearest points are found step by step."""
    inertia = art.Inertia(2.0, (0, 0, 0), 0.01 * np.eye(3))
    egg = art.Link("egg", None, art.Floating(), inertia=inertia, shapes=[Ellipsoid((0.2, 0.15, 0.1), collision=True)])
    balls = {
        f"b{k}": art.Ball(radius=0.05, mass=0.2, at=(0.11 * (k % 5) - 0.2, 0.11 * (k // 5) - 0.2, 0.05))
        for k in range(18)
    }
    scene = art.Scene({"egg": art.build([egg], name="egg"), **balls, "ground": art.Ground()}, at={"egg": (0, 0, 0.2)})
    run = art.simulate(scene, duration=0.2)
    hit = [k for k, name in enumerate(run.contact.names) if "~" in name]
    assert run.contact.forces[:, hit].any() and run.contact.residual.max() <= 1e-6
    assert np.diff(run.energy.total).max() < 0
