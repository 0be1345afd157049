"""NPZ: an array per field, streamed; shapes are known from the headers of the arrays before numbers are unpacked."""

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ..housekeeping import whole_file
from ..text import shortened
from .fields import TIME, TIMES, Block, Field, LogError
from .log import HEADER, Log

LARGEST = 2**48  # numbers along an axis
LONGEST = 2**28  # bytes of a header, four a letter
Shape = tuple[int, ...]


class _Array(NamedTuple):
    """An array in the file, at the beginning of its numbers."""

    name: str
    stream: IO[bytes]
    shape: Shape
    dtype: np.dtype
    fortran: bool


class Npz(Log):
    """An NPZ file; the header of a trajectory is the array `trajectory`."""

    def __init__(self, path: Path, file: IO[bytes]):
        super().__init__(path, file)
        with self._unpacking():
            self.archive = zipfile.ZipFile(file)
        self.names = [name.removesuffix(".npy") for name in self.archive.namelist()]
        if repeated := [name for name, times in Counter(self.names).items() if times > 1]:
            raise LogError(f"{path}: it holds {shortened(repeated[0])!r} twice; which of them is it?")

    @property
    def rows(self) -> int:
        """Length of the arrays that were found."""
        return next((array.shape[0] for array in self.found.values()), 0)

    def header(self) -> str | None:
        """The text in its array."""
        if HEADER not in self.names:
            return None
        array = self._opened(HEADER)
        if array.shape or array.dtype.kind != "U" or array.dtype.itemsize > LONGEST:
            raise self._odd(array, "a text, the header of the trajectory")
        with self._unpacking():
            return str(self._read(array, ()))

    def find(self, fields: Sequence[Field]) -> list[Field]:
        """By the names of the arrays, all with the same number of rows."""
        named = {field.name: self._name(field) for field in fields}
        held = [field for field in fields if named[field.name] is not None]
        self.found = {field.name: self._opened(str(named[field.name])) for field in held}
        for field in held:
            array = self.found[field.name]
            if (
                len(array.shape) != 1 + len(field.tail)
                or array.shape[1:] != field.tail
                or array.dtype.kind not in "fiu"
            ):
                raise self._odd(array, f"({', '.join(['n', *map(str, field.tail)])}) of numbers")
            if array.fortran and field.tail:
                what = f"{array.name} is stored column by column; save np.ascontiguousarray({array.name})"
                raise LogError(f"{self.path}: {what}")
        if len({array.shape[0] for array in self.found.values()}) > 1:
            shown = ", ".join(f"{array.name} {array.shape[0]}" for array in self.found.values())
            raise LogError(f"{self.path}: the arrays have different numbers of states: {shown}")
        return held

    def _name(self, field: Field) -> str | None:
        return next((name for name in (TIMES if field == TIME else [field.name]) if name in self.names), None)

    def blocks(self, size: int) -> Iterator[Block]:
        """Rows of every array that was found."""
        for start in range(0, self.rows, size):
            count = min(size, self.rows - start)
            yield {name: self._read(array, (count, *array.shape[1:])) for name, array in self.found.items()}
        self._finish(self.found.values())

    def whole(self, shapes: Mapping[str, Collection[Shape]]) -> Block:
        """Arrays by name, each of one of the shapes it may have."""
        arrays = []
        for name, those in shapes.items():
            if name not in self.names:
                raise LogError(f"{self.path}: it has no array {name!r}")
            arrays.append(self._opened(name))
            if arrays[-1].shape not in those or arrays[-1].dtype.kind not in "fiu":
                raise self._odd(arrays[-1], f"{' or '.join(map(str, sorted(those, key=len)))} of numbers")
        found = {}
        for array in arrays:
            values = self._read(array, array.shape[::-1] if array.fortran else array.shape)
            found[array.name] = values.T if array.fortran else values
        self._finish(arrays)
        return found

    def _opened(self, name: str) -> _Array:
        with self._unpacking(name):
            stream = self.archive.open(f"{name}.npy")
            version = np.lib.format.read_magic(stream)
            header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = header(stream)
        array = _Array(name, stream, shape, dtype, fortran)
        if not all(type(n) is int and 0 <= n < LARGEST for n in shape):
            raise self._odd(array, "one that an array can have")
        return array

    def _odd(self, array: _Array, wanted: str) -> LogError:
        return LogError(
            f"{self.path}: {shortened(array.name)} has shape {shortened(array.shape)} of {shortened(array.dtype)}; "
            f"it must be {wanted}"
        )

    def _read(self, array: _Array, shape: Shape) -> np.ndarray:
        """The next numbers of an array."""
        wanted = prod(shape) * array.dtype.itemsize
        with self._unpacking(array.name):
            data = array.stream.read(wanted)
            if len(data) < wanted:
                raise EOFError("it ends before its last number")
            return np.frombuffer(data, array.dtype).reshape(shape)

    def _finish(self, arrays: Iterable[_Array]) -> None:
        """Read to the ends, where checksums are compared."""
        for array in arrays:
            with self._unpacking(array.name):
                array.stream.read(1)

    @contextmanager
    def _unpacking(self, name: str = "") -> Iterator[None]:
        """Around what reads from the archive: zlib.error, LZMAError and their like have no common parent."""
        try:
            yield
        except Exception as problem:
            what = f"{shortened(name)} cannot be unpacked" if name else "not an NPZ file"
            raise LogError(f"{self.path}: {what}: {problem}") from None


class _Writer:
    def __init__(self, fields: Sequence[Field], folder: Path, stack: ExitStack):
        self.files = {field.name: stack.enter_context(tempfile.TemporaryFile(dir=folder)) for field in fields}  # noqa: SIM115
        self.arrays = {field.name: np.empty((0, *field.tail)) for field in fields}
        self.rows = dict.fromkeys(self.files, 0)

    def write(self, block: Mapping[str, Any]) -> None:
        """Kept aside until the number of rows is known."""
        for name, file in self.files.items():
            x = np.ascontiguousarray(block[name])
            file.write(x.data)
            self.rows[name] += len(x)
            self.arrays[name] = x[:0]

    def store(self, archive: zipfile.ZipFile) -> None:
        """The arrays as NumPy would write them."""
        for name, file in self.files.items():
            file.seek(0)
            like = self.arrays[name]
            shape = (self.rows[name], *like.shape[1:])
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": like.dtype.str, "fortran_order": False, "shape": shape}
                )
                shutil.copyfileobj(file, member, 1 << 20)


@contextmanager
def write(path: Path, fields: Sequence[Field], header: str) -> Iterator[_Writer]:
    """A writer whose arrays become one archive."""
    with whole_file(path, "wb") as file, ExitStack() as stack:
        writer = _Writer(fields, path.parent, stack)
        yield writer
        with zipfile.ZipFile(file, "w") as archive:
            if header:
                with archive.open(f"{HEADER}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.array(header), allow_pickle=False)
            writer.store(archive)
