"""Work shared by several threads, for pieces that are cut in Python; those of the call in C are in `_thread_pool.c`."""

import os
import threading
from collections.abc import Callable
from functools import cache


def together(work: Callable[[], None], threads: int) -> None:
    """`work()` in this thread and in `threads - 1` others; each does what it finds left."""
    problems: list[BaseException] = []

    def help() -> None:
        try:
            work()
        except BaseException as problem:  # left for the caller
            problems.append(problem)

    helpers = [threading.Thread(target=help, daemon=True) for _ in range(threads - 1)]
    for helper in helpers:
        helper.start()
    try:
        work()
    finally:  # also after Ctrl-C: no helper writes to the arrays after the exception has left
        for helper in helpers:
            helper.join()
    if problems:
        raise problems[0]


@cache
def processors() -> int:
    """The number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
