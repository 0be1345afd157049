"""A hash of everything a kernel's program depends on, so that a cached one is found without tracing."""

import hashlib
import struct
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_PACKAGE = __name__.split(".")[0]
#: packages whose code no program depends on
_ELSEWHERE = ("files", "symbolic", "simulation", "identification", "viewer", "cli")


class Opaque(TypeError):
    """Something that cannot be hashed by its content: a symbol, an instance of a user's class."""


def fingerprint(*things: Any) -> str | None:
    """A hash of numbers, names, functions and objects of this package; None if anything else is among them."""
    out: list[bytes] = [sources()]
    try:
        for thing in things:
            _describe(thing, out)
    except Opaque:
        return None
    return hashlib.blake2b(b"".join(out), digest_size=20).hexdigest()


@cache
def sources() -> bytes:
    """A hash of the package's own code: another version may trace another program."""
    digest = hashlib.blake2b(digest_size=20)
    root = Path(__file__).parents[2]
    # some installations have only compiled modules, in the place of the sources
    files = sorted(path for ending in ("py", "pyc") for path in root.rglob(f"*.{ending}"))
    ours = (path for path in files if path.relative_to(root).parts[0] not in _ELSEWHERE)
    for path in (path for path in ours if path.parent.name != "__pycache__"):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return digest.digest()


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
