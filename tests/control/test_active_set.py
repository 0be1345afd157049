"""The dual active set, in NumPy and in C, against daqp and against itself; laws in another process."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.control.qp import active_set as qp
from articulated.control.whole_body import task_arrays, tick
from articulated.control.whole_body.arrays import Rows
from articulated.control.whole_body.infeasible import possible

from ..near import near
from .standing import FEET, balance, contacts, law, pose, robot, state, targets, tasks

WAYS = [qp.active_set, pytest.param(qp.least, marks=pytest.mark.skipif(qp.native is None, reason="no compiler"))]


def random_problem(rng, n, rows, same, size=1.0):
    """Rows that x0 meets, some of them at their bounds, `same` of them said twice; lengths from 1/size to size."""
    T, x0, A = rng.normal(size=(n, n)) * 10 ** rng.uniform(-1, 1, n), rng.normal(size=n), rng.normal(size=(rows, n))
    A = np.concatenate([A, A[rng.integers(0, rows, same)] * rng.uniform(-2, 2, (same, 1))])
    y, room = A @ x0, rng.exponential(size=(2, len(A))) * (rng.uniform(size=(2, len(A))) < 0.6)
    lower, upper = y - room[0], y + room[1]
    lower[rng.uniform(size=len(A)) < 0.3] = -np.inf
    scale = 10 ** rng.uniform(-1, 1, len(A)) ** (np.log10(size) if size > 1 else 0)
    A, lower, upper = A * scale[:, None], lower * scale, upper * scale
    equal = lower == upper
    prefer = np.tile(np.array([0, n], np.intc), (int(equal.sum()), 1))
    return qp.Problem(
        T, 3 * rng.normal(size=n), np.ones(n), np.full(n, 1e-6), A[equal], lower[equal], A[~equal], lower[~equal],
        upper[~equal], prefer,
    )  # fmt: skip


def drawn(seed, size=1.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 20))
    return rng, random_problem(rng, n, int(rng.integers(1, 2 * n + 2)), int(rng.integers(0, 4)), size)


def cost(p, x):
    return (p.w * (p.T @ x - p.b)) @ (p.T @ x - p.b) / 2 + (p.d * x) @ x / 2


@pytest.mark.parametrize("way", WAYS)
def test_solvable_problems_are_solved(way):
    daqp = pytest.importorskip("daqp")
    for seed in range(200):
        _, p = drawn(seed, 1e3 if seed % 2 else 1.0)
        found = way(p)
        assert found.status == qp.SOLVED, seed
        x = found.x
        assert near(p.E @ x, p.e, 1e-7)
        y, terms = p.G @ x, 1 + abs(p.G) @ abs(x)
        assert (np.maximum(p.lower - y, y - p.upper) <= 1e-8 * terms).all(), seed
        kind = np.array([5] * len(p.E) + [0] * len(p.G), np.int32)
        H, f = (p.T.T * p.w) @ p.T + np.diag(p.d), -p.T.T @ (p.w * p.b)
        A, low, high = np.concatenate([p.E, p.G]), np.concatenate([p.e, p.lower]), np.concatenate([p.e, p.upper])
        other, _, flag, _ = daqp.solve(H, f, A, high, low, kind, primal_tol=1e-9)
        if flag == 1:
            met = A @ other
            if (np.maximum(low - met, met - high) <= 1e-8 * (1 + abs(A) @ abs(other))).all():
                assert cost(p, x) <= cost(p, other) + 1e-6 * (1 + abs(cost(p, other))), seed


@pytest.mark.parametrize("way", WAYS)
def test_problems_without_a_solution_are_called_infeasible(way):
    """A sum of rows with bounds of its own, apart from those of its parts by `gap`."""
    for seed in range(300):
        rng, p = drawn(seed)
        if not len(p.G):
            continue
        gap, part = 10 ** rng.uniform(-3, 1), rng.uniform(0.1, 1, len(p.G))
        upper = np.where(np.isfinite(p.upper), p.upper, 1.0)
        p = p._replace(
            G=np.concatenate([p.G, [part @ p.G]]), lower=np.append(p.lower, part @ upper + gap),
            upper=np.append(upper, np.inf),
        )  # fmt: skip
        assert way(p).status == qp.INFEASIBLE, seed
        rows = Rows(*(np.concatenate(x) for x in ((p.E, p.G), (p.e, p.lower), (p.e, p.upper))))
        assert not possible(rows)


@pytest.mark.skipif(qp.native is None, reason="no compiler")
def test_both_texts_agree_alone_and_in_a_batch():
    for seed in range(60):
        rng, p = drawn(seed)
        ours, theirs = qp.active_set(p), qp.least(p)
        assert ours.status == theirs.status == qp.SOLVED
        assert near(cost(p, ours.x), cost(p, theirs.x), 1e-9) and near(p.T @ ours.x, p.T @ theirs.x, 1e-6)
        b = p.b + rng.normal(size=(3, len(p.b)))
        many = qp.least(p._replace(b=b))
        for k in range(3):
            assert (many.x[k] == qp.least(p._replace(b=b[k])).x).all()


@pytest.mark.parametrize("options", [{}, {"horizon": 0.2}, {"contact_weight": 1e3}, {"torque_weight": 1e-3}], ids=str)
@pytest.mark.parametrize("levels", [{}, {"base": 1, "posture": 2}], ids=["one level", "three levels"])
@pytest.mark.parametrize("speed", [0.1, 8.0])
def test_a_tick_is_the_same_in_both_texts(options, levels, speed, monkeypatch, rng):
    if qp.native is None:
        pytest.skip("no compiler")
    own = law("solo12", tasks("solo12", **levels), **options)
    for each in (own, own.lift("FL_FOOT")):
        q, v = pose("solo12"), speed * rng.normal(size=18)
        ours = each(q, v, **targets("solo12", q))
        monkeypatch.setattr(tick, "native", None)
        monkeypatch.setattr(qp, "native", None)
        theirs = each(q, v, **targets("solo12", q))
        monkeypatch.undo()
        assert ours.status == theirs.status
        assert near(ours.tau, theirs.tau, 1e-6) and near(ours.objective, theirs.objective, 1e-7)


def test_a_fall_wanted_at_once_is_solved():
    q = robot("quadruped").neutral()
    q[7:] = [0.1, 0.8, -1.6, -0.1, 0.8, -1.6, 0.1, -0.8, 1.6, -0.1, -0.8, 1.6]
    wanted = [
        art.tasks.CenterOfMass(gain=100, weight=10),
        art.tasks.Frame("base", "orientation", gain=50),
        art.tasks.Posture(gain=20, weight=0.1, target=q),
    ]
    down = robot("quadruped").center_of_mass(q) - [0, 0, 5]
    done = law("quadruped", wanted)(q, np.zeros(18), center_of_mass=down, base=np.eye(3))
    weight = robot("quadruped").mass * 9.81
    assert near(balance("quadruped", q, np.zeros(18), done) / weight, np.zeros(18), 1e-7)
    forces = contacts("quadruped").by_contact(done.forces)
    assert all(f[2] > -1e-6 * weight for f in forces.values())
    assert {f"unilateral {foot}" for foot in FEET} & set(done.active)


@pytest.mark.parametrize("name", ["solo12", "biped"])
def test_a_law_can_be_sent_to_another_process(name, rng):
    q, v = state(name, rng)
    for own in (law(name, horizon=0.5), law(name).lift(contacts(name).names[0])):
        sent = pickle.loads(pickle.dumps(own))
        ours, theirs = own(q, v, **targets(name, q)), sent(q, v, **targets(name, q))
        assert near(theirs.tau, ours.tau, 0) and near(theirs.forces, ours.forces, 0)
        assert theirs.active == ours.active and repr(sent) == repr(own)


def test_bounds_that_cross_are_never_solved(monkeypatch):
    """A joint so far out that its position needs an acceleration its velocity forbids; it could have one between."""
    arm = art.load("panda")
    own = art.WholeBody(art.Contacts(arm), [art.tasks.Posture()], horizon=0.02, torque_limits=False)
    q, v = np.array(arm.poses["home"]), np.zeros(7)
    q[3] -= 3.0
    low, high = np.split(own._found(q, v, {"posture": q}).bounds, 2)
    assert (low > high).any() and own(q, v, posture=q).status == "nearest"
    monkeypatch.setattr(tick, "native", None)
    assert own(q, v, posture=q).status == "nearest"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [1e3, 1e5])
def test_rows_that_differ_by_a_costly_slack_are_not_dependent(way, size):
    """size y + s <= -size and size y + t >= size: beside `size` y, what the slacks add is 1e-9 / size² of a square."""
    G, inf = np.array([[size, 1.0, 0.0], [size, 0.0, 1.0]]), np.inf
    p = qp.Problem(
        np.eye(1, 3), np.zeros(1), np.ones(1), np.array([1e-4, 1e9, 1e9]), np.zeros((0, 3)), np.zeros(0), G,
        np.array([-inf, size]), np.array([-size, inf]), np.zeros((0, 2), np.intc),
    )  # fmt: skip
    found = way(p)
    assert found.status == qp.SOLVED
    assert near(found.x, np.array([0.0, -size, size]), 1e-9 * size)


def test_targets_are_the_same_in_both_texts(monkeypatch, rng):
    own = law("solo12")._task_arrays
    R, center, posture = np.linalg.qr(rng.normal(size=(3, 3)))[0], rng.normal(size=3), pose("solo12")
    R = R * np.linalg.det(R)
    given = {"center_of_mass": (center, rng.normal(size=3)), "base": R, "posture": posture}
    many = {**given, "center_of_mass": rng.normal(size=(4, 3))}
    ours = [own.targets(x) for x in (given, many)]
    for wrong in ({**given, "base": -R}, {**given, "base": 1.001 * R}, {**given, "center_of_mass": np.zeros(4)}):
        with pytest.raises(art.ArticulatedError):
            own.targets(wrong)
    monkeypatch.setattr(task_arrays, "native", None)
    for x, found in zip((given, many), ours, strict=True):
        assert near(own.targets(x), found, 0)
