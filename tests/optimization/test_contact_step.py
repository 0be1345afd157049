"""Laws of derivatives through contacts: differences of steps, and of whole runs, in which what touches stays as it is.

A step solves its contacts to a residual of 1e-6 of what gravity adds in it, or better: differences over changes of 1e-6
are good to 1e-6 of the largest entry, of the order of a mobility over dt.
"""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.contact import problem
from articulated.simulation.contact.constraints import constraints, gaps_of
from tests.zoo import random_tree

from .test_step import SPRUNG, WEIGHTS

FEET = {"link0": 0.1, "link1": 0.13}
TREE = random_tree(1, 2, ["revolute", "prismatic"]).floating()
BUMPY = {"heights": 0.1 * np.random.default_rng(0).normal(size=(6, 6)), "extent": (-3, 3, -3, 3)}
GROUNDS = {
    "sticks": {"friction": 3.0},
    "slides": {"friction": 0.1},
    "bounces": {"friction": 0.1, "restitution": 0.5},
    "slope": {"friction": 0.3, "slope": 0.3},
    "facets": {"friction": 0.3, **BUMPY},
    "stairs": {"friction": 3.0, "steps": [(-0.2, 0.1), (0.3, 0.25)]},
}


def landed(robot, ground, q, gap):
    """q raised until its lowest contact is open by a gap."""
    gaps, q = gaps_of(robot, constraints(robot, ground, (), True)), q.copy()
    q[2] += 5.0
    while abs(left := gaps(q[None]).min() - gap) > 1e-12:
        q[2] -= np.clip(left, -0.02, 0.02)
    return q


def by_differences(robot, q, v, tau, dt, contacts, step=1e-6):
    """Derivatives of the state after a step, and whether every contact stays open, sticking or sliding."""
    n = robot.nv
    moves = np.concatenate([np.zeros((1, 3 * n)), *(s * k * step * np.eye(3 * n) for k in WEIGHTS for s in (1, -1))])
    parts = robot.integrate(q, moves[:, :n]), v + moves[:, n : 2 * n], (tau + moves[:, 2 * n :])[:, None]
    run = art.simulate(robot, *parts[:2], dt, dt, torque=parts[2], contacts=contacts)
    out = np.concatenate([robot.difference(run.q[:1, -1], run.q[:, -1]), run.v[:, -1]], axis=1)[1:]
    signed = out.reshape(len(WEIGHTS), 2, 3 * n, 2 * n)
    weights = np.array(list(WEIGHTS.values()))[:, None, None] / step
    states = run.contact.states[:, 0] if run.contact else np.zeros(1)
    return (weights * (signed[:, 0] - signed[:, 1])).sum(axis=0).T, states


def compare(robot, q, v, tau, dt, contacts):
    wanted, states = by_differences(robot, q, v, tau, dt, contacts)
    assert (states == states[:1]).all()
    found = np.hstack(art.linearize_step(robot, q, v, tau, dt, contacts=contacts))
    assert abs(found - wanted).max() < 1e-6 * (1 + abs(wanted).max())
    return states[0]


@pytest.mark.parametrize("kind", GROUNDS)
def test_it_is_the_derivative_of_a_step_in_contact(kind):
    ground, rng = art.Ground(feet=FEET, **GROUNDS[kind]), np.random.default_rng(4)
    for gap in (2e-4, -2e-5):  # closes within the step; is undone by a fifth
        q = landed(TREE, ground, TREE.random(rng), gap)
        v = 0.3 * rng.normal(size=TREE.nv)
        v[:3] = TREE.pose(q, "base")[:3, :3].T @ [0.6, 0.2, -1.0]
        states = compare(TREE, q, v, rng.normal(size=TREE.nv), 1e-3, ground)
        assert states.max() == (1 if kind == "sticks" else 2) or kind == "stairs"


@pytest.mark.parametrize("limits", [(0.02, 0.0), (0.0, 0.01), (0.02, 0.01), (10, 10)])
def test_contacts_that_rub_as_they_turn(limits):
    """The step finds the limits of such moments by iteration, to 1e-5 of the normal impulse; differences tell."""
    rng = np.random.default_rng(4)
    for friction in (3.0, 0.1):
        ground = art.Ground(feet=FEET, friction=friction, rolling=limits[0], spinning=limits[1])
        q = landed(TREE, ground, TREE.random(rng), 2e-4)
        v, tau = 0.3 * rng.normal(size=(2, TREE.nv))
        v[:3] = TREE.pose(q, "base")[:3, :3].T @ [0.6, 0.2, -1.0]
        wanted, states = by_differences(TREE, q, v, tau, 1e-3, ground)
        assert (states == states[:1]).all() and states.any()
        found = np.hstack(art.linearize_step(TREE, q, v, tau, 1e-3, contacts=ground))
        assert abs(found - wanted).max() < 1e-4 * abs(wanted).max()
        loose = np.hstack(art.linearize_step(TREE, q, v, tau, 1e-3, contacts=art.Ground(feet=FEET, friction=friction)))
        assert abs(loose - wanted).max() > 1e-3 * abs(wanted).max()


