"""NPZ: the arrays as they are, and the header as a text."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....housekeeping import whole_file
from ....robot import Robot
from ..columns import arrays, assembled, fields
from .header import NotATrajectory, header, laid_out, parsed

if TYPE_CHECKING:
    from ..trajectory import Trajectory

HEADER = "trajectory"


def write(run: "Trajectory", path: Path) -> None:
    """All or nothing."""
    with whole_file(path, "wb") as file:
        np.savez(file, allow_pickle=False, **{HEADER: np.array(json.dumps(header(run)))}, **arrays(run))


def read(path: Path, robot: Robot | str | Path | None) -> "Trajectory":
    """The trajectory in a file."""
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as archive:
                found = _read(path, archive)
        except NotATrajectory:
            raise
        except Exception as problem:  # zlib.error, LZMAError, TokenError and their like have no common parent
            raise NotATrajectory(f"{path}: not a whole NPZ file: {problem}") from None
    about = parsed(str(found.pop(HEADER)), path)
    of = laid_out(about, robot, path)
    for field in fields(of):
        if field.name not in found and field.name != "batch":
            raise NotATrajectory(f"{path}: the trajectory has no array {field.name!r}")
    return assembled(of, found, about)


def _read(path: Path, archive: "np.lib.npyio.NpzFile") -> dict[str, np.ndarray]:
    if HEADER not in archive.files:
        held = ", ".join(archive.files[:8]) or "nothing"
        raise NotATrajectory(f"{path}: not a trajectory of articulated: it has no array {HEADER!r}, but {held}")
    return {name: archive[name] for name in archive.files}
