"""Walking by a command: every gait of the table arrives where it is told, references obey the pendulum they are of."""

import numpy as np
import pytest

import articulated as art
from articulated.control.gait.mpc import Body, accelerations
from articulated.control.gait.patterns import GAITS, LEGS, Cycle
from articulated.control.gait.reference import Path, preview, repeating
from tests import doubtful

from .standing import FEET, robot

PATTERNS = [(name, kind) for name, rows in GAITS.items() for kind in rows]


@pytest.mark.parametrize("name, kind", PATTERNS)
def test_patterns_are_schedules(name, kind):
    """Feet swing when they have no load, loads are continuous, and every swing ends in its period."""
    pattern, count = GAITS[name][kind], 4 if kind == LEGS else 2
    feet, begin = [f"foot {k}" for k in range(count)], 0.7
    cycle = Cycle(pattern, feet, 0.5, begin)
    t = begin + np.linspace(-0.6, 1.5, 2101)
    loads = cycle.loads(cycle.turns(t))
    up = np.array([[foot in cycle.lifted(x) for x in t] for foot in feet])
    assert not loads[up].any() and (loads[:, t < begin - 0.5] == 1).all()
    assert abs(np.diff(loads)).max(initial=0) <= 1e-3 / (0.5 * pattern.ramp) + 1e-9
    later = t >= begin + 0.5  # the samples of whole periods, 1 ms
    assert up[:, later].mean() == pytest.approx(1 - pattern.ground, abs=4e-3)
    assert all(phase + 1 - pattern.ground <= 1 + 1e-12 for phase in pattern.phases) and len(pattern.phases) == count


@pytest.mark.parametrize("gait", [name for name, rows in GAITS.items() if LEGS in rows])
def test_every_gait_arrives_where_it_is_told(gait):
    dog, moves = robot("quadruped"), gait != "stand"
    walk = art.Walk(dog, gait)
    walk.command(0.3 * moves, 0.0, 0.2 * moves)
    run = art.simulate(dog, walk.home, None, 1.6, 2e-3, walk, art.Ground(0.7))
    place, heading = Path(np.zeros(2), 0.0, np.array([0.3 * moves, 0.0]), 0.2 * moves).after(np.array(1.6))
    # the center of mass, not the base, is above the middle of the feet: 22 mm
    assert np.linalg.norm(run.q[-1, :2] - place) < 0.07
    assert 2 * np.arctan2(run.q[-1, 5], run.q[-1, 6]) == pytest.approx(heading, abs=0.1)
    assert run.q[:, 2].min() > 0.18 and walk.done.status == "solved"
    gaps = run.contact.gaps[:, [run.contact.names.index(foot) for foot in FEET]]
    assert ((gaps.max(axis=0) > 0.02) == moves).all()


def test_a_trot_planned_by_forces_arrives_where_it_is_told():
    dog = robot("quadruped")
    walk = art.Walk(dog, "trot", mpc=True)
    walk.command(0.3, 0.0, 0.2)
    run = art.simulate(dog, walk.home, None, 1.6, 2e-3, walk, art.Ground(0.7))
    place, heading = Path(np.zeros(2), 0.0, np.array([0.3, 0.0]), 0.2).after(np.array(1.6))
    assert np.linalg.norm(run.q[-1, :2] - place) < 0.07 and run.q[:, 2].min() > 0.27
    assert 2 * np.arctan2(run.q[-1, 5], run.q[-1, 6]) == pytest.approx(heading, abs=0.05)


