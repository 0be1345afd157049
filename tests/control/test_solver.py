"""Programs on which daqp gives up at first; laws in another process."""

import pickle

import numpy as np
import pytest

import articulated as art
from articulated.control import solver

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
    """A solver that answers with flags in turn."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def solve(self, *program, **settings):
        self.asked.append((program[0], settings))
        x, flag = self.answers.pop(0)
        return x, 0.0, flag, {"lam": MULTIPLIERS, "iterations": 1}


def answered(monkeypatch, *answers):
    fake = Faked(*answers)
    monkeypatch.setattr(solver, "solver", lambda: fake)
    return fake


def test_an_inexact_solution_is_taken_if_it_is_one(monkeypatch):
    fake = answered(monkeypatch, (BEST + 1e-8, 4))
    assert near(solver.solve(PROGRAM).x, BEST, 1e-7) and len(fake.asked) == 1
    for far in (BEST + 1e-3, BEST - 1e-3, BEST * (1 + 1e-3)):  # beyond the row, before it
        fake = answered(monkeypatch, (far, 4), (BEST, 1))
        assert near(solver.solve(PROGRAM).x, BEST, 0) and len(fake.asked) == 2


def test_a_cycle_is_tried_again_and_then_named(monkeypatch):
    fake = answered(monkeypatch, (BEST, -2), (BEST, -2), (BEST, 1))
    assert solver.solve(PROGRAM) is not None
    tolerances = [settings["primal_tol"] for _, settings in fake.asked]
    assert tolerances[0] < tolerances[1] and (fake.asked[2][0] > fake.asked[1][0]).any()
    answered(monkeypatch, *[(BEST, -2)] * 10)
    with pytest.raises(solver.SolverFailed, match=r"it cycles \(exit flag -2\)"):
        solver.solve(PROGRAM)
    fake = answered(monkeypatch, (BEST, -5))
    with pytest.raises(solver.SolverFailed, match=r"not convex \(exit flag -5\)"):
        solver.solve(PROGRAM)
    assert len(fake.asked) == 1


def test_the_real_solver_finds_the_same():
    found = solver.solve(PROGRAM)
    assert near(found.x, BEST, 1e-9) and near(found.multipliers, MULTIPLIERS, 1e-9)


@pytest.mark.parametrize("name", ["solo12", "biped"])
def test_a_law_can_be_sent_to_another_process(name, rng):
    q, v = state(name, rng)
    for own in (law(name, horizon=0.5), law(name).lift(contacts(name).names[0])):
        sent = pickle.loads(pickle.dumps(own))
        ours, theirs = own(q, v, **targets(name, q)), sent(q, v, **targets(name, q))
        assert near(theirs.tau, ours.tau, 0) and near(theirs.forces, ours.forces, 0)
        assert theirs.active == ours.active and repr(sent) == repr(own)


def test_bounds_that_cross_are_infeasible_without_a_horizon():
    """Whatever bounds they are: the solver is not asked."""
    q, own = pose("solo12"), law("solo12")
    own._rows.lower[-1] = own._rows.upper[-1] + 1
    with pytest.raises(art.Infeasible) as caught:
        own(q, np.zeros(18), **targets("solo12", q))
    assert caught.value.conflict == (own._rows.groups[-1],)
