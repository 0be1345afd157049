"""Gaits and swings: who is in the air when, arcs at rest at their ends, a quadruped that trots and is pushed."""

import numpy as np
import pytest

import articulated as art

from .standing import FEET, contacts, robot


def law(com=None, ahead=None):
    """With the center of mass at home, or at `com`, and feet without targets, or so far from where they stand."""
    home = robot("quadruped").poses["home"]
    com = robot("quadruped").center_of_mass(home) if com is None else com
    targets = {foot: None if ahead is None else robot("quadruped").pose(home, foot)[:3, 3] + ahead for foot in FEET}
    tasks = [
        art.tasks.CenterOfMass(gain=60, weight=[10, 10, 30], target=com),
        art.tasks.Frame("base", "orientation", gain=150, weight=10, target=np.eye(3)),
        art.tasks.Posture(gain=40, weight=0.05, target=home),
        *(art.tasks.Frame(foot, "position", gain=800, weight=30, target=targets[foot]) for foot in FEET),
    ]
    return art.WholeBody(contacts("quadruped"), tasks, contact_damping=20)


# -- gaits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ground", [0.5, 0.7, 0.9])
def test_a_trot(ground):
    gait = art.Gait.trot(FEET, 1.0, 3.0, period=0.4, ground=ground)
    times = np.linspace(0, 4, 4001)
    up = np.array([[foot in gait.lifted(t) for foot in FEET] for t in times])
    assert (up[:, 0] == up[:, 3]).all() and (up[:, 1] == up[:, 2]).all() and not (up[:, 0] & up[:, 1]).any()
    assert not up[(times < 1) | (times >= 3)].any()
    assert up[(times >= 1) & (times < 3)].mean() == pytest.approx(1 - ground, abs=2e-3)  # samples of 1 ms


def test_gaits_are_added_and_do_not_overlap():
    first, then = art.Gait([("a", 0, 1)]), art.Gait([("b", 0.5, 2), ("a", 1, 2)])
    assert (first + then).lifted(0.7) == ("a", "b") and (first + then).feet == ("a", "b")
    assert art.Gait().lifted(0) == () and "no foot" in repr(art.Gait())
    with pytest.raises(art.ShapeError, match=r"a is lifted at 0\.5 s and lands at 1 s"):
        first + art.Gait([("a", 0.5, 2)])


@pytest.mark.parametrize("swings", ["ab", 3, [("a", 1)], [(1, 0, 1)], [("a", 1, 1)], [("a", 2, 1)], [("a", np.nan, 1)]])
def test_no_gait(swings):
    with pytest.raises(art.ShapeError, match="Gait"):
        art.Gait(swings)


@pytest.mark.parametrize("options", [
    {"feet": FEET[:3]}, {"feet": "FL"}, {"period": 0}, {"ground": 0.4}, {"ground": 1.1}, {"end": np.inf}, {"end": -1},
    {"period": 1e-9},
])  # fmt: skip
def test_no_trot(options):
    with pytest.raises(art.ShapeError, match="Gait"):
        art.Gait.trot(**{"feet": FEET, "begin": 0.0, "end": 2.0, **options})


# -- swings -----------------------------------------------------------------------------------


def test_a_swing_is_its_own_derivative_and_rests_at_its_ends(rng):
    start, end = rng.normal(size=(2, 3))
    h = 1e-6
    for t in np.linspace(0.01, 0.29, 7):
        before, here, after = (art.swing(start, end, 0.1, 0.3, x) for x in (t - h, t, t + h))
        # central differences of step 1e-6: rounding 1e-10, their second order 1e-9
        assert np.allclose((after.position - before.position) / (2 * h), here.velocity, atol=1e-7)
        assert np.allclose((after.velocity - before.velocity) / (2 * h), here.acceleration, atol=1e-5)
    for t, place in ((-1.0, start), (0.0, start), (0.3, end), (9.0, end)):
        found = art.swing(start, end, 0.1, 0.3, t)
        assert np.allclose(found.position, place, rtol=0, atol=1e-15)
        assert not found.velocity.any() and not found.acceleration.any()
    assert art.swing(start, end, 0.1, 0.3, 0.15).position[2] == pytest.approx((start[2] + end[2]) / 2 + 0.1)


@pytest.mark.parametrize("changes", [{"start": [0, 0]}, {"height": -1}, {"duration": 0}, {"t": np.nan}, {"end": "x"}])
def test_no_swing(changes):
    with pytest.raises(art.ShapeError):
        art.swing(**{"start": np.zeros(3), "end": np.ones(3), "height": 0.1, "duration": 0.3, "t": 0.1, **changes})


# -- a law that steps --------------------------------------------------------------------------


def test_standing_is_the_law_itself():
    dog, stand = robot("quadruped"), law()
    q, v = dog.poses["home"], 0.01 * np.ones(dog.nv)
    targets = {foot: dog.pose(q, foot)[:3, 3] for foot in FEET}
    tau = stand.towards(targets)(0.0, q, v)
    assert not tau[:6].any() and np.allclose(tau[6:], stand(q, v, **targets).tau, rtol=0, atol=1e-9)
    assert (stand.towards(lambda t: targets)(0.0, q, v) == tau).all()


