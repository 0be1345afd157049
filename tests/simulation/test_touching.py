"""Contacts are data: any number of points, on the feet or on the belly, and no energy from nowhere."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Box, Sphere

from .scenes import block

G = 9.81
SIDE = 0.1


def legged(boxes=4):
    """A body with a belly of boxes, 8 corners each, on three legs that are welded at first: balls 0.3 m below it."""
    inertia = art.Inertia(3.0, (0, 0, 0), np.diag([0.1, 0.1, 0.1]))
    belly = tuple(Box((SIDE, SIDE, 0.1 - 0.01 * k), collision=True) for k in range(boxes))
    links = [art.Link("trunk", None, art.Floating(), inertia=inertia, shapes=belly)]
    for k, (x, y) in enumerate(((0.2, 0.0), (-0.1, 0.2), (-0.1, -0.2))):
        leg = art.Prismatic((0, 0, -1), name=f"leg{k}")
        own = art.Inertia(0.2, (0, 0, 0), np.eye(3) * 1e-3)
        shapes = (Sphere(0.02, collision=True),)
        place = art.Transform(p=(x, y, 0))
        links.append(art.Link(f"foot{k}", "trunk", leg, placement=place, inertia=own, shapes=shapes))
    robot = art.build(links, name="legged")
    return robot, np.array([0, 0, 0.32, 0, 0, 0, 1, 0.3, 0.3, 0.3])


def holding(strength):
    """Springs about the legs' lengths, with the weight of the trunk ahead."""

    def law(t, q, v):
        return [0.0] * 6 + [strength * (G + 800 * (0.3 - q[7 + k]) - 40 * v[6 + k]) for k in range(3)]

    return law


def test_it_stands_on_its_feet_and_lies_on_its_belly():
    """35 points may touch, the feet or the corners of the belly carry the weight."""
    robot, q = legged()
    standing = art.simulate(robot, q, duration=0.3, contacts=art.Ground(), torque=art.traced(holding(1.0)))
    lying = art.simulate(robot, q, duration=0.6, contacts=art.Ground())
    for run, name in ((standing, "foot"), (lying, "trunk")):
        assert len(run.contact.names) == 35 and run.contact.residual.max() <= 1e-6
        assert run.contact.normal[-1].sum() == pytest.approx(3.6 * G, rel=0.05)
        carried = [k for k, own in enumerate(run.contact.names) if own.startswith(name)]
        assert run.contact.normal[-1, carried].sum() > 2.9 * G
        assert run.contact.gaps.min() > -1e-4
    named = art.Ground(feet={f"foot{k}": 0.02 for k in range(3)})
    other = art.simulate(robot, q, duration=0.3, contacts=named, torque=art.traced(holding(1.0)))
    assert np.allclose(standing.q, other.q, rtol=0, atol=1e-9)  # each within the tolerance of the solver


def test_any_number_of_points():
    feet = {"body": np.random.default_rng(0).uniform(-0.1, 0.1, (120, 3))}
    run = art.simulate(block(), [0, 0, 0.2, 0, 0, 0, 1], contacts=art.Ground(feet=feet), duration=2.0, every=10)
    assert run.contact.residual.max() <= 1e-6
    assert run.contact.forces[-1].sum(axis=0) == pytest.approx([0, 0, 2 * G], abs=0.1)


def loops(robot):
    """Compiled loops that a robot has."""
    return {key for key in robot.kernels._store if isinstance(key, tuple) and key[0] == "routine"}


def test_numbers_of_the_ground_are_not_part_of_the_code():
    """Slope, friction, feet and the size of a bounce: one compiled loop."""
    robot, q = legged()
    for ground, other in (
        (art.Ground(0.7), art.Ground(0.2, slope=0.1)),
        (art.Ground(0.7, 0.5), art.Ground(0.3, 0.2, height=-0.5, slow=0.2)),
        (art.Ground(feet={"foot0": 0.02}), art.Ground(feet={"foot0": 0.05}, normal=(0.1, 0.2, 1))),
    ):
        known = loops(robot)
        art.simulate(robot, q + np.eye(10)[2], duration=0.01, contacts=ground)
        once = loops(robot)
        art.simulate(robot, q + np.eye(10)[2], duration=0.01, contacts=other)
        assert len(once) == len(known) + 1 and loops(robot) == once


def test_a_start_below_the_ground():
    robot, q = legged()
    q[2], q[7:] = 0.04, 0.02
    with pytest.raises(art.ModelError, match=r"'trunk.0' begins 0.01 m below the ground"):
        art.simulate(robot, q, duration=0.01, contacts=art.Ground())


@pytest.mark.parametrize("name", ["quadruped", "biped", "humanoid"])
def test_limp_robots_gain_no_energy(name):
    """No step of a robot that falls over without torques: what explicit Coriolis forces add is some millijoules."""
    robot = art.load(name, floating_base=True)
    rng = np.random.default_rng(2)
    low, high = robot.limits.lower, robot.limits.upper
    q = np.array([robot.integrate(robot.neutral(), 0.4 * rng.normal(size=robot.nv)) for _ in range(8)])
    q[:, 7:] = np.clip(q[:, 7:], low[7:] + 1e-3, high[7:] - 1e-3)
    q[:, 2] += 9
    high_up = art.simulate(robot, q, duration=1e-3, contacts=art.Ground()).contact.gaps[:, 0]
    q[:, 2] -= high_up.min(axis=1) - 0.02
    run = art.simulate(robot, q, duration=0.5, contacts=art.Ground())
    assert np.diff(run.energy.total, axis=1).max() < 0.1
    assert (run.contact.residual > 1e-6).mean() <= 2e-3


def test_meshes_alone_name_the_frames_that_look_like_feet():
    body = art.Inertia(1.0, (0, 0, 0), np.eye(3) * 0.01)
    links = [
        art.Link("trunk", None, art.Floating(), inertia=body),
        art.Link("left_foot", "trunk", art.Revolute((0, 1, 0)), inertia=body),
    ]
    with pytest.raises(art.ModelError, match=r'name its feet, art.Ground\(feet=\["left_foot"\]\)'):
        art.simulate(art.build(links), [0, 0, 1, 0, 0, 0, 1, 0], duration=0.01, contacts=art.Ground())


def test_an_array_as_contacts_is_refused_by_every_method():
    for method in ("rk4", "euler"):
        with pytest.raises(art.ArticulatedError, match="contacts"):
            art.simulate(art.load("2r"), [0, 0], duration=0.01, method=method, contacts=np.zeros(2))
