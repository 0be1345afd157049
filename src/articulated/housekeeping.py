"""Files that are whole or not there, and work during which garbage is not collected."""

import contextlib
import errno
import gc
import os
import secrets
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

#: signals that end a program without a word, if it does not ask for them
_NAMES = "SIGTERM SIGHUP SIGQUIT SIGALRM SIGVTALRM SIGPROF SIGUSR1 SIGUSR2 SIGXCPU SIGBREAK"
ENDS = [getattr(signal, name) for name in _NAMES.split() if hasattr(signal, name)]


class _Ended(BaseException):
    """One of ENDS has come."""


@contextlib.contextmanager
def _cleaned_up_before_the_end() -> Iterator[None]:
    """Inside, a signal that ends the program raises first; it then ends by the same signal.

    In the main thread only: no other may ask for signals, and what another thread writes may be left unfinished.
    """
    free = threading.current_thread() is threading.main_thread()
    mine = [number for number in ENDS if free and signal.getsignal(number) is signal.SIG_DFL]

    def raised(number: int, frame: Any) -> None:
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
        raise
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def whole_file(path: Path, mode: str = "w", **options: Any) -> Iterator[IO[Any]]:
    """A file that appears under its name when everything is in it, or not at all."""
    with _cleaned_up_before_the_end(), _whole_file(path, mode, **options) as file:
        yield file


@contextlib.contextmanager
def _whole_file(path: Path, mode: str, **options: Any) -> Iterator[IO[Any]]:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    aside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    if "b" not in mode:
        options = {"encoding": "utf-8", "newline": "", **options}
    try:
        file = open(aside, mode.replace("w", "x"), **options)  # noqa: SIM115 (closed below, before the rename)
    except OSError as problem:
        raise type(problem)(problem.errno, problem.strerror, str(path)) from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(problem, OSError) and problem.filename is None:
            raise type(problem)(problem.errno, problem.strerror, str(path)) from None
        raise


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """No garbage collection inside: a large robot, or a graph, would be looked through for a fifth of the time."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()
