"""Signals that end the program: unfinished files are removed first, and no traceback is shown."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from ..housekeeping import remove_unfinished

ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK") if hasattr(signal, name)]


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Around the whole program: Ctrl-C ends it with 130, one of ENDS by itself; signals that are ignored stay so."""
    for number in ENDS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _ended)
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        remove_unfinished()  # Ctrl-C may have come before the writer was ready to remove its file
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python's own would show a traceback while it ends


def _ended(number: int, frame: FrameType | None) -> None:
    """End at once: an exception could be lost in a finalizer, and the program would go on."""
    remove_unfinished()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
