"""Logs in and out, block by block: one reader and one writer per file ending."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from ...errors import unknown
from ...robot import Robot
from ..exit_codes import BadInput

Block = dict[str, np.ndarray]  # q, v, a, tau (n, size); time (n,) where the log has one


class Log(NamedTuple):
    """States to read: which vectors the file holds, how many states (None: not known before the end)."""

    holds: Sequence[str]
    rows: int | None
    blocks: Iterator[Block]
    time: bool
    close: Callable[[], None]
    columns: Sequence[str]  # everything the file holds, by name


class Writer(Protocol):
    """Takes results block by block."""

    def write(self, values: np.ndarray, time: np.ndarray | None) -> None:
        """Results (n, …) of n states."""
        ...


def open_log(path: str, robot: Robot, wanted: Sequence[str], size: int) -> Log:
    """The states in a file; `wanted` are the vectors the command can use, `size` the states of a block."""
    from . import csv, npz, parquet

    readers = {".csv": csv.read, ".npz": npz.read, ".parquet": parquet.read}
    return readers[_ending(path, "--log", readers)](Path(path), robot, wanted, size)


def open_output(
    path: str, name: str, columns: Sequence[str], shape: tuple[int, ...], time: bool
) -> AbstractContextManager[Writer]:
    """Where results go; the file appears when everything is in it."""
    from . import csv, npz, parquet

    if not path or path == "-":
        return csv.write(None, columns, time)
    match _ending(path, "--output", (".csv", ".npz", ".parquet")):
        case ".csv":
            return csv.write(Path(path), columns, time)
        case ".npz":
            return npz.write(Path(path), name, shape, time)
        case _:
            return parquet.write(Path(path), columns, time)


def _ending(path: str, option: str, known: Sequence[str] | dict) -> str:
    ending = Path(path).suffix.lower()
    if Path(path).is_dir():
        raise BadInput(f"{option} {path}: is a folder, not a file")
    if ending not in known:
        raise BadInput(f"{option} {path}: {unknown('kind of log', ending, 'this program', known)}")
    return ending
