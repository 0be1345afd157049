"""Laws of `art.motion`, on every row of KINDS."""

import numpy as np
import pytest

import articulated as art
from articulated.motions.profiles import KINDS

ACCELERATION, JERK = 12.0, 300.0


def limits(kind: str) -> dict[str, float]:
    return {"acceleration": ACCELERATION} | ({"jerk": JERK} if KINDS[kind].continuous > 1 else {})


@pytest.fixture(scope="module")
def panda() -> art.Robot:
    return art.load("panda")


@pytest.fixture(scope="module")
def floating() -> art.Robot:
    return art.load("2r").floating()


@pytest.fixture(scope="module")
def waypoints(panda):
    home = panda.poses["home"]
    return home + np.array([[0.0] * 7, [0.6, 0.2, -0.3, 0.5, 0, 0.4, 0], [-0.3, 0, 0.4, 0.2, 0.3, 0, -0.5]])


@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_through_the_waypoints_within_the_limits_and_reaches_one(kind, panda, waypoints):
    found = art.motion(panda, waypoints, kind, limits(kind))
    near = [abs(found.q - q).max(axis=1).min() for q in waypoints]
    assert max(near) < (1e-12 if kind != "spline" else 1e-3)  # a spline does not stop there
    assert abs(found.q[[0, -1]] - waypoints[[0, -1]]).max() < 1e-12
    assert abs(found.v[[0, -1]]).max() < 1e-12
    shares = {
        "velocity": abs(found.v / panda.limits.velocity).max(),
        "acceleration": abs(found.a).max() / ACCELERATION,
        "effort": abs(found.tau / panda.limits.effort).max(),
    }
    if KINDS[kind].continuous > 1:
        shares["jerk"] = abs(np.diff(found.a, axis=0) / np.diff(found.t)[:, None]).max() / JERK
    assert max(shares.values()) < 1 + 1e-5
    assert max(shares.values()) > 0.98, "faster is possible"


@pytest.mark.parametrize("kind", KINDS)
def test_derivatives_are_continuous_as_far_as_the_table_says(kind, panda, waypoints):
    fine, coarse = (art.motion(panda, waypoints, kind, limits(kind), dt=dt) for dt in (5e-4, 1e-3))
    series = ["q", "v", "a"]
    for order in range(KINDS[kind].continuous + 1):
        if order == len(series):
            continue
        jumps = [abs(np.diff(getattr(run, series[order]), axis=0)).max() for run in (fine, coarse)]
        assert jumps[0] < 0.6 * jumps[1], f"{series[order]} jumps"
    middle = (fine.v[1:] + fine.v[:-1]) / 2
    assert abs(np.diff(fine.q, axis=0) / np.diff(fine.t)[:, None] - middle).max() < 5e-3
    if KINDS[kind].continuous == 1:
        assert abs(np.diff(fine.a, axis=0)).max() > 1.0  # and no further


@pytest.mark.parametrize("kind", KINDS)
def test_on_the_manifold_velocities_are_the_rates_of_configurations(kind, floating):
    rng = np.random.default_rng(3)
    q = np.stack([floating.neutral(), *floating.random(rng, (2,))])
    q[:, 7:] *= 0.5
    found = art.motion(floating, q, kind, limits(kind) | {"velocity": 4.0, "effort": None}, dt=5e-4)
    assert abs(np.linalg.norm(found.q[:, 3:7], axis=1) - 1).max() < 1e-12
    mean = floating.difference(found.q[:-1], found.q[1:]) / np.diff(found.t)[:, None]
    assert abs(mean - (found.v[1:] + found.v[:-1]) / 2).max() < 2e-3
    if KINDS[kind].continuous > 1:
        mean = np.diff(found.v, axis=0) / np.diff(found.t)[:, None]
        assert abs(mean - (found.a[1:] + found.a[:-1]) / 2).max() < 0.03  # where the jerk jumps: 300 dt / 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_shares_its_time_and_each_run_is_its_own(kind, panda, waypoints):
    batch = np.stack([waypoints, waypoints[::-1], waypoints + 0.1])
    found = art.motion(panda, batch, kind, limits(kind))
    assert found.q.shape == (3, len(found.t), 7)
    assert abs(found.q[:, [0, -1]] - batch[:, [0, -1]]).max() < 1e-12
    assert abs(found.a).max() < ACCELERATION * (1 + 1e-5)