HELD = {
    "point": {"point": ["link1"]},
    "surface": {"surface": ["link1"]},
    "line": {"line": {"link1": (0, 0.6, 0.8)}},
    "direction": {"direction": {"link1": (0, 0.6, 0.8)}},
    "both": {"point": ["link0", "link1"]},
}


@pytest.mark.parametrize("kind", HELD)
def test_contacts_that_hold(kind):
    """Where they are at q, which moves with it."""
    rng, held = np.random.default_rng(5), art.Contacts(TREE, **HELD[kind])
    for q, dt in ((TREE.random(rng), 1e-3), (TREE.neutral(), 1e-2)):
        compare(TREE, q, held.impact(q, rng.normal(size=TREE.nv)).v, rng.normal(size=TREE.nv), dt, held)


def test_runs_whose_contacts_hold_where_they_are_at_the_start():
    """A quadruped on two feet that hold and two that may lift, and a four-bar, whose loop has no place in the world."""
    dog, rng = art.load("quadruped", floating_base=True), np.random.default_rng(2)
    feet = art.Contacts(dog, point=["FL_FOOT", "HR_FOOT"])
    ground = art.Ground(
        feet={"FR_FOOT": 0.02, "HL_FOOT": 0.02}, height=dog.pose(dog.poses["home"], "FR_FOOT")[2, 3] - 0.0205
    )
    bar, loop = four_bar()
    closed = loop.assemble([1.0, -0.5, 1.5], locked=["crank"])
    for robot, q, contacts, held in ((dog, dog.poses["home"], [feet, ground], feet), (bar, closed, loop, loop)):
        n = robot.nv
        v, dv = (held.impact(q, 0.3 * rng.normal(size=n)).v for _ in range(2))
        dq = dv if robot is bar else rng.normal(size=n)
        tau = rng.normal(size=(20, n)) * (np.arange(n) >= 6 * (robot is dog))

        def run(s, robot=robot, q=q, v=v, dq=dq, dv=dv, tau=tau, contacts=contacts):
            return art.simulate(robot, robot.integrate(q, s * dq), v + s * dv, 0.02, 1e-3, tau, contacts)

        d = art.simulate_derivatives(run(0), contacts=contacts)
        found, wanted = d.forward(q0=dq, v0=dv), (run(1e-6).v - run(-1e-6).v) / 2e-6
        assert abs(found.v - wanted).max() < 1e-5 * (1 + abs(wanted).max())
        by = rng.normal(size=wanted.shape)
        back = d.adjoint(v=by)
        assert back.q0 @ dq + back.v0 @ dv == pytest.approx((by * found.v).sum(), rel=1e-9)


def four_bar():
    """A linkage of three bars and the ground, and its loop."""
    place, turns = (lambda x: art.Transform(p=(x, 0, 0))), (lambda name: art.Revolute((0, -1, 0), name=name))
    bar = [art.Inertia(x, (x / 2, 0, 0), np.diag([1e-3, x**3 / 12, x**3 / 12])) for x in (1.0, 2.0, 1.5)]
    links = [
        art.Link("base"), art.Link("crank", "base", turns("crank"), inertia=bar[0]),
        art.Link("coupler", "crank", turns("coupler"), place(1.0), bar[1], frames=[("pin", place(2.0))]),
        art.Link("rocker", "base", turns("rocker"), place(2.0), bar[2], frames=[("eye", place(1.5))]),
    ]  # fmt: skip
    robot = art.build(links, name="four_bar")
    return robot, art.Contacts(robot, loops=[("pin", "eye")])


def test_joints_at_their_limits_and_held_by_dry_friction():
    rng, arm = np.random.default_rng(0), art.load("panda")
    q, v = np.array(arm.poses["home"]), np.zeros(7)
    q[3], v[3], v[0] = arm.limits.lower[3] + 1e-4, -1.0, 0.1
    compare(arm, q, v, np.zeros(7), 1e-3, [])
    rough = random_tree(3, 3, ["revolute", "prismatic"], friction=True)
    q = rough.random(rng)
    still = rough.gravity_forces(q)
    A, B = art.linearize_step(rough, q, np.zeros(rough.nv), still, 1e-3, contacts=[])
    assert np.allclose(A, np.diag([1, 1, 1, 0, 0, 0]), atol=1e-9) and np.allclose(B, 0, atol=1e-9)  # all stick
    compare(rough, q, rng.normal(size=rough.nv), still, 1e-3, [])


