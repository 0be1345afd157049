"""The midpoint rule: bodies that spin fast, bounces, slopes and limp robots, against closed forms."""

import numpy as np
import pytest

import articulated as art
from articulated.model.shapes import Sphere

from .campaign import starts
from .scenes import BASE, G, at, ball, block, on_slope, run

DT = 1e-3


def turning(robot, start, found):
    """Kinetic energy of the rotation at the end, relative to that at the start."""
    I = np.array([0.01, 0.02, 0.025])
    return (found.v[-1, 3:] ** 2 @ I) / (start[3:] ** 2 @ I)


def test_a_flywheel_at_a_thousand_radians_a_second():
    """The body it is on turns about an axis at a constant rate; Euler's method gives 1e19 of it."""
    body, wheel = (
        art.Inertia(m, (0, 0, 0), np.diag(I)) for m, I in ((1.0, [0.2, 0.2, 0.25]), (0.5, [0.01, 0.01, 0.02]))
    )
    links = [
        art.Link("body", None, art.Floating(), inertia=body),
        art.Link("wheel", "body", art.Revolute((0, 0, 1)), inertia=wheel),
    ]
    v = np.array([0, 0, 0, 0.3, 0.2, 0.1, 1000.0])
    robot = art.build(links)
    found = art.simulate(robot, robot.neutral(), v, 10.0, DT, method="midpoint", every=100)
    rates = np.linalg.norm(found.v[:, 3:6], axis=1)
    assert rates == pytest.approx(np.full(101, np.linalg.norm(v[3:6])), rel=1e-5)
    assert found.energy.kinetic[-1] - found.energy.kinetic[0] == pytest.approx(
        -np.diff(found.energy.potential[[0, -1]])[0]
    )


@pytest.mark.parametrize("speed", [20, 100])
def test_a_thrown_box_keeps_its_energy_and_its_momentum(speed):
    I = np.diag([0.01, 0.02, 0.025])
    robot = art.build([art.Link("box", None, art.Floating(), inertia=art.Inertia(1.0, (0, 0, 0), I))])
    v = np.array([1, 0, 0, 0.01 * speed, speed, 0.01 * speed])
    found = art.simulate(robot, robot.neutral(), v, 10.0, DT, method="midpoint", every=100)
    assert turning(robot, v, found) == pytest.approx(1, abs=1e-8)
    assert found.q[-1, :3] == pytest.approx([10, 0, -G * 100 / 2], abs=1e-9)
    about = robot.centroidal_momentum(found.q, found.v)[:, 3:]
    assert abs(about - about[0]).max() < 1e-8 * np.linalg.norm(about[0])


@pytest.mark.parametrize("spin, exact", [(100.0, 1e-3), (400.0, 1e-3)])
def test_the_precession_of_a_heavy_top(spin, exact):
    """Steady: the slow root of A cos θ Ω² - C w Ω + m g l = 0."""
    tilt, I, length = 0.5, 0.012, 0.2
    about = 0.02 + length**2
    top = art.build([
        art.Link("top", None, art.Spherical(), inertia=art.Inertia(1.0, (0, 0, length), np.diag([0.02, 0.02, I])))
    ])  # fmt: skip
    a, b, c = about * np.cos(tilt), I * spin, G * length
    rate = (b - np.sqrt(b * b - 4 * a * c)) / (2 * a)
    v = np.array([0, rate * np.sin(tilt), spin])
    found = art.simulate(top, [np.sin(tilt / 2), 0, 0, np.cos(tilt / 2)], v, 5.0, DT, method="midpoint", every=10)
    axis = top.pose(found.q, "top")[:, :3, 2]
    turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    assert (turned[-1] - turned[0]) / (5.0 * rate) == pytest.approx(1, abs=exact)


def test_bounces_are_at_their_moment():
    """Fifteen of them, each four fifths as fast: times to 1e-9 s; and a ball that loses nothing keeps its height."""
    e, height = 0.8, 1.0
    found = run(ball(), art.Ground(restitution=e), at(z=0.1 + height), None, 4500, DT, method="midpoint")
    before = np.flatnonzero((found.v[:-1, 2] < 0) & (found.v[1:, 2] > 0))[:15]
    fall, gap = found.v[before, 2], found.q[before, 2] - 0.1
    times = found.t[before] + (fall + np.sqrt(fall * fall + 2 * G * gap)) / G
    speed = np.sqrt(2 * G * height)
    exact = np.sqrt(2 * height / G) + np.cumsum([0, *(2 * speed / G * e ** np.arange(1, 15))])
    assert abs(times - exact).max() < 1e-9
    elastic = run(ball(), art.Ground(restitution=1.0), at(z=0.1 + height), None, 20000, DT, method="midpoint")
    assert elastic.q[-2000:, 2].max() == pytest.approx(0.1 + height, abs=1e-6) and not elastic.findings


