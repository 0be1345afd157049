"""Progress message of a long computation."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ...text import shortened

PATIENCE = 2.0  # seconds


@contextmanager
def progress(text: str) -> Iterator[None]:
    """Says `text …` on the error stream if the block takes more than two seconds."""
    told = threading.Event()
    text = shortened(text, 160)  # robots have any name

    def tell() -> None:
        told.set()
        print(f"{text} …", file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if told.is_set():
        print(f"{text}: done", file=sys.stderr, flush=True)