def test_without_rows_it_is_the_step_of_a_free_robot():
    robot, rng = art.load("2r"), np.random.default_rng(0)
    q, v, tau = rng.normal(size=(3, 4, 2))
    found = art.linearize_step(robot, q, v, tau, 0.01, contacts=[])
    assert np.allclose(found.A, art.linearize_step(robot, q, v, tau, 0.01).A, atol=1e-12)


def test_boxes_on_more_points_than_they_need():
    """Where contacts are redundant the motion is settled all the same."""
    scene = art.Scene([art.Box((0.2, 0.3, 0.2), 1.0, at=(0, 0, 0.1001)), art.Ground(friction=0.2)])
    v = np.array([0.7, 0, -0.3, 0, 0, 0])
    states = compare(scene, scene.poses["start"], v, np.zeros(6), 1e-3, [])
    assert (states == 2).sum() == 4


def test_runs_that_land():
    """A body falls, lands on one foot, then on the other, and slides: forwards, backwards, by parameters and gains."""
    ground, rng, n, dt = art.Ground(feet=FEET, friction=0.4), np.random.default_rng(1), TREE.nv, 1e-3
    q = landed(TREE, ground, TREE.random(rng), 1e-3)
    v, gains = np.zeros(n), np.array([3.0, 0.2])
    v[:3] = TREE.pose(q, "base")[:3, :3].T @ [0.5, 0.0, -0.5]

    def run(s=0.0, dq=0, dv=0, dp=0, gains=gains):
        def law(t, x, w):
            return np.concatenate([np.zeros(6), -gains[0] * x[7:] - gains[1] * w[6:]])

        start = TREE.integrate(q, s * dq * np.ones(n)), v + s * dv
        heavier = {"parameters": TREE.parameters + s * dp} if np.any(dp) else {}
        return art.simulate(TREE, *start, 0.08, dt, law, ground, **heavier)

    def rates(s, **along):
        ends = run(s, **along), run(-s, **along)
        assert (ends[0].contact.states == ends[1].contact.states).all()
        return (ends[0].v - ends[1].v) / (2 * s)

    here = run()
    touched = here.contact.states.max(axis=0)
    assert (touched > 0).all() and 2 in touched
    K = np.zeros((n, 2 * n))
    K[6:, 6:n], K[6:, n + 6 :] = -gains[0] * np.eye(n - 6), -gains[1] * np.eye(n - 6)
    d = art.simulate_derivatives(here, feedback=K, contacts=ground)
    dq, dv, dp = rng.normal(size=n), rng.normal(size=n), rng.normal(size=len(TREE.parameters)) * TREE.parameters
    by = rng.normal(size=here.v.shape)
    found = d.forward(q0=dq, v0=dv)
    for change, along in ((found, {"dq": dq, "dv": dv}), (d.forward(parameters=dp), {"dp": dp})):
        wanted = rates(1e-7, **along)
        assert abs(change.v - wanted).max() < 1e-5 * (1 + abs(wanted).max())
    back = d.adjoint(v=by, parameters=True)
    assert back.q0 @ dq + back.v0 @ dv == pytest.approx((by * found.v).sum(), rel=1e-9)
    assert back.parameters @ dp == pytest.approx((by * d.forward(parameters=dp).v).sum(), rel=1e-9)
    by_gain = -(back.tau[:, 6:] * here.q[:-1, 7:]).sum()
    high, low = ((by * run(gains=np.add(gains, [s, 0])).v).sum() for s in (1e-6, -1e-6))
    assert by_gain == pytest.approx((high - low) / 2e-6, rel=1e-4, abs=1e-5)


def trotting():
    """A quadruped that lifts two legs, then the others, from the home pose."""
    dog = art.load("quadruped", floating_base=True)
    ground, home = art.Ground(feet={f"{leg}_FOOT": 0.02 for leg in ("FL", "FR", "HL", "HR")}), dog.poses["home"]
    q = landed(dog, ground, home, 1e-5)
    lift, legs = np.array([0, 0.3, -0.6]), np.array([1, -1, -1, 1])

    def law(t, x, v):
        raised = np.maximum(0, legs * np.sin(2 * np.pi * t / 0.1))[:, None] * lift
        return np.concatenate([np.zeros(6), 60 * (home[7:] + raised.ravel() - x[7:]) - 2 * v[6:]])

    tau = art.simulate(dog, q, duration=0.1, dt=1e-3, torque=law, contacts=ground).tau[:-1]
    return dog, q, np.zeros(dog.nv), tau, ground


def rolling():
    """A ball slides, then rolls."""
    ball = art.Scene([art.Ball(0.1, 1.0, at=(0, 0, 0.1)), art.Ground(friction=0.3)])
    return ball, ball.poses["start"], np.array([0.6, 0.1, 0, 0, 0, 0]), np.zeros((100, 6)), None


