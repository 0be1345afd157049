"""NPZ logs: arrays q, v, a, tau of shape (n, size), and time; read and written as streams, never whole."""

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from ...errors import unknown
from ...robot import Robot
from ..exit_codes import BadInput
from ..output import whole_file
from .columns import TIMES
from .formats import Block, Log

STATES = ("q", "v", "a", "tau")
LARGEST = 2**48  # numbers along an axis


class _Array(NamedTuple):
    """An array in the file: where its numbers begin, and what they are."""

    stream: IO[bytes]
    shape: tuple[int, ...]
    dtype: np.dtype


def read(path: Path, robot: Robot, wanted: Sequence[str], size: int) -> Log:
    """The arrays of a command by their names; all have the same number of states."""
    stack = ExitStack()
    try:
        archive = stack.enter_context(zipfile.ZipFile(path))
        names = [name.removesuffix(".npy") for name in archive.namelist()]
        if repeated := [name for name, times in Counter(names).items() if times > 1]:
            raise BadInput(f"{path}: it holds {repeated[0]!r} twice; which of them is it?")
        time = next((name for name in TIMES if name in names), None)
        chosen = {name: name for name in wanted if name in names} | ({"time": time} if time else {})
        arrays = {key: _opened(stack, archive, name, path) for key, name in chosen.items()}
        if not any(name in names for name in STATES):
            raise BadInput(f"{path}: {unknown('array', 'q', 'the file', names)}")
        rows = _rows(path, robot, arrays)
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError) as problem:
        stack.close()
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"{path}: not an NPZ file: {problem}") from None
    except BaseException:
        stack.close()
        raise
    return Log(
        [key for key in arrays if key != "time"],
        rows,
        _blocks(path, arrays, rows, size),
        bool(time),
        stack.close,
        names,
    )


def _opened(stack: ExitStack, archive: zipfile.ZipFile, name: str, path: Path) -> _Array:
    with _unpacking(path, name):
        stream = stack.enter_context(archive.open(f"{name}.npy"))
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = header(stream)
    if not all(type(n) is int and 0 <= n < LARGEST for n in shape):
        raise BadInput(f"{path}: {name} has the shape {str(shape)[:80]}; no array has that")
    if dtype.kind not in "fiu":
        raise BadInput(f"{path}: {name} holds {dtype}, not numbers")
    if fortran and len(shape) > 1:
        raise BadInput(f"{path}: {name} is stored column by column; save np.ascontiguousarray({name})")
    return _Array(stream, shape, dtype)


@contextmanager
def _unpacking(path: Path, name: str) -> Iterator[None]:
    """Around what reads from the archive: zlib.error, LZMAError and their like have no common parent."""
    try:
        yield
    except Exception as problem:
        raise BadInput(f"{path}: {name} cannot be unpacked: {problem}") from None


def _rows(path: Path, robot: Robot, arrays: dict[str, _Array]) -> int:
    for name, array in arrays.items():
        expected = () if name == "time" else (robot.nq if name == "q" else robot.nv,)
        if len(array.shape) != 1 + len(expected) or array.shape[1:] != expected:
            needed = ", ".join(["n", *map(str, expected)])
            raise BadInput(f"{path}: {name} has shape {array.shape}; {robot.name} needs ({needed})")
    counts = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise BadInput(f"{path}: the arrays have different numbers of states: {shown}")
    return next(iter(counts.values()), 0)


def _blocks(path: Path, arrays: dict[str, _Array], rows: int, size: int) -> Iterator[Block]:
    for start in range(0, rows, size):
        count = min(size, rows - start)
        yield {name: _taken(path, name, array, count) for name, array in arrays.items()}


def _taken(path: Path, name: str, array: _Array, count: int) -> np.ndarray:
    shape = (count, *array.shape[1:])
    wanted = int(np.prod(shape)) * array.dtype.itemsize
    with _unpacking(path, name):
        data = array.stream.read(wanted)
    if len(data) != wanted:
        raise BadInput(f"{path}: {name} ends before its {array.shape[0]} states")
    return np.frombuffer(data, array.dtype).reshape(shape).astype(float, copy=False)


class _NpzWriter:
    def __init__(self, results: IO[bytes], times: IO[bytes]):
        self.results, self.times, self.rows = results, times, 0

    def write(self, values: np.ndarray, time: np.ndarray | None) -> None:
        """Kept aside until the number of states is known."""
        self.results.write(np.ascontiguousarray(values, "<f8").data)
        if time is not None:
            self.times.write(np.ascontiguousarray(time, "<f8").data)
        self.rows += len(values)


@contextmanager
def write(path: Path, name: str, shape: tuple[int, ...], time: bool) -> Iterator[_NpzWriter]:
    """One array under the name of the result, and time where the log had it."""
    with whole_file(path, "wb") as file, ExitStack() as stack:
        aside = [stack.enter_context(tempfile.TemporaryFile(dir=path.parent)) for _ in range(2)]
        writer = _NpzWriter(*aside)
        yield writer
        with zipfile.ZipFile(file, "w") as archive:
            _stored(archive, name, (writer.rows, *shape), aside[0])
            if time:
                _stored(archive, "time", (writer.rows,), aside[1])


def _stored(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], data: IO[bytes]) -> None:
    data.seek(0)
    with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": shape})
        shutil.copyfileobj(data, member, 1 << 20)
