"""Work shared by threads: all of it is done once, by whoever comes, and problems reach the caller."""

import _thread
import threading
import time

import numpy as np
import pytest

import articulated as art
from articulated.compiler import call
from articulated.compiler.sharing import together

from ..zoo import state


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_piece_is_done_once(threads):
    left, done = iter(range(2000)), []
    together(lambda: done.extend(left), threads)
    assert sorted(done) == list(range(2000))


def test_a_thread_that_comes_late_is_not_waited_for(monkeypatch):
    late = []
    monkeypatch.setattr(_thread, "start_new_thread", lambda function, arguments: late.append(function))
    done = []
    together(lambda: done.append(threading.get_ident()), 3)
    assert len(late) == 2 and done == [threading.get_ident()]
    for function in late:
        function()  # finds the doors closed
    assert len(done) == 1


def test_one_that_has_begun_is_waited_for():
    begun, finished = threading.Event(), []

    def work():
        if threading.current_thread() is threading.main_thread():
            begun.wait()
            return
        begun.set()
        time.sleep(0.05)
        finished.append(True)

    together(work, 2)
    assert finished


def test_a_problem_in_a_helper_reaches_the_caller():
    seen = threading.Event()

    def work():
        if threading.current_thread() is threading.main_thread():
            seen.wait()
        else:
            seen.set()
            raise MemoryError("for a test")

    with pytest.raises(MemoryError, match="for a test"):
        together(work, 2)


@pytest.mark.parametrize("builtin", [True, False])
@pytest.mark.parametrize("states", [20_011, 65_536])
def test_a_bad_row_among_many_threads(rng, monkeypatch, states, builtin):
    if not builtin:
        monkeypatch.setattr(call, "obstacle", lambda: "for a test")
    arm = art.load("ur5")
    q, v, a = state(arm, rng, states)
    expected = arm.inverse_dynamics(q, v, a)
    assert (arm.inverse_dynamics(q, v, a, threads=3) == expected).all()
    v[states // 3, 2] = np.inf
    found = arm.inverse_dynamics(q, v, a, threads=3)
    assert np.isnan(found[states // 3]).all()
    assert (np.delete(found, states // 3, axis=0) == np.delete(expected, states // 3, axis=0)).all()
