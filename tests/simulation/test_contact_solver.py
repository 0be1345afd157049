"""The contact problem itself: Signorini and Coulomb hold, and no impulse adds energy, on random problems."""

import numpy as np
import pytest

from articulated.algebra.scalars import array
from articulated.simulation.contact.dynamics import CLOSED, FASTEST, RECOVERED, drift
from articulated.simulation.contact.laws import NONE, coulomb, on_cone, stopped

from .problems import SLOWEST, Problem, broken, gain, random_problem, solved

NO_WINDOWS = np.zeros((0, 3))


def alone(G, s, friction) -> Problem:
    return Problem(np.array(G, float), np.array(s, float), np.array(s, float), np.array([friction]), NO_WINDOWS)


def test_one_contact_is_solved_exactly():
    rng = np.random.default_rng(0)
    for _ in range(300):
        p = random_problem(rng, 1, rank=4, friction=rng.uniform(0, 1.2))
        G, s = array(p.G.tolist()), array(p.c.tolist())
        exact, few = (np.array(coulomb(G, s, p.friction[0], **steps), float) for steps in ({"steps": 15}, {}))
        assert broken(p, exact) < 1e-8
        assert broken(p, few) < 0.05 * max(1.0, np.abs(p.c).max())  # with as many steps as a sweep takes


