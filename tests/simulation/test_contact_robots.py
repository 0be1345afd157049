"""Robots with contacts: standing, held contacts, limits, dry friction, self-collision; the loop and its reference."""

from functools import cache

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box, Capsule, Shape, Sphere
from articulated.simulation.contact.constraints import gaps_of
from articulated.simulation.contact.system import system

from .campaign import robots, starts
from .scenes import BASE, at, ball, block

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
LEGS = np.array([0.05, 0.7, -1.4] * 4)


@cache
def quadruped() -> art.Robot:
    return art.load("quadruped", floating_base=True)


def standing(height: float = 0.0) -> np.ndarray:
    """Feet on the ground, or above it."""
    robot = quadruped()
    q = np.concatenate([robot.neutral()[:7], LEGS])
    q[2] = height - min(robot.pose(q, foot)[2, 3] for foot in FEET)
    return q


def springs(t, q, v):
    joints = 60 * (LEGS - q[..., 7:]) - 2 * v[..., 6:]
    return np.concatenate([np.zeros((*q.shape[:-1], 6)), joints], axis=-1)


GROUND = art.Ground(0.7, feet=list(FEET))


def test_a_quadruped_lands_and_stands_on_forces_that_inverse_dynamics_confirms():
    robot = quadruped()
    run = art.simulate(robot, standing(0.1), None, 2.0, torque=springs, contacts=GROUND, limits=False)
    history = run.contact
    assert history.residual.max() <= 1e-6
    assert history.gaps.min() > -5e-6
    assert (history.normal >= 0).all()
    assert (history.tangential <= 0.7 * history.normal + 1e-9).all()
    assert (history.states[-1] == 1).all()
    assert abs(run.v[-1]).max() < 2e-2
    # the forces of contacts that hold, for the torques of this very moment
    held = art.Contacts(robot, point=FEET)
    k = -1
    forces = held.forward_dynamics(run.q[k], run.v[k], run.tau[k][6:]).forces
    assert history.forces[k].ravel() == pytest.approx(forces, abs=2e-3)
    asked = held.inverse_dynamics(run.q[k], run.v[k], run.a[k], tau0=run.tau[k][6:])
    assert asked.tau == pytest.approx(run.tau[k][6:], abs=1e-3)
    # and in every step, landing included, the equations of motion hold
    for k in range(0, len(run), 97):
        J = held.jacobian(run.q[k])
        needed = robot.inverse_dynamics(run.q[k], run.v[k], run.a[k])
        assert run.tau[k] + J.T @ history.forces[k].ravel() == pytest.approx(needed, abs=1e-7)


#: a floor, 100 m thick
FLOOR = Box((200.0, 200.0, 100.0), placement=art.Transform(p=(0, 0, -50)))


def loose(name: str) -> art.Robot:
    """A robot of the catalogue with a free base; joints on a base without mass are locked, it is one body with them."""
    robot = art.load(name).replace(gravity=(0, 0, -9.81))
    neutral, massless = robot.neutral(), not robot.model.base_inertia.mass
    on_base = {b.joint.name: neutral[b.coords] for b in robot.model.bodies if massless and not b.parent}
    return robot.lock({joint: q if len(q) > 1 else q[0] for joint, q in on_base.items()}).floating()


@pytest.mark.parametrize("name", art.robots())
def test_a_limp_robot_of_the_catalogue_lies_on_its_shapes(name):
    """By distances of its links from a floor, which do not come from the simulation; turning feet enter by some mm."""
    robot = loose(name)
    q, _ = starts(robot, np.random.default_rng(5), 2)
    run = art.simulate(robot, q, duration=0.6, contacts=art.Ground(0.7), progress=False)
    above = robot.distances(run.q[:, ::20], [FLOOR])[..., len(robot.distance_pairs) :]
    assert above.shape[-1] == sum(any(x.collision for x in k.shapes) for k in robot.model.links)
    assert -3e-3 < above.min() < 1e-3
    assert not any("shape" in str(finding) for finding in run.findings)


def test_contacts_that_hold_hold():
    robot = quadruped()
    feet = art.Contacts(robot, point=FEET[:3])
    q = standing()
    run = art.simulate(robot, q, None, 0.3, torque=springs, contacts=feet, limits=False)
    for foot in FEET[:3]:
        moved = robot.pose(run.q, foot)[:, :3, 3] - robot.pose(q, foot)[:3, 3]
        assert abs(moved).max() < 1e-5
    assert robot.pose(run.q[-1], FEET[3])[2, 3] < -1e-3  # the fourth is held by nothing, and there is no ground
    assert run.contact.residual.max() <= 1e-6


def test_ground_and_contacts_that_hold_in_one_step():
    robot = quadruped()
    both = [art.Ground(0.7, feet=list(FEET[1:])), art.Contacts(robot, point=FEET[:1])]
    run = art.simulate(robot, standing(), None, 0.3, torque=springs, contacts=both, limits=False)
    assert run.contact.gaps.min() > -5e-6
    assert run.contact.residual.max() <= 1e-6
    moved = robot.pose(run.q, FEET[0])[:, :3, 3] - robot.pose(run.q[0], FEET[0])[:3, 3]
    assert abs(moved).max() < 1e-5


