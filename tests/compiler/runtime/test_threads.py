"""Work shared by threads: all of it is done once, by whoever comes, and problems reach the caller."""

import _thread
import ctypes
import os
import threading
import time

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime import batch, call, engine
from articulated.compiler.runtime import threads as crews
from articulated.compiler.runtime.entry_points import BATCH, Native
from articulated.compiler.runtime.threads import together

from ...zoo import state


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


# -- crews --------------------------------------------------------------------------------


@pytest.fixture
def crew(monkeypatch):
    """Crews of this test's own, and a function of rows that tells who worked on them."""
    if engine.reason() or call.obstacle():
        pytest.skip("no machine code or no builtin here")
    monkeypatch.setattr(crews, "_free", [])
    return _Recorded()


class _Recorded:
    """A kernel in Python that copies one column, the main thread slowly so that a helper can come."""

    def __init__(self):
        self.threads, self.helper_came = set(), threading.Event()
        self.batch = BATCH(self._copy)
        native = Native((1,), ((1,),), None, np.dtype(float))
        native.add("batch", {"articulated_batch": ctypes.cast(self.batch, ctypes.c_void_p).value})
        self.shared = call.shared(native, lambda *arrays, out=None: None, "copy")

    def _copy(self, rows, pointers, strides):
        self.threads.add(threading.get_ident())
        if threading.current_thread() is not threading.main_thread():
            self.helper_came.set()
        else:
            self.helper_came.wait(0.001)
        source, target = (ctypes.c_int64 * 2).from_address(pointers)
        ctypes.memmove(target, source, 8 * rows)
        return bool(np.isnan((ctypes.c_double * rows).from_address(source)).any())

    def __call__(self, x, helpers=1):
        out = np.zeros_like(x)
        return self.shared(helpers, 16, [x], out)

    def until_helped(self, x):
        """Call until a helper came: on a busy machine one may find the work done, or leave just before it."""
        self.helper_came.clear()
        for _ in range(200):
            assert (self(x) == x).all()
            if self.helper_came.is_set():
                return
        raise AssertionError("no helper came")


def test_a_helper_takes_its_share(crew):
    crew.until_helped(np.arange(1000.0)[:, None])
    assert len(crew.threads) == 2


def test_a_helper_that_went_to_sleep_is_woken(crew):
    for _ in range(3):
        crew.until_helped(np.arange(1000.0)[:, None])
        (only,) = crews._free
        deadline = time.monotonic() + 60
        while only.awake(0) and time.monotonic() < deadline:
            time.sleep(0.001)
        assert not only.awake(0)


def test_nobody_waits_for_a_helper_that_does_not_come(crew, monkeypatch):
    monkeypatch.setattr(_thread, "start_new_thread", lambda function, arguments: None)
    x = np.arange(1000.0)[:, None]
    assert (crew(x, helpers=3) == x).all() and crew.threads == {threading.get_ident()}


def test_no_more_threads_than_processors(monkeypatch):
    monkeypatch.setattr(batch, "processors", lambda: 4)
    some = batch.Batched(lambda inputs, outputs: None, ((1,),), None, np.dtype(float), 1e-6)
    assert [some.workers(10**6, threads) for threads in (-1, 0, 1, 3, 4, 5, 1000)] == [1, 1, 1, 3, 4, 4, 4]
    assert some.workers(10, 4) == 1  # not worth it
    assert 1 <= crews.processors() <= os.cpu_count()


def test_threads_that_cannot_be_started_are_done_without(crew, monkeypatch):
    def refused(function, arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refused)
    x = np.arange(1000.0)[:, None]
    assert (crew(x, helpers=3) == x).all() and crew.threads == {threading.get_ident()}


def test_a_mistake_is_told_alike_with_threads():
    arm = art.load("ur5")
    arm.mass_matrix(np.zeros((9, 6)))
    mass = arm.compile("mass_matrix")
    for threads in (1, 2):
        with pytest.raises(TypeError, match="takes the arrays q"):
            mass(threads=threads)


def test_a_number_that_is_not_finite_is_told_whoever_finds_it(crew):
    x = np.arange(1000.0)[:, None]
    x[-1] = np.nan
    assert crew(x) is None
    assert (crew(np.ones((1000, 1))) == 1).all()  # and nothing of it is left


def test_calls_at_the_same_time_have_crews_of_their_own(rng):
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
def test_a_forked_process_has_helpers_of_its_own(rng):
    arm = art.load("ur5")
    q, v, a = state(arm, rng, 20_000)
    expected = arm.inverse_dynamics(q, v, a, threads=2)
    child = os.fork()
    if not child:
        right = all((arm.inverse_dynamics(q, v, a, threads=2) == expected).all() for _ in range(5))
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
