"""Signals that end the program: unfinished files are removed first, and no traceback is shown."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from ..housekeeping import remove_unfinished

#: signals whose default is to end the program without a word
_NAMES = "SIGTERM SIGHUP SIGQUIT SIGALRM SIGVTALRM SIGPROF SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
ENDS = [getattr(signal, name) for name in _NAMES.split() if hasattr(signal, name)]


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Around the whole program: Ctrl-C ends it with 130, one of ENDS by itself; signals that are ignored stay so."""
    usual = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(ENDS, signal.SIG_DFL)}
    mine = [number for number, handler in usual.items() if signal.getsignal(number) is handler]
    for number in mine:
        signal.signal(number, _interrupted if number == signal.SIGINT else _ended)
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        remove_unfinished()  # Ctrl-C may have come before the writer was ready to remove its file
        for number in mine:
            signal.signal(number, signal.SIG_DFL)  # Python's own would show a traceback while it ends


def _ended(number: int, frame: FrameType | None) -> None:
    """End at once: an exception could be lost in a finalizer, and the program would go on."""
    remove_unfinished()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def _interrupted(number: int, frame: FrameType | None) -> None:
    """Wait until no module is being imported: some packages take the exception for a module that is missing."""
    if _importing(frame):
        threading.Timer(0.01, _again, (number,)).start()
        return
    raise KeyboardInterrupt


def _again(number: int) -> None:
    """Send a signal to the main thread: only there does it interrupt a read that waits."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:  # Windows
        signal.raise_signal(number)


def _importing(frame: FrameType | None) -> bool:
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None