WINDOWS = [
    (-NONE, NONE, 0.2), (-0.1, NONE, 0.0), (-NONE, 0.3, 0.0), (-0.2, 0.2, 0.0), (-0.2, 0.2, 0.1), (0.05, 0.4, 0.3),
    (0.1, 0.1, 0.0),
]  # fmt: skip
FAMILIES = {
    "one": {"contacts": 1},
    "feet": {"contacts": 4, "rank": 18},
    "block": {"contacts": 4},  # redundant: 12 rows of rank 6
    "soles": {"contacts": 8, "rank": 12},
    "open": {"contacts": 6, "rank": 12, "gaps": True},
    "slippery": {"contacts": 3, "rank": 9, "friction": 0.0},
    "joints": {"windows": WINDOWS, "rank": 12},
    "joints and feet": {"contacts": 2, "windows": WINDOWS, "rank": 14},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_random_problems_obey_the_laws_and_gain_nothing(family):
    """From no impulses and from absurd ones: what comes out does not depend on where it began being good."""
    rng, given = np.random.default_rng(1), FAMILIES[family]
    problems = [random_problem(rng, **given) for _ in range(60)]
    absurd = [Problem(**{**vars(p), "warm": 1e3 * rng.normal(size=len(p.c))}) for p in problems]
    for each in (problems, absurd):
        impulses, residuals = solved(each)
        assert (residuals > 1e-6).mean() <= 0.02, residuals.max()
        for p, found, residual in zip(each, impulses, residuals, strict=True):
            if not any(lower == upper for lower, upper, _ in p.windows):  # what holds may be told to move
                assert gain(p, found) <= 1e-9 * max(1.0, abs(found @ p.u))
            if residual <= 1e-6:
                assert broken(p, found) < 1e-4 * max(1.0, np.abs(p.c).max())


def test_without_violation_there_is_no_impulse_whatever_the_step_before_left():
    """λ = 0 obeys every law: an impulse of a hundred times the weight is not kept."""
    p = random_problem(np.random.default_rng(2), 4, rank=18)
    p.c = p.u = np.abs(p.c)
    p.warm = 1e4 * np.abs(p.c)
    impulses, residuals = solved([p, p])
    assert not impulses.any() and not residuals.any()


@pytest.mark.parametrize("family", FAMILIES)
def test_impulses_that_are_not_numbers_are_never_the_best(family):
    """From a start of NaN, as a step of the interior point may leave one, the search begins anew."""
    rng = np.random.default_rng(5)
    problems = [random_problem(rng, **FAMILIES[family]) for _ in range(20)]
    lost = [Problem(**{**vars(p), "warm": np.full(len(p.c), np.nan)}) for p in problems]
    impulses, residuals = solved(lost)
    assert np.isfinite([*impulses]).all() and (residuals > 1e-6).mean() <= 0.05, residuals.max()
    for p, found, residual in zip(problems, impulses, residuals, strict=True):
        if residual <= 1e-6:
            assert broken(p, found) < 1e-4 * max(1.0, np.abs(p.c).max())


def test_a_problem_of_nan_leaves_those_beside_it_alone():
    rng = np.random.default_rng(6)
    problems = [random_problem(rng, **FAMILIES["feet"]) for _ in range(20)]
    expected, residuals = solved(problems)
    problems[7].c = problems[7].u = np.full(len(problems[7].c), np.nan)
    found, after = solved(problems)
    others = [k for k in range(20) if k != 7]
    assert np.array_equal(found[others], expected[others]) and np.array_equal(after[others], residuals[others])


def test_a_jam_gains_nothing():
    """Two walls that both are penetrated ask for velocities that contradict each other."""
    rng = np.random.default_rng(3)
    problems = []
    for _ in range(20):
        J = rng.normal(size=(6, 6))
        J[3:] = J[:3] * [[1], [1], [-1]] + 1e-6 * rng.normal(size=(3, 6))
        u = J @ rng.normal(size=6)
        c = u.copy()
        c[[2, 5]] -= 50 * SLOWEST
        problems.append(Problem(J @ J.T, c, u, np.array([0.5, 0.5]), NO_WINDOWS))
    impulses, _ = solved(problems)
    assert max(gain(p, x) for p, x in zip(problems, impulses, strict=True)) <= 1e-9


@pytest.mark.parametrize("direction", range(2))
def test_a_direction_in_which_nothing_moves_takes_no_impulse(direction):
    """A planar robot cannot be pushed across its plane; its contact still sticks or slides in it."""
    G = np.diag([2.0, 2.0, 1.0])
    G[direction] = G[:, direction] = 0
    for speed, expected in ((-0.1, 0.05), (-5.0, 0.7)):
        s = np.array([speed, speed, -1.0])
        s[direction] = 0
        found = solved([alone(G, s, 0.7)])[0][0]
        assert found[direction] == pytest.approx(0, abs=1e-9)
        assert found[1 - direction] == pytest.approx(expected, rel=1e-5)


def test_a_scalar_row_is_within_its_window_and_its_friction_opposes_it():
    for lower, upper, dry in WINDOWS:
        for s in (-1.0, -0.15, 0.0, 0.07, 0.25, 2.0):
            impulse = stopped(0.5, s, lower, upper, dry)
            after = s + 0.5 * impulse
            assert lower - 1e-15 <= after <= upper + 1e-15
            if lower + 1e-12 < after < upper - 1e-12:  # only friction acts
                assert abs(impulse) <= dry + 1e-15
                assert abs(after) < 1e-15 or impulse == pytest.approx(-np.sign(after) * dry)


def test_the_nearest_point_of_the_cone():
    rng = np.random.default_rng(6)
    for x in rng.normal(size=(200, 3)):
        near = np.array(on_cone(array(x.tolist()), 0.6), float)
        assert np.hypot(*near[:2]) <= 0.6 * near[2] + 1e-12
        # no point of the cone is nearer: the rest is at right angles to it and within the polar cone
        rest = x - near
        assert rest @ near == pytest.approx(0, abs=1e-10)
        assert 0.6 * np.hypot(*rest[:2]) <= -rest[2] + 1e-9


def test_the_drift_of_a_gap_is_continuous_and_none_where_it_is_closed():
    slowest, dt = SLOWEST, 1e-3
    closed = CLOSED * slowest * dt
    at = closed * np.linspace(-4, 4, 8001)
    found = np.array([drift(float(x), dt, slowest) for x in at])
    assert not found[abs(at) <= closed].any() and (np.diff(found) >= 0).all()
    assert np.diff(found).max() < 3 * closed / 1000 / dt
    away = abs(at) >= 2.001 * closed
    assert found[away] == pytest.approx(np.where(at > 0, at, RECOVERED * at)[away] / dt, rel=1e-12)
    assert drift(-1.0, dt, slowest) == -FASTEST * slowest
