"""Progress message of a long computation."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...text import shortened

PATIENCE = 2.0  # seconds
_thread = threading.local()  # .busy: within a block, which tells of all that is in it


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Says `text …` on the error stream if the block takes more than two seconds; a block within another is silent."""
    if getattr(_thread, "busy", False):
        yield
        return
    told = threading.Event()
    text = shortened(text, 160)  # robots have any name

    def tell() -> None:
        told.set()
        print(f"{text} …", file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    _thread.busy = True
    try:
        yield
    finally:
        timer.cancel()
        _thread.busy = False
    if told.is_set():
        print(f"{text}: done", file=sys.stderr, flush=True)
