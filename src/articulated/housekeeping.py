"""Files that are whole or not there, and work during which garbage is not collected."""

import contextlib
import gc
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


@contextlib.contextmanager
def whole_file(path: Path, mode: str = "w", **options: Any) -> Iterator[IO[Any]]:
    """A file that appears under its name when everything is in it, or not at all."""
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
