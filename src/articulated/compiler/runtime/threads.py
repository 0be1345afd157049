"""The same work from several threads, which divide it among themselves: whoever is free takes the next piece.

A thread that the system runs late, or interrupts, costs no more than the piece it holds; one that has
not begun when nothing is left is not waited for.  Threads for work in Python are started as they are
needed (`together`).  Those for machine code stay: a `Crew` waits at its desks, awake for some milliseconds
after it was last needed, since waking a thread takes as long as a thousand states.
"""

import _thread
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from queue import SimpleQueue

#: 8 bytes each: what a crew has in common, and what lies on the desk of each of its helpers
CREW = ("counter", "share", "helpers", "step_aside")
DESK = ("awake", "state", "ctx", "function", "states", "pointers", "strides", "bad")
STATES = {"idle": 0, "posted": 1, "running": 2, "finished": 3}
#: a desk is a cache line of its own, 64 bytes, and so is what is common
WORDS = len(DESK)
LINE = 8 * WORDS
#: turns a helper waits for more work before it goes to sleep, each some tens of nanoseconds
PATIENCE = 60_000
#: turns after which whoever waits lets another program run, if there is one
ASIDE = 256
MOST_HELPERS = 63


def together(work: Callable[[], None], threads: int) -> None:
    """`work()` in this thread and, if there is time, in `threads - 1` others; each does what it finds left."""
    helpers = _Helpers(work)
    for _ in range(threads - 1):
        _thread.start_new_thread(helpers.help, ())
    try:
        work()
    finally:  # also after Ctrl-C: nobody may write to the arrays any more once it is passed on
        helpers.dismiss()
    if helpers.problem:
        raise helpers.problem


class _Helpers:
    def __init__(self, work: Callable[[], None]):
        self.work = work
        self.problem: BaseException | None = None
        self.closed, self.busy = False, 0
        self.change = threading.Condition()

    def help(self) -> None:
        """What a thread runs; a problem is left for the caller."""
        with self.change:
            if self.closed:
                return
            self.busy += 1
        try:
            self.work()
        except BaseException as problem:
            self.problem = problem
        finally:
            with self.change:
                self.busy -= 1
                self.change.notify()

    def dismiss(self) -> None:
        """Nobody begins any more; wait for those who have."""
        with self.change:
            self.closed = True
            self.change.wait_for(lambda: not self.busy)


class Crew:
    """Helpers for machine code: `builtin.ll` posts a batch at their desks and works through it with them."""

    def __init__(self, help_at: int):
        self._memory = (ctypes.c_int64 * (WORDS * (MOST_HELPERS + 2)))()
        self.address = -(-ctypes.addressof(self._memory) // LINE) * LINE
        self._words = (ctypes.c_int64 * (WORDS * (MOST_HELPERS + 1))).from_address(self.address)
        self._words[CREW.index("step_aside")] = _step_aside()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
        self._help = kind(help_at)  # which does not hold the interpreter's lock
        self._bells: list[SimpleQueue[None]] = []

    def prepare(self, helpers: int, share: int) -> None:
        """Before a batch: everybody awake, and how many states one takes at a time."""
        helpers = min(helpers, MOST_HELPERS)
        while len(self._bells) < helpers:
            bell: SimpleQueue[None] = SimpleQueue()
            desk = self.address + LINE * (1 + len(self._bells))
            try:
                _thread.start_new_thread(self._serve, (bell, desk))
            except RuntimeError:  # there are enough threads already, or the interpreter is about to end
                helpers = len(self._bells)
                break
            self._bells.append(bell)
        self._words[CREW.index("counter")], self._words[CREW.index("share")] = 0, share
        self._words[CREW.index("helpers")] = helpers
        for k in range(helpers):
            if not self.awake(k) and self._bells[k].empty():
                self._bells[k].put(None)

    def awake(self, helper: int) -> bool:
        """Whether a helper looks at its desk just now."""
        return bool(self._words[WORDS * (helper + 1) + DESK.index("awake")])

    def _serve(self, bell: SimpleQueue, desk: int) -> None:
        while True:
            bell.get()
            self._help(desk, PATIENCE, self._words[CREW.index("step_aside")])


@cache
def _step_aside() -> int:
    """The address of the function of the system that lets another thread run."""
    windows = os.name == "nt"
    function = getattr(ctypes, "windll").kernel32.SwitchToThread if windows else ctypes.CDLL(None).sched_yield  # noqa: B009
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# crews that nobody uses just now; one is made for every call that finds none
_free: list[Crew] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free.clear)  # threads do not survive a fork


@contextmanager
def hired(help_at: int) -> Iterator[Crew]:
    """A crew for one batch."""
    try:
        crew = _free.pop()
    except IndexError:
        crew = Crew(help_at)
    try:
        yield crew
    finally:
        _free.append(crew)
