"""Identification from folders larger than memory: normal equations file by file, kept so that a killed run goes on."""

from __future__ import annotations  # help shows types as they are written here

import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from ..compiler.runtime.fingerprint import fingerprint
from ..housekeeping import whole_file
from ..robot import Robot
from ..robot.quantities.arguments import joint_terms
from .fit import PARTS
from .log import Log, read_log
from .normal import CELL, Normal


def normals(
    robot: Robot, files: Sequence[Path], friction: Any, kept: Path | None = None, **reading: Any
) -> Iterator[tuple[Path, list[Normal] | list[Log], Sequence[str]]]:
    """Each file, the normal equations of some parts of it, and notes on how it was read.

    They are kept in a folder, if one is given, and found there as long as file, robot and options are the same.  A log
    of currents comes as it is: the gains of drives need all of it.
    """
    terms = joint_terms("identify", friction)
    parts = max(1, -(-PARTS // len(files)))
    for path in files:
        about = path.stat()
        of_file = (str(path.resolve()), about.st_size, about.st_mtime_ns)
        name = fingerprint(*of_file, parts, terms, str(reading), robot.kernels.identity())
        place = kept / f"{name}.npz" if kept else None
        held = _held(robot, place)
        notes: Sequence[str] = ["as computed before"]
        if not held:
            log = read_log(robot, path, **reading)
            notes = [*(f"column {column} not used" for column in log.unused), *log.notes]
            if log.currents:
                yield path, [log], notes
                continue
            held = _parts(robot, log, terms, parts)
            if place:
                _keep(place, held)
        yield path, held, notes


def _parts(robot: Robot, log: Log, terms: Sequence[str], parts: int) -> list[Normal]:
    """Contiguous parts, of whole cells if the log is long enough."""
    size = -(-len(log) // parts) or 1
    size = -(-size // CELL) * CELL if size >= CELL else size
    starts = range(0, len(log), size)
    return [Normal(robot, log.part(slice(k, k + size)), terms) for k in starts]


def _keep(place: Path, held: Sequence[Normal]) -> None:
    """Keep all parts of a file, or none."""
    files = {}
    for k, one in enumerate(held):
        files[f"{k}.npz"] = one._saved()
    with whole_file(place, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def _held(robot: Robot, place: Path | None) -> list[Normal]:
    """Normal equations that an earlier run has kept."""
    if place is None or not place.exists():
        return []
    try:
        with zipfile.ZipFile(place) as archive:
            names = sorted(archive.namelist(), key=lambda name: int(name.partition(".")[0]))
            return [Normal.load(robot, BytesIO(archive.read(name))) for name in names]
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return []
