"""Object files kept between runs, in a directory that only its owner can write.

A file is used only if the directory and the file belong to this user, nobody else may write to them,
neither is a symbolic link, and a hash over its name and content matches.  In any doubt the kernel is compiled
again.  Losing the cache costs time and nothing else, so every failure is at most one warning.

ARTICULATED_CACHE=off switches it off; ARTICULATED_CACHE=/some/path puts it elsewhere.
"""

import contextlib
import hashlib
import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import warn

_MAGIC = b"articulated kernel 2\n"
#: a kernel is at most some megabytes; anything larger is not one
_LARGEST = 1 << 28
#: files kept; beyond that the older half is deleted
MOST_FILES = 4096

_complaints: set[tuple[str, Path | None]] = set()


class Refused(OSError):
    """The directory or a file in it is not safe to use."""


class _SwitchedOff(FileNotFoundError):
    """There is no directory, and shall be none."""


def key(*parts: str | bytes) -> str:
    """The name of a file: a hash of all parts, each preceded by its length."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def directory() -> Path | None:
    """Directory in which kernels are kept; None if they are not."""
    try:
        return _place()
    except RuntimeError:  # there is no home directory; who wants to keep a kernel is told
        return None


def _place() -> Path | None:
    setting = os.environ.get("ARTICULATED_CACHE", "")
    if setting.lower() in ("off", "0", "no"):
        return None
    if setting:
        return Path(setting).expanduser()
    if hasattr(os, "geteuid") and os.geteuid() != os.getuid():
        return None  # a privileged program must not trust a directory its caller controls
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "articulated" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "articulated"
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "articulated"


def read(name: str) -> tuple[dict[str, Any], bytes] | None:
    """The description and the object file kept under this name, if they can be trusted."""
    try:
        with _opened(create=False) as folder:
            content = folder.read(name)
    except FileNotFoundError:
        return None
    except Refused as problem:
        _complain("not using cached kernels", problem)
        return None
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    head = len(_digest(name, b""))
    body = content[head:]
    if content[:head] != _digest(name, body):
        return None
    length = int.from_bytes(body[:4], "little")
    return json.loads(body[4 : 4 + length]), body[4 + length :]


def write(name: str, description: dict[str, Any], image: bytes) -> None:
    """Keep a kernel; if that is impossible, say so once and go on."""
    text = json.dumps(description).encode()
    body = len(text).to_bytes(4, "little") + text + image
    try:
        with _opened(create=True) as folder:
            folder.write(name, _digest(name, body) + body)
            folder.prune()
    except _SwitchedOff:
        return
    except (OSError, RuntimeError) as problem:
        _complain("compiled kernels are not kept for the next run", problem)


def _digest(name: str, body: bytes) -> bytes:
    """First bytes of a file."""
    return _MAGIC + hashlib.blake2b(name.encode() + b"\0" + body, digest_size=32).digest()


def _complain(text: str, problem: Exception) -> None:
    """One warning for each directory: what is wrong with it is wrong for every kernel."""
    if (text, directory()) not in _complaints:
        _complaints.add((text, directory()))
        advice = "ARTICULATED_CACHE=off or another directory avoids this"
        warn(f"{text}: {problem} ({advice})", RuntimeWarning)


@contextlib.contextmanager
def _opened(create: bool) -> "Iterator[_Folder]":
    path = _place()
    if path is None:
        raise _SwitchedOff
    if create and not path.is_symlink():
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
    folder = _Folder(path)
    try:
        yield folder
    finally:
        folder.close()


class _Folder:
    """The directory, held open by its descriptor: what was checked is what is used, whatever is renamed meanwhile."""

    def __init__(self, path: Path):
        self.path = path
        if os.name == "nt":  # profile directories are private there, and have no descriptors
            self.at: dict[str, int] = {}
            return
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except (NotADirectoryError, PermissionError) as problem:
            raise Refused(f"{path}: {problem.strerror}") from None
        except OSError as problem:
            if path.is_symlink():
                raise Refused(f"{path} is a link") from None
            raise problem
        self.at = {"dir_fd": descriptor}
        try:
            _refuse_foreign(str(path), os.fstat(descriptor))
        except Refused:
            self.close()
            raise

    def close(self) -> None:
        if self.at:
            os.close(self.at["dir_fd"])

    def _place(self, name: str) -> str:
        return name if self.at else str(self.path / name)

    def read(self, name: str) -> bytes:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self._place(name), flags, **self.at), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                raise Refused(f"{self.path / name} is not a kernel")
            if self.at:
                _refuse_foreign(str(self.path / name), found)
            return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Atomically: written to a temporary file, then renamed.

        It is not synced: after a power failure a torn file does not match its hash, and is compiled again.
        """
        aside = self._place(f".{name}.{os.getpid()}.{secrets.token_hex(4)}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(aside, flags, 0o600, **self.at)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            both = {f"{way}_dir_fd": self.at["dir_fd"] for way in ("src", "dst") if self.at}
            os.replace(aside, self._place(name), **both)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(aside, **self.at)
            raise

    def prune(self) -> None:
        names = os.listdir(self.at.get("dir_fd", self.path))
        if len(names) <= MOST_FILES:
            return
        with contextlib.suppress(OSError):
            names.sort(key=lambda name: os.stat(self._place(name), dir_fd=self.at.get("dir_fd")).st_mtime)
            for name in names[: len(names) // 2]:
                os.unlink(self._place(name), **self.at)


def _refuse_foreign(what: str, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise Refused(f"{what} belongs to another user")
    if found.st_mode & 0o022:
        raise Refused(f"{what} can be written by others")
