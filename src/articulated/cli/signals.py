"""Signals that end the program: unfinished files are cleaned up first, and no traceback is shown."""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

#: those that would end it without a word, if it did not ask for them
_NAMES = "SIGTERM SIGHUP SIGQUIT SIGALRM SIGVTALRM SIGPROF SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
ENDS = [getattr(signal, name) for name in _NAMES.split() if hasattr(signal, name)]


class _Ended(BaseException):
    """One of ENDS has come."""


@contextlib.contextmanager
def heeded() -> Iterator[None]:
    """Around the whole program: Ctrl-C ends it with 130, one of ENDS by itself; signals that are ignored stay so.

    A signal waits until no module is being imported: some packages take the exception for a module that is missing.
    """
    usual = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(ENDS, signal.SIG_DFL)}
    mine = [number for number, handler in usual.items() if signal.getsignal(number) is handler]

    def raised(number: int, frame: FrameType | None) -> None:
        if _importing(frame):
            threading.Timer(0.01, _again, (number,)).start()
            return
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        for other in mine:
            signal.signal(other, signal.SIG_IGN)  # once is enough
        raise _Ended(number)

    for number in mine:
        signal.signal(number, raised)
    try:
        yield
    except _Ended as end:
        signal.signal(end.args[0], signal.SIG_DFL)
        signal.raise_signal(end.args[0])
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)  # Python's own would show a traceback while it ends


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
