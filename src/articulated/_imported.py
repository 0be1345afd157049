"""The files this package was imported from, each with its size, mtime, ctime and inode at that moment.

A program that runs while its package is upgraded has old code in memory and new files on the disk.  What it compiles
must not be kept under a hash of the new files, so whoever hashes them asks first whether they are still the same.
"""

import os
import sys

#: packages whose code no compiled program depends on
_ELSEWHERE = ("files", "symbolic", "viewer", "cli")


def stamps() -> dict[str, tuple[int, int, int, int]]:
    """Size, mtime, ctime and inode by file: of modules, or of the archive of a zipped program; none of a frozen one.

    mtime alone would not do: an installer may set it, but nobody can set ctime.
    """
    archive = getattr(__spec__.loader, "archive", None)
    if hasattr(sys, "frozen"):
        return {}
    paths = [archive] if archive else _modules(os.path.dirname(__spec__.origin or ""))
    try:
        found = {path: os.stat(path) for path in paths}
    except OSError:
        return {}
    return {path: (x.st_size, x.st_mtime_ns, x.st_ctime_ns, x.st_ino) for path, x in found.items()}


def _modules(root: str) -> list[str]:
    """Sources, or compiled modules in their place, as some installations have them."""
    found = []
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name != "__pycache__" and (folder != root or name not in _ELSEWHERE)]
        found += [os.path.join(folder, name) for name in names if name.endswith((".py", ".pyc"))]
    return found


#: at the moment of the import
FIRST = stamps()


def unchanged() -> bool:
    """Whether the files are still those that were imported; False if there are none."""
    return bool(FIRST) and stamps() == FIRST