def test_planned_forces_hold_still_mirror_and_obey_their_cones():
    rng, body = np.random.default_rng(0), Body(12.0, np.diag([0.1, 0.3, 0.4]), np.array([0.0, 0.0, -9.81]))
    places = np.array([[0.2, 0.15, 0], [0.2, -0.15, 0], [-0.2, 0.15, 0], [-0.2, -0.15, 0]])[:, None] + np.zeros(
        (4, 16, 3)
    )
    wanted, loads = np.zeros((16, 2, 6)), np.ones((4, 16))
    wanted[:, 0, 5] = 0.3
    still = accelerations(body, wanted[0], wanted, places, loads, 0.03, 0.6)
    # a force costs something, so that the body sinks a little at the end
    assert abs(still[0]).max() < 1e-5 and abs(still).max() < 1e-2
    loads[[0, 3], :8], loads[[1, 2], 8:] = 0, 0
    start = wanted[0] + 0.1 * rng.normal(size=(2, 6))
    found = accelerations(body, start, wanted, places, loads, 0.03, 0.6)
    axis = np.array([-1, 1, -1, 1, -1, 1])  # y to -y: of rotations the others change their sign
    mirrored = accelerations(body, axis * start, wanted, places, loads[[1, 0, 3, 2]], 0.03, 0.6)
    assert np.allclose(axis * mirrored, found, rtol=0, atol=1e-7)
    force = 12 * (found[:, 3:] - body.gravity)
    assert (abs(force[:, :2]) <= 0.7 * 0.6 * force[:, 2:] + 1e-6).all() and (force[:, 2] > 0).all()


def test_a_biped_walks():
    two = robot("biped")
    soles = dict.fromkeys(("left_sole", "right_sole"), ((-0.1, 0.1), (-0.04, 0.04)))
    walk = art.Walk(two, "walk", soles=soles)
    walk.command(0.1, 0.0, 0.1)
    run = art.simulate(two, walk.home, None, 3.0, 2e-3, walk, art.Ground(0.8))
    assert run.q[:, 2].min() > 0.9 * walk.home[2] and run.q[-1, 0] == pytest.approx(0.3, abs=0.06)


def test_a_biped_that_stands_sets_out_and_stands_again():
    """From stand to walk the weight goes to the other foot first; who stands stays, whatever velocity is commanded."""
    two = robot("biped")
    walk = art.Walk(two, "stand", soles=dict.fromkeys(("left_sole", "right_sole"), ((-0.1, 0.1), (-0.04, 0.04))))

    def told(t, q, v):
        walk.command(0.15, gait="walk" if 0.5 <= t < 2.5 else "stand")  # at every tick, as by a joystick
        return walk(t, q, v)

    run = art.simulate(two, walk.home, None, 4.5, 2e-3, told, art.Ground(0.8))
    # the center of mass, not the base, is above the middle of the feet: 30 mm
    assert np.linalg.norm(run.q[250, :2]) < 0.04 and abs(run.v[250]).max() < 0.05
    assert run.q[:, 2].min() > 0.9 * walk.home[2] and 0.2 < run.q[-1, 0] < 0.6 and abs(run.v[-1]).max() < 0.1


def test_a_biped_sets_out_by_steps_no_longer_than_those_to_come():
    """Who stands and is told to walk waits for its first step, and lifts its feet as high as one that began to walk."""
    two, soles = robot("biped"), dict.fromkeys(("left_sole", "right_sole"), (0.2, 0.08))
    walk, began = art.Walk(two, "stand", soles=soles), art.Walk(two, "walk", soles=soles)

    def told(t, q, v):
        walk.command(0.2, gait="walk" if t >= 0.3 else "stand")
        tau = walk(t, q, v)
        ahead.append(max((place[0] - q[0] for place in walk.footholds.values()), default=0.0))
        return tau

    ahead = []
    run = art.simulate(two, walk.home, None, 4.0, 2e-3, told, art.Ground(0.8))
    assert walk.height == began.height < art.Walk(two, "stand", soles=soles).height
    assert run.q[:, 2].min() > 0.9 * walk.home[2] and run.q[-1, 0] > 0.2 * (4.0 - walk.gait.begin) - 0.1
    assert max(ahead) < walk.gait.period * 0.2 + 0.15
    high = art.Walk(two, "stand", soles=soles, height=0.03, capture=1.0)
    high.command(0.1, gait="walk")
    assert (high.height, high.capture) == (0.03, 1.0)


