"""Work shared by several threads: whichever is free takes the next piece.

A thread that the system runs late, or interrupts, costs no more than the piece it holds; one that has not begun when
nothing is left is not waited for.  These threads are for pieces that are cut in Python; the helpers of the call in C
are in `_thread_pool.c`.
"""

import _thread
import os
import threading
from collections.abc import Callable
from functools import cache


def together(work: Callable[[], None], threads: int) -> None:
    """`work()` in this thread and, if there is time, in `threads - 1` others; each does what it finds left."""
    helpers = _Helpers(work)
    for _ in range(threads - 1):
        _thread.start_new_thread(helpers.help, ())
    try:
        work()
    finally:  # also after Ctrl-C: no helper writes to the arrays after the exception has left
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
        """The main function of a thread; an exception is left for the caller."""
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
        """Let no further helper begin, and join those at work."""
        with self.change:
            self.closed = True
            self.change.wait_for(lambda: not self.busy)


@cache
def processors() -> int:
    """The number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
