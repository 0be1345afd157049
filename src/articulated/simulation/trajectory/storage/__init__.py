"""Trajectories in files: one file per format, whole or not at all, never a pickle."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....errors import ShapeError, unknown
from ....robot import Robot
from ....text import shortened
from . import csv, npz, parquet
from .header import NotATrajectory

if TYPE_CHECKING:
    from ..trajectory import Trajectory

#: ending of a file → who writes and who reads it
WRITERS: dict[str, Callable[..., None]] = {".npz": npz.write, ".parquet": parquet.write, ".csv": csv.write}
READERS: dict[str, Callable[..., "Trajectory"]] = {".npz": npz.read, ".parquet": parquet.read, ".csv": csv.read}

__all__ = ["NotATrajectory", "load", "save"]


def save(run: "Trajectory", path: str | Path) -> None:
    """Write a file in the format of its ending."""
    place = _path("save", path)
    WRITERS[_ending(place)](run, place)


def load(path: str | Path, robot: Robot | str | Path | None = None) -> "Trajectory":
    """Read a file in the format of its ending."""
    place = _path("load", path)
    if robot is not None and not isinstance(robot, (Robot, str, Path)):
        raise ShapeError(f"load: robot is a robot, a name or a path; got {shortened(repr(robot))}")
    return READERS[_ending(place)](place, robot)


def _path(method: str, path: Any) -> Path:
    if not isinstance(path, (str, Path)):
        raise ShapeError(f"{method}: path is the name of a file; got {shortened(repr(path))}")
    return Path(path)


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if path.is_dir():
        raise NotATrajectory(f"{path}: is a folder, not a file")
    if ending not in READERS:
        raise NotATrajectory(f"{path}: {unknown('kind of file', ending, 'the list', READERS)}")
    return ending
