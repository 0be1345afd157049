"""The helpers of the call in C: they come, take their share, sleep and wake, and nobody waits for one that does not."""

import threading
import time

import numpy as np
import pytest

from articulated.compiler.runtime import call, engine

from .stub import PythonBatch

pytestmark = pytest.mark.skipif(
    engine.reason() is not None or call.reason() is not None, reason="no machine code or no call in C here"
)


@pytest.fixture
def pool():
    """A kernel that tells who worked on it, with pools of its own."""
    call._loaded()[0].forget_pools()
    return _Recorded()


class _Recorded:
    """Copies one column, the main thread slowly so that a helper can come."""

    def __init__(self):
        self.threads, self.helper_came = set(), threading.Event()
        self.batch = PythonBatch(self._noticed)

    def _noticed(self):
        self.threads.add(threading.get_ident())
        if threading.current_thread() is not threading.main_thread():
            self.helper_came.set()
        else:
            self.helper_came.wait(0.001)

    def __call__(self, x, helpers=1):
        return self.batch.attempt((x,), np.zeros_like(x), helpers, 16)

    def until_helped(self, x):
        """Call until a helper came: on a busy machine one may find the work done, or leave just before it."""
        self.helper_came.clear()
        for _ in range(200):
            assert (self(x) == x).all()
            if self.helper_came.is_set():
                return
        raise AssertionError("no helper came")


def _idle():
    return call._loaded()[0].idle_pools()


def test_a_helper_takes_its_share(pool):
    pool.until_helped(np.arange(1000.0)[:, None])
    assert len(pool.threads) == 2 and [size for size, _ in _idle()] == [1]


def test_a_helper_that_went_to_sleep_is_woken(pool):
    for _ in range(3):
        pool.until_helped(np.arange(1000.0)[:, None])
        deadline = time.monotonic() + 60
        while _idle() != [(1, 1)] and time.monotonic() < deadline:
            time.sleep(0.001)
        assert _idle() == [(1, 1)]


def test_threads_that_cannot_be_started_are_done_without(pool):
    try:
        before = threading.stack_size(1 << 46)  # more than there is
    except ValueError:
        pytest.skip("this system has no such stacks")
    x = np.arange(1000.0)[:, None]
    try:
        assert (pool(x, helpers=3) == x).all() and pool.threads == {threading.get_ident()}
    finally:
        threading.stack_size(before)
    assert _idle() == [(0, 0)]
    pool.until_helped(x)  # and they come when they can


def test_more_helpers_than_there_are_desks(pool):
    x = np.arange(4000.0)[:, None]
    assert (pool(x, helpers=1000) == x).all()
    assert [size for size, _ in _idle()] == [63]


def test_a_call_within_a_batch_has_a_pool_of_its_own(pool):
    x = np.arange(1000.0)[:, None]
    inner = _Recorded()
    outer = PythonBatch(lambda: inner(x[:64]))
    assert (outer.attempt((x,), None, 1, 250) == x).all() and len(_idle()) >= 2


def test_a_number_that_is_not_finite_is_told_whoever_finds_it(pool):
    x = np.arange(1000.0)[:, None]
    x[-1] = np.nan
    assert pool(x) is None
    assert (pool(np.ones((1000, 1))) == 1).all()  # and nothing of it is left