def test_sliding_is_of_second_order():
    """Down a slope ½ a t²; on the level v²/2μg; a ball rolls at 5/7 of its speed."""
    angle, friction, options = 0.5, np.tan(0.3), {"method": "midpoint"}
    start = on_slope(angle, 0.05)
    found = run(
        block(), art.Ground(friction, slope=angle, feet=BASE), on_slope(angle, 0.05), None, 500, method="midpoint"
    )
    way = 0.5 * G * (np.sin(angle) - friction * np.cos(angle)) * 0.5**2
    assert np.linalg.norm(found.q[-1, :3] - start[:3]) == pytest.approx(way, rel=1e-5)
    assert abs(found.contact.gaps).max() < 1e-7
    still = run(
        block(), art.Ground(np.tan(0.51), slope=angle, feet=BASE), on_slope(angle, 0.05), None, 500, method="midpoint"
    )
    assert abs(still.q[-1] - start).max() < 1e-8 and (still.contact.states == 1).all()
    stops = run(block(), art.Ground(0.5, feet=BASE), at(z=0.05), [1.0, 0, 0, 0, 0, 0], 400, **options)
    assert stops.q[-1, 0] == pytest.approx(1 / (2 * 0.5 * G), rel=1e-4)
    rolls = run(ball(0.1), art.Ground(0.3), at(z=0.1), [2.0, 0, 0, 0, 0, 0], 500, **options)
    assert np.linalg.norm(rolls.v[-1, :3]) == pytest.approx(10 / 7, rel=1e-5)
    assert rolls.q[-1, 2] == pytest.approx(0.1, abs=1e-7)


def test_limp_robots_gain_less_than_with_euler_s_method():
    """Three links with balls at their ends that fall and flail; they sink in a hundredth as far."""
    inertia, end = art.Inertia(1.0, (0.15, 0, 0), np.diag([1e-3, 8e-3, 8e-3])), art.Transform(p=(0.3, 0, 0))
    links = [
        art.Link(f"link{k}", f"link{k - 1}" if k else None, joint, end if k else art.Transform(), inertia,
                 shapes=[Sphere(0.05, collision=True)])
        for k, joint in enumerate([art.Floating(), art.Revolute((0, 1, 0)), art.Revolute((0, 0, 1))])
    ]  # fmt: skip
    robot, rng = art.build(links, name="flail"), np.random.default_rng(0)
    q = robot.integrate(np.array([0, 0, 0.8, 0, 0, 0, 1, 0.5, -0.5]), 0.2 * rng.normal(size=(8, 8)))
    v = np.concatenate([np.zeros((8, 3)), 4 * rng.normal(size=(8, 5))], axis=1)
    gains, depths = {}, {}
    for method in ("euler", "midpoint"):
        found = art.simulate(robot, q, v, 1.0, contacts=art.Ground(), method=method)
        gains[method], depths[method] = np.diff(found.energy.total, axis=1).max(), -found.contact.gaps.min()
        assert found.contact.residual.max() <= 1e-6
    assert gains["midpoint"] < gains["euler"] / 10 and depths["midpoint"] < 1e-4, (gains, depths)


def test_joints_stop_and_stick():
    """At their limits without overshooting, and by dry friction where v²/2a says."""
    slide = art.Prismatic((1, 0, 0), name="slide", limits=art.Limits(-1.0, 0.3))
    rail = art.build([art.Link("cart", None, slide, inertia=art.Inertia(2.0))], gravity=(0, 0, 0))
    found = art.simulate(rail, [0.0], [1.0], 1.0, DT, method="midpoint")
    assert found.q.max() <= 0.3 + 1e-12 and abs(found.v[-1, 0]) < 1e-12
    rubbing = art.build(
        [art.Link("cart", None, slide.replace(friction=4.0), inertia=art.Inertia(2.0))], gravity=(0, 0, 0)
    )
    found = art.simulate(rubbing, [-0.5], [1.0], 1.0, DT, method="midpoint")
    assert found.q[-1, 0] == pytest.approx(-0.25, abs=1e-6) and abs(found.v[-1, 0]) < 1e-12