def pendulum(**joint) -> art.Robot:
    """A point mass of 2 kg, half a meter from a hinge about y."""
    about = art.Inertia(2.0, (0.5, 0, 0), np.eye(3) * 1e-3)
    return art.build([art.Link("bob", None, art.Revolute((0, 1, 0), name="hinge", **joint), inertia=about)])


def test_a_joint_stops_at_its_limit_without_a_spring():
    robot = pendulum(limits=art.Limits(-1.0, 0.6))
    run = art.simulate(robot, [0.0], [0.0], 1.0)
    assert run.q.max() <= 0.6 + 1e-9
    assert run.q[-1, 0] == pytest.approx(0.6, abs=1e-9)
    assert abs(run.v[-1, 0]) < 1e-9
    assert run.info["residual"] <= 1e-6
    passed = art.simulate(robot, [0.0], [0.0], 1.0, limits=False)
    assert passed.q.max() > 1.0


def test_dry_friction_sticks_and_lets_go_where_the_formula_says():
    weight = 2.0 * 9.81 * 0.5
    held = art.simulate(pendulum(friction=1.01 * weight), [0.0], [0.0], 0.5)
    assert abs(held.q).max() < 1e-12
    moving = art.simulate(pendulum(friction=0.5 * weight), [0.0], [0.0], 0.05, dt=1e-4)
    inertia = 2.0 * 0.25 + 1e-3
    assert moving.v[-1, 0] == pytest.approx(0.5 * weight / inertia * 0.05, rel=0.01)


def test_a_slider_with_dry_friction_stops_and_stays():
    about = art.Inertia(3.0, (0, 0, 0), np.eye(3))
    robot = art.build([art.Link("cart", None, art.Prismatic((1, 0, 0), friction=6.0), inertia=about)])
    run = art.simulate(robot, [0.0], [1.0], 1.0)
    assert run.q[-1, 0] == pytest.approx(1 / (2 * 2.0), rel=0.005)
    assert abs(run.v[520:]).max() < 1e-14
    assert abs(run.q[520:] - run.q[-1]).max() < 1e-13


def test_geared_joints_share_limits_and_friction():
    about = art.Inertia(1.0, (0.2, 0, 0), np.eye(3) * 1e-3)
    links = [
        art.Link("base"),
        art.Link("a", "base", art.Revolute((0, 1, 0), name="lead"), inertia=about),
        art.Link(
            "b", "base", art.Revolute((0, 1, 0), name="follow", mimic=art.Mimic("lead", -2.0, 0.1), friction=0.1,
            limits=art.Limits(-0.5, 0.5)), inertia=about,
        ),
    ]  # fmt: skip
    run = art.simulate(art.build(links), [0.0], [0.0], 1.0)
    follower = -2 * run.q[:, 0] + 0.1
    assert follower.min() >= -0.5 - 1e-6
    assert follower.max() <= 0.5 + 1e-6


@pytest.mark.parametrize("kind", [art.Cylindrical, art.Planar])
@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_every_coordinate_stops_at_its_limit(kind, friction):
    """Also those of joints with several, and of one that moves along axes that turn with it."""
    about = art.Inertia(2.0, (0.1, 0.05, 0), np.eye(3) * 0.05)
    joint = kind((0, 0, 1), limits=art.Limits(-0.3, 0.2), friction=friction)
    robot = art.build([art.Link("body", None, joint, inertia=about)], gravity=(0, 0, 0))
    tau = 2.0 * np.array([1.0, 1.0, 0.4])[: robot.nv] if kind is art.Planar else [1.0, 1.0]
    run = art.simulate(robot, np.zeros(robot.nq), None, 2.0, torque=np.array(tau))
    assert run.info["residual"] <= 1e-6
    assert run.q.max() <= 0.2 + 1e-6 and run.q.min() >= -0.3 - 1e-6
    assert np.allclose(run.q[-1], 0.2, atol=1e-5) and abs(run.v[-1]).max() < 1e-4
    passed = art.simulate(robot, np.zeros(robot.nq), None, 2.0, torque=np.array(tau), limits=False)
    assert passed.q.max() > 1.0


def carriages(shape: Shape) -> art.Robot:
    """Two on one rail, a meter apart, without gravity."""
    about = art.Inertia(1.0, (0, 0, 0), np.eye(3) * 0.1)
    links = [art.Link("rail")]
    for name, x in (("left", -0.5), ("right", 0.5)):
        joint, place = art.Prismatic((1, 0, 0), name=f"{name} drive"), art.Transform(p=(x, 0, 0))
        links.append(art.Link(name, "rail", joint, place, about, [shape]))
    return art.build(links, gravity=(0, 0, 0))


