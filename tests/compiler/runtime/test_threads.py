"""Work shared by threads: all of it is done once, by whoever comes, and problems reach the caller."""

import os
import threading
import time

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import batch
from articulated.compiler.runtime.threads import processors, together

from ...zoo import state


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_piece_is_done_once(threads):
    left, done = iter(range(2000)), []
    together(lambda: done.extend(left), threads)
    assert sorted(done) == list(range(2000))


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


@pytest.mark.parametrize("states", [20_011, 65_536])
def test_a_bad_row_among_many_threads(rng, way, states):
    arm = art.load("ur5")
    q, v, a = state(arm, rng, states)
    expected = arm.inverse_dynamics(q, v, a)
    assert (arm.inverse_dynamics(q, v, a, threads=3) == expected).all()
    v[states // 3, 2] = np.inf
    found = arm.inverse_dynamics(q, v, a, threads=3)
    assert np.isnan(found[states // 3]).all()
    assert (np.delete(found, states // 3, axis=0) == np.delete(expected, states // 3, axis=0)).all()


def test_no_more_threads_than_processors(monkeypatch):
    monkeypatch.setattr(batch, "processors", lambda: 4)
    some = batch.Batched(lambda inputs, outputs: None, ((1,),), None, np.dtype(float), 1e-6)
    assert [some.workers(10**6, threads) for threads in (-1, 0, 1, 3, 4, 5, 1000)] == [1, 1, 1, 3, 4, 4, 4]
    assert some.workers(10, 4) == 1  # not worth it
    assert 1 <= processors() <= os.cpu_count()


def test_a_mistake_is_told_alike_with_threads(way):
    arm = art.load("ur5")
    arm.mass_matrix(np.zeros((9, 6)))
    mass = arm.compile("mass_matrix")
    for threads in (1, 2):
        with pytest.raises(TypeError, match="takes the arrays q"):
            mass(threads=threads)


def test_calls_at_the_same_time_do_not_meet(rng, way):
    arm = art.load("ur5")
    arrays = [state(arm, rng, 20_000) for _ in range(4)]
    expected = [arm.inverse_dynamics(*x) for x in arrays]
    found = [None] * 4

    def work(k):
        for _ in range(10):
            found[k] = arm.inverse_dynamics(*arrays[k], threads=2)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((a == b).all() for a, b in zip(found, expected, strict=True))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_helpers_of_its_own(rng, way):
    arm = art.load("ur5")
    q, v, a = state(arm, rng, 20_000)
    expected = arm.inverse_dynamics(q, v, a, threads=2)
    child = os.fork()
    if not child:
        right = all((arm.inverse_dynamics(q, v, a, threads=2) == expected).all() for _ in range(5))
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