def test_dampers_of_any_size_do_not_blow_up():
    joint = art.Prismatic((1, 0, 0), damping=1e6)
    stiff = art.build([art.Link("cart", None, joint, inertia=art.Inertia(1.0))], gravity=(0, 0, 0))
    found = art.simulate(stiff, [0.0], [1.0], 0.1, DT, torque=[1e6], method="midpoint")
    assert abs(found.v).max() < 2.1 and abs(np.diff(found.q[:, 0]).mean() - DT) < 1e-4


def test_a_law_within_a_step_knows_what_carries_a_robot():
    """A quadruped that bends its legs under a traced law, on feet that touch and on feet that are held."""
    dog = art.load("quadruped", floating_base=True)
    home, feet = dog.poses["home"], ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    swing = 0.04 * np.array([0.5, 1, -1.6] * 4)
    law = art.traced(lambda t, q, v: 60 * (home[7:] + swing * np.sin(9 * t) - q[7:]) - v[6:])
    height = float(min(dog.pose(home, foot)[2, 3] for foot in feet))
    exact = art.simulate(dog, home, duration=0.2, torque=law, contacts=art.Contacts(dog, point=feet), method="rk4")
    ground, errors = art.Ground(5.0, height=height, feet=dict.fromkeys(feet, 1e-9)), []
    for dt in (2e-3, 1e-3):
        run = art.simulate(dog, home, None, 0.2, dt, law, ground, "midpoint", limits=False)
        assert (run.contact.forces[..., 2] > 0).all()
        errors.append(abs(run.q[-1] - exact.q[-1]).max())
    assert errors[1] < 2e-4 and errors[0] / errors[1] > 3


def test_dampers_between_frames_are_of_second_order():
    """A pendulum on a spring with a damper, against rk4."""
    line = art.Spring("tip", (1.0, 0.0, 1.0), stiffness=300.0, length=0.5, damping=20.0)
    robot = art.load("2r").add_springs([line])
    exact = art.simulate(robot, [0.3, 0.5], [1.0, 0.0], 0.2, 1e-4, method="rk4").q[-1]
    errors = [
        abs(art.simulate(robot, [0.3, 0.5], [1.0, 0.0], 0.2, dt, method="midpoint").q[-1] - exact).max()
        for dt in (2e-3, 1e-3)
    ]
    assert errors[0] / errors[1] > 3.5


def test_gains_of_a_law_that_is_called_are_those_of_the_middle():
    """References that are a plain function, and those of a batch: gravity alone is that of the beginning of a step."""
    arm = art.load("panda").frictionless()
    start, goal = arm.neutral(), arm.integrate(arm.neutral(), np.full(7, 0.1))
    law, options = art.PD(arm, 400, 40), {"method": "midpoint", "limits": False}
    exact = art.simulate(arm, start, None, 0.1, 1e-3, law.towards(goal), **options).q[-1]
    called = art.simulate(arm, start, None, 0.1, 1e-3, law.towards(lambda t: goal), **options).q[-1]
    batch = art.simulate(arm, [start] * 2, None, 0.1, 1e-3, law.towards(np.stack([goal, goal])), **options).q[:, -1]
    assert abs(batch - called).max() < 1e-12
    assert abs(called - exact).max() < 2e-5


@pytest.mark.parametrize("method", ["euler", "midpoint"])
@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_forces_at_rest_stay(name, method):
    """Limp robots that have fallen lie on more points than they need; each keeps its force from step to step."""
    robot = art.load(name, floating_base=True)
    q, _ = starts(robot, np.random.default_rng(3), 6)
    q[0, 3:], q[0, 2] = robot.poses["home"][3:], 1.0
    run = art.simulate(robot, q, None, 4.0, contacts=art.Ground(0.7), method=method, progress=False)
    rests = abs(run.v[:, -301:]).max(axis=(1, 2)) < 1e-9
    forces = run.contact.forces[rests, -301:-1]
    assert rests.sum() > 2 and ((forces[:, -1, :, 2] > 0).sum(axis=1) > 2).all()
    assert abs(np.diff(forces, axis=1)).max() < 1e-6
    assert run.contact.gaps[rests, -1].min() > -2e-9 and run.contact.residual[rests, -301:].max() < 1e-9