def test_trotting_and_pushed():
    dog = robot("quadruped")
    home, dt, duration = dog.poses["home"], 2e-3, 1.4
    trot = law().towards(gait=art.Gait.trot(FEET, 0.1, 1.3), capture=1.1)
    push = np.zeros((round(duration / dt), 6))
    push[200:250, 1] = 30.0
    ground = art.Ground(0.7)
    run = art.simulate(dog, home, None, duration, dt, trot, ground, forces={"base": push})
    assert np.abs(run.q[:, 2] - home[2]).max() < 0.03 and np.linalg.norm(run.q[-1, :2]) < 0.15
    assert run.contact.residual.max() <= 1e-6 and run.contact.gaps.min() > -1e-4
    feet = [run.contact.names.index(foot) for foot in FEET]
    for k in range(100, 640, 100):  # in the middle of a swing
        lifted = [foot in trot.gait.lifted(run.t[k]) for foot in FEET]
        assert ((run.contact.gaps[k, feet] > 0.03) == lifted).all()
    # a second run begins anew
    again = art.simulate(dog, home, None, 0.2, dt, trot, ground)
    assert (again.q[:100] == run.q[:100]).all()


@pytest.mark.parametrize("arguments, words", [
    ({"targets": 3}, "targets are by task"), ({"gait": "trot"}, "art.Gait"), ({"height": -1}, "height"),
    ({"capture": np.nan}, "capture"), ({"gait": art.Gait([("FL_FOT", 0, 1)])}, "did you mean 'FL_FOOT'"),
])  # fmt: skip
def test_what_cannot_step(arguments, words):
    with pytest.raises(art.ArticulatedError, match=words):
        law().towards(**arguments)


def test_targets_that_are_none():
    dog = robot("quadruped")
    with pytest.raises(art.ShapeError, match=r"at t = 0\.5 s they are 3"):
        law().towards(lambda t: 3)(0.5, dog.poses["home"], np.zeros(dog.nv))
    plain = art.WholeBody(contacts("quadruped"), [art.tasks.Posture(target=dog.poses["home"])])
    with pytest.raises(art.ShapeError, match=r"needs a task art\.tasks\.Frame\('FL_FOOT', \"position\"\)"):
        plain.towards(gait=art.Gait([("FL_FOOT", 0, 1)]))


@pytest.mark.parametrize("end", [np.inf, 1e308])
def test_a_swing_to_nowhere_shows(end):
    moved = art.swing([0, -1e308, 0], [0, end, 0], 0.1, 1e-6, 5e-7)
    assert not np.isfinite(moved.acceleration).all()


def walked(controller):
    """Where the first foot is put down, from where it stood, and the whole motion."""
    dog, home = robot("quadruped"), robot("quadruped").poses["home"]
    run = art.simulate(dog, home, duration=0.3, dt=2e-3, torque=controller, contacts=art.Ground())
    return run.pose(FEET[0])[-1, :3, 3] - dog.pose(home, FEET[0])[:3, 3], run.q


def test_targets_of_tasks_are_those_given_to_the_controller():
    """A foothold, and from where the capture point is measured."""
    home, step, dog = robot("quadruped").poses["home"], art.Gait([(FEET[0], 0.05, 0.2)]), robot("quadruped")
    far = np.array([0.05, 0.0, 0.0])
    foothold = {FEET[0]: dog.pose(home, FEET[0])[:3, 3] + far}
    own, motion = walked(law(ahead=far).towards(gait=step, capture=0.0))
    given, other = walked(law(ahead=0 * far).towards(foothold, gait=step, capture=0.0))
    assert abs(own - far)[:2].max() < 1e-3 and abs(motion - other).max() < 1e-6
    com = dog.center_of_mass(home) + 0.4 * far
    own, _ = walked(law(com, ahead=0 * far).towards(gait=step))
    given, _ = walked(law(ahead=0 * far).towards({"center_of_mass": com}, gait=step))
    assert abs(own - given).max() < 1e-9


def test_a_controller_that_was_looked_at_begins_anew():
    home, still = robot("quadruped").poses["home"], np.zeros(robot("quadruped").nv)
    trot = art.Gait.trot(FEET, 0.02, 0.42)
    looked_at, fresh = law().towards(gait=trot, capture=0.0), law().towards(gait=trot, capture=0.0)
    other = np.array(home)
    other[0] += 0.1
    looked_at(0.0, other, still)
    assert (walked(looked_at)[1] == walked(fresh)[1]).all()


def test_a_gait_takes_one_state():
    home, still = robot("quadruped").poses["home"], np.zeros(18)
    steps = law().towards(gait=art.Gait([(FEET[0], 0.0, 0.2)]))
    for q, v in ((np.stack([home, home]), np.stack([still, still])), (home, np.stack([still, still]))):
        with pytest.raises(art.ShapeError, match="a whole-body law takes one state"):
            steps(0.1, q, v)
        with pytest.raises(art.ShapeError, match="simulate: a whole-body law takes one state; q0 and v0 are a batch"):
            art.simulate(robot("quadruped"), q, v, 0.01, torque=steps, contacts=art.Ground())