def test_frames_with_soles_are_the_feet():
    """Of several low frames of one link that one is the foot which has been given a sole."""
    two = robot("biped")
    for side in ("left", "right"):
        two = two.add_frame(f"{side}_pad", f"{side}_sole", art.Transform(p=[0.02, 0, 0.005]))
    soles = dict.fromkeys(("left_pad", "right_pad"), (0.16, 0.08))
    assert art.Walk(two, "walk", soles=soles).law.contacts.names == list(soles)
    assert art.Walk(two, "trot").law.contacts.names == ["left_sole", "right_sole"]


def test_bolt_stays_up_by_its_steps():
    two = robot("bolt")
    for gait in ("stand", "walk"):
        with pytest.raises(art.ModelError, match=r"soles=\{'FL_FOOT': \(length, width\), …\}, or gait='trot'"):
            art.Walk(two, gait)
    walk = art.Walk(two, "trot")
    walk.command(0.2, 0.0, 0.3)
    start = walk.home - np.eye(two.nq)[2] * two.pose(walk.home, "FL_FOOT")[2, 3]
    run = art.simulate(two, start, None, 3.0, 2e-3, walk, art.Ground(0.7, feet=["FL_FOOT", "FR_FOOT"]))
    place, heading = Path(np.zeros(2), 0.0, np.array([0.2, 0.0]), 0.3).after(np.array(3.0))
    assert np.linalg.norm(run.q[-1, :2] - place) < 0.1 and run.q[:, 2].min() > 0.9 * start[2]
    assert 2 * np.arctan2(run.q[-1, 5], run.q[-1, 6]) == pytest.approx(heading, abs=0.1)


def test_each_leg_has_one_foot():
    """Links that follow the lowest one closely, as an ankle does, are no feet of their own."""
    heavy = art.Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    links = [art.Link("trunk", inertia=heavy)]
    for side, y in (("left", 0.1), ("right", -0.1)):
        above = "trunk"
        for part, place in (("leg", [0, y, 0]), ("ankle", [0, 0, -0.5]), ("foot", [0, 0, -0.01])):
            joint = art.Revolute([0.0, 1.0, 0.0])
            links.append(art.Link(f"{side}_{part}", above, joint, art.Transform(np.eye(3), place), heavy))
            above = links[-1].name
    walk = art.Walk(art.build(links).floating(), "trot")
    assert walk.law.contacts.names == ["left_foot", "right_foot"]


def test_no_tick_compiles(monkeypatch):
    """All kernels of a controller are there before its first tick."""
    dog = doubtful.load("quadruped", floating_base=True)
    walks = [art.Walk(dog, "trot", mpc=mpc, period=0.1) for mpc in (False, True)]
    monkeypatch.delattr("articulated.compiler.kernel.Kernel._made")
    for walk in walks:
        for t in np.arange(0, 0.15, 5e-3):
            assert np.isfinite(walk(t, walk.home, np.zeros(dog.nv))).all()


def test_gaits_change_at_the_end_of_a_period_and_commands_at_once():
    dog = robot("quadruped")
    walk, still = art.Walk(dog, "stand"), np.zeros(dog.nv)
    walk(0.0, walk.home, still)
    walk.command(0.4, gait="trot")
    for t in np.arange(1, 900) * 1e-3:
        walk(t, walk.home, still)
    assert walk.gait.pattern is GAITS["trot"][LEGS] and walk.footholds
    assert walk._path.place[0] == pytest.approx(0.4 * 0.899, abs=1e-3)


def test_the_reference_is_the_bounded_motion_of_a_pendulum():
    """ξ̇ = ω (ξ - r): for a straight r it is r + ṙ/ω, and its weights are those of a mean."""
    rate, step = 6.0, 0.01
    weights = preview(rate, step)
    assert weights.sum() == pytest.approx(1, abs=1e-12) and (weights > 0).all()
    r = 0.3 + 0.7 * step * np.arange(len(weights))
    assert weights @ r == pytest.approx(0.3 + 0.7 / rate, abs=1e-3)  # REST of what is to come is left out
    value, speed, acceleration = repeating(np.array([3.0, 1, 1, 1] * 10), 0.5)
    assert abs(np.mean(speed)) < 1e-12 and abs(np.mean(value)) < 1e-12 and abs(acceleration.mean()) < 1e-12
    assert np.allclose(np.roll(value, -1) - value, (speed + np.roll(speed, -1)) / 2 * 0.5 / 40)


