"""The files this package was imported from, as they were at that moment.

A program that runs while its package is upgraded has old code in memory and new files on the disk.  What it compiles
must not be kept under the name of the new code, so everybody who hashes the files asks first whether they still are
what was imported.
"""

import os
import sys

#: packages whose code no compiled program depends on
_ELSEWHERE = ("files", "symbolic", "identification", "viewer", "cli", "__pycache__")
#: some installations have only compiled modules, in the place of the sources
_CODE = (".py", ".pyc")

Stamp = tuple[int, int, int, int]


def _stamp(found: os.stat_result) -> Stamp:
    # when it was last changed cannot be set by anybody, the time of its content can
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def stamps() -> dict[str, Stamp]:
    """The files with the code of this package and what tells one state of them from another; none if it has no files.

    A program in a zip archive has one file, the archive; a frozen program has none.
    """
    spec = __spec__
    archive, origin = getattr(spec.loader, "archive", None), spec.origin
    try:
        if archive is not None:
            return {archive: _stamp(os.stat(archive))}
        if origin is None or not os.path.isfile(origin) or hasattr(sys, "frozen"):
            return {}
        return _in_folder(os.path.dirname(origin))
    except OSError:
        return {}


def _in_folder(root: str) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    folders = [root]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir():
                    if not (entry.name in _ELSEWHERE[-1:] or (folder == root and entry.name in _ELSEWHERE)):
                        folders.append(entry.path)
                elif entry.name.endswith(_CODE):
                    found[entry.path] = _stamp(entry.stat())
    return found


#: at the moment of the import
FIRST = stamps()


def unchanged() -> bool:
    """Whether the files are still those that were imported; False if there are none."""
    return bool(FIRST) and stamps() == FIRST
