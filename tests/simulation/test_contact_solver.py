"""The contact problem itself: Signorini and Coulomb hold, on random problems, redundant ones included."""

import numpy as np
import pytest

from articulated.algebra.scalars import array
from articulated.simulation.contact.laws import TINY, Window, coulomb, on_cone, scalar_impulse
from articulated.simulation.contact.newton import newton
from articulated.simulation.contact.problem import Problem, residual, sweep, velocities

from .stepper import solve


def problem(rng, contacts=0, rank=6, friction=0.7, windows=()) -> Problem:
    """J of random rows on a body of so many velocities, which moves."""
    J = rng.normal(size=(3 * contacts + len(windows), rank))
    G, c = J @ J.T, J @ rng.normal(size=rank)
    return Problem(array(G.tolist()), array(c.tolist()), array([friction] * contacts), tuple(windows), 1e-2)


def broken_laws(p: Problem, impulses) -> float:
    """How far Signorini and Coulomb are violated, each said on its own: not what `residual` computes."""
    s, scale = np.array(velocities(p, impulses), float), max(1e-2, np.abs(np.array(p.G @ impulses, float)).max())
    worst = [0.0]
    for rows, mu in zip(p.contacts, p.friction, strict=True):
        (x, y, n), (sx, sy, sn) = np.array(impulses[rows], float), s[rows]
        g = float(np.mean(p.G.diagonal()[rows].astype(float)))
        slides, along = np.hypot(sx, sy), np.hypot(x, y)
        worst += [-sn / scale, -n * g / scale, min(n * g, abs(sn)) / scale, (along - mu * n) * g / scale]
        # what slides meets all of the friction, straight against its motion
        worst.append(min(slides, np.hypot(x * slides + mu * n * sx, y * slides + mu * n * sy) * g) / scale)
    return max(worst)


@pytest.mark.parametrize("seed", range(3))
def test_one_contact_is_solved_exactly(seed):
    rng = np.random.default_rng(seed)
    for _ in range(150):
        p = problem(rng, 1, rank=4, friction=rng.uniform(0, 1.2))
        impulse = coulomb(p.G, p.c, p.friction[0], steps=15)
        assert residual(p, impulse) < 1e-9
        assert broken_laws(p, impulse) < 1e-8
        assert residual(p, coulomb(p.G, p.c, p.friction[0])) < 1e-2  # with as many steps as a sweep takes


@pytest.mark.parametrize(
    "contacts, rank, failing", [(1, 6, 0), (4, 18, 0), (4, 6, 0), (8, 12, 1)], ids=["one", "feet", "block", "soles"]
)
def test_random_problems_obey_the_laws(contacts, rank, failing):
    """Cold starts; of the redundant ones the schedule may leave a few, and says so."""
    rng, left = np.random.default_rng(1), 0
    for _ in range(15):
        p = problem(rng, contacts, rank)
        found = solve(p, array([0.0] * (3 * contacts)))
        assert found.residual == residual(p, found.impulses)
        left += found.residual > 1e-6
        if found.residual <= 1e-6:
            assert broken_laws(p, found.impulses) < 1e-4
    assert left <= failing


def test_the_residual_sees_what_is_wrong():
    p = problem(np.random.default_rng(2), 1, rank=4)
    good = solve(p._replace(c=array([0.3, -0.2, -1.0])), array([0.0] * 3), 1e-12).impulses
    p = p._replace(c=array([0.3, -0.2, -1.0]))
    assert residual(p, good) < 1e-10
    for change in np.eye(3):
        for size in (1e-3, -1e-3):
            assert residual(p, good + array((size * change).tolist())) > 1e-5


def test_what_parts_gets_no_impulse():
    p = problem(np.random.default_rng(3), 1)._replace(c=array([0.5, 0.1, 0.2]))
    assert all(x == 0 for x in sweep(p, array([1.0, 2.0, 3.0])))


@pytest.mark.parametrize("direction", range(2))
def test_a_direction_in_which_nothing_moves_takes_no_impulse(direction):
    """A planar robot cannot be pushed across its plane; its contact still sticks or slides in it."""
    G = np.diag([2.0, 2.0, 1.0])
    G[direction] = G[:, direction] = 0
    for speed, expected in ((-0.1, 0.05), (-5.0, 0.7)):
        s = np.array([speed, speed, -1.0])
        s[direction] = 0
        found = coulomb(array(G.tolist()), array(s.tolist()), 0.7)
        assert found[direction] == pytest.approx(0, abs=1e-12)
        assert found[1 - direction] == pytest.approx(expected)


WINDOWS = [
    Window(None, None, 0.2), Window(-0.1, None, None), Window(None, 0.3, None), Window(-0.2, 0.2, None),
    Window(-0.2, 0.2, 0.1), Window(0.05, 0.4, 0.3), Window(HELD := 0.1, HELD, None),
]  # fmt: skip


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("s", [-1.0, -0.15, 0.0, 0.07, 0.25, 2.0])
def test_a_scalar_row_is_within_its_window_and_its_friction_opposes_it(window, s):
    impulse = scalar_impulse(0.5, s, window)
    after = s + 0.5 * impulse
    lower, upper = (x if x is not None else end for x, end in ((window.lower, -np.inf), (window.upper, np.inf)))
    assert lower - 1e-15 <= after <= upper + 1e-15
    if lower + 1e-12 < after < upper - 1e-12:  # only friction acts
        dry = window.dry or 0.0
        assert abs(impulse) <= dry + 1e-15
        assert abs(after) < 1e-15 or impulse == pytest.approx(-np.sign(after) * dry)


@pytest.mark.parametrize("contacts", [0, 2])
def test_scalar_rows_and_contacts_together(contacts):
    rng = np.random.default_rng(4)
    for _ in range(10):
        p = problem(rng, contacts, rank=12, windows=WINDOWS)
        found = solve(p, array([0.0] * len(p.c)))
        assert found.residual <= 1e-6
        s = velocities(p, found.impulses)
        for i, window in zip(p.scalars, p.windows, strict=True):
            if window.lower is not None:
                assert s[i] >= window.lower - 1e-5
            if window.upper is not None:
                assert s[i] <= window.upper + 1e-5


def test_newton_leaves_a_solution_where_it_is():
    p = problem(np.random.default_rng(5), 4, rank=18)
    found = solve(p, array([0.0] * 12), 1e-11).impulses
    again = newton(p, found, 1e-6)
    assert abs(np.array(again - found, float)).max() < 1e-9


def test_the_nearest_point_of_the_cone():
    rng = np.random.default_rng(6)
    for x in rng.normal(size=(200, 3)):
        near = np.array(on_cone(array(x.tolist()), 0.6), float)
        assert np.hypot(*near[:2]) <= 0.6 * near[2] + 1e-12
        # no point of the cone is nearer: the rest is at right angles to it and within the polar cone
        rest = x - near
        assert rest @ near == pytest.approx(0, abs=1e-10)
        assert 0.6 * np.hypot(*rest[:2]) <= -rest[2] + 1e-9
    assert TINY > 0