def test_closed_forms_of_the_shortest_time():
    """One joint, one radian: the textbook's durations."""
    arm = art.load("2r")
    way, free = [[0.0, 0.0], [1.0, 0.0]], {"effort": None}
    for kind, given, wanted in (
        ("cubic", {"velocity": 2.0}, 1.5 / 2),
        ("quintic", {"velocity": 2.0}, 1.875 / 2),
        ("septic", {"velocity": 2.0}, 2.1875 / 2),
        ("quintic", {"acceleration": 4.0}, np.sqrt(10 / np.sqrt(3) / 4)),
        ("trapezoidal", {"acceleration": 4.0, "velocity": 1.0}, 1 + 1 / 4),
        ("trapezoidal", {"acceleration": 4.0}, 2 * np.sqrt(1 / 4)),
        ("jerk_limited", {"jerk": 32.0}, 4 * (1 / 64) ** (1 / 3)),
        ("jerk_limited", {"jerk": 40.0, "acceleration": 4.0, "velocity": 1.0}, 1 + 1 / 4 + 4 / 40),
    ):
        found = art.motion(arm, way, kind, given | free)
        assert found.duration == pytest.approx(wanted, rel=1e-6), kind


@pytest.mark.parametrize("kind", KINDS)
def test_effort_limits_hold_and_slower_is_not_needed(kind):
    """Also where jerks and accelerations jump, between samples that are looked at."""
    arm = art.load("2r")
    weight = abs(arm.gravity_forces([[0, 0], [1, 0.5]])).max()
    more = dict.fromkeys(KINDS[kind].needs, 1e3)
    found = art.motion(arm, [[0, 0], [1, 0.5]], kind, limits={"effort": 1.5 * weight, **more}, dt=5e-5)
    assert abs(found.tau).max() == pytest.approx(1.5 * weight, rel=1e-4)
    assert abs(found.tau).max() < 1.5 * weight * (1 + 1e-7)
    assert found.info["limited_by"].startswith("effort")


def test_a_controller_follows_it(panda, waypoints):
    found = art.motion(panda, waypoints, "quintic", limits("quintic"))
    law = art.ComputedTorque(panda, 400, 40).towards(found)
    run = art.simulate(panda, waypoints[0], duration=found.duration, torque=law)
    assert abs(run.at(found.t).q - found.q).max() < 2e-3
    held = law(found.duration + 1, found.q[-1], np.zeros(7))
    assert np.allclose(held, panda.gravity_forces(found.q[-1]), atol=1e-9)


@pytest.mark.parametrize(
    ("way", "options", "words"),
    [
        ([[0] * 2], {}, "at least two"),
        ([[0, 0], [0, 0]], {}, "same configuration"),
        ([[0, 0], [1, np.nan]], {}, "NaN"),
        ([[0, 0], [1, 1]], {"kind": "linear"}, "cubic"),
        ([[0, 0], [1, 1]], {"limits": {"effort": None}}, "nothing limits"),
        ([[0, 0], [1, 1]], {"limits": {"speed": 1}}, "velocity"),
        ([[0, 0], [1, 1]], {"limits": {"velocity": -1}}, "above zero"),
        ([[0, 0], [1, 1]], {"limits": {"velocity": [1, 2, 3]}}, "(2,)"),
        ([[0, 0], [1, 1]], {"kind": "trapezoidal"}, "acceleration"),
        ([[0, 0], [1, 1]], {"kind": "cubic", "limits": {"velocity": 1, "jerk": 1}}, "jerk"),
        ([[0, 0], [1, 1]], {"limits": {"velocity": 1}, "duration": 0.1}, "too short"),
        ([[0, 0], [1, 1]], {"limits": {"effort": 1e-3}}, "at rest"),
    ],
)
def test_bad_input_says_what_would_have_worked(way, options, words):
    with pytest.raises(art.ArticulatedError) as caught:
        art.motion(art.load("2r"), way, **options)
    assert words in str(caught.value)


def test_a_waypoint_beyond_the_joint_limits_is_named(panda):
    home = panda.poses["home"]
    with pytest.raises(art.ShapeError, match=r"waypoint 1 has 'panda_joint1' at 4, 1\.1 beyond"):
        art.motion(panda, [home, home + 4 * np.eye(7)[0]])