def sliding():
    """A box that turns as it slides, on three feet: as many as it needs."""
    feet = {"front": (0.1, 0, -0.1), "left": (-0.1, 0.1, -0.1), "right": (-0.1, -0.1, -0.1)}
    inertia, frames = art.Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3)), [(k, art.Transform(p=p)) for k, p in feet.items()]
    box = art.build([art.Link("box", joint=art.Floating(), inertia=inertia, frames=frames)])
    q, v = np.array([0, 0, 0.11, 0, 0, 0, 1]), np.array([0.5, 0.1, 0, 0, 0, 0.5])
    return box, q, v, np.zeros((50, 6)), art.Ground(0.2, feet=dict.fromkeys(feet, 0.01))


def stopped():
    """An arm with dry friction: one joint slides, one meets its limit, the others are held."""
    arm = art.load("panda")
    q, v = arm.poses["home"].copy(), np.zeros(7)
    for link in arm.links:
        if link.joint.nv:
            arm = arm.replace(link.name, joint=link.joint.replace(friction=0.5))
    q[3], v[3], v[0] = arm.limits.lower[3] + 1e-3, -1.0, 0.5
    return arm, q, v, arm.gravity_forces(q)[None].repeat(20, 0), []


@pytest.mark.parametrize("case", [trotting, rolling, sliding, stopped])
def test_runs_with_parameters_have_derivatives_by_these_and_at_these(case, monkeypatch):
    """Differences of steps that are solved to 1e-11, not to 1e-6, are good to 1e-8."""
    monkeypatch.setattr(problem, "TOLERANCE", 1e-11)
    monkeypatch.setattr(problem.Problem.measure.__wrapped__, "__defaults__", (1e-11,))
    robot, q, v, tau, contacts = case()
    rng, n, h = np.random.default_rng(0), robot.nv, 1e-4
    dv, dtau = 0.01 * rng.normal(size=n), rng.normal(size=tau.shape) * (tau != 0)
    heavier, dp = 1.05 * robot.parameters, 0.1 * rng.normal(size=len(robot.parameters)) * robot.parameters

    def run(s, dv=0, dtau=0, dp=0):
        given = tau + s * dtau, contacts
        return art.simulate(robot, q, v + s * dv, len(tau) * 1e-3, 1e-3, *given, parameters=heavier + s * dp)

    here = run(0)
    d = art.simulate_derivatives(here, contacts=contacts)
    found = d.forward(v0=dv, tau=dtau), d.forward(parameters=dp)
    for change, along in zip(found, ({"dv": dv, "dtau": dtau}, {"dp": dp}), strict=True):
        ends = {s * k: run(s * k * h, **along) for k in WEIGHTS for s in (1, -1)}
        assert here.contact is None or all((x.contact.states == here.contact.states).all() for x in ends.values())
        wanted = sum(w / h * (ends[k].v - ends[-k].v) for k, w in WEIGHTS.items())
        assert abs(change.v - wanted).max() < 1e-8 * (1 + abs(wanted).max())
    by = rng.normal(size=here.v.shape)
    back = d.adjoint(v=by, parameters=True)
    pairs = zip(back[1:], (dv, dtau, dp), strict=True)
    assert sum((x * y).sum() for x, y in pairs) == pytest.approx((by * (found[0].v + found[1].v)).sum(), rel=1e-9)


def test_what_has_no_derivative_is_said():
    ground = art.Ground(feet=FEET)
    q = landed(TREE, ground, TREE.random(0), 1e-5)
    run = art.simulate(TREE, q, duration=0.01, contacts=ground)
    with pytest.raises(art.ShapeError, match="contacts=…"):
        art.simulate_derivatives(run)
    with pytest.raises(art.ShapeError, match="do not obey their laws"):
        art.simulate_derivatives(run, contacts=art.Ground(feet=FEET, friction=0.01))
    with pytest.raises(art.ShapeError, match='"euler"'):
        art.linearize_step(TREE, q, np.zeros(TREE.nv), np.zeros(TREE.nv), 1e-3, "midpoint", contacts=ground)
    still = np.zeros(2)
    with pytest.raises(art.ShapeError, match="springs between frames"):
        art.linearize_step(SPRUNG, still, still, still, 1e-3, contacts=[])
    bar, loop = four_bar()
    closed = loop.assemble([1.0, -0.5, 1.5], locked=["crank"])
    for method in ("rk4", "symplectic", "midpoint"):
        run = art.simulate(bar, closed, duration=0.01, contacts=loop, method=method)
        with pytest.raises(art.ShapeError, match='by the method "euler"'):
            art.simulate_derivatives(run, contacts=loop)
