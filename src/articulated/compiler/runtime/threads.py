"""Work of a batch shared by threads: machine code runs without the GIL."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any


def together(work: Callable[[], None], threads: int) -> None:
    """`work()` in this thread and in `threads - 1` others; each does what it finds left."""
    helpers = [_pool().submit(work) for _ in range(threads - 1)]
    try:
        work()
    finally:  # also after Ctrl-C: no helper writes to the arrays after the exception has left
        started = [helper for helper in helpers if not helper.cancel()]
        problems = [problem for helper in started if (problem := helper.exception())]
    if problems:
        raise problems[0]


@cache
def _pool() -> Any:
    """Worker threads, started when they are first wanted."""
    from concurrent.futures import ThreadPoolExecutor  # few programs want threads

    return ThreadPoolExecutor(processors(), "articulated")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


@cache
def processors() -> int:
    """The number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