@pytest.mark.parametrize(
    "shape", [Sphere(0.1, collision=True), Capsule(0.05, 0.2, collision=True)], ids=["ball", "rod"]
)
def test_balls_and_rods_of_a_robot_meet_each_other(shape):
    ground = art.Ground(0.5, feet=[], self_collision=True)
    run = art.simulate(carriages(shape), [0.0, 0.0], [1.0, -0.5], 1.5, contacts=ground)
    assert run.contact.names == ("left~right",)
    assert run.contact.gaps.min() > -1e-6
    # they stick together, and their momentum is what it was
    assert run.v[-1] == pytest.approx([0.25, 0.25], abs=1e-6)
    assert run.contact.normals[-1, 0] == pytest.approx([-1, 0, 0], abs=1e-9)


def test_restitution_between_bodies_gives_back_its_part():
    robot, ground = carriages(Sphere(0.1, collision=True)), art.Ground(0.5, 1.0, feet=[], self_collision=True)
    run = art.simulate(robot, [0.0, 0.0], [1.0, -0.5], 1.5, contacts=ground)
    assert run.v[-1] == pytest.approx([-0.5, 1.0], abs=1e-9)  # equal masses swap


def test_links_that_overlap_are_told_to_be_moved_apart():
    robot = carriages(Sphere(0.1, collision=True))
    with pytest.raises(art.ModelError, match=r"'left' and 'right' begin 0\.1 m inside each other; move them: q0"):
        art.simulate(robot, [0.45, -0.45], contacts=art.Ground(feet=[], self_collision=True))


def test_links_of_one_body_do_not_collide():
    about, shape = art.Inertia(1.0, (0, 0, 0), np.eye(3)), [Sphere(0.1, collision=True)]
    links = [art.Link(name, parent, joint, art.Transform(p=(1, 0, 0)), about, shape)
             for name, parent, joint in (("a", None, art.Floating()), ("b", "a", art.Fixed()))]  # fmt: skip
    with pytest.raises(art.ModelError, match="'a' and 'b' are fixed to one body"):
        art.simulate(art.build(links), at(z=1.0), contacts=art.Ground(self_collision=[("a", "b")]))


def test_a_state_moves_the_same_alone_and_in_a_batch():
    """Lanes that are done wait for the others and do not change."""
    robot, rng = quadruped(), np.random.default_rng(0)
    q = np.array([standing(0.02 + 0.01 * k) for k in range(9)])
    v = 0.3 * rng.normal(size=(9, 18))
    options = {"contacts": GROUND, "limits": False, "torque": art.traced(springs)}
    whole = art.simulate(robot, q, v, 0.15, **options)
    shared = art.simulate(robot, q, v, 0.15, threads=2, every=10, **options)
    assert np.array_equal(whole.q[:, ::10], shared.q)
    # of what is not stored the largest residual is
    worst = np.max(whole.contact.residual[:, 1:].reshape(9, 15, 10), axis=-1)
    assert np.array_equal(shared.contact.residual[:, 1:], worst)
    for k in (0, 4, 8):
        alone = art.simulate(robot, q[k], v[k], 0.15, **options)
        assert np.array_equal(alone.q, whole.q[k])
        assert np.array_equal(alone.contact.residual, whole.contact.residual[k])


def test_pushes_and_contacts():
    """A push of half the friction does not move a block, one of twice the friction does."""
    ground = art.Ground(0.5, feet=BASE)
    for part, acceleration in ((0.5, 0.0), (2.0, 0.5 * 9.81)):
        force = {"body": [part * 0.5 * 2 * 9.81, 0, 0, 0, 0, 0]}
        run = art.simulate(block(), at(z=0.05), None, 0.05, contacts=ground, forces=force)
        assert run.v[-1, 0] == pytest.approx(acceleration * 0.05, rel=1e-4, abs=1e-8)


def test_without_machine_code_it_is_the_same(monkeypatch):
    runs = []
    for way in ("on", "off"):
        monkeypatch.setenv("ARTICULATED_JIT", way)
        robot = art.build(ball().links)  # with kernels of its own
        runs.append(art.simulate(robot, at(z=0.1005), [0.5, 0, 0, 0, 0, 0], 0.03, contacts=art.Ground(0.3)))
    assert runs[0].q == pytest.approx(runs[1].q, abs=1e-12)
    assert (runs[0].contact.states == runs[1].contact.states).all()


def test_shapes_are_where_their_bodies_are():
    """On trees whose joints are anywhere on their links the first gaps are those of the shapes at the start."""
    robot, friction = next(robots("random trees"))
    ground, (q, v) = art.Ground(friction), starts(robot, np.random.default_rng(0), 2)
    run = art.simulate(robot, q, v, 1e-3, contacts=ground)
    assert np.allclose(run.contact.gaps[:, 0], gaps_of(robot, system(robot.model, ground))(q), rtol=0, atol=1e-12)
