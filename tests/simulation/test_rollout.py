"""A run is made in pieces, and they do not show."""

import gc
import weakref

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import call
from articulated.simulation.loop.python_loop import CalledRollout
from articulated.simulation.loop.rollout import Rollout
from tests.simulation.scenes import at, block

METHODS = ("euler", "midpoint", "rk4", "adaptive", "symplectic")


def pieces_of(monkeypatch, seconds):
    """The sizes of the pieces of the runs from now on, each of which should take so long."""
    sizes, advance = [], Rollout.advance

    def counted(self, size):
        sizes.append(advance(self, size))
        return sizes[-1]

    monkeypatch.setattr("articulated.simulation.loop.rollout.PIECE", seconds)
    monkeypatch.setattr(Rollout, "advance", counted)
    return sizes


def same(one, other):
    for name in ("t", "q", "v", "a", "tau"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("driven", ["free", "traced"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("every", [1, 3])
def test_pieces_do_not_show(method, driven, every, monkeypatch):
    robot, q = art.load("double_pendulum").frictionless(), np.linspace(0.1, 1.0, 18).reshape(9, 2)
    torque = art.traced(lambda t, q, v: [np.sin(5 * t) - 0.1 * v[0], -0.1 * v[1]]) if driven == "traced" else None
    options = {"duration": 0.06, "method": method, "torque": torque, "every": every, "limits": False}
    one_by_one = pieces_of(monkeypatch, 1e-9)
    before = art.simulate(robot, q, **options)
    assert one_by_one == [1] * (60 // every + 1)
    monkeypatch.undo()
    at_once = pieces_of(monkeypatch, 10.0)
    art.simulate(robot, q, **options)
    at_once.clear()
    after = art.simulate(robot, q, **options)
    assert at_once == [60 // every, 1]  # the pace of the last run is known
    same(before, after)


@pytest.mark.skipif(call.reason() is not None, reason="no call in C here")
def test_memory_of_a_run_that_is_gone_is_used_again():
    """And never what somebody still sees."""
    robot, q = art.load("double_pendulum").frictionless(), np.linspace(0.1, 1.0, 400).reshape(200, 2)

    def run(sign):
        return art.simulate(robot, sign * q, duration=0.5, limits=False)

    first = run(1)
    here, part, copy = first.q.ctypes.data, first.v[3, 50:], first.v[3, 50:].copy()
    held = run(-1)
    assert held.q.ctypes.data != here
    del first
    assert run(-1).q.ctypes.data != here and np.array_equal(part, copy)
    del part
    assert run(-1).q.ctypes.data == here


def test_pieces_do_not_show_with_contacts(monkeypatch):
    robot, q, ground = block(), [at(z=0.05), at(z=0.06, tilt=0.1)], art.Ground(0.5, restitution=0.3)
    v = [[0.3, 0.1, 0, 0, 0, 1.0], [0.0, 0, -1.0, 0, 0, 0]]
    pieces_of(monkeypatch, 1e-9)
    before = art.simulate(robot, q, v, duration=0.1, contacts=ground)
    monkeypatch.undo()
    after = art.simulate(robot, q, v, duration=0.1, contacts=ground)
    same(before, after)
    assert np.array_equal(before.contact.forces, after.contact.forces)
    assert np.array_equal(before.contact.residual, after.contact.residual)


def test_a_slow_function_is_not_run_in_the_pieces_of_a_fast_loop(monkeypatch):
    """The loop is that of torques in an array; how long a function takes is its own."""
    robot, rows = art.load("double_pendulum").frictionless(), np.zeros((501, 2))
    for _ in range(2):
        art.simulate(robot, [0.1, 0.2], duration=0.5, torque=rows, limits=False)
    advance, sizes = CalledRollout.advance, []
    monkeypatch.setattr(CalledRollout, "advance", lambda self, size: sizes.append(size) or advance(self, size))
    art.simulate(robot, [0.1, 0.2], duration=0.5, torque=lambda t, q, v: [0.0, 0.0], limits=False)
    assert sizes[0] == 1


@pytest.mark.parametrize("batch", [(), (90,)])
def test_what_is_kept_for_the_next_run_does_not_show(batch, rng):
    """Equal calls have equal results, other numbers others; nothing of a run is held when it is gone."""
    robot, q = art.load("double_pendulum"), np.array([0.3, 0.1]) + np.zeros((*batch, 1))
    end = robot.body_names[-1]
    for options in (
        {},
        {"torque": np.zeros((50, 2))},
        {"torque": lambda t, q, v: 0 * v},
        {"contacts": art.Ground(feet=[end], height=-9.0)},
        {"forces": {end: [0, 0, 1, 0, 0, 0]}},
    ):
        one, two, three = (art.simulate(robot, x, duration=0.05, **options) for x in (q, q, q + 1))
        same(one, two)
        begun = [run.q[..., 0, :] for run in (one, two, three)]
        assert [np.array_equal(x, y) for x, y in zip(begun, (q, q, q + 1), strict=True)] == [True] * 3
        del begun
        gone = [weakref.ref(run.q.base) for run in (one, two, three)]
        del one, two, three
        gc.collect()
        assert [each() for each in gone] == [None] * 3, options
    tau = rng.normal(size=(2, *batch, 50, 2))
    runs = [art.simulate(robot, q, duration=0.05, torque=x) for x in tau]
    assert [np.array_equal(run.tau[..., :-1, :], x) for run, x in zip(runs, tau, strict=True)] == [True, True]
