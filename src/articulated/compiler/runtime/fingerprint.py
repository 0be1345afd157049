"""A hash of everything a kernel's program depends on, so that a cached one is found without tracing."""

import hashlib
import struct
from dataclasses import is_dataclass
from functools import cache
from os.path import commonpath, dirname
from pathlib import Path
from typing import Any

import numpy as np

from ..._imported import FIRST, unchanged

_PACKAGE = __name__.split(".")[0]


class Opaque(TypeError):
    """Something that cannot be hashed by its content: a symbol, an instance of a user's class."""


def fingerprint(*things: Any) -> str | None:
    """A hash of numbers, names, functions and objects of this package; None if anything else is among them.

    It is None as well if it is not known which code was imported.
    """
    code = sources()
    if code is None:
        return None
    out: list[bytes] = [code]
    try:
        for thing in things:
            _describe(thing, out)
    except Opaque:
        return None
    return hashlib.blake2b(b"".join(out), digest_size=20).hexdigest()


@cache
def sources() -> bytes | None:
    """A hash of the package's own code, as it was imported: another version may trace another program.

    None if that is not known: the files are others by now, or there are none.
    """
    if not unchanged():
        return None
    digest = hashlib.blake2b(digest_size=20)
    root = commonpath(map(dirname, FIRST))
    for path in sorted(FIRST):
        try:
            content = Path(path).read_bytes()
        except OSError:
            return None
        digest.update(f"{Path(path).relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return digest.digest() if unchanged() else None


def _describe(x: Any, out: list[bytes]) -> None:
    """Append bytes that no other value has.  1, 1.0 and True differ, as only exact numbers fold."""
    kind = type(x)
    if isinstance(x, float):
        out.append(b"f" + struct.pack("<d", x))
    elif kind is int:
        out.append(b"i%d;" % x)
    elif kind is str:
        data = x.encode("utf-8", "surrogatepass")
        out.append(b"s%d:" % len(data) + data)
    elif x is None or kind is bool:
        out.append(b"n" if x is None else b"t" if x else b"u")
    elif isinstance(x, np.ndarray):
        _sequence(f"array{x.shape}", x.ravel().tolist(), out)
    elif isinstance(x, (tuple, list)):
        _sequence(_own(kind) if kind not in (tuple, list) else "list", x, out)
    elif isinstance(x, dict):
        _sequence("dict", list(x.items()), out)
    elif callable(x):
        _describe(_own(x), out)
    else:
        _sequence(_own(kind), [getattr(x, name) for name in _fields(x)], out)


def _sequence(label: str, items: Any, out: list[bytes]) -> None:
    out.append(b"(%s %d:" % (label.encode(), len(items)))
    for item in items:
        _describe(item, out)


def _fields(x: Any) -> list[str]:
    """The names of all fields of an object, except private slots, which are derived from the others."""
    if is_dataclass(x):
        return sorted(vars(x))
    slots = [name for base in type(x).__mro__ for name in getattr(base, "__slots__", ())]
    if not slots or hasattr(x, "__dict__"):
        raise Opaque(type(x).__name__)
    return [name for name in slots if not name.startswith("_")]


def _own(thing: Any) -> str:
    """The qualified name of a class or function of this package; its code is part of `sources`."""
    module = getattr(thing, "__module__", "") or ""
    name = getattr(thing, "__qualname__", "")
    if module.split(".")[0] != _PACKAGE or not name or "<" in name:
        raise Opaque(repr(thing))
    return f"{module}.{name}"
