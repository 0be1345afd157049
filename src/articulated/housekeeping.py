"""Files that are whole or not there, and work during which garbage is not collected."""

import contextlib
import errno
import gc
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


#: files beside their final names, being written
_unfinished: set[Path] = set()


def remove_unfinished() -> None:
    """Remove what is being written, for a program that ends at once."""
    for aside in list(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(aside)


@contextlib.contextmanager
def whole_file(path: Path, mode: str = "w", **options: Any) -> Iterator[IO[Any]]:
    """A file that appears under its name when everything is in it, or not at all.

    What is written lies beside it, locked, and is cleaned up by the next writer if the program is killed.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if "b" not in mode:
        options = {"encoding": "utf-8", "newline": "", **options}
    try:
        _remove_abandoned(path)
        aside, file = _aside(path, mode, options)
    except OSError as problem:
        raise type(problem)(problem.errno, problem.strerror, str(path)) from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not fcntl:
                file.close()  # Windows renames no open file
            os.replace(aside, path)
    except BaseException as problem:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        _unfinished.discard(aside)  # not in `finally`: Ctrl-C may come before the file is removed
        if isinstance(problem, OSError) and problem.filename is None:
            raise type(problem)(problem.errno, problem.strerror, str(path)) from None
        raise
    _unfinished.discard(aside)


def _beginning(path: Path) -> str:
    return f".{path.name[:100]}."


def _aside(path: Path, mode: str, options: dict[str, Any]) -> tuple[Path, IO[Any]]:
    """A new file beside `path`, locked while it is open; another one if a cleaner has removed it."""
    while True:
        aside = path.with_name(f"{_beginning(path)}{secrets.token_hex(4)}.part")
        _unfinished.add(aside)  # before it is there: a signal may come at once
        file = open(aside, mode.replace("w", "x"), **options)  # noqa: SIM115 (its user closes it)
        if fcntl:
            with contextlib.suppress(OSError):  # a file system without locks: no cleaner removes it there
                fcntl.flock(file, fcntl.LOCK_EX)
        if aside.exists():
            return aside, file
        file.close()
        _unfinished.discard(aside)


def _remove_abandoned(path: Path) -> None:
    """Removal of unlocked files beside `path`, left by a killed program."""
    with contextlib.suppress(OSError):
        for name in os.listdir(path.parent):
            if name.startswith(_beginning(path)) and name.endswith(".part"):
                with contextlib.suppress(OSError):
                    _remove_unlocked(path.with_name(name))


def _remove_unlocked(part: Path) -> None:
    if not fcntl:  # Windows removes no open file; one that was just closed is about to be renamed
        if time.time() - part.stat().st_mtime > 60:
            part.unlink()
        return
    descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink()
    finally:
        os.close(descriptor)


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
