"""Programs on which daqp gives up or errs, and those it should; laws in another process."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.control.qp import feasibility, solver
from articulated.control.qp.interior_point import interior_point

from ..near import near
from .standing import FEET, balance, contacts, law, pose, robot, state, targets

H, F, ROW = np.eye(2), np.array([-1.0, 0.0]), np.array([[1.0, 1.0]])
PROGRAM = solver.Program(H, F, ROW, np.array([-np.inf]), np.array([0.5]), np.zeros(1, np.int32))
BEST, MULTIPLIERS = np.array([0.75, -0.25]), np.array([0.25])


def test_a_fall_wanted_at_once_is_solved():
    """daqp: exit flag 4 at the first attempt."""
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


class Faked:
    """A solver that answers as it is told."""

    def __init__(self, x, flag, multipliers=MULTIPLIERS):
        self.answer = x, 0.0, flag, {"lam": multipliers, "iterations": 1}

    def solve(self, *program, **settings):
        return self.answer


def told(monkeypatch, *answer):
    fake = Faked(*answer)
    monkeypatch.setattr(solver, "solver", lambda: fake)


@pytest.mark.parametrize("flag", [1, 4])
def test_an_answer_is_taken_if_its_residuals_confirm_it(monkeypatch, flag):
    told(monkeypatch, BEST + 1e-10, flag)
    assert near(solver.quickly(PROGRAM).x, BEST, 1e-9)
    wrong = [BEST + 1e-3, BEST - 1e-3, BEST * (1 + 1e-3), BEST * np.nan]  # beyond the row, before it, beside it
    for x in wrong:
        told(monkeypatch, x, flag)
        assert solver.quickly(PROGRAM) is None
    for multipliers in (-MULTIPLIERS, 0 * MULTIPLIERS, MULTIPLIERS * (1 + 1e-3)):
        told(monkeypatch, BEST, flag, multipliers)
        assert solver.quickly(PROGRAM) is None


@pytest.mark.parametrize("flag", [-1, -2, -3, -4, -5, -6, 1, 4])
def test_a_false_no_of_the_quick_method_is_found_out(monkeypatch, flag):
    """Whatever daqp says of a program that has a solution, and whatever x it sends along."""
    q, v = pose("solo12"), np.zeros(18)
    own, given = law("solo12"), targets("solo12", q, (0.1, 0.0, 0.0))
    expected = own(q, v, **given)
    told(monkeypatch, np.ones(30), flag, np.zeros(len(own._rows.groups)))
    done = own(q, v, **given)
    assert done.status == expected.status == "solved" and not done.violations
    assert near(done.tau, expected.tau, 1e-5) and near(done.objective, expected.objective, 1e-8)


def test_the_real_solver_finds_the_same():
    for found in (solver.quickly(PROGRAM), interior_point(PROGRAM)):
        assert near(found.x, BEST, 1e-9) and near(found.multipliers, MULTIPLIERS, 1e-9)


def random_program(rng, n, rows, same, size):
    """Rows that x0 meets, some of them at their bounds, `same` of them said twice; lengths from 1/size to size."""
    spread = rng.normal(size=(n, n)) * 10 ** rng.uniform(-1, 1, n)
    x0, A = rng.normal(size=n), rng.normal(size=(rows, n))
    again = A[rng.integers(0, rows, same)] * rng.uniform(-2, 2, (same, 1))
    A = np.concatenate([A, again])
    y, room = A @ x0, rng.exponential(size=(2, len(A))) * (rng.uniform(size=(2, len(A))) < 0.6)
    lower, upper = y - room[0], y + room[1]
    lower[rng.uniform(size=len(A)) < 0.3] = -np.inf
    scale = 10 ** rng.uniform(-np.log10(size), np.log10(size), len(A)) if size > 1 else np.ones(len(A))
    kind = np.where(lower == upper, solver.EQUALITY, 0).astype(np.int32)
    H = spread.T @ spread + 1e-6 * np.eye(n)
    return solver.Program(H, rng.normal(size=n) * 10, A * scale[:, None], lower * scale, upper * scale, kind)


@pytest.mark.parametrize("size", [1.0, 1e3])
@pytest.mark.parametrize("seed", range(20))
def test_nothing_that_has_a_solution_is_called_infeasible(seed, size):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 20))
    program = random_program(rng, n, int(rng.integers(1, 2 * n + 2)), int(rng.integers(0, 4)), size)
    rows = len(program.kind)
    found = feasibility.settled(program, np.ones(rows, bool), np.zeros(rows, bool))
    assert found.feasible and feasibility.possible(program, np.ones(rows, bool))
    assert solver.confirmed(program, *found.solved[:2])
    quick = solver.quickly(program)
    if quick:
        cost = [x @ program.H @ x / 2 + program.f @ x for x in (quick.x, found.solved.x)]
        assert near(*cost, 1e-6)


# from 53 on: rows that depend on each other, of which a row that does not give was moved with one or another BLAS
@pytest.mark.parametrize("seed", [*range(15), 53, 85, 112, 168, 230, 239, 242, 250, 285])
def test_nothing_that_has_none_is_called_solved(seed):
    """A sum of rows with bounds of its own, apart from those of its parts by `gap`."""
    rng = np.random.default_rng(seed)
    n, gap = int(rng.integers(1, 20)), 10 ** rng.uniform(-3, 1)
    program = random_program(rng, n, int(rng.integers(1, 2 * n + 2)), 1, 1.0)
    m, part = len(program.kind), rng.uniform(0.1, 1, len(program.kind))
    upper = np.where(np.isfinite(program.upper), program.upper, 1.0)
    program = program._replace(
        A=np.concatenate([program.A, [part @ program.A]]),
        lower=np.append(program.lower, part @ upper + gap), upper=np.append(upper, np.inf),
        kind=np.append(program.kind, 0).astype(np.int32),
    )  # fmt: skip
    gives = np.zeros(m + 1, bool)
    gives[rng.integers(m + 1)] = True
    gives[-1] = True
    found = feasibility.settled(program, gives, np.zeros(m + 1, bool))
    assert not found.feasible and not feasibility.possible(program, gives)
    # what does not give is met, and what gives has moved as little as it can
    y = program.A @ found.solved.x
    beyond = np.maximum(np.maximum(program.lower - y, y - program.upper), 0)
    assert (beyond[~gives] < 1e-6).all() and beyond[gives].max() > 1e-5
    kept = program._replace(
        lower=program.lower - 0.99 * beyond - 1e-9, upper=program.upper + 0.99 * beyond + 1e-9, kind=0 * program.kind
    )
    assert not feasibility.possible(kept, gives)


@pytest.mark.parametrize("name", ["solo12", "biped"])
def test_a_law_can_be_sent_to_another_process(name, rng):
    q, v = state(name, rng)
    for own in (law(name, horizon=0.5), law(name).lift(contacts(name).names[0])):
        sent = pickle.loads(pickle.dumps(own))
        ours, theirs = own(q, v, **targets(name, q)), sent(q, v, **targets(name, q))
        assert near(theirs.tau, ours.tau, 0) and near(theirs.forces, ours.forces, 0)
        assert theirs.active == ours.active and repr(sent) == repr(own)


def test_bounds_that_cross_are_infeasible_without_a_horizon():
    """Whatever bounds they are: then even the ground gives way."""
    q, own = pose("solo12"), law("solo12")
    own._rows.lower[-1] = own._rows.upper[-1] + 1
    done = own(q, np.zeros(18), **targets("solo12", q))
    assert done.status == "nearest" and str(own._rows.groups[-1]) in done.violations
    assert own.explain(q, np.zeros(18), **targets("solo12", q)).conflict == (str(own._rows.groups[-1]),)