def test_terrain_and_ramps_reach_the_law():
    dog, ground = robot("quadruped"), 0.05
    walk = art.Walk(dog, terrain=lambda x, y: ground * (x > 0.25), capture=0.0)
    walk.command(0.5)
    still = np.zeros(dog.nv)
    for t in np.arange(0, 0.25, 1e-3):
        walk(t, walk.home, still)
    heights = {foot: place[2] for foot, place in walk.footholds.items()}
    assert heights["FL_FOOT"] - heights["HR_FOOT"] == pytest.approx(ground)
    law, q = walk.law, walk.home
    targets = walk._given(0.25, q, still)
    most = np.array([1.0, np.inf, np.inf, np.inf])
    done = law(q, still, force_limits=most, **targets)
    assert done.forces[2] <= 1 + 1e-6 < law(q, still, **targets).forces[2]
    many = law(np.array([q, q]), np.zeros((2, dog.nv)), force_limits=np.array([most, 10 * most]), **targets)
    assert np.allclose(many.tau[0], done.tau, rtol=0, atol=1e-9)
    with pytest.raises(art.ShapeError, match="force_limits="):
        law(q, still, force_limits=[1.0], **targets)


@pytest.mark.parametrize("arguments, words", [
    ({"gait": "gallop"}, "gallop"), ({"feet": ["FL_FOOT"]}, "two or four feet"), ({"period": 0}, "period"),
    ({"home": np.zeros(19)}, "no configuration"),
    ({"terrain": lambda x: x}, r"\(x, y\)"), ({"home": [0.0]}, "home"), ({"capture": -1}, "capture"),
])  # fmt: skip
def test_what_cannot_walk(arguments, words):
    with pytest.raises(art.ArticulatedError, match=words):
        art.Walk(robot("quadruped"), **arguments)
    with pytest.raises(art.ModelError, match="without gravity"):
        art.Walk(robot("quadruped").replace(gravity=[0.0, 0.0, 0.0]))
    with pytest.raises(art.ShapeError, match="vx"):
        art.Walk(robot("quadruped")).command(np.nan)
    with pytest.raises(art.ModelError, match="free base"):
        art.Walk(art.load("panda"))


@pytest.mark.parametrize("mpc", [False, True])
def test_a_tick_without_numbers_is_refused_and_forgotten(mpc):
    """What a sensor gave once does not stay in the plan."""
    dog = robot("quadruped")
    walk, fresh, still = art.Walk(dog, mpc=mpc), art.Walk(dog, mpc=mpc), np.zeros(dog.nv)
    fresh(0.0, fresh.home, still)
    nothing = np.concatenate([walk.home[:3], np.zeros(4), walk.home[7:]])
    for t, q, v, words in (
        (-1.0, np.nan * walk.home, still, "q holds NaN"), (-1.0, nothing, still, "quaternion of zeros"),
        (0.0, walk.home, still, None), (0.1, walk.home, still + np.nan, "v holds NaN"),
        (np.nan, walk.home, still, "t is"),
    ):  # fmt: skip
        if words is None:
            walk(t, q, v)
            continue
        with pytest.raises(art.ShapeError, match=words):
            walk(t, q, v)
    assert (walk(0.2, walk.home, still) == fresh(0.2, walk.home, still)).all()


@pytest.mark.parametrize("mpc", [False, True])
def test_who_stands_stays_whatever_is_commanded(mpc):
    dog = robot("quadruped")
    walk = art.Walk(dog, "stand", mpc=mpc)
    walk.command(0.5, 0.2, 0.5)
    run = art.simulate(dog, walk.home, None, 1.5, 2e-3, walk, art.Ground(0.7))
    # the center of mass, not the base, is above the middle of the feet: 25 mm
    assert np.linalg.norm(run.q[-1, :2]) < 0.03 and abs(run.q[-1, 3:6]).max() < 1e-2 and abs(run.v[-1]).max() < 0.05
