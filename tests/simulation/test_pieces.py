"""A run is made in pieces and in memory that earlier runs have used: nobody sees either."""

import gc

import numpy as np
import pytest

import articulated as art
from articulated.simulation import array_pool as rooms
from articulated.simulation.loop.rollout import _Loop
from tests.simulation.scenes import at, block

METHODS = ("euler", "rk4", "adaptive", "symplectic")


def pieces_of(monkeypatch, seconds):
    """The sizes of the pieces of the runs from now on, each of which should take so long."""
    sizes, advance = [], _Loop.advance

    def counted(self, size):
        sizes.append(advance(self, size))
        return sizes[-1]

    monkeypatch.setattr("articulated.simulation.loop.rollout.PIECE", seconds)
    monkeypatch.setattr(_Loop, "advance", counted)
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


# -- memory -----------------------------------------------------------------------------------


@pytest.fixture
def small_rooms(monkeypatch):
    """Pieces of memory are kept from 1 kB on, 64 kB in all."""
    gc.collect()
    monkeypatch.setattr(rooms, "LARGE", 2**10)
    monkeypatch.setattr(rooms, "MOST", 2**16)
    monkeypatch.setattr(rooms, "_free", [])


def address(x):
    return x.__array_interface__["data"][0]


def test_memory_that_nobody_holds_is_used_again(small_rooms):
    first = rooms.room(1000)
    here = address(first)
    del first
    again = rooms.room(900)
    assert address(again) == here and len(again) == 900
    assert not len(rooms._free)


HOLDING = [lambda x: x[3:5], lambda x: x.reshape(10, -1)[2].T, memoryview, lambda x: x.view(int)]


@pytest.mark.parametrize("holding", HOLDING)
def test_memory_that_somebody_holds_is_not(small_rooms, holding):
    first = rooms.room(1000)
    first[:] = 1.0
    part = holding(first)
    before = bytes(part)
    del first
    others = [rooms.room(1000) for _ in range(3)]
    for other in others:
        other[:] = 2.0
    assert bytes(part) == before
    del part
    assert len(rooms._free) == 1


def test_memory_that_is_kept_has_an_end(small_rooms):
    many = [rooms.room(1000) for _ in range(20)]
    many.clear()
    assert sum(map(len, rooms._free)) <= rooms.MOST and rooms._free
    assert address(rooms.room(10)) not in map(address, rooms._free)  # far smaller than any of them
    rooms.room(2**16)  # more than is ever kept
    assert sum(map(len, rooms._free)) <= rooms.MOST


def test_a_run_that_is_held_stays_as_it_is(small_rooms):
    robot, rng = art.load("double_pendulum"), np.random.default_rng(0)
    starts = [robot.random(rng, (5,)) for _ in range(6)]
    runs = [art.simulate(robot, q, duration=0.1, limits=False) for q in starts]
    parts = [(run.q[2, 50:], run.q[2, 50:].copy()) for run in runs]
    runs.clear()
    for q in starts:
        art.simulate(robot, -q, duration=0.1, limits=False)
    for part, before in parts:
        assert np.array_equal(part, before)
